import { describe, expect, it } from '@jest/globals'
import { systemDisk } from '../../src/records/disk.ts'
import { readRecords, type RecordsStore } from '../../src/records/store.ts'
import { hashOf } from '../support/samples.ts'
import { lineOf, SERVICE } from './entries.ts'

const [line1, line2, line3] = [lineOf(1), lineOf(2), lineOf(3)]

/** Reads a records file with this content, and records assets of a release. */
function read(content: string, ...assets: readonly string[]): RecordsStore {
  const others = assets.map((text, at) => {
    return { name: `asset-${at}`, bytes: Buffer.from(text), remedy: `fix asset-${at}` }
  })
  const disk = { ...systemDisk, read: () => Buffer.from(content) }
  return readRecords({ path: '', name: 'records.jsonl', others, service: SERVICE, disk })
}

describe('the records that a run starts with', () => {
  it('come from the file and every asset', () => {
    const store = read(line1, line2 + line1, line3 + line2)
    expect(store.damage).toEqual([])
    expect(store.content.toString()).toBe(line1 + line2 + line3)
    const states = [1, 2, 3, 4].map(number => store.known.find(hashOf(number)).state)
    expect(states).toEqual(['registered', 'registered', 'registered', 'planned'])
  })

  it('are damaged if any file is damaged, which is named with a remedy', () => {
    const { damage, warnings } = read('x\n', line1 + line2.slice(0, 30), 'y\n')
    expect(damage).toEqual([
      expect.stringMatching(/"records.jsonl", line 1 .*restore the file/),
      expect.stringMatching(/"asset-1", line 1 .*fix asset-1$/),
    ])
    expect(warnings).toEqual([expect.stringContaining('"asset-0" is incomplete')])
  })

  it('are reported with five damaged lines of a file and a count of the rest', () => {
    const [damage = ''] = read('x\n'.repeat(5) + line1 + 'y\n'.repeat(300)).damage
    expect(damage).toMatch(/line 5 .*300 more/)
    expect(damage).not.toContain('line 7 ')
  })
})
