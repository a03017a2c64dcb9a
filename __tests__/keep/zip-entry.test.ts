import { expect, it } from '@jest/globals'
import { readZipEntry } from '../../src/keep/zip-entry.ts'
import { makeZip } from './support.ts'

it('returns the file of the exact name, not one in a folder or outside of the archive', () => {
  const others = { '../a': 'outside', '/a': 'absolute', 'folder/a': 'inside', aa: 'longer' }
  expect(readZipEntry(makeZip({ ...others, a: 'right' }), 'a', 9).toString()).toBe('right')
  expect(() => readZipEntry(makeZip(others), 'a', 9)).toThrow('it has no file a')
})

it('throws for a zip that is cut off anywhere', () => {
  const zip = makeZip({ a: 'content' })
  // The last two bytes are the length of a comment.
  for (let bytes = 0; bytes < zip.length - 2; bytes += 1) {
    expect(() => readZipEntry(zip.subarray(0, bytes), 'a', 9)).toThrow()
  }
})
