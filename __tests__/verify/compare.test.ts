/** What matches, is altered, unknown or missing; the words for it are in the approved reports. */
import { describe, expect, it } from '@jest/globals'
import type { Entry } from '../../src/records/lines.ts'
import { selectRecords, type VerifyResult } from '../../src/verify/compare.ts'
import { hashOf } from '../support/samples.ts'
import { artifact, bad, compare, ofCommit, record, select, sent } from './samples.ts'

const A = 'a'.repeat(40)
const B = 'b'.repeat(40)
const [first, second] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']

/** A result in short: name, state, recorded name with its content, and a note on a match. */
function show({ name, state, recorded, why }: VerifyResult): string {
  const of = recorded === null ? '' : ` ${recorded.artifact} ${parseInt(recorded.hash, 16)}`
  const note = state === 'matched' && why !== '' ? `, ${why}` : ''
  return `${name} ${state}${of}${note}`
}

describe('the records', () => {
  it('are those of the service, sorted by age and counted by hash', () => {
    const [own, other] = [{ service: 'https://a.example' }, { service: 'https://b.example' }]
    const entries = [
      record('b', 2, own),
      record('a', 1, { ...own, at: first }),
      record('b', 2, own),
      record('c', 3, { ...own, at: null }),
      record('d', 4, { ...own, ...bad }),
      record('e', 5, other),
      sent('f', 6, other),
    ]
    const { byHash, good, count } = select(entries, own.service)
    expect(good.map(({ artifact }) => artifact)).toEqual(['c', 'a', 'b', 'b'])
    expect(count).toBe('3 records of "https://a.example"; 1 of other services do not count')
    expect([1, 5, 6].map(content => byHash.has(hashOf(content)))).toEqual([true, false, false])
    expect(select(entries.slice(0, 1), own.service).count).toBe('1 record of "https://a.example"')
  })

  it('stop the run if a line is damaged; an incomplete last line is a warning', () => {
    const source = { name: 'r.jsonl', input: 'records' } as const
    const read = (text: string) => selectRecords([{ ...source, bytes: Buffer.from(text) }], '')
    const warnings = [expect.stringMatching(/"r\.jsonl" is incomplete/)]
    expect(read('{"artifact":"a')).toMatchObject({ good: [], warnings })
    const damage = /^input "records": "r\.jsonl", line 1 is not valid JSON; /
    expect(() => read('x\n')).toThrow(damage)
  })
})

const a1 = artifact('a', 1)
const recorded = [record('a', 1)]

it('an artifact is compared with the record of its hash, of its name, or else of its base name', () => {
  const old = { at: first }
  const renewed = [record('x/c', 4), record('x/c', 3, old), record('c', 2, { at: second })]
  const artifacts = [a1, artifact('b', 1), artifact('x/b', 1), artifact('d', 1)]
  const changed = ['c', 'x/c', 'y/c', 'e'].map(name => artifact(name, 9))
  const entries = [...recorded, record('b', 1), ...renewed]
  expect(compare([...artifacts, ...changed], entries).map(show)).toEqual([
    'a matched a 1',
    'b matched b 1',
    'x/b matched b 1',
    'd matched a 1, its record is under another name, "a"',
    'c altered c 2',
    'x/c altered x/c 4',
    'y/c altered x/c 4',
    'e unknown',
  ])
})

it('only records of the commit make an artifact altered; others match with a note', () => {
  const entries = [
    record('b', 2, ofCommit(B)),
    record('d', 3, ofCommit(B)),
    record('c', 4, ofCommit(null)),
    record('a', 2, ofCommit(A.toUpperCase())),
  ]
  const artifacts = [artifact('a', 2), artifact('b', 2), artifact('c', 4), artifact('d', 3)]
  const changed = [artifact('x/a', 9), artifact('x/b', 9)]
  expect(compare([...artifacts, ...changed], entries, { sha: A }).map(show)).toEqual([
    'a matched a 2',
    'b matched a 2, its record is under another name, "a"',
    'c matched c 4, its record is for another commit, none',
    `d matched d 3, its record is for another commit, ${B}`,
    'x/a altered a 2',
    'x/b unknown',
  ])
})

describe('with all records required', () => {
  const requireAll = (entries: readonly Entry[], sha: string | null = null) =>
    compare([a1], entries, { requireAll: true, sha }).map(show)
  const newer = record('b', 3, { at: second, ...ofCommit(B) })
  const older = record('b', 2, { at: first, ...ofCommit(A) })
  const timeless = record('b', 2, { at: null })

  it.each<[string, readonly Entry[], missing: readonly string[]]>([
    ['a record without an artifact', [record('b', 2), ...recorded], ['b missing b 2']],
    ['no record of an altered artifact', [record('a', 2), record('x/a', 3)], []],
    ['the newest record of a hash', [older, record('c', 2, { at: second })], ['c missing c 2']],
    ['no bad record or state line', [record('b', 2, bad), sent('c', 3), ...recorded], []],
    ['the newest record of a name', [newer, older, ...recorded], ['b missing b 3']],
    ['a record without a time', [timeless, ...recorded], ['b missing b 2']],
    ['the newer of two, one without a time', [newer, timeless], ['b missing b 3']],
  ])('%s is missing', (_, entries, missing) => {
    expect(requireAll(entries).filter(text => text.includes('missing'))).toEqual(missing)
  })

  it('a record with the base name of an altered artifact in another folder is not missing', () => {
    const entries = [record('x/a', 3), record('b', 2)]
    const results = compare([artifact('y/a', 9)], entries, { requireAll: true })
    expect(results.map(show)).toEqual(['y/a altered x/a 3', 'b missing b 2'])
  })

  it('only records of the commit are missing, unless a newer one of any commit replaces them', () => {
    const own = record('a', 1, { at: first, ...ofCommit(A) })
    const entries = [
      own,
      record('b', 2, ofCommit(B)),
      record('c', 3, { at: first, ...ofCommit(A) }),
      record('c', 4, { at: second, ...ofCommit(B) }),
      record('e', 6, ofCommit(A)),
      record('d', 5, ofCommit(A)),
    ]
    const missing = ['d missing d 5', 'e missing e 6']
    expect(requireAll(entries, A)).toEqual(['a matched a 1', ...missing])
    const rebuilt = record('a', 9, { at: second, ...ofCommit(B) })
    expect(requireAll([own, rebuilt], A)).toEqual(['a matched a 1'])
  })

  it.each<[string, readonly Entry[], sha: string | null]>([
    ['no record without problems', [sent('a', 1), record('a', 1, bad)], null],
    ['no record of the commit', [record('a', 1, ofCommit(B))], A],
    ['only replaced records of the commit', [older, newer], A],
  ])('%s stops the run', (_, entries, sha) => {
    const none = 'input "require-all" is true, but there is no record to require'
    expect(() => requireAll(entries, sha)).toThrow(`${none}; check the records and "sha"`)
  })
})
