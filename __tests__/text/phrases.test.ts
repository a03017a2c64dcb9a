import { expect, it } from '@jest/globals'
import { formatDuration, formatTime, toSentence } from '../../src/text/phrases.ts'

it.each([
  ['re-run the failed jobs', 'Re-run the failed jobs.'],
  ['status is "x"', 'Status is "x".'],
  ['"app.zip" is altered', '"app.zip" is altered.'],
  ['app.zip is altered', 'app.zip is altered.'],
  ['cut… [cut, 9 characters]', 'cut… [cut, 9 characters]'],
  ['done.', 'done.'],
])('the clause %j becomes a sentence, and a name stays as it is', (clause, sentence) => {
  expect(toSentence(clause)).toBe(sentence)
})

it('durations are shown in the unit that fits', () => {
  const durations = ['90 s', '2 min', '89 min', '1 h 30 min']
  expect([89.1, 90, 89 * 60, 89 * 60 + 1].map(formatDuration)).toEqual(durations)
})

it('a time is shown in UTC, to the second, if it is on a calendar', () => {
  expect([1_767_225_600_999, 9e15].map(formatTime)).toEqual(['2026-01-01 00:00:00', ''])
})
