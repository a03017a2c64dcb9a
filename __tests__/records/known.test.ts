import { describe, expect, it } from '@jest/globals'
import { KnownRecords, type Known } from '../../src/records/known.ts'
import { parseRecords } from '../../src/records/reading.ts'
import type { Source } from '../../src/runtime/environment.ts'
import { hashOf, source } from '../support/samples.ts'
import { entryOf, lineOf, SERVICE, stateLineOf, stateOf } from './entries.ts'

const B = '2026-01-31T12:00:00.001Z'
const run2 = { ...source, runId: '2' }
const attempt2 = { ...source, runAttempt: '2' }
const elsewhere = 'https://other.example'
const not = { state: 'not-registered' } as const
const problems = ['hash is missing']

/** Lines of a records file, all of hash 1, and of one service, run and time A, unless the name says otherwise. */
const lines = {
  'sent A': stateLineOf(1),
  'sent B': stateLineOf(1, { at: B }),
  'sent A by run 2': stateLineOf(1, { source: run2 }),
  'sent elsewhere': stateLineOf(1, { service: elsewhere }),
  'sent for hash 2': stateLineOf(2),
  'not A': stateLineOf(1, not),
  'not B': stateLineOf(1, { ...not, at: B }),
  'not A by run 2': stateLineOf(1, { ...not, source: run2 }),
  'not A by attempt 2': stateLineOf(1, { ...not, source: attempt2 }),
  'not A elsewhere': stateLineOf(1, { ...not, service: elsewhere }),
  'not A for hash 2': stateLineOf(2, not),
  'not A with another commit': stateLineOf(1, { ...not, source: { ...source, sha: null } }),
  'good A': lineOf(1),
  'good A under another name': lineOf(1, { artifact: 'x' }),
  'good A, maybe charged again': lineOf(1, { maybeChargedAgain: true }),
  'good B': lineOf(1, { at: B }),
  'good by hand': lineOf(1, { at: null }),
  'good elsewhere': lineOf(1, { service: elsewhere }),
  'good for hash 2': lineOf(2),
  'bad A': lineOf(1, { problems }),
  'bad A, maybe charged again': lineOf(1, { problems, maybeChargedAgain: true }),
  'bad B': lineOf(1, { problems, at: B }),
  'bad by hand': lineOf(1, { problems, at: null }),
} as const

type Line = keyof typeof lines

function know(text: string, service: string | null = SERVICE): KnownRecords {
  const { entries, damage } = parseRecords(Buffer.from(text), 'records.jsonl')
  expect(damage).toEqual([])
  return new KnownRecords(entries, new Set(service === null ? [] : [service]))
}

const textOf = (given: readonly Line[]): string => given.map(line => lines[line]).join('')

function describeKnown(known: Known | undefined): string {
  switch (known?.state) {
    case undefined:
      return 'new'
    case 'registered':
      return known.maybeChargedAgain ? 'registered, maybe again' : 'registered'
    case 'contradicted':
      return known.entry.at === B ? 'contradicted B' : 'contradicted'
    case 'open':
      return known.sent.at === B ? 'open B' : 'open'
  }
}

describe('a hash', () => {
  it.each<[string, readonly Line[]]>([
    ['new', []],
    // Lines of another hash or service do not count.
    ['new', ['good elsewhere', 'sent elsewhere', 'good for hash 2', 'sent for hash 2']],
    // It is open if a sent line is not settled; a line settles that of its service, hash, time, run and attempt.
    ['open', ['sent A']],
    ['open B', ['sent A', 'sent B']],
    ['open', ['sent A', 'sent A by run 2']],
    ['new', ['sent A', 'not A']],
    ['new', ['sent A', 'not A with another commit']],
    ['new', ['sent A', 'sent B', 'not A', 'not B']],
    ['open', ['sent A', 'not B']],
    ['open', ['sent A', 'not A by run 2']],
    ['open', ['sent A', 'not A by attempt 2']],
    ['open', ['sent A', 'not A elsewhere']],
    ['open', ['sent A', 'not A for hash 2']],
    ['open B', ['sent A', 'sent B', 'not A']],
    // The order does not count, and equal lines count once.
    ['new', ['sent A', 'not A', 'sent A', 'not A']],
    // A record with problems outweighs state lines, but for the line that settles it.
    ['contradicted', ['sent A', 'bad A']],
    ['contradicted', ['bad A', 'sent A', 'sent B']],
    ['contradicted', ['sent A', 'bad A', 'not B']],
    ['contradicted', ['bad by hand', 'not A']],
    ['contradicted B', ['sent A', 'bad A', 'not A', 'sent B', 'bad B']],
    ['new', ['sent A', 'bad A', 'not A']],
    ['open B', ['sent A', 'bad A', 'not A', 'sent B']],
    // A record without problems outweighs everything.
    ['registered', ['good A']],
    ['registered', ['bad A', 'good A']],
    ['registered', ['sent A', 'bad A', 'good by hand']],
    // It may have been charged again if it says so, another sent line is not settled, or good records differ in time.
    ['registered, maybe again', ['sent A', 'good A, maybe charged again']],
    ['registered, maybe again', ['good A, maybe charged again', 'good by hand']],
    ['registered', ['sent A', 'bad A, maybe charged again', 'good by hand']],
    ['registered', ['good A', 'good A under another name']],
    ['registered, maybe again', ['sent A', 'good A', 'sent B', 'good B']],
    ['registered, maybe again', ['good A', 'good by hand']],
    ['registered, maybe again', ['sent A', 'good B']],
    ['registered, maybe again', ['sent A', 'good A', 'sent B']],
    ['registered, maybe again', ['sent A', 'good A', 'sent A by run 2']],
    ['registered', ['sent A', 'good A', 'sent B', 'not B']],
    ['registered', ['sent A', 'good A', 'sent B', 'bad B']],
    ['registered', ['sent A', 'good A', 'sent elsewhere', 'sent for hash 2']],
    // A line made by hand settles all of its hash.
    ['registered', ['sent A', 'sent B', 'sent A by run 2', 'good by hand']],
    ['contradicted', ['sent A', 'sent B', 'bad by hand']],
  ])('is %s: %j', (expected, given) => {
    expect(describeKnown(know(textOf(given)).find(hashOf(1)))).toBe(expected)
    const merged = textOf([...given, ...given.toReversed()])
    expect(describeKnown(know(merged).find(hashOf(1)))).toBe(expected)
  })

  it('is known with the first good record, the first record with problems, or the last sent line', () => {
    const good = textOf(['bad A', 'good A under another name', 'good A'])
    expect(know(good).find(hashOf(1))).toMatchObject({ entry: entryOf(1, { artifact: 'x' }) })
    expect(
      know(good)
        .goodRecords(hashOf(1))
        .map(({ artifact }) => artifact),
    ).toEqual(['x', 'dist/app-1.zip'])
    expect(know(good).goodRecords(hashOf(2))).toEqual([])
    const bad = know(textOf(['sent A', 'bad A', 'bad B'])).find(hashOf(1))
    expect(bad).toEqual({ state: 'contradicted', entry: entryOf(1, { problems }) })
    const open = know(textOf(['sent B', 'sent A'])).find(hashOf(1))
    expect(open).toEqual({ state: 'open', sent: stateOf(1, { at: B }) })
  })

  it('is known by the records of the given service alone', () => {
    const text = textOf(['good elsewhere', 'good for hash 2'])
    expect(know(text, elsewhere).find(hashOf(1))?.state).toBe('registered')
    expect(know(text, elsewhere).find(hashOf(2))).toBeUndefined()
    for (const service of [null, `${SERVICE}/`]) {
      expect(know(text, service).find(hashOf(2))).toBeUndefined()
    }
  })
})

describe('an earlier attempt of this run', () => {
  const of = (runAttempt: string | null, runId = '1'): { source: Source } => ({
    source: { ...source, runId, runAttempt },
  })
  it.each<[string, string, boolean]>([
    ['a record', lineOf(1, of('1')), true],
    ['a state line', stateLineOf(1, of('1')), true],
    ['a line of another service', lineOf(1, { service: elsewhere, ...of('1') }), true],
    ['a line without the number of its attempt', lineOf(1, of(null)), true],
    ['a line of this attempt only', lineOf(1, of('2')), false],
    ['a line of a later attempt only', lineOf(1, of('10')), false],
    ['a line of another run only', lineOf(1, of('1', '9')), false],
    ['no line', '', false],
  ])('is seen by its lines: %s', (_, text, isSeen) => {
    expect(know(text).hasEarlierAttempt(of('2').source)).toBe(isSeen)
  })
})
