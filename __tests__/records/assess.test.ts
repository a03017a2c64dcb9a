import { describe, expect, it } from '@jest/globals'
import { assess, groupByHash, readFound } from '../../src/records/assess.ts'
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

describe('records files', () => {
  const sourceOf = (text: string, input: 'records-path' | 'keep-records' | 'release-tag') => ({
    name: `${input}.jsonl`,
    bytes: Buffer.from(text),
    input,
  })

  it('are damaged if any file is damaged, which is reported under its input', () => {
    const { problems, warnings, entries } = readFound([
      sourceOf('x\n', 'records-path'),
      sourceOf(lineOf(1) + lineOf(2).slice(0, 30), 'keep-records'),
      sourceOf('y\n', 'release-tag'),
    ])
    expect(problems).toEqual([
      expect.objectContaining({ input: 'records-path', needs: 'workflow' }),
      expect.objectContaining({ input: 'release-tag', needs: 'nothing' }),
    ])
    expect(problems[0]?.message).toMatch(/"records-path.jsonl", line 1 .*restore the file/)
    expect(warnings).toEqual([expect.stringContaining('"keep-records.jsonl" is incomplete')])
    expect(entries).toEqual([entryOf(1)])
  })

  it('are reported with five damaged lines of a file and a count of the rest', () => {
    const text = 'x\n'.repeat(5) + lineOf(1) + 'y\n'.repeat(300)
    const [problem] = readFound([sourceOf(text, 'records-path')]).problems
    expect(problem?.message).toMatch(/line 5 .*300 more/)
    expect(problem?.message).not.toContain('line 7 ')
  })
})
