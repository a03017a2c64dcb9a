import { expect, it } from '@jest/globals'
import { assess } from '../../src/records/ledger.ts'
import { AT, doubtOf, entryOf } from './entries.ts'

const B = '2026-01-31T12:00:00.001Z'

/** Entries of one hash at one service, of time A unless the name says otherwise. */
const entries = {
  'doubt A': doubtOf(1),
  'doubt B': doubtOf(1, { at: B }),
  'record A': entryOf(1),
  'record B': entryOf(1, { at: B }),
  'record A under another name': entryOf(1, { artifact: 'x' }),
  'confirmed A': entryOf(1, { confirmed: true }),
  'confirmed B': entryOf(1, { confirmed: true, at: B }),
} as const

const registered = { state: 'registered', from: 'records-file', isConfirmed: false } as const
const confirmed = { ...registered, isConfirmed: true } as const

/** What may be known about a hash. */
const outcomes = {
  new: { state: 'planned', lastDoubtAt: null },
  'in doubt': { state: 'planned', lastDoubtAt: AT },
  'in doubt since B': { state: 'planned', lastDoubtAt: B },
  'registered once': { ...registered, otherCharge: null },
  'registered, and in doubt at A': { ...registered, otherCharge: { isDoubt: true, at: AT } },
  'registered, and in doubt at B': { ...registered, otherCharge: { isDoubt: true, at: B } },
  'registered, and again at B': { ...registered, otherCharge: { isDoubt: false, at: B } },
  'confirmed once': { ...confirmed, otherCharge: null },
  'confirmed, and in doubt at B': { ...confirmed, otherCharge: { isDoubt: true, at: B } },
} as const

it.each<[keyof typeof outcomes, readonly (keyof typeof entries)[]]>([
  ['new', []],
  ['in doubt', ['doubt A']],
  ['in doubt since B', ['doubt A', 'doubt B']],
  ['in doubt since B', ['doubt B', 'doubt A']],
  // A record outweighs every doubt.
  ['registered once', ['record A']],
  ['registered, and in doubt at A', ['doubt A', 'record A']],
  ['registered, and in doubt at B', ['record A', 'doubt B']],
  // Records of different times were charged for more than once.
  ['registered once', ['record A', 'record A under another name']],
  ['registered, and again at B', ['record A', 'record B']],
  // A confirmed record counts only without one of the service. It says what one doubt did.
  ['confirmed once', ['confirmed A']],
  ['confirmed once', ['confirmed A', 'confirmed B']],
  ['confirmed once', ['doubt A', 'confirmed B']],
  ['confirmed, and in doubt at B', ['doubt A', 'doubt B', 'confirmed B']],
  ['registered once', ['confirmed B', 'record A']],
  ['registered, and in doubt at A', ['doubt A', 'confirmed B', 'record B']],
])('a hash is %s: %j', (expected, names) => {
  // Equal lines, such as after a merge, count once.
  for (const all of [names, [...names, ...names.toReversed()]]) {
    expect(assess(all.map(name => entries[name]))).toMatchObject(outcomes[expected])
  }
})
