import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { RecordsFile, type OpenOptions } from '../../src/records/file.ts'
import { parseRecords, readRecordsFile, type Tail } from '../../src/records/reading.ts'
import { Stop } from '../../src/stop.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { canBeNobody, moduleUrl, runScript } from '../support/script.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { lineOf } from './entries.ts'

afterAll(cleanUp)

const files: RecordsFile[] = []
afterEach(async () => {
  for (const file of files.splice(0)) await file.close()
})

const emptyTail: Tail = { state: 'whole', goodBytes: 0 }
const usual = { expectedBytes: 4096, adopted: Buffer.alloc(0) }

const parse = (path: string) => parseRecords(readRecordsFile(path, path), path)

/** A path for a records file, with this content if any. */
function makePath(content?: string | Uint8Array): string {
  return makeWorkspace(content === undefined ? {} : { 'records.jsonl': content }).path(
    'records.jsonl',
  )
}

/** Opens a file as a run does: with the tail that was read. */
async function open(path: string, options: Partial<OpenOptions> = {}): Promise<RecordsFile> {
  const { tail } = parse(path)
  const file = await RecordsFile.open(path, { tail, ...usual, ...options })
  files.push(file)
  return file
}

/** Expects that a file cannot be opened, and gives the message. */
async function refusal(path: string, options: Partial<OpenOptions> = {}): Promise<string> {
  const opening = RecordsFile.open(path, { tail: emptyTail, ...usual, ...options })
  const error = await opening.then(
    file => {
      files.push(file)
      return null
    },
    (reason: unknown) => reason,
  )
  expect(error).toMatchObject({ problems: [{ input: 'records-path' }] })
  return error instanceof Stop ? error.message : ''
}

const read = (path: string): string => readFileSync(path, 'utf8')

describe('opening', () => {
  it('makes the file and its folders, and nothing else', async () => {
    const path = makeWorkspace().path('a/b/records.jsonl')
    await open(path)
    expect(read(path)).toBe('')
    expect(readdirSync(dirname(path))).toEqual(['records.jsonl'])
  })

  it.each([
    ['that is missing', undefined, ''],
    ['that is whole', lineOf(1), lineOf(1)],
    ['that lacks its last newline', (lineOf(1) + lineOf(2)).trimEnd(), lineOf(1) + lineOf(2)],
    ['whose last line is incomplete', lineOf(1) + lineOf(2).slice(0, 70), lineOf(1)],
    ['whose only line is incomplete', lineOf(1).slice(0, 10), ''],
  ])(
    'completes a file %s, then adopts lines of elsewhere, then appends',
    async (_, content, kept) => {
      const path = makePath(content)
      await (await open(path)).close()
      expect(read(path)).toBe(kept)
      writeFileSync(path, content ?? '')
      const adopted = lineOf(3) + lineOf(4)
      const file = await open(path, { adopted: Buffer.from(adopted) })
      expect(read(path)).toBe(kept + adopted)
      await file.append(lineOf(5))
      expect(read(path)).toBe(kept + adopted + lineOf(5))
      expect(readdirSync(dirname(path))).toEqual(['records.jsonl'])
    },
  )

  it('writes through a link', async () => {
    const path = makePath(lineOf(1))
    symlinkSync('records.jsonl', `${path}.link`)
    await (await open(`${path}.link`)).append(lineOf(2))
    expect(read(path)).toBe(lineOf(1) + lineOf(2))
  })

  it('refuses a folder in its place, in words', async () => {
    const path = makePath()
    mkdirSync(path)
    expect(await refusal(path)).toMatch(/folder|regular file/)
  })

  it('refuses a folder that is a file', async () => {
    const path = makePath('x')
    expect(await refusal(`${path}/records.jsonl`)).not.toBe('')
    expect(await refusal(`${path}/deeper/records.jsonl`)).not.toBe('')
    expect(read(path)).toBe('x')
  })

  it.each(['/dev/full', '/dev/null'])('refuses the device %s', async device => {
    expect(await refusal(device)).toContain('regular file')
    const path = makePath()
    symlinkSync(device, path)
    expect(await refusal(path)).toContain('regular file')
  })

  it('refuses a link to nowhere in a folder that is missing', async () => {
    const path = makePath()
    symlinkSync('missing/records.jsonl', path)
    await refusal(path)
  })
})

describe('appending', () => {
  it('has the line whole on disk when it settles', async () => {
    const path = makePath()
    const file = await open(path)
    for (let count = 1; count <= 5; count++) {
      expect(await file.append(lineOf(count))).toEqual({ isSaved: true })
      expect(read(path).endsWith(lineOf(count))).toBe(true)
    }
  })

  it('keeps what stands there, and goes on after it', async () => {
    const path = makePath(lineOf(1))
    await (await open(path)).append(lineOf(2))
    await (await open(path)).append(lineOf(3))
    expect(read(path)).toBe(lineOf(1) + lineOf(2) + lineOf(3))
  })

  it('saves many lines that come together, each once, in order', async () => {
    const path = makePath(lineOf(0))
    const file = await open(path)
    const lines = Array.from({ length: 100 }, (_, index) =>
      lineOf(index + 1, { artifact: `${'漢'.repeat(200)}-${index}` }),
    )
    const settled: number[] = []
    const saved = await Promise.all(
      lines.map(async (line, index) => {
        const result = await file.append(line)
        expect(read(path)).toContain(line)
        settled.push(index)
        return result
      }),
    )
    expect(saved.every(({ isSaved }) => isSaved)).toBe(true)
    expect(settled).toEqual(lines.map((_, index) => index))
    expect(read(path)).toBe(lineOf(0) + lines.join(''))
    expect(parse(path)).toMatchObject({ damage: [] })
  })

  it('makes one write and one sync for lines that come in one turn, in whatever promises', () => {
    const counting = `
      const { open: openFile } = await import('node:fs/promises')
      const any = await openFile('/')
      const prototype = Object.getPrototypeOf(any)
      await any.close()
      const counts = { appendFile: 0, datasync: 0 }
      for (const name in counts) {
        const ordinary = prototype[name]
        prototype[name] = function (...given) { counts[name] += 1; return ordinary.apply(this, given) }
      }
      const later = Promise.resolve().then(() => Promise.resolve()).then(() => file.append(lines[0]))
      const saved = await Promise.all([...Array.from({ length: 200 }, () => file.append(lines[0])), later])
      console.log(JSON.stringify([counts, saved.filter(({ isSaved }) => isSaved).length]))`
    const script = appendScript(makePath(), [lineOf(1)]).replace(/for \(.*/, counting)
    expect(printed(runScript(script).stdout)).toEqual([[{ appendFile: 1, datasync: 1 }, 201]])
  })

  it('saves lines that come while others are being written', async () => {
    const path = makePath()
    const file = await open(path)
    const later: Promise<unknown>[] = []
    const first = file.append(lineOf(1)).then(() => later.push(file.append(lineOf(4))))
    setImmediate(() => later.push(file.append(lineOf(2))))
    await Promise.all([first, file.append(lineOf(3))])
    await new Promise(resolve => setTimeout(resolve, 50))
    await Promise.all(later)
    expect(read(path).split('\n').sort()).toEqual(
      ['', ...[1, 2, 3, 4].map(number => lineOf(number).trimEnd())].sort(),
    )
  })

  it('shares the file with another run on the same machine, line by line', async () => {
    const path = makePath()
    const [one, two] = [await open(path), await open(path)]
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? one : two).append(lineOf(index))),
    )
    const { lines, damage } = parse(path)
    expect(damage).toEqual([])
    expect(lines.map(({ hash }) => Number(`0x${hash}`)).sort()).toEqual(
      Array.from({ length: 60 }, (_, index) => index).sort(),
    )
  })

  it('is over when the file is closed, and everything before is saved', async () => {
    const path = makePath()
    const file = await RecordsFile.open(path, { tail: emptyTail, ...usual })
    const pending = Promise.all([file.append(lineOf(1)), file.append(lineOf(2))])
    await file.close()
    expect(read(path)).toBe(lineOf(1) + lineOf(2))
    expect(await pending).toEqual([{ isSaved: true }, { isSaved: true }])
    expect(await file.append(lineOf(3))).toMatchObject({ isSaved: false })
    expect(read(path)).toBe(lineOf(1) + lineOf(2))
  })
})

describe('closing', () => {
  it.each<[string, boolean, (path: string) => void]>([
    ['nothing happened to it', true, () => undefined],
    [
      'somebody appended to it',
      true,
      path => {
        appendFileSync(path, lineOf(9))
      },
    ],
    [
      'somebody removed it',
      false,
      path => {
        rmSync(path)
      },
    ],
    [
      'somebody cut it',
      false,
      path => {
        writeFileSync(path, '')
      },
    ],
    [
      'somebody put another in its place',
      false,
      path => {
        rmSync(path)
        writeFileSync(path, lineOf(1) + lineOf(2))
      },
    ],
  ])('says whether the lines are still there when %s', async (_, isThere, change) => {
    const path = makePath(lineOf(1))
    const file = await open(path)
    await file.append(lineOf(2))
    change(path)
    expect(await file.close()).toBe(isThere)
  })
})

/** A script that opens a file and appends lines one by one, and prints what became of each. */
const appendScript = (
  path: string,
  lines: readonly string[],
  options: Partial<OpenOptions> = {},
): string => `
  import { RecordsFile } from ${JSON.stringify(moduleUrl('src/records/file.ts'))}
  import { parseRecords, readRecordsFile } from ${JSON.stringify(moduleUrl('src/records/reading.ts'))}
  const path = ${JSON.stringify(path)}
  try {
    const { tail } = parseRecords(readRecordsFile(path, path), path)
    const file = await RecordsFile.open(path, { tail, expectedBytes: 0, adopted: Buffer.alloc(0), ...${JSON.stringify(options)} })
    const lines = ${JSON.stringify(lines)}
    for (const line of lines) console.log(JSON.stringify(await file.append(line)))
    await file.close()
  } catch (error) {
    console.log(JSON.stringify({ name: error.name, message: error.message }))
  }`

const printed = (stdout: string): unknown[] =>
  stdout
    .split('\n')
    .filter(line => line !== '')
    .map((line): unknown => JSON.parse(line))

describe('a write that fails in its middle', () => {
  const long = (number: number): string => lineOf(number, { artifact: 'a'.repeat(1000) })
  const maxFileKib = 4
  // What fits into the limit, and the line that does not fit whole.
  const fitting = Math.floor((maxFileKib * 1024) / long(1).length)

  it('is reported with its reason, and the half-written line is gone', () => {
    const path = makePath()
    const lines = Array.from({ length: fitting + 1 }, (_, index) => long(index))
    const { stdout, stderr } = runScript(appendScript(path, lines), { maxFileKib })
    expect(stderr).toBe('')
    expect(printed(stdout)).toEqual([
      ...lines.slice(0, -1).map(() => ({ isSaved: true })),
      { isSaved: false, reason: 'the file would be too large (EFBIG)' },
    ])
    expect(read(path)).toBe(lines.slice(0, -1).join(''))
  })

  it('is the last: nothing is written any more, even if it would fit', () => {
    const path = makePath()
    const tooLong = lineOf(9, { artifact: 'b'.repeat(10_000) })
    const { stdout } = runScript(appendScript(path, [lineOf(1), tooLong, lineOf(2)]), {
      maxFileKib,
    })
    expect(printed(stdout)).toMatchObject([
      { isSaved: true },
      { isSaved: false },
      { isSaved: false, reason: 'the file would be too large (EFBIG)' },
    ])
    expect(read(path)).toBe(lineOf(1))
  })

  it('leaves lines of earlier runs alone', () => {
    const before = lineOf(1) + lineOf(2)
    const path = makePath(before)
    const tooLong = lineOf(9, { artifact: 'b'.repeat(10_000) })
    runScript(appendScript(path, [tooLong]), { maxFileKib })
    expect(read(path)).toBe(before)
  })

  it('saves none of the lines of one write, and says so for each', () => {
    const path = makePath()
    const together = appendScript(path, [
      lineOf(1),
      ...Array.from({ length: 9 }, (_, n) => long(n)),
    ]).replace(
      'for (const line of lines) console.log(JSON.stringify(await file.append(line)))',
      `
        for (const saved of await Promise.all(lines.map(line => file.append(line)))) console.log(JSON.stringify(saved))`,
    )
    const results = printed(runScript(together, { maxFileKib }).stdout)
    const { lines, damage, tail } = parse(path)
    expect(results).toHaveLength(10)
    expect(results.filter(result => JSON.stringify(result) === '{"isSaved":true}')).toHaveLength(
      lines.length,
    )
    expect(damage).toEqual([])
    expect(tail.state).toBe('whole')
  })
})

describe('a disk without room', () => {
  it('is known before anything is spent: the room for all lines is tried first', () => {
    const path = makePath(lineOf(1))
    const { stdout } = runScript(appendScript(path, [], { expectedBytes: 100_000 }), {
      maxFileKib: 8,
    })
    expect(printed(stdout)).toEqual([{ name: 'Stop', message: expect.stringContaining('EFBIG') }])
    expect(read(path)).toBe(lineOf(1))
    expect(readdirSync(dirname(path))).toEqual(['records.jsonl'])
  })

  const canMount =
    process.platform === 'linux' &&
    process.getuid?.() === 0 &&
    spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

  const onTinyDisk = (script: string, folder: string) =>
    spawnSync(
      'unshare',
      [
        ...['-m', 'bash', '-c'],
        'mount -t tmpfs -o size=32k none "$2" && "$0" --input-type=module --eval "$1"; status=$?; cat "$2"/records.jsonl >&2; exit $status',
        ...[process.execPath, script, folder],
      ],
      { encoding: 'utf8', timeout: 30_000 },
    )

  ;(canMount ? it : it.skip)('stops sending when it fills up, and the file stays whole', () => {
    const path = makePath()
    const lines = Array.from({ length: 25 }, (_, index) =>
      lineOf(index, { artifact: 'a'.repeat(2000) }),
    )
    const { stdout, stderr } = onTinyDisk(appendScript(path, lines), dirname(path))
    const results = printed(stdout)
    const saved = results.findIndex(result => JSON.stringify(result) !== '{"isSaved":true}')
    expect(saved).toBeGreaterThan(5)
    expect(results.slice(saved)).toEqual(
      lines
        .slice(saved)
        .map(() => ({ isSaved: false, reason: 'no space left on the device (ENOSPC)' })),
    )
    expect(stderr).toBe(lines.slice(0, saved).join(''))
  })

  ;(canMount ? it : it.skip)('is known before anything is spent on a full disk', () => {
    const path = makePath()
    const script = appendScript(path, [lineOf(1)], { expectedBytes: 8192 })
    const filled = `import { writeFileSync } from 'node:fs'
      try { writeFileSync(${JSON.stringify(`${path}.other`)}, Buffer.alloc(100_000)) } catch {}
      ${script}`
    const { stdout } = onTinyDisk(filled, dirname(path))
    expect(printed(stdout)).toEqual([{ name: 'Stop', message: expect.stringContaining('ENOSPC') }])
  })
})

describe('rights', () => {
  const test = canBeNobody() ? it : it.skip
  const asNobody = (path: string) =>
    printed(runScript(appendScript(path, [lineOf(2)]), { isNobody: true }).stdout)

  const denied = { name: 'Stop', message: expect.stringContaining('permission denied') }

  /** A folder that everybody may enter. */
  const makeOpenPath = (content?: string): string => {
    const path = makePath(content)
    for (let folder = dirname(path), levels = 2; levels > 0; folder = dirname(folder), levels--)
      chmodSync(folder, 0o777)
    return path
  }

  test('to a file that may not be written are missed before anything is spent', () => {
    const path = makeOpenPath(lineOf(1))
    chmodSync(path, 0o444)
    expect(asNobody(path)).toEqual([denied])
    expect(read(path)).toBe(lineOf(1))
  })

  test('to a folder that takes no new file are missed as well', () => {
    const path = makeOpenPath()
    chmodSync(dirname(path), 0o555)
    expect(asNobody(path)).toEqual([denied])
    expect(existsSync(path)).toBe(false)
  })

  test('to the file alone are enough, also in a folder that takes no new file', () => {
    const path = makeOpenPath(lineOf(1))
    if (process.getuid?.() === 0) chownSync(path, 65_534, 65_534)
    chmodSync(dirname(path), 0o555)
    expect(asNobody(path)).toEqual([{ isSaved: true }])
    chmodSync(dirname(path), 0o777)
    expect(read(path)).toBe(lineOf(1) + lineOf(2))
  })

  test('to read are missed, too: a file that cannot be read is no empty one', () => {
    const path = makeOpenPath(lineOf(1))
    if (process.getuid?.() === 0) chownSync(path, 65_534, 65_534)
    chmodSync(path, 0o222)
    expect(asNobody(path)).toEqual([denied])
    chmodSync(path, 0o666)
    expect(read(path)).toBe(lineOf(1))
  })
})

it('a file that is cut by hand after it was read is not filled with null bytes', async () => {
  const path = makePath(lineOf(1) + lineOf(2))
  const file = await open(path)
  writeFileSync(path, lineOf(1))
  await file.append(lineOf(3))
  expect(read(path)).toBe(lineOf(1) + lineOf(3))
})
