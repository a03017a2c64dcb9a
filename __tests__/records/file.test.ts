import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { asNobody } from '../artifacts/as-nobody.ts'
import { readRegularFile, systemDisk, type Disk } from '../../src/records/disk.ts'
import { RecordsFile } from '../../src/records/file.ts'
import { readRecords } from '../../src/records/store.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { lineOf, SERVICE } from './entries.ts'
import { failingDisk } from './failing-disk.ts'

afterAll(cleanUp)

const read = (path: string): string => readFileSync(path, 'utf8')
const [line1, line2, line3] = [lineOf(1), lineOf(2), lineOf(3)]

/** Reads a records file, and opens it if there is work or something to complete. */
function openFor(hasWork: boolean, path: string, disk: Disk): Promise<RecordsFile | null> {
  const store = readRecords({ path, name: path, others: [], service: SERVICE, disk })
  return RecordsFile.open(path, store, hasWork)
}

async function open(path: string, disk = systemDisk): Promise<RecordsFile> {
  const file = await openFor(true, path, disk)
  if (file === null) throw new Error('the file was not opened')
  return file
}

describe('opening', () => {
  it('creates the folders, and follows a link', async () => {
    const path = makeWorkspace().path('a/b/records.jsonl')
    const file = await open(path)
    symlinkSync('records.jsonl', `${path}.link`)
    const linked = await open(`${path}.link`)
    await file.append(line1)
    await linked.append(line2)
    await Promise.all([file.close(), linked.close()])
    expect(read(path)).toBe(line1 + line2)
  })

  it.each([
    ['the last newline', line1.trimEnd(), line1],
    ['the rest of an incomplete line', line1 + line2.slice(0, 30), line1],
  ])('completes a file that lacks %s, even without work', async (_, content, whole) => {
    const path = makeWorkspace({ records: content }).path('records')
    const file = await openFor(false, path, systemDisk)
    expect(read(path)).toBe(whole)
    await file?.append(line3)
    await file?.close()
    expect(read(path)).toBe(whole + line3)
  })

  it('does not happen if there is no work and nothing to complete', async () => {
    const workspace = makeWorkspace({ records: line1 })
    expect(await openFor(false, workspace.path('records'), systemDisk)).toBeNull()
    expect(await openFor(false, workspace.path('missing'), systemDisk)).toBeNull()
    expect(workspace.exists('missing')).toBe(false)
  })

  it.each([
    ['folder', /cannot be read.*not a regular file.*re-run/],
    ['link to nowhere', /cannot be written.*no such file.*re-run/],
    ['file/records.jsonl', /cannot be read.*not a directory/],
    // Here, Node itself would try forever.
    ['/proc/none/a/records.jsonl', /cannot be written/],
  ])('stops the run with a reason if the path is %s', async (name, why) => {
    const workspace = makeWorkspace({ file: '', 'folder/x': '' })
    symlinkSync('missing/x', workspace.path('link to nowhere'))
    const opening = open(resolve(workspace.root, name))
    await expect(opening).rejects.toMatchObject({ problems: [{ input: 'records-path' }] })
    await expect(opening).rejects.toThrow(why)
  })
})

it('a write that fails halfway leaves no part of a line, is the last one, and returns the reason', async () => {
  const path = makeWorkspace({ records: line1 }).path('records')
  const file = await open(path, failingDisk(2))
  expect(await file.append(line2)).toBeNull()
  const reason = 'no space left on device (ENOSPC)'
  const together = [file.append(line3), file.append(lineOf(4))]
  expect(await Promise.all(together)).toEqual([reason, reason])
  expect(await file.append(lineOf(5))).toBe(reason)
  await file.close()
  expect(read(path)).toBe(line1 + line2)
})

const onPosix = process.platform === 'win32' ? it.skip : it
onPosix.each<[string, content: string | null, rights: number, folderRights: number]>([
  ['a file that cannot be written', line1, 0o444, 0o777],
  ['a file that cannot be read', line1, 0o222, 0o777],
  ['a missing file in a read-only folder', null, 0, 0o555],
])('%s stops the run', async (_, content, rights, folderRights) => {
  const workspace = makeWorkspace({ 'd/other': '' })
  const path = workspace.path('d/records')
  if (content !== null) writeFileSync(path, content, { mode: 0o600 })
  if (content !== null) chmodSync(path, rights)
  chmodSync(workspace.path('d'), folderRights)
  await asNobody(workspace, () => expect(open(path)).rejects.toThrow(/permission denied/))
  chmodSync(workspace.path('d'), 0o777)
  expect(existsSync(path)).toBe(content !== null)
})

it('only regular files are read, also through links, and a FIFO does not hang the run', () => {
  const workspace = makeWorkspace({ 'records.jsonl': line1, 'folder/x': '' })
  symlinkSync('records.jsonl', workspace.path('link'))
  expect(readRegularFile(workspace.path('link')).toString()).toBe(line1)
  expect(() => readRegularFile(workspace.path('missing'))).toThrow('ENOENT')
  for (const path of [workspace.path('folder'), '/dev/null']) {
    expect(() => readRegularFile(path)).toThrow(/EISDIR|not a regular file/)
  }
  if (process.platform === 'win32') return
  execFileSync('mkfifo', [workspace.path('fifo')])
  expect(() => readRegularFile(workspace.path('fifo'))).toThrow('not a regular file')
})
