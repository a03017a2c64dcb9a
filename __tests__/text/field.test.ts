import { expect, it } from '@jest/globals'
import { fieldText, timeText } from '../../src/text/field.ts'

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
  expect(timeText(value)).toBe(time)
})
