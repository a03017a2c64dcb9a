import assert from 'node:assert'
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { systemDisk, type Disk } from '../../src/records/disk.ts'
import { RecordsFile } from '../../src/records/file.ts'
import { readRecords } from '../../src/records/store.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { lineOf, SERVICE } from './entries.ts'

afterAll(cleanUp)

const onPosix = process.platform === 'win32' ? it.skip : it
const [line1, line2, line3, line4] = [lineOf(1), lineOf(2), lineOf(3), lineOf(4)]

/** Reads a records file, and opens it if there is work or something to complete. */
async function open(
  path: string,
  { hasWork = true, other = '', disk = systemDisk } = {},
): Promise<RecordsFile | null> {
  const others = [{ name: 'an asset', bytes: Buffer.from(other), remedy: '' }]
  const store = readRecords({ path, name: path, others, service: SERVICE, disk })
  return await RecordsFile.open(path, store, hasWork)
}

describe('opening', () => {
  it('creates the file and its folders', async () => {
    const workspace = makeWorkspace()
    const file = await open(workspace.path('a/b/records'))
    await file?.append(line1)
    await file?.close()
    expect(workspace.read('a/b/records')).toBe(line1)
  })

  it.each([
    ['the last newline', line1.trimEnd(), '', line1],
    ['the rest of an incomplete line', line1 + line2.slice(0, 30), '', line1],
    ['a line from elsewhere', line1, line2 + line1, line1 + line2],
    ['both', line1.trimEnd(), line2, line1 + line2],
  ])('completes a file that lacks %s, even without work', async (_, content, other, whole) => {
    const workspace = makeWorkspace({ records: content })
    const file = await open(workspace.path('records'), { hasWork: false, other })
    expect(workspace.read('records')).toBe(whole)
    await file?.append(line3)
    await file?.close()
    expect(workspace.read('records')).toBe(whole + line3)
  })

  it('does not happen if there is no work and nothing to complete', async () => {
    const workspace = makeWorkspace({ records: line1 })
    expect(await open(workspace.path('records'), { hasWork: false, other: line1 })).toBeNull()
    expect(await open(workspace.path('missing'), { hasWork: false })).toBeNull()
    expect(workspace.exists('missing')).toBe(false)
  })

  onPosix.each([
    ['folder', /cannot be read.*not a regular file.*re-run/],
    ['pipe', /cannot be read.*not a regular file/],
    ['link to nowhere', /cannot be written.*no such file.*re-run/],
    ['file/records', /cannot be read.*not a directory/],
    // Here, Node itself would try forever.
    ['/proc/none/a/records', /cannot be written/],
  ])('stops the run with a reason if the path is %s', async (name, why) => {
    const workspace = makeWorkspace({ file: '', 'folder/x': '' })
    symlinkSync('missing/x', workspace.path('link to nowhere'))
    execFileSync('mkfifo', [workspace.path('pipe')])
    const opening = open(resolve(workspace.root, name))
    await expect(opening).rejects.toMatchObject({ problems: [{ input: 'records-path' }] })
    await expect(opening).rejects.toThrow(why)
  })
})

it('a write that fails halfway leaves no part of a line, is the last one, and returns the reason', async () => {
  const workspace = makeWorkspace({ records: line1 })
  const path = workspace.path('records')
  let isFull = false
  const disk: Disk = {
    ...systemDisk,
    openForAppending: async () => {
      const file = await systemDisk.openForAppending(path)
      const append = async (data: Uint8Array): Promise<void> => {
        await file.append(isFull ? data.slice(0, 30) : data)
        if (isFull) throw Object.assign(new Error('no'), { code: 'ENOSPC' })
      }
      return { ...file, append }
    },
  }
  const file = await open(path, { disk })
  assert(file !== null)
  expect(await file.append(line2)).toBeNull()
  isFull = true
  const reason = 'no space left on device (ENOSPC)'
  const together = [file.append(line3), file.append(line4)]
  expect(await Promise.all(together)).toEqual([reason, reason])
  isFull = false
  expect(await file.append(lineOf(5))).toBe(reason)
  await file.close()
  expect(workspace.read('records')).toBe(line1 + line2)
})
