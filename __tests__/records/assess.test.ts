import { expect, it } from '@jest/globals'
import {
  assess,
  groupByHash,
  readFoundRecords,
  type FoundRecords,
} from '../../src/records/assess.ts'
import { hashOf } from '../support/samples.ts'
import { AT, doubtOf, entryOf, lineOf, SERVICE } from './entries.ts'

const B = '2026-01-31T12:00:00.001Z'
const elsewhere = { service: 'https://other.example' }

/** Entries of hash 1, of the same service and time A, unless the name says otherwise. */
const entries = {
  'doubt A': doubtOf(1),
  'doubt B': doubtOf(1, { at: B }),
  'doubt elsewhere': doubtOf(1, elsewhere),
  'record A': entryOf(1),
  'record B': entryOf(1, { at: B }),
  'record A under another name': entryOf(1, { artifact: 'x' }),
  'record A, maybe charged again': entryOf(1, { maybeChargedAgain: true }),
  'record by hand': entryOf(1, { at: null }),
  'record elsewhere': entryOf(1, elsewhere),
  'record of hash 2': entryOf(2),
  'confirmed A': entryOf(1, { confirmed: true, record: {} }),
  'confirmed B': entryOf(1, { confirmed: true, record: {}, at: B }),
} as const

const known = { state: 'registered', from: 'records-file', isConfirmed: false } as const

/** What may be known about a hash. */
const outcomes = {
  new: { state: 'planned', lastDoubtAt: null },
  'in doubt': { state: 'planned', lastDoubtAt: AT },
  'in doubt since B': { state: 'planned', lastDoubtAt: B },
  registered: { ...known, maybeChargedAgain: false },
  'registered, maybe again': { ...known, maybeChargedAgain: true },
  confirmed: { ...known, isConfirmed: true, maybeChargedAgain: false },
  'confirmed, maybe again': { ...known, isConfirmed: true, maybeChargedAgain: true },
} as const

it.each<[keyof typeof outcomes, readonly (keyof typeof entries)[]]>([
  ['new', []],
  // Lines of another hash or service do not count.
  ['new', ['record elsewhere', 'doubt elsewhere', 'record of hash 2']],
  ['in doubt', ['doubt A']],
  ['in doubt since B', ['doubt A', 'doubt B']],
  // A record outweighs every doubt.
  ['registered', ['record A']],
  ['registered', ['record by hand']],
  ['registered, maybe again', ['doubt A', 'record A']],
  ['registered, maybe again', ['record A', 'doubt B']],
  // It may have been charged again if it says so, or if records of the service differ in time.
  ['registered, maybe again', ['record A, maybe charged again']],
  ['registered', ['record A', 'record A under another name']],
  ['registered', ['record A', 'record by hand']],
  ['registered, maybe again', ['record A', 'record B']],
  // A confirmed record counts only without one of the service, and is no other time beside it.
  ['confirmed', ['confirmed A']],
  ['confirmed', ['confirmed A', 'confirmed B']],
  ['confirmed, maybe again', ['doubt A', 'confirmed B']],
  ['registered', ['confirmed B', 'record A']],
])('a hash is %s: %j', (expected, names) => {
  for (const all of [names, [...names, ...names.toReversed()]]) {
    const byHash = groupByHash(
      all.map(name => entries[name]),
      SERVICE,
    )
    expect(assess(byHash.get(hashOf(1)) ?? [])).toMatchObject(outcomes[expected])
  }
})

it('each damaged records file is a problem, with what to do, and the lines of the others count', () => {
  const file = (input: FoundRecords['input'], text: string): FoundRecords => {
    return { name: `${input}.jsonl`, bytes: Buffer.from(text), input }
  }
  const { problems, warnings, entries } = readFoundRecords([
    file('records-path', lineOf(1) + 'x\n'.repeat(300)),
    file('keep-records', 'x\n'),
    file('release-tag', `${lineOf(2)}x\n`),
    file('records', 'x\n'),
    file('records', lineOf(3) + lineOf(4).slice(0, 30)),
  ])
  expect(problems).toMatchSnapshot()
  const why = 'is incomplete and was dropped: a run was stopped while writing it'
  expect(warnings).toEqual([`The last line of "records.jsonl" ${why}`])
  expect(entries).toEqual([entryOf(1), entryOf(2), entryOf(3)])
})
