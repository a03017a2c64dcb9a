import { describe, expect, it } from '@jest/globals'
import type { Artifact } from '../../src/artifacts/artifact.ts'
import { Stop } from '../../src/failure.ts'
import type { Entry } from '../../src/records/line.ts'
import type { Verified } from '../../src/verify/compare.ts'
import { makeRecord, hashOf } from '../support/samples.ts'
import { artifact, bad, compare, ofCommit, record, sent, unread } from './samples.ts'

const A = 'a'.repeat(40)
const B = 'b'.repeat(40)
const first = '2026-01-01T00:00:00.000Z'
const second = '2026-01-02T00:00:00.000Z'

/** What came of it in short: name, state and recorded name with its content. */
function show({ artifact: name, state, recorded }: Verified): string {
  const of = recorded === null ? '' : ` ${recorded.artifact} ${parseInt(recorded.hash, 16)}`
  return `${name} ${state}${of}`
}

describe('an artifact', () => {
  const odd = { record: makeRecord(hashOf(2), { creationDate: 'noon' }) }
  const aged = record('x/a', 2, { at: first })
  const renewed = record('x/a', 3, { at: second })

  it.each<[string, Artifact, readonly Entry[], string, string]>([
    ['is matched', artifact('a', 1), [record('a', 1)], 'a matched a 1', ''],
    ['is matched elsewhere', artifact('x/a', 1), [record('a', 1)], 'x/a matched a 1', ''],
    ['is renamed', artifact('b', 1), [record('a', 1)], 'b matched a 1', 'another name, "a"'],
    ['has a twin', artifact('b', 1), [record('a', 1), record('b', 1)], 'b matched b 1', ''],
    [
      'is altered',
      artifact('a', 1),
      [record('a', 2)],
      'a altered a 2',
      `another hash, ${hashOf(2)}`,
    ],
    [
      'is altered from a base name',
      artifact('x/a', 1),
      [record('a', 2, odd)],
      'a 2',
      'at noon UTC',
    ],
    [
      'is altered from the newest',
      artifact('x/a', 1),
      [renewed, aged, record('a', 4)],
      'x/a 3',
      '',
    ],
    ['has no record', artifact('a', 1), [record('b', 2)], 'a unknown', 'no record has its hash'],
    ['has a bad record', artifact('a', 1), [record('a', 1, bad)], 'unknown', 'problems: status is'],
    ['is open', artifact('a', 1), [sent('a', 1)], 'a unknown', 'sent at 2026-01-31T12:00:00.000Z'],
    ['is not readable', unread('a'), [record('a', 1)], 'a unknown', 'denied; fix the permissions'],
  ])('that %s is compared', (_, one, entries, shown, message) => {
    const [found] = compare([one], entries)
    expect(found && show(found)).toContain(shown)
    expect(found?.message).toContain(message)
    if (message === '' && found?.state === 'matched') expect(found.message).toBe('')
  })

  it.each<[string, Artifact, string, string]>([
    ['matches the record of it', artifact('b', 2), 'b matched a 2', 'another name, "a"'],
    ['is altered from the record of it', artifact('a', 9), 'a altered a 2', hashOf(2)],
    ['is not altered from a record of another', artifact('b', 9), 'b unknown', 'no record'],
    ['may match a record of another', artifact('d', 3), 'd matched d 3', `commit, ${B}`],
    ['may match a record of none', artifact('c', 4), 'c matched c 4', 'commit, none'],
  ])('with a commit %s', (_, one, shown, message) => {
    const entries = [
      record('b', 2, ofCommit(B)),
      record('d', 3, ofCommit(B)),
      record('c', 4, ofCommit(null)),
      record('a', 2, ofCommit(A.toUpperCase())),
    ]
    const [found] = compare([one], entries, { sha: A })
    expect(found && show(found)).toBe(shown)
    expect(found?.message).toContain(message)
  })
})

describe('with all records required', () => {
  const requireAll = (entries: readonly Entry[], sha: string | null = null) =>
    compare([artifact('a', 1)], entries, { requireAll: true, sha }).map(show)

  it.each<[string, readonly Entry[], readonly string[]]>([
    ['a record without an artifact', [record('b', 2), record('a', 1)], ['b missing b 2']],
    ['also the one of an altered artifact', [record('a', 2)], ['a missing a 2']],
    [
      'one record of two of a hash',
      [record('b', 2), record('c', 2, { at: second })],
      ['b missing b 2'],
    ],
    [
      'no record with problems, and no state line',
      [record('b', 2, bad), sent('c', 3), record('a', 1)],
      [],
    ],
    [
      'no record whose name has a newer one',
      [
        record('b', 3, { at: second, ...ofCommit(B) }),
        record('b', 2, { at: first }),
        record('a', 1),
      ],
      ['b missing b 3'],
    ],
    [
      'a record without a time',
      [record('b', 2, { at: null }), record('b', 3)],
      ['b missing b 2', 'b missing b 3'],
    ],
  ])('%s is missing', (_, entries, missing) => {
    expect(requireAll(entries).filter(text => text.includes('missing'))).toEqual(missing)
  })

  it('only those of the commit are missing, and a newer one of any commit replaces them', () => {
    const entries = [
      record('a', 1, ofCommit(A)),
      record('b', 2, ofCommit(B)),
      record('c', 3, { at: first, ...ofCommit(A) }),
      record('c', 4, { at: second, ...ofCommit(B) }),
      record('d', 5, ofCommit(A)),
    ]
    expect(requireAll(entries, A)).toEqual(['a matched a 1', 'd missing d 5'])
  })

  it.each<[string, readonly Entry[], string | null]>([
    ['no record', [sent('a', 1)], null],
    ['no record without problems', [record('a', 1, bad)], null],
    ['no record of the commit', [record('a', 1, ofCommit(B))], A],
    [
      'only records of the commit whose names have newer ones',
      [
        record('a', 2, { at: first, ...ofCommit(A) }),
        record('a', 1, { at: second, ...ofCommit(B) }),
      ],
      A,
    ],
  ])('%s stops the run', (_, entries, sha) => {
    expect(() => requireAll(entries, sha)).toThrow(Stop)
    expect(() => requireAll(entries, sha)).toThrow(
      /"require-all" is true, but no record is required/,
    )
  })
})
