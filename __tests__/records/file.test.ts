import { chmodSync, chownSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, describe, expect, it } from '@jest/globals'
import { systemDisk, type AppendedFile, type Disk } from '../../src/records/disk.ts'
import { RecordsFile } from '../../src/records/file.ts'
import { readRecords } from '../../src/records/store.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { canBeNobody, moduleUrl, runScript } from '../support/script.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { lineOf, SERVICE } from './entries.ts'

afterAll(cleanUp)

const read = (path: string): string => readFileSync(path, 'utf8')
const [one, two] = [lineOf(1), lineOf(2)]

interface OpenOptions {
  readonly disk?: Disk
  /** The lines of an asset. */
  readonly asset?: string
  readonly hasWork?: boolean
}

/** A path for a records file, with this content unless it is null. */
function makePath(content: string | null): string {
  const workspace = makeWorkspace(content === null ? {} : { 'records.jsonl': content })
  return workspace.path('records.jsonl')
}

/** Reads a file as a run does, and opens it if there is a reason. */
async function openIfNeeded(path: string, options: OpenOptions): Promise<RecordsFile | null> {
  const { disk = systemDisk, asset = '', hasWork = true } = options
  const others = [{ name: 'asset', bytes: Buffer.from(asset) }]
  const store = readRecords({ path, name: path, others, service: SERVICE, disk })
  return RecordsFile.open(path, store, hasWork)
}

async function open(path: string, disk = systemDisk): Promise<RecordsFile> {
  const file = await openIfNeeded(path, { disk })
  if (file === null) throw new Error('the file was not opened')
  return file
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
    symlinkSync('records.jsonl', `${path}.link`)
    const linked = await open(`${path}.link`)
    await file.append(one)
    await linked.append(two)
    await Promise.all([file.close(), linked.close()])
    expect(read(path)).toBe(one + two)
  })

  it('says that a folder cannot be made, also where Node would try for ever', async () => {
    await expect(open('/proc/none/a/records.jsonl')).rejects.toThrow(/cannot be written/)
  })

  it.each<[string, before: string | null, asset: string, hasWork: boolean, after: string | null]>([
    ['creates the file for a hash to register', null, '', true, ''],
    ['leaves whole lines as they are', one, one, true, one],
    ['adds the newline that the last line lacks', one.trimEnd(), '', false, one],
    ['cuts off an incomplete last line', one + two.slice(0, 20), '', false, one],
    ['cuts off an incomplete only line', one.slice(0, 20), '', false, ''],
    ['appends missing lines', one, two, false, one + two],
    ['appends missing lines after the newline', one.trimEnd(), two, true, one + two],
    ['appends missing lines for an incomplete one', one + one.slice(0, 9), two, true, one + two],
    ['does nothing to a file that has everything', one, one, false, null],
    ['does nothing to a missing file', null, '', false, null],
  ])('%s', async (_, before, asset, hasWork, after) => {
    const path = makePath(before)
    const file = await openIfNeeded(path, { asset, hasWork })
    expect(file === null).toBe(after === null)
    expect(existsSync(path) ? read(path) : null).toBe(after ?? before)
    await file?.append(lineOf(3))
    await file?.close()
    if (after !== null) expect(read(path)).toBe(after + lineOf(3))
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
    const file = await open(makePath(one + two.slice(0, 20)), disk)
    await file.close()
    expect(calls).toEqual([`truncate to ${one.length}`, 'open'])
  })

  it.each([
    ['folder', /cannot be read.*not a regular file.*nothing was sent/],
    ['link to nowhere', /cannot be written.*no such file.*nothing was sent/],
    ['file/records.jsonl', /cannot be read.*a part of the path is not a folder/],
  ])('stops the run if the path is a %s, and says what and why', async (name, why) => {
    const workspace = makeWorkspace({ file: '', 'folder/x': '' })
    symlinkSync('missing/x', workspace.path('link to nowhere'))
    const opening = open(workspace.path(name))
    await expect(opening).rejects.toMatchObject({ problems: [{ input: 'records-path' }] })
    await expect(opening).rejects.toThrow(why)
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
    const file = await open(path, disk)
    const { append: appendsBefore, sync: syncsBefore } = counts
    const order: string[] = []
    const append = async (line: string): Promise<void> => {
      expect(await file.append(line)).toBeNull()
      expect(read(path)).toContain(line)
      order.push(line)
    }
    const lines = Array.from({ length: 100 }, (_, at) => lineOf(at, { artifact: '漢'.repeat(200) }))
    await Promise.all(lines.map(append))
    expect(order).toEqual(lines)
    expect(read(path)).toBe(lineOf(0) + lines.join(''))
    expect([counts.append - appendsBefore, counts.sync - syncsBefore]).toEqual([1, 1])
    // Lines of many turns: a write never starts before the last one has ended.
    const later: Promise<void>[] = []
    for (let number = 1000; number < 1030; number++) {
      later.push(append(lineOf(number)))
      await setImmediate()
    }
    await Promise.all(later)
    expect(counts.most).toBe(1)
    await file.close()
  })
})

describe('a write that fails in its middle', () => {
  const noSpace = Object.assign(new Error('no'), { code: 'ENOSPC' })
  const reason = 'no space left on the device (ENOSPC)'
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
    const path = makePath(one)
    const file = await open(path, disk)
    expect(await file.append(two)).toBeNull()
    const together = [file.append(lineOf(3)), file.append(lineOf(4))]
    expect(await Promise.all(together)).toEqual([reason, reason])
    expect(await file.append(lineOf(5))).toBe(reason)
    await file.close()
    expect(read(path)).toBe(one + two)
  })

  it('leaves an incomplete line if it cannot be removed', async () => {
    const path = makePath(one)
    const truncate = (): Promise<void> => Promise.reject(noSpace)
    const file = await open(path, { ...disk, truncate })
    await file.append(two)
    expect(await file.append(lineOf(3))).toBe(reason)
    await file.close()
    expect(read(path)).toBe(one + two + lineOf(3).slice(0, 30))
  })
})

const asNobody = canBeNobody() ? describe : describe.skip
asNobody('as a user without rights', () => {
  const denied = expect.stringContaining('permission denied')
  it.each<
    [string, content: string | null, rights: { file?: number; folder?: number }, end: unknown]
  >([
    ['a file that cannot be written', one, { file: 0o444 }, denied],
    ['a file that cannot be read, which is not an empty one', one, { file: 0o222 }, denied],
    ['a missing file in a read-only folder', null, { folder: 0o555 }, denied],
    ['a file in a read-only folder', one, { folder: 0o555 }, 'saved'],
  ])('%s', (_, content, rights, end) => {
    const path = makePath(content)
    const folder = dirname(path)
    for (const each of [dirname(folder), folder]) chmodSync(each, 0o777)
    if (content !== null && process.getuid?.() === 0) chownSync(path, 65_534, 65_534)
    if (rights.file !== undefined) chmodSync(path, rights.file)
    if (rights.folder !== undefined) chmodSync(folder, rights.folder)
    const query = { path, name: path, others: [], service: SERVICE }
    const { stdout, stderr } = runScript(
      `
      import { RecordsFile } from ${JSON.stringify(moduleUrl('src/records/file.ts'))}
      import { readRecords } from ${JSON.stringify(moduleUrl('src/records/store.ts'))}
      try {
        const store = readRecords(${JSON.stringify(query)})
        const file = await RecordsFile.open(${JSON.stringify(path)}, store, true)
        console.log(JSON.stringify((await file.append(${JSON.stringify(two)})) ?? 'saved'))
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
    expect(after).toBe(end === 'saved' ? one + two : content)
  })
})
