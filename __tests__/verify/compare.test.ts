/** What matches, is altered, unknown or missing; the words for it are in the approved reports. */
import { describe, expect, it } from '@jest/globals'
import type { Entry } from '../../src/records/lines.ts'
import { selectRecords, type VerifyResult } from '../../src/verify/compare.ts'
import { SERVICE } from '../records/entries.ts'
import { artifact, compare, doubt, fileOf, record } from './samples.ts'

const [first, second] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']

/** A result in short: name, state, recorded name with its content, and a note on a match. */
function show({ name, state, recorded, why }: VerifyResult): string {
  const of = recorded === null ? '' : ` ${recorded.artifact} ${parseInt(recorded.hash, 16)}`
  const note = state === 'matched' && why !== '' ? `, ${why}` : ''
  return `${name} ${state}${of}${note}`
}

describe('the records', () => {
  it('of the service are counted by hash; doubts are no records', () => {
    const other = { service: 'https://b.example' }
    const old = [record('a', 1, { at: first }), record('c', 3, { at: second })]
    const others = [record('e', 5, other), { ...doubt('f', 6), ...other }]
    const file = fileOf([record('b', 2), ...old, doubt('d', 4), ...others, record('b', 2)])
    const { summary } = selectRecords([file], SERVICE)
    expect(summary).toBe('3 records of "https://notary.example"; 1 of other services do not count')
  })

  it('stop the run if a line is damaged', () => {
    const file = { name: 'r.jsonl', input: 'records', bytes: Buffer.from('x\n') } as const
    const message = 'input "records": "r.jsonl": line 1 is not a JSON object'
    expect(() => selectRecords([file], SERVICE)).toThrow(message)
  })
})

const a1 = artifact('a', 1)
const recorded = [record('a', 1)]

it('an artifact is compared with the record of its hash, of its name, or else of its base name', () => {
  const renewed = [record('x/c', 3, { at: first }), record('c', 2, { at: second })]
  const artifacts = [a1, artifact('b', 1), artifact('x/b', 1), artifact('d', 1)]
  const changed = ['c', 'x/c', 'y/c', 'e'].map(name => artifact(name, 9))
  const doubts = [doubt('f', 5), doubt('c', 6)]
  const entries = [...recorded, record('b', 1), record('x/c', 4), ...renewed, ...doubts]
  const inDoubt = [artifact('f', 5), artifact('c', 6)]
  const finish = 'finish the run that notarizes it, then verify with its records'
  expect(compare(inDoubt, entries).map(({ remedy }) => remedy)).toEqual([finish, finish])
  expect(compare([...artifacts, ...changed, ...inDoubt], entries).map(show)).toEqual([
    'a matched a 1',
    'b matched b 1',
    'x/b matched b 1',
    'd matched a 1, its record is under another name, "a"',
    'c altered c 2',
    'x/c altered x/c 4',
    'y/c altered x/c 4',
    'e unknown',
    'f unknown',
    'c altered c 2',
  ])
})

describe('with all records required', () => {
  const requireAll = (entries: readonly Entry[]) => compare([a1], entries, true).map(show)
  const newer = record('b', 3, { at: second })
  const older = record('b', 2, { at: first })

  it.each<[string, readonly Entry[], missing: readonly string[]]>([
    ['a record without an artifact', [record('b', 2), ...recorded], ['b missing b 2']],
    ['no record of an altered artifact', [record('a', 2), record('x/a', 3)], []],
    ['the newest record of a hash', [older, record('c', 2, { at: second })], ['c missing c 2']],
    ['a namesake of one that matched', [record('x/a', 3), ...recorded], ['x/a missing x/a 3']],
    ['no doubt', [doubt('c', 3), ...recorded], []],
    ['the newest record of a name', [newer, older, ...recorded], ['b missing b 3']],
  ])('%s is missing', (_, entries, missing) => {
    expect(requireAll(entries).filter(text => text.includes('missing'))).toEqual(missing)
  })

  it.each([
    ['download the records of what was notarized', doubt('a', 1)],
    ['set "base-url" to the service of these records', record('a', 1, { service: 'https://b.x' })],
  ])('a run without a record stops: %s', (next, entry) => {
    const message = 'input "require-all" is true, but there is no record to require'
    const problems = [expect.objectContaining({ message, next })]
    expect(() => requireAll([entry])).toThrow(expect.objectContaining({ problems }))
  })
})
