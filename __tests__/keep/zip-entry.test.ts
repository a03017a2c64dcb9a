import { expect, it } from '@jest/globals'
import { readZipEntry } from '../../src/keep/zip-entry.ts'
import { makeZip } from './support.ts'

const MiB = 1024 * 1024

it('returns the file of the exact name, not one in a folder or outside of the archive', () => {
  const others = { '../a': 'outside', '/a': 'absolute', 'folder/a': 'inside', aa: 'longer' }
  const zip = makeZip({ ...others, a: 'right' })
  expect(readZipEntry(zip, 'a', MiB).toString()).toBe('right')
  expect(() => readZipEntry(makeZip(others), 'a', MiB)).toThrow('it has no file a')
})

it('stops as soon as the content exceeds the limit', () => {
  const zip = makeZip({ a: Buffer.alloc(64 * MiB) })
  const tooLarge = expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' })
  expect(() => readZipEntry(zip, 'a', MiB)).toThrow(tooLarge)
})

it('throws for a zip that is cut off anywhere', () => {
  const zip = makeZip({ a: 'content' })
  // The last two bytes are the length of a comment.
  for (let bytes = 0; bytes < zip.length - 2; bytes += 1) {
    expect(() => readZipEntry(zip.subarray(0, bytes), 'a', MiB)).toThrow()
  }
})
