import { expect, it } from '@jest/globals'
import { findUnsettled, isOpen, readRecordsText } from './record-lines.ts'
import { makeLine, makeStateLine, sha256, toJsonLines } from './samples.ts'

const service = 'https://notary.example'
const a = { service, hash: sha256('a') }
const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`
const sent = (second: number) => makeStateLine(service, 'a', { at: at(second) })
const settled = (second: number) => ({ ...sent(second), state: 'not-registered' })
const record = makeLine(service, 'a')
const otherRun = { source: { ...record.source, runId: '2' } }

it.each([
  ['nothing', [], 0, false],
  ['one try', [sent(1)], 1, true],
  ['one try that was settled', [sent(1), settled(1)], 0, false],
  ['two tries of which one was settled', [sent(1), sent(2), settled(2)], 1, true],
  ['the same line twice, after a merge', [sent(1), sent(1)], 1, true],
  ['a try and its record', [sent(1), record], 1, false],
  ['a settling line of another run', [sent(1), { ...settled(1), ...otherRun }], 1, true],
  ['a try of another hash', [makeStateLine(service, 'b')], 0, false],
  ['a try at another service', [makeStateLine('https://b.example', 'a')], 0, false],
])('a hash with %s', (_what, lines, unsettled, open) => {
  const file = readRecordsText(toJsonLines(lines))

  expect(findUnsettled(file, a)).toHaveLength(unsettled)
  expect(isOpen(file, a)).toBe(open)
})

it('the text of a records file is read line by line, with what stands behind the last one', () => {
  const file = readRecordsText(`${toJsonLines([sent(1), record])}{"artifact":"d`)

  expect(file).toEqual({ records: [record], states: [sent(1)], rest: '{"artifact":"d' })
})

it.each([
  ['no JSON', '{'],
  ['a further field', { ...record, extra: 1 }],
  ['zero tries', { ...record, unansweredTries: 0 }],
  ['a time without milliseconds', { ...sent(1), at: '2026-01-01T00:00:00Z' }],
  ['an unknown state', { ...sent(1), state: 'lost' }],
  ['a hash in capitals', { ...record, hash: sha256('a').toUpperCase() }],
])('the text of a records file is refused with %s', (_what, line) => {
  const text = typeof line === 'string' ? `${line}\n` : toJsonLines([line])

  expect(() => readRecordsText(text)).toThrow('line 1')
})
