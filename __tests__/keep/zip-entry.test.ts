import { describe, expect, it } from '@jest/globals'
import { readZipEntry } from '../../src/keep/zip-entry.ts'
import { makeZip } from './zips.ts'

const name = 'records.jsonl'
const MiB = 1024 * 1024

describe('readZipEntry', () => {
  it('returns the file of the exact name, not one in a folder or outside of the archive', () => {
    const zip = makeZip([
      ['../records.jsonl', 'outside'],
      ['/records.jsonl', 'absolute'],
      ['folder/records.jsonl', 'in a folder'],
      ['records.jsonl', 'right'],
    ])
    expect(readZipEntry(zip, name, MiB).toString()).toBe('right')
    const other = makeZip([['../records.jsonl', 'outside']])
    expect(() => readZipEntry(other, name, MiB)).toThrow('it has no file records.jsonl')
  })

  it('stops as soon as the content exceeds the limit', () => {
    const zip = makeZip([[name, Buffer.alloc(64 * MiB)]])
    expect(zip.length).toBeLessThan(MiB)
    const tooLarge = expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' })
    expect(() => readZipEntry(zip, name, MiB)).toThrow(tooLarge)
    expect(readZipEntry(zip, name, 64 * MiB)).toHaveLength(64 * MiB)
  })

  it('throws for a zip that is cut off anywhere', () => {
    const zip = makeZip([[name, 'some content']])
    // The last two bytes are the length of a comment.
    for (let bytes = 0; bytes < zip.length - 2; bytes += 1) {
      expect(() => readZipEntry(zip.subarray(0, bytes), name, MiB)).toThrow()
    }
  })
})
