import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { appendFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { RecordsFile } from '../../src/records/file.ts'
import { parseRecords, readRecordsFile } from '../../src/records/reading.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { canBeNobody, moduleUrl, runScript, type ScriptOptions } from '../support/script.ts'
import { hashOf } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { lineOf } from './entries.ts'

afterAll(cleanUp)

const files: RecordsFile[] = []
afterEach(async () => {
  for (const file of files.splice(0)) await file.close()
})

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)
const read = (path: string): string => readFileSync(path, 'utf8')
const parse = (path: string) => parseRecords(readRecordsFile(path, path), path)

/** A path for a records file, with this content if any. */
function makePath(content?: string): string {
  const workspace = makeWorkspace(content === undefined ? {} : { 'records.jsonl': content })
  return workspace.path('records.jsonl')
}

/** Opens a file as a run does: with the tail that was read. */
async function open(path: string): Promise<RecordsFile> {
  const { tail } = parse(path)
  const options = { tail, expectedBytes: 4096, adopted: Buffer.alloc(0) }
  const file = await RecordsFile.open(path, options)
  files.push(file)
  return file
}

describe('opening', () => {
  // How a file of any end is completed, and goes on then, is in store.test.ts and property/records.test.ts.
  it('makes its folders, and writes through a link', async () => {
    const path = makeWorkspace().path('a/b/records.jsonl')
    await (await open(path)).append(lineOf(1))
    symlinkSync('records.jsonl', `${path}.link`)
    await (await open(`${path}.link`)).append(lineOf(2))
    expect(read(path)).toBe(lineOf(1) + lineOf(2))
  })

  it.each([
    ['a folder', /it is a folder/],
    ['a device', /regular file/],
    ['a link to nowhere', /no such file/],
    ['a file/where its folder must be', /EEXIST/],
  ])('refuses %s, in words', async (name, why) => {
    const workspace = makeWorkspace({ 'a file': '', 'a folder/x': '' })
    symlinkSync('/dev/null', workspace.path('a device'))
    symlinkSync('missing/x', workspace.path('a link to nowhere'))
    const options = { tail: parse('/missing').tail, expectedBytes: 0, adopted: Buffer.alloc(0) }
    const opening = RecordsFile.open(workspace.path(name), options)
    await expect(opening).rejects.toMatchObject({ problems: [{ input: 'records-path' }] })
    await expect(opening).rejects.toThrow(why)
  })
})

describe('appending', () => {
  it('saves many lines that come together, each once, in order', async () => {
    const path = makePath(lineOf(0))
    const file = await open(path)
    const lines = numbers(100).map(number => lineOf(number, { artifact: '漢'.repeat(200) }))
    const settled: string[] = []
    const append = async (line: string): Promise<void> => {
      expect(await file.append(line)).toEqual({ isSaved: true })
      expect(read(path)).toContain(line)
      settled.push(line)
    }
    await Promise.all(lines.map(append))
    expect(settled).toEqual(lines)
    expect(read(path)).toBe(lineOf(0) + lines.join(''))
  })

  it('saves lines that come while others are being written', async () => {
    const path = makePath()
    const file = await open(path)
    const later: Promise<unknown>[] = []
    const first = file.append(lineOf(1)).then(() => later.push(file.append(lineOf(4))))
    setImmediate(() => later.push(file.append(lineOf(2))))
    await Promise.all([first, file.append(lineOf(3))])
    while (later.length < 2) await new Promise(resolve => setTimeout(resolve, 2))
    await Promise.all(later)
    const { lines, damage } = parse(path)
    expect([lines.length, damage]).toEqual([4, []])
  })

  it('shares the file with another run on the same machine, line by line', async () => {
    const path = makePath()
    const [one, two] = [await open(path), await open(path)]
    const append = (number: number) => (number % 2 === 0 ? one : two).append(lineOf(number))
    await Promise.all(numbers(60).map(append))
    const { lines, damage } = parse(path)
    expect(damage).toEqual([])
    expect(lines.map(({ hash }) => hash).sort()).toEqual(numbers(60).map(hashOf))
  })

  it('is over when the file is closed, and everything before is saved', async () => {
    const path = makePath()
    const file = await open(path)
    const pending = Promise.all([file.append(lineOf(1)), file.append(lineOf(2))])
    await file.close()
    expect(read(path)).toBe(lineOf(1) + lineOf(2))
    expect(await pending).toEqual([{ isSaved: true }, { isSaved: true }])
    expect(await file.append(lineOf(3))).toMatchObject({ isSaved: false })
    expect(read(path)).toBe(lineOf(1) + lineOf(2))
  })

  it('goes on at its end when it was cut by hand, and not behind null bytes', async () => {
    const path = makePath(lineOf(1) + lineOf(2))
    const file = await open(path)
    writeFileSync(path, lineOf(1))
    await file.append(lineOf(3))
    expect(read(path)).toBe(lineOf(1) + lineOf(3))
  })
})

it.each<[string, boolean, (path: string) => Promise<unknown>]>([
  ['nothing happened to it', true, () => Promise.resolve()],
  ['somebody appended to it', true, path => appendFile(path, lineOf(9))],
  ['somebody removed it', false, path => rm(path)],
  ['somebody cut it', false, path => writeFile(path, '')],
  [
    'somebody put another in its place',
    false,
    path => writeFile(`${path}.x`, lineOf(1) + lineOf(2)).then(() => rename(`${path}.x`, path)),
  ],
])('closing says whether the lines are still there when %s', async (_, isThere, change) => {
  const path = makePath(lineOf(1))
  const file = await open(path)
  await file.append(lineOf(2))
  await change(path)
  expect(await file.close()).toBe(isThere)
})

interface Elsewhere extends ScriptOptions {
  readonly expectedBytes?: number
  /** A script that gives what is printed, by the `file` and the `lines`. Default: each line is appended after the other. */
  readonly append?: string
}

const oneByOne =
  'async () => { const all = []; for (const line of lines) all.push(await file.append(line)); return all }'
const together = '() => Promise.all(lines.map(line => file.append(line)))'

/** Opens a file in a process of its own, under limits and rights that this one cannot have; gives what came of its lines. */
function appendElsewhere(path: string, lines: readonly string[], options: Elsewhere): unknown {
  const { expectedBytes = 0, append = oneByOne } = options
  const { stdout, stderr } = runScript(
    `
    import { RecordsFile } from ${JSON.stringify(moduleUrl('src/records/file.ts'))}
    import { parseRecords, readRecordsFile } from ${JSON.stringify(moduleUrl('src/records/reading.ts'))}
    const [path, lines] = ${JSON.stringify([path, lines])}
    try {
      const { tail } = parseRecords(readRecordsFile(path, path), path)
      const options = { tail, expectedBytes: ${expectedBytes}, adopted: Buffer.alloc(0) }
      const file = await RecordsFile.open(path, options)
      const came = await (${append})()
      await file.close()
      console.log(JSON.stringify(came))
    } catch (error) {
      console.log(JSON.stringify({ name: error.name, message: error.message }))
    }`,
    options,
  )
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

it('lines that come in one turn, in whatever promises, share one write and one sync, and writes wait for each other', () => {
  const append = `async () => {
    const { open: openFile } = await import('node:fs/promises')
    const any = await openFile('/')
    const prototype = Object.getPrototypeOf(any)
    await any.close()
    const counts = { appendFile: 0, datasync: 0 }
    const active = { now: 0, most: 0 }
    for (const name in counts) {
      const ordinary = prototype[name]
      prototype[name] = async function (...given) {
        counts[name] += 1
        active.now += 1
        active.most = Math.max(active.most, active.now)
        await ordinary.apply(this, given).finally(() => { active.now -= 1 })
      }
    }
    const later = Promise.resolve().then(() => Promise.resolve()).then(() => file.append(lines[0]))
    await Promise.all([...Array.from({ length: 200 }, () => file.append(lines[0])), later])
    const ofOneTurn = { ...counts }
    const ofManyTurns = []
    for (let turn = 0; turn < 50; turn++) {
      ofManyTurns.push(file.append(lines[0]))
      await new Promise(setImmediate)
    }
    await Promise.all(ofManyTurns)
    return { ...ofOneTurn, most: active.most }
  }`
  const path = makePath()
  const counts = appendElsewhere(path, [lineOf(1)], { append })
  expect(counts).toEqual({ appendFile: 1, datasync: 1, most: 1 })
  expect(parse(path).lines).toHaveLength(251)
})

describe('a write that fails in its middle', () => {
  const tooLong = lineOf(9, { artifact: 'b'.repeat(10_000) })
  const tooLarge = { isSaved: false, reason: 'the file would be too large (EFBIG)' }

  it.each([
    [
      'one after the other',
      oneByOne,
      [{ isSaved: true }, tooLarge, tooLarge],
      lineOf(1) + lineOf(3),
    ],
    ['in one write', together, [tooLarge, tooLarge, tooLarge], lineOf(1)],
  ])('leaves no part of a line and is the last, with its reason: %s', (_, append, came, after) => {
    const path = makePath(lineOf(1))
    const lines = [lineOf(3), tooLong, lineOf(4)]
    expect(appendElsewhere(path, lines, { append, maxFileKib: 4 })).toEqual(came)
    expect(read(path)).toBe(after)
  })

  it('is known before anything is spent: the room for all lines is tried first', () => {
    const path = makePath(lineOf(1))
    const came = appendElsewhere(path, [], { expectedBytes: 100_000, maxFileKib: 8 })
    expect(came).toEqual({ name: 'Stop', message: expect.stringContaining('EFBIG') })
    expect(read(path)).toBe(lineOf(1))
    expect(readdirSync(dirname(path))).toEqual(['records.jsonl'])
  })
})

interface Rights {
  readonly file?: number
  readonly folder?: number
}

const withRights = canBeNobody() ? it : it.skip
withRights.each<[string, string | undefined, Rights, 'denied' | 'saved']>([
  ['a file that may not be written', lineOf(1), { file: 0o444 }, 'denied'],
  // It is no empty one.
  ['a file that may not be read', lineOf(1), { file: 0o222 }, 'denied'],
  ['no file in a folder that takes no new one', undefined, { folder: 0o555 }, 'denied'],
  ['a file in a folder that takes no new one', lineOf(1), { folder: 0o555 }, 'saved'],
])('rights are known before anything is spent: %s', (_, content, rights, came) => {
  const path = makePath(content)
  const folder = dirname(path)
  for (const each of [dirname(folder), folder]) chmodSync(each, 0o777)
  if (content !== undefined && process.getuid?.() === 0) chownSync(path, 65_534, 65_534)
  if (rights.file !== undefined) chmodSync(path, rights.file)
  if (rights.folder !== undefined) chmodSync(folder, rights.folder)
  const denied = { name: 'Stop', message: expect.stringContaining('permission denied') }
  expect(appendElsewhere(path, [lineOf(2)], { isNobody: true })).toEqual(
    came === 'saved' ? [{ isSaved: true }] : denied,
  )
  chmodSync(folder, 0o777)
  if (content !== undefined) chmodSync(path, 0o666)
  const after = existsSync(path) ? read(path) : undefined
  expect(after).toBe(came === 'saved' ? lineOf(1) + lineOf(2) : content)
})
