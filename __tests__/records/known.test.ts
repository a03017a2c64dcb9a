import { describe, expect, it } from '@jest/globals'
import { howToSettle, KnownRecords, type Known } from '../../src/records/known.ts'
import { parseRecords } from '../../src/records/reading.ts'
import { hashOf, source } from '../support/samples.ts'
import { entryOf, lineOf, SERVICE, stateLineOf } from './entries.ts'

const other = { service: 'https://other.example' }
const later = { at: '2026-01-31T12:00:00.001Z' }
const otherRun = {
  source: { ...source, runId: '2', runUrl: 'https://github.com/octo/app/actions/runs/2' },
}
const settled = { state: 'not-registered' } as const

/** Lines of a records file, each by a word; all are of hash 1 and of one moment of a run, unless the word says otherwise. */
const lines = {
  good: lineOf(1),
  'good otherwise': lineOf(1, { verificationUrl: 'https://explorer.example' }),
  bad: lineOf(1, { problems: ['hash is missing'] }),
  'bad otherwise': lineOf(1, { problems: ['other'] }),
  'good elsewhere': lineOf(1, other),
  'good of 2': lineOf(2),
  sent: stateLineOf(1),
  'sent later': stateLineOf(1, later),
  'sent later by another': stateLineOf(1, { ...later, ...otherRun }),
  'sent by another': stateLineOf(1, otherRun),
  'sent elsewhere': stateLineOf(1, other),
  'sent for 2': stateLineOf(2),
  settled: stateLineOf(1, settled),
  'settled later': stateLineOf(1, { ...settled, ...later }),
  'settled by another': stateLineOf(1, { ...settled, ...otherRun }),
  'settled elsewhere': stateLineOf(1, { ...settled, ...other }),
  'settled for 2': stateLineOf(2, settled),
  'settled as another name': stateLineOf(1, { ...settled, artifact: 'x' }),
} as const
type Word = keyof typeof lines

const textOf = (words: readonly Word[]): string => words.map(word => lines[word]).join('')

function know(texts: readonly string[], service: string | null = SERVICE): KnownRecords {
  const names = ['records.jsonl', 'the release']
  const readings = texts.map((text, at) => parseRecords(Buffer.from(text), names[at] ?? ''))
  return new KnownRecords(readings, new Set(service === null ? [] : [service]))
}

const find = (...words: readonly Word[]): Known | undefined => know([textOf(words)]).find(hashOf(1))

describe('what is known of a hash', () => {
  it.each<[string, readonly Word[]]>([
    // A record without problems outweighs one with problems, which outweighs what was sent; the order does not count.
    ['registered', ['good']],
    ['registered', ['good', 'bad']],
    ['registered', ['bad', 'good']],
    ['registered', ['good', 'sent']],
    ['registered', ['sent', 'bad', 'good', 'sent later']],
    ['contradicted', ['bad', 'sent']],
    ['contradicted', ['sent', 'bad']],
    ['contradicted', ['good elsewhere', 'bad']],
    ['nothing', []],
    ['nothing', ['good elsewhere']],
    ['nothing', ['sent elsewhere']],
    ['nothing', ['good of 2', 'sent for 2']],
    ['nothing', ['settled']],
    // What was sent is open, but for what the same run settled at the same service for the same moment and hash.
    ['open: 1', ['sent']],
    ['open: 1', ['good elsewhere', 'sent']],
    ['open: 2', ['sent', 'sent later']],
    ['open: 2', ['sent', 'sent by another']],
    ['open: 1', ['sent', 'sent later', 'settled']],
    ['open: 1', ['sent', 'settled later']],
    ['open: 1', ['sent', 'settled by another']],
    ['open: 1', ['sent', 'settled elsewhere']],
    ['open: 1', ['sent', 'settled for 2']],
    ['nothing', ['sent', 'settled']],
    ['nothing', ['sent', 'settled as another name']],
    // After a merge, lines stand in any order, and twice.
    ['nothing', ['settled', 'sent']],
    ['open: 1', ['sent', 'sent']],
    ['nothing', ['sent', 'settled', 'sent', 'settled']],
  ])('is %s: %j', (what, words) => {
    const known = find(...words)
    expect(known?.state === 'open' ? `open: ${known.tries.count}` : known?.state).toBe(
      what === 'nothing' ? undefined : what,
    )
  })

  it('is what the service of the run said, and nothing without one', () => {
    const text = textOf(['good elsewhere', 'good of 2'])
    expect(know([text], other.service).find(hashOf(1))?.state).toBe('registered')
    for (const service of [null, `${SERVICE}/`])
      expect(know([text], service).find(hashOf(2))).toBeUndefined()
  })

  it('is the first of several equals, and names all lines of the hash', () => {
    expect(find('good', 'good otherwise')).toEqual({ state: 'registered', entry: entryOf(1) })
    expect(find('good of 2', 'bad', 'sent', 'bad otherwise')).toEqual({
      state: 'contradicted',
      entry: entryOf(1, { problems: ['hash is missing'] }),
      lines: 'lines 2, 3, 4 of "records.jsonl"',
    })
  })

  it('comes from every file, and names the lines of each and the last try', () => {
    const first = textOf(['good of 2', 'sent'])
    const second = textOf(['sent', 'sent later by another'])
    for (const [texts, where] of [
      [[first, second], 'line 2 of "records.jsonl" and lines 1, 2 of "the release"'],
      [[second, first], 'lines 1, 2 of "records.jsonl" and line 2 of "the release"'],
    ] as const) {
      const { runUrl } = otherRun.source
      const known = know(texts)
      expect(known.find(hashOf(1))).toEqual({
        state: 'open',
        tries: { count: 2, at: later.at, runUrl, lines: where },
      })
      expect(known.find(hashOf(2))?.state).toBe('registered')
    }
  })

  it('is settled by a person as the message says', () => {
    expect(howToSettle('lines 1, 2 of "records.jsonl"')).toMatch(
      /look.*append its record.*remove lines 1, 2 of "records.jsonl"/,
    )
  })
})

describe('an earlier attempt', () => {
  const attempt = (runAttempt: string | null, runId: string | null = '1') => ({
    source: { ...source, runId, runAttempt },
  })
  it.each([
    ['has a record', lineOf(1, attempt('1')), true],
    ['has a state line', stateLineOf(1, attempt('1')), true],
    ['has a line of another service', lineOf(1, { ...other, ...attempt('1') }), true],
    ['has a line without its number', lineOf(1, attempt(null)), true],
    ['has a line with a number that is none', lineOf(1, attempt('x')), true],
    ['has a line before a later one', lineOf(1, attempt('1')) + lineOf(2, attempt('3')), true],
    ['has none', '', false],
    ['has none, but this one', lineOf(1, attempt('2')), false],
    ['has none, but a later one', lineOf(1, attempt('3')), false],
    ['has none, but another run', lineOf(1, attempt('1', '9')), false],
    ['has none, but a run without an id', lineOf(1, attempt('1', null)), false],
  ])('of this run %s', (_, text, has) => {
    const { source: now } = attempt('2')
    for (const texts of [[text], ['', text]]) expect(know(texts).hasEarlierAttempt(now)).toBe(has)
    expect(know([text]).hasEarlierAttempt({ ...now, runId: null })).toBe(false)
  })
})
