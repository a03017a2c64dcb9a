import { describe, expect, it } from '@jest/globals'
import { howToSettle, KnownRecords, type Known } from '../../src/records/known.ts'
import { parseRecords } from '../../src/records/reading.ts'
import { hashOf, source } from '../support/samples.ts'
import { entryOf, lineOf, SERVICE, stateLineOf } from './entries.ts'

const other = { service: 'https://other.example' }
const bad = { problems: ['hash is missing'] }
const later = { at: '2026-01-31T12:00:00.001Z' }
const otherRun = {
  source: { ...source, runId: '2', runUrl: 'https://github.com/octo/app/actions/runs/2' },
}
const settled = { state: 'not-registered' } as const

function know(texts: readonly string[], service: string | null = SERVICE): KnownRecords {
  const readings = texts.map((text, index) =>
    parseRecords(Buffer.from(text), index === 0 ? 'records.jsonl' : 'the release'),
  )
  return new KnownRecords(readings, service)
}

const find = (text: string, service?: string | null): Known | undefined =>
  know([text], service).find(hashOf(1))

/** How often a hash was sent without an answer, null if it is not open. */
const triesOf = (text: string): number | null => {
  const known = find(text)
  return known?.state === 'open' ? known.tries.count : null
}

describe('what is known of a hash', () => {
  it('is what this service said, and nothing without a service', () => {
    const text = lineOf(1) + lineOf(2, other)
    expect(find(text)).toEqual({
      state: 'registered',
      entry: entryOf(1),
      lines: 'line 1 of "records.jsonl"',
    })
    expect(know([text]).find(hashOf(2))).toBeUndefined()
    expect(know([text], other.service).find(hashOf(2))).toMatchObject({ state: 'registered' })
    for (const service of [null, `${SERVICE}/`]) expect(find(text, service)).toBeUndefined()
  })

  it.each([
    ['a record before one with problems', lineOf(1) + lineOf(1, bad), 'registered'],
    ['a record after one with problems', lineOf(1, bad) + lineOf(1), 'registered'],
    [
      'a record among all else',
      stateLineOf(1) + lineOf(1, bad) + lineOf(1) + stateLineOf(1, later),
      'registered',
    ],
    ['a record before what was sent', lineOf(1) + stateLineOf(1), 'registered'],
    [
      'a record with problems before what was sent',
      lineOf(1, bad) + stateLineOf(1),
      'contradicted',
    ],
    ['a record with problems after what was sent', stateLineOf(1) + lineOf(1, bad), 'contradicted'],
    [
      'a record with problems, a good one being of another service',
      lineOf(1, other) + lineOf(1, bad),
      'contradicted',
    ],
    ['what was sent', stateLineOf(1), 'open'],
    ['what was sent, a record being of another service', lineOf(1, other) + stateLineOf(1), 'open'],
    ['what was sent to another service', stateLineOf(1, other), undefined],
    ['what was sent for another hash', stateLineOf(2), undefined],
    ['nothing but a settlement', stateLineOf(1, settled), undefined],
  ])('is by rank: %s', (_, text, state) => {
    expect(find(text)?.state).toBe(state)
  })

  it('is the first of several equals, and names all lines of the hash', () => {
    const text = lineOf(2) + lineOf(1, bad) + stateLineOf(1) + lineOf(1, { problems: ['other'] })
    expect(find(text)).toEqual({
      state: 'contradicted',
      entry: entryOf(1, bad),
      lines: 'lines 2, 3, 4 of "records.jsonl"',
    })
  })

  it('comes from every file, and names the lines of each', () => {
    const text = stateLineOf(1)
    const known = know([lineOf(2) + text, lineOf(3) + text + stateLineOf(1, later)])
    expect(known.find(hashOf(1))).toMatchObject({
      state: 'open',
      tries: { count: 2 },
      lines: 'line 2 of "records.jsonl" and lines 2, 3 of "the release"',
    })
    expect(known.find(hashOf(3))).toMatchObject({ state: 'registered' })
  })
})

describe('tries without an answer', () => {
  it.each<[string, string, number | null]>([
    ['one', stateLineOf(1), 1],
    ['one that is settled', stateLineOf(1) + stateLineOf(1, settled), null],
    [
      'one whose settlement stands before it, as after a merge',
      stateLineOf(1, settled) + stateLineOf(1),
      null,
    ],
    ['two of a run', stateLineOf(1) + stateLineOf(1, later), 2],
    [
      'two, one of them settled',
      stateLineOf(1) + stateLineOf(1, later) + stateLineOf(1, settled),
      1,
    ],
    [
      'one, another moment being settled',
      stateLineOf(1) + stateLineOf(1, { ...settled, ...later }),
      1,
    ],
    [
      'one, that of another run being settled',
      stateLineOf(1) + stateLineOf(1, { ...settled, ...otherRun }),
      1,
    ],
    [
      'one, that of another service being settled',
      stateLineOf(1) + stateLineOf(1, { ...settled, ...other }),
      1,
    ],
    ['one, that of another hash being settled', stateLineOf(1) + stateLineOf(2, settled), 1],
    ['two of two runs at the same moment', stateLineOf(1) + stateLineOf(1, otherRun), 2],
    ['one whose line is there twice', stateLineOf(1).repeat(2), 1],
    [
      'one that is settled, all its lines there twice',
      (stateLineOf(1) + stateLineOf(1, settled)).repeat(2),
      null,
    ],
    [
      'one under another name, settled',
      stateLineOf(1) + stateLineOf(1, { ...settled, artifact: 'x' }),
      null,
    ],
  ])('are counted as the contract has it: %s', (_, text, count) => {
    expect(triesOf(text)).toBe(count)
  })

  it('name the last of them with its run', () => {
    const first = stateLineOf(1)
    const last = stateLineOf(1, { ...later, ...otherRun })
    for (const text of [first + last, last + first]) {
      expect(find(text)).toMatchObject({
        tries: {
          count: 2,
          at: later.at,
          runUrl: otherRun.source.runUrl,
          lines: 'lines 1, 2 of "records.jsonl"',
        },
      })
    }
  })

  it('are settled by a person as the message says', () => {
    expect(howToSettle('lines 1, 2 of "records.jsonl"')).toMatch(
      /look.*append its record.*remove lines 1, 2 of "records.jsonl"/,
    )
  })
})

describe('an earlier attempt', () => {
  const attempt = (runAttempt: string | null, runId: string | null = '1') => ({
    ...source,
    ...{ runId, runAttempt },
  })
  it.each<[string, string, boolean]>([
    ['has a record', lineOf(1, { source: attempt('1') }), true],
    ['has a state line', stateLineOf(1, { source: attempt('1') }), true],
    ['has a line of another service', lineOf(1, { ...other, source: attempt('1') }), true],
    ['has a line without its number', lineOf(1, { source: attempt(null) }), true],
    ['has none', '', false],
    ['has none, but this one', lineOf(1, { source: attempt('2') }), false],
    ['has none, but a later one', lineOf(1, { source: attempt('3') }), false],
    ['has none, but another run', lineOf(1, { source: attempt('1', '9') }), false],
    ['has none, but a run without an id', lineOf(1, { source: attempt('1', null) }), false],
  ])('of this run %s', (_, text, has) => {
    expect(know([text]).hasEarlierAttempt(attempt('2'))).toBe(has)
    expect(know(['', text]).hasEarlierAttempt(attempt('2'))).toBe(has)
  })

  it('is none of a run without an id', () => {
    const text = lineOf(1, { source: attempt('1', null) })
    expect(know([text]).hasEarlierAttempt(attempt('2', null))).toBe(false)
  })
})
