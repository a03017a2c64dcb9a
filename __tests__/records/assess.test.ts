import { expect, it } from '@jest/globals'
import { assess, groupByHash, readFound, type FoundRecords } from '../../src/records/assess.ts'
import { hashOf, source } from '../support/samples.ts'
import { AT, entryOf, lineOf, SERVICE, stateOf } from './entries.ts'

const B = '2026-01-31T12:00:00.001Z'
const run2 = { ...source, runId: '2' }
const attempt2 = { ...source, runAttempt: '2' }
const elsewhere = 'https://other.example'
const not = { state: 'not-registered' } as const
const problems = ['hash is missing']

/** Entries of hash 1, of the same service, run and time A, unless the name says otherwise. */
const entries = {
  'sent A': stateOf(1),
  'sent B': stateOf(1, { at: B }),
  'sent elsewhere': stateOf(1, { service: elsewhere }),
  'not A': stateOf(1, not),
  'not B': stateOf(1, { ...not, at: B }),
  'not A by run 2': stateOf(1, { ...not, source: run2 }),
  'not A by attempt 2': stateOf(1, { ...not, source: attempt2 }),
  'not A elsewhere': stateOf(1, { ...not, service: elsewhere }),
  'good A': entryOf(1),
  'good A under another name': entryOf(1, { artifact: 'x' }),
  'good A, maybe charged again': entryOf(1, { maybeChargedAgain: true }),
  'good by hand': entryOf(1, { at: null }),
  'good elsewhere': entryOf(1, { service: elsewhere }),
  'good for hash 2': entryOf(2),
  'bad A': entryOf(1, { problems }),
  'bad A, maybe charged again': entryOf(1, { problems, maybeChargedAgain: true }),
  'bad B': entryOf(1, { problems: ['of B'], at: B }),
  'bad by hand': entryOf(1, { problems, at: null }),
  'confirmed A': entryOf(1, { confirmed: true, source: run2, record: {} }),
  'confirmed B': entryOf(1, { confirmed: true, source: run2, record: {}, at: B }),
} as const

const known = { state: 'registered', isConfirmed: false } as const

/** What may be known about a hash. */
const outcomes = {
  new: { state: 'planned', openSince: null },
  open: { state: 'planned', openSince: AT },
  'open B': { state: 'planned', openSince: B },
  contradicted: { state: 'contradicted', problems },
  'contradicted B': { state: 'contradicted', problems: ['of B'] },
  registered: { ...known, maybeChargedAgain: false },
  'registered, maybe again': { ...known, maybeChargedAgain: true },
  confirmed: { ...known, isConfirmed: true, maybeChargedAgain: false },
  'confirmed, maybe again': { ...known, isConfirmed: true, maybeChargedAgain: true },
} as const

it.each<[keyof typeof outcomes, readonly (keyof typeof entries)[]]>([
  ['new', []],
  // Lines of another hash or service do not count.
  ['new', ['good elsewhere', 'sent elsewhere', 'good for hash 2']],
  // It is open if a sent line is not settled; a line settles one of the same service, hash, time, run and attempt.
  ['open', ['sent A']],
  ['open B', ['sent A', 'sent B']],
  ['new', ['sent A', 'not A']],
  ['open', ['sent A', 'not B']],
  ['open', ['sent A', 'not A by run 2']],
  ['open', ['sent A', 'not A by attempt 2']],
  ['open', ['sent A', 'not A elsewhere']],
  // A record with problems outweighs state lines, except the line that settles it.
  ['contradicted', ['sent A', 'bad A']],
  ['contradicted', ['bad by hand', 'not A']],
  ['contradicted B', ['sent A', 'bad A', 'not A', 'sent B', 'bad B']],
  ['new', ['sent A', 'bad A', 'not A']],
  ['open B', ['sent A', 'bad A', 'not A', 'sent B']],
  // A record without problems outweighs everything.
  ['registered', ['good A']],
  ['registered', ['sent A', 'bad A', 'good by hand']],
  // It may have been charged again if it says so, another sent line is open, or good records differ in time.
  ['registered, maybe again', ['sent A', 'good A, maybe charged again']],
  ['registered', ['sent A', 'bad A, maybe charged again', 'good by hand']],
  ['registered', ['good A', 'good A under another name']],
  ['registered, maybe again', ['good A', 'good by hand']],
  ['registered, maybe again', ['sent A', 'good A', 'sent B']],
  ['registered', ['sent A', 'good A', 'sent B', 'not B']],
  ['registered', ['sent A', 'good A', 'sent B', 'bad B']],
  // A record line without a time settles all lines of its hash.
  ['registered', ['sent A', 'sent B', 'good by hand']],
  ['contradicted', ['sent A', 'sent B', 'bad by hand']],
  // A confirmed line settles all earlier lines, of any run, and is no other time beside a record of the service.
  ['confirmed', ['sent A', 'sent B', 'confirmed B']],
  ['confirmed', ['sent A', 'bad A', 'confirmed B']],
  ['confirmed', ['confirmed A', 'confirmed B']],
  ['confirmed', ['sent B', 'confirmed B', 'confirmed A']],
  ['confirmed, maybe again', ['confirmed A', 'sent B']],
  ['registered', ['sent A', 'confirmed B', 'good A']],
  ['registered, maybe again', ['confirmed B', 'good A', 'good by hand']],
])('a hash is %s: %j', (expected, names) => {
  for (const all of [names, [...names, ...names.toReversed()]]) {
    const known = groupByHash(
      all.map(name => entries[name]),
      SERVICE,
    )
    expect(assess(known.get(hashOf(1)) ?? [])).toMatchObject(outcomes[expected])
  }
})

it('each damaged records file is a problem, with what to do, and the lines of the others count', () => {
  const file = (input: FoundRecords['input'], text: string): FoundRecords => {
    return { name: `${input}.jsonl`, bytes: Buffer.from(text), input }
  }
  const { problems, warnings, entries } = readFound([
    file('records-path', 'x\n'.repeat(5) + lineOf(1) + 'y\n'.repeat(300)),
    file('keep-records', 'x\n'),
    file('release-tag', `${lineOf(2)}x\n`),
    file('records', 'x\n'),
    file('records', lineOf(3) + lineOf(4).slice(0, 30)),
  ])
  const damage = (name: string, line: number): string =>
    `"${name}.jsonl", line ${line} is not valid JSON`
  const lines = [1, 2, 3, 4, 5].map(line => damage('records-path', line)).join('; ')
  const shown = problems.map(({ input, needs, message }) => `${input}, ${needs}: ${message}`)
  expect(shown.join('\n')).toBe(
    `records-path, workflow: input "records-path": ${lines}; and 300 more; restore the file, or change "records-path" if this action did not write the file
keep-records, nothing: input "keep-records": ${damage('keep-records', 1)}
release-tag, nothing: input "release-tag": ${damage('release-tag', 2)}; save a copy of this asset, then repair the asset or delete it
records, workflow: input "records": ${damage('records', 1)}; restore the file`,
  )
  const why = 'is incomplete and was dropped: a run was stopped while writing it'
  expect(warnings).toEqual([`The last line of "records.jsonl" ${why}`])
  expect(entries).toEqual([entryOf(1), entryOf(2), entryOf(3)])
})
