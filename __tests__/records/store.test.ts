import { describe, expect, it } from '@jest/globals'
import { systemDisk } from '../../src/records/disk.ts'
import { readRecords, type RecordsStore } from '../../src/records/store.ts'
import { hashOf } from '../support/samples.ts'
import { lineOf, SERVICE, stateLineOf } from './entries.ts'

const [one, two, three] = [lineOf(1), lineOf(2), lineOf(3)]

/** Reads a records file with this content, and the records assets of a release. */
function read(content: string, ...assets: readonly string[]): RecordsStore {
  const others = assets.map((text, at) => ({ name: `asset-${at}`, bytes: Buffer.from(text) }))
  const disk = { ...systemDisk, read: () => Buffer.from(content) }
  return readRecords({ path: '', name: 'records.jsonl', others, service: SERVICE, disk })
}

describe('the records that a run starts with', () => {
  it.each<[string, string, readonly string[], missing: string, known: readonly number[]]>([
    ['a file alone', one + stateLineOf(2), [], '', [1, 2]],
    ['several assets', one, [two + one, three + two], two + three, [1, 2, 3]],
    ['a file without its last newline', one.trimEnd(), [one + two], two, [1, 2]],
    ['a file with an incomplete line', one + two.slice(0, 50), [two], two, [1, 2]],
  ])('come from the file and every asset: %s', (_, content, assets, missing, known) => {
    const store = read(content, ...assets)
    expect(store).toMatchObject({ damage: [], warnings: [] })
    expect(store.missing.toString()).toBe(missing)
    expect([1, 2, 3].filter(number => store.known.find(hashOf(number)))).toEqual(known)
  })

  it('are damaged if any of them is, each under its name and with what to do', () => {
    expect(read('x\n', one, 'y\n').damage).toEqual([
      expect.stringMatching(/"records.jsonl", line 1 .*nothing was sent.*restore the file/),
      expect.stringMatching(/"asset-1", line 1 .*nothing was sent.*delete that asset/),
    ])
  })

  it('name five damaged lines of a file, and count the rest', () => {
    const [damage = ''] = read('x\n'.repeat(5) + one + 'y\n'.repeat(300)).damage
    expect(damage).toMatch(/line 5 .*300 more/)
    expect(damage).not.toContain('line 7 ')
  })

  it('leave out the incomplete last line of an asset, with a warning', () => {
    const { damage, warnings, missing, reading } = read('', one + two.slice(0, 50))
    expect(damage).toEqual([])
    expect(warnings).toEqual([expect.stringMatching(/"asset-0" is incomplete and was skipped/)])
    expect(reading.tail).toBe('whole')
    expect(missing.toString()).toBe(one)
  })
})
