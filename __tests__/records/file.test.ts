import { chmodSync, chownSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, describe, expect, it } from '@jest/globals'
import { systemDisk, type AppendedFile, type Disk } from '../../src/records/disk.ts'
import { RecordsFile } from '../../src/records/file.ts'
import { parseRecords } from '../../src/records/reading.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { canBeNobody, moduleUrl, runScript } from '../support/script.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { lineOf, SERVICE } from './entries.ts'

afterAll(cleanUp)

const read = (path: string): string => readFileSync(path, 'utf8')
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)
const saved = { isSaved: true }

/** A path for a records file, with this content if any. */
function makePath(content?: string): string {
  const workspace = makeWorkspace(content === undefined ? {} : { 'records.jsonl': content })
  return workspace.path('records.jsonl')
}

/** Opens a file as a run does, after reading it. */
function open(path: string, { disk = systemDisk, missing = '' } = {}): Promise<RecordsFile> {
  const reading = parseRecords(existsSync(path) ? readFileSync(path) : Buffer.alloc(0), path)
  return RecordsFile.open(path, { reading, missing: Buffer.from(missing), disk })
}

/** The disk of the machine whose appended files are changed. */
function diskWith(change: (file: AppendedFile) => Partial<AppendedFile>): Disk {
  return {
    ...systemDisk,
    openForAppending: async path => {
      const file = await systemDisk.openForAppending(path)
      return { ...file, ...change(file) }
    },
  }
}

describe('opening', () => {
  it('makes the folders, and writes through a link', async () => {
    const path = makeWorkspace().path('a/b/records.jsonl')
    const file = await open(path)
    await file.append(lineOf(1))
    symlinkSync('records.jsonl', `${path}.link`)
    const other = await open(`${path}.link`)
    await other.append(lineOf(2))
    await Promise.all([file.close(), other.close()])
    expect(read(path)).toBe(lineOf(1) + lineOf(2))
  })

  const [one, two] = [lineOf(1), lineOf(2)]
  it.each<[string, before: string, missing: string, after: string]>([
    ['leaves whole lines as they are', one, '', one],
    ['adds the newline that the last line lacks', one.trimEnd(), '', one],
    ['cuts off an incomplete last line', one + two.slice(0, 20), '', one],
    ['cuts off an incomplete only line', one.slice(0, 20), '', ''],
    ['appends missing lines', one, two, one + two],
    ['appends missing lines after the newline', one.trimEnd(), two, one + two],
    ['appends missing lines in place of an incomplete one', one + one.slice(0, 9), two, one + two],
  ])('%s', async (_, before, missing, after) => {
    const path = makePath(before)
    const file = await open(path, { missing })
    expect(read(path)).toBe(after)
    await file.append(lineOf(3))
    await file.close()
    expect(read(path)).toBe(after + lineOf(3))
  })

  it('truncates by path before it opens the file, as Windows cannot through a handle', async () => {
    const calls: string[] = []
    const disk: Disk = {
      ...systemDisk,
      truncate: (path, bytes) => {
        calls.push(`truncate to ${bytes}`)
        return systemDisk.truncate(path, bytes)
      },
      openForAppending: path => {
        calls.push('open')
        return systemDisk.openForAppending(path)
      },
    }
    const file = await open(makePath(lineOf(1) + lineOf(2).slice(0, 20)), { disk })
    await file.close()
    expect(calls).toEqual([`truncate to ${lineOf(1).length}`, 'open'])
  })

  it.each([
    ['folder', /it is a folder/],
    ['link to nowhere', /no such file/],
    ['file/records.jsonl', /a part of the path is not a folder/],
  ])('stops the run if the path is a %s, and says what and why', async (name, why) => {
    const workspace = makeWorkspace({ file: '', 'folder/x': '' })
    symlinkSync('missing/x', workspace.path('link to nowhere'))
    const reading = parseRecords(Buffer.alloc(0), name)
    const completion = { reading, missing: Buffer.alloc(0), disk: systemDisk }
    const opening = RecordsFile.open(workspace.path(name), completion)
    await expect(opening).rejects.toMatchObject({ problems: [{ input: 'records-path' }] })
    await expect(opening).rejects.toThrow(why)
    await expect(opening).rejects.toThrow(/cannot be written.*nothing was sent/)
  })

  it('stops the run where no folder can be made', async () => {
    if (process.platform !== 'linux') return
    const reading = parseRecords(Buffer.alloc(0), 'x')
    const completion = { reading, missing: Buffer.alloc(0), disk: systemDisk }
    await expect(RecordsFile.open('/proc/none/x', completion)).rejects.toThrow(/no such file/)
  })
})

describe('appending', () => {
  it('shares one write and one sync among lines of one turn, and resolves when they are on disk', async () => {
    const path = makePath(lineOf(0))
    const counts = { append: 0, sync: 0, now: 0, most: 0 }
    const disk = diskWith(({ append, sync }) => ({
      append: async data => {
        counts.append += 1
        counts.now += 1
        counts.most = Math.max(counts.most, counts.now)
        await append(data)
        counts.now -= 1
      },
      sync: () => {
        counts.sync += 1
        return sync()
      },
    }))
    const file = await open(path, { disk })
    const before = { ...counts }
    const lines = numbers(100).map(number => lineOf(number, { artifact: '漢'.repeat(200) }))
    const order: string[] = []
    const append = async (line: string): Promise<void> => {
      expect(await file.append(line)).toEqual(saved)
      expect(read(path)).toContain(line)
      order.push(line)
    }
    await Promise.all(lines.map(append))
    expect(order).toEqual(lines)
    expect(read(path)).toBe(lineOf(0) + lines.join(''))
    expect([counts.append - before.append, counts.sync - before.sync]).toEqual([1, 1])
    // Lines of many turns: a write never starts before the last one has ended.
    const later: Promise<void>[] = []
    for (const number of numbers(30)) {
      later.push(append(lineOf(1000 + number)))
      await setImmediate()
    }
    await Promise.all(later)
    expect(counts.most).toBe(1)
    await file.close()
  })

  it('shares the file with another run on the same machine, line by line', async () => {
    const path = makeWorkspace().path('a/b/records.jsonl')
    const files = await Promise.all([open(path), open(path)])
    const append = async (number: number): Promise<void> => {
      expect(await files[number % 2]?.append(lineOf(number))).toEqual(saved)
    }
    await Promise.all(numbers(60).map(append))
    await Promise.all(files.map(file => file.close()))
    const lines = read(path).split('\n').slice(0, -1)
    expect(lines.toSorted()).toEqual(
      numbers(60)
        .map(number => lineOf(number).trimEnd())
        .sort(),
    )
  })
})

describe('a write that fails in its middle', () => {
  const noSpace = Object.assign(new Error('no'), { code: 'ENOSPC' })
  const notSaved = { isSaved: false, reason: 'no space left on the device (ENOSPC)' }
  /** Opening makes the first write, one line can be saved, and the third write fails. */
  const disk = diskWith(({ append }) => {
    let count = 0
    return {
      append: async data => {
        count += 1
        if (count < 3) return append(data)
        await append(data.slice(0, 30))
        throw noSpace
      },
    }
  })

  it('leaves no part of a line, is the last one, and gives its reason', async () => {
    const path = makePath(lineOf(1))
    const file = await open(path, { disk })
    expect(await file.append(lineOf(2))).toEqual(saved)
    const together = [file.append(lineOf(3)), file.append(lineOf(4))]
    expect(await Promise.all(together)).toEqual([notSaved, notSaved])
    expect(await file.append(lineOf(5))).toEqual(notSaved)
    await file.close()
    expect(read(path)).toBe(lineOf(1) + lineOf(2))
  })

  it('leaves an incomplete line, which the next run cuts off, if it cannot be removed', async () => {
    const path = makePath(lineOf(1))
    const truncate = (): Promise<void> => Promise.reject(noSpace)
    const file = await open(path, { disk: { ...disk, truncate } })
    await file.append(lineOf(2))
    expect(await file.append(lineOf(3))).toEqual(notSaved)
    await file.close()
    expect(read(path)).toBe(lineOf(1) + lineOf(2) + lineOf(3).slice(0, 30))
    expect(parseRecords(readFileSync(path), path).tail).toBe('incomplete')
  })
})

const asNobody = canBeNobody() ? describe : describe.skip
asNobody('as a user without rights', () => {
  const denied = expect.stringContaining('permission denied')
  it.each<
    [string, content: string | null, rights: { file?: number; folder?: number }, end: unknown]
  >([
    ['a file that cannot be written', lineOf(1), { file: 0o444 }, denied],
    ['a file that cannot be read, which is not an empty one', lineOf(1), { file: 0o222 }, denied],
    ['a missing file in a read-only folder', null, { folder: 0o555 }, denied],
    ['a file in a read-only folder', lineOf(1), { folder: 0o555 }, 'saved'],
  ])('%s', (_, content, rights, end) => {
    const path = makePath(content ?? undefined)
    const folder = dirname(path)
    for (const each of [dirname(folder), folder]) chmodSync(each, 0o777)
    if (content !== null && process.getuid?.() === 0) chownSync(path, 65_534, 65_534)
    if (rights.file !== undefined) chmodSync(path, rights.file)
    if (rights.folder !== undefined) chmodSync(folder, rights.folder)
    const query = { path, name: path, others: [], service: SERVICE }
    const { stdout, stderr } = runScript(
      `
      import { openRecordsFile, readRecords } from ${JSON.stringify(moduleUrl('src/records/store.ts'))}
      try {
        const file = await openRecordsFile(${JSON.stringify(path)}, readRecords(${JSON.stringify(query)}), true)
        const { isSaved } = await file.append(${JSON.stringify(lineOf(2))})
        console.log(JSON.stringify(isSaved && 'saved'))
      } catch (error) {
        console.log(JSON.stringify(error.name + ': ' + error.message))
      }`,
      { isNobody: true },
    )
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(end)
    chmodSync(folder, 0o777)
    if (content !== null) chmodSync(path, 0o666)
    const after = existsSync(path) ? read(path) : null
    expect(after).toBe(end === 'saved' ? lineOf(1) + lineOf(2) : content)
  })
})
