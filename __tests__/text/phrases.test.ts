import { expect, it } from '@jest/globals'
import { fieldText } from '../../src/text/json.ts'
import { formatSize, formatTime, toSentence } from '../../src/text/phrases.ts'

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

it.each([
  [null, '–'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1024 ** 6, '1024.0 PiB'],
])('the size %p is shown as %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})

it.each<[unknown, field: string, time: string]>([
  ['text', 'text', 'text'],
  [1_767_225_600_000, '1767225600000', '2026-01-01 00:00:00'],
  [9e15, '9000000000000000', '9000000000000000'],
  [false, 'false', 'false'],
  [JSON.rawJSON('12345678901234567890'), '12345678901234567890', '12345678901234567890'],
  [null, '', ''],
  [undefined, '', ''],
  [{}, '', ''],
  [['x'], '', ''],
])('a field of a record is shown as text if it is a scalar: %j', (value, field, time) => {
  expect(fieldText(value)).toBe(field)
  expect(formatTime(value)).toBe(time)
})
