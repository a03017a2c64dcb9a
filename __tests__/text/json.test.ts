import { describe, expect, it } from '@jest/globals'
import { isJsonObject, parseJson, parseJsonObject, textOf } from '../../src/text/json.ts'

describe('parsing a JSON object', () => {
  const values = ['null', '1', '12345678901234567890', '"{}"', '[{}]']
  it.each([...values, '', '{', '{}{}', '{a:1}', '<html>', '\ufeff{}'])(
    'returns undefined for %j instead of throwing',
    text => {
      expect(parseJsonObject(text)).toBeUndefined()
    },
  )

  it('rejects nesting that would exhaust the stack', () => {
    const objects = (levels: number) => `${'{"a":'.repeat(levels)}"x"${'}'.repeat(levels)}`
    const arrays = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    for (const nested of [objects, arrays]) {
      expect(parseJsonObject(nested(200))).toEqual(JSON.parse(nested(200)))
      expect(parseJsonObject(nested(174_000))).toBeUndefined()
    }
  })
})

describe('numbers that JavaScript would change', () => {
  const integers = ['12345678901234567890', '-9007199254740993', '{"a":[1,12345678901234567890]}']
  const decimals = ['0.12345678901234567890', '-0.10', '[1.25,2.50,1.0000000000000001]']
  const exponents = ['1E+400', '1e21', '[1e400,-1E999]', '{"b":{"c":1e999}}']
  it.each([...integers, ...decimals, ...exponents, ' [ 12345678901234567890 ]'])(
    'are written as they were read, and are no objects themselves: %s',
    text => {
      expect(JSON.stringify(parseJson(text))).toBe(text.replaceAll(' ', ''))
      expect(isJsonObject(parseJson(text))).toBe(text.startsWith('{'))
    },
  )
})

it.each<[unknown, text: string | null]>([
  ['text', 'text'],
  [1_767_225_600_000, '1767225600000'],
  [false, 'false'],
  [JSON.rawJSON('12345678901234567890'), '12345678901234567890'],
  [null, null],
  [{}, null],
  [['x'], null],
])('a field of a record is shown as text if it is a scalar: %j', (value, text) => {
  expect(textOf(value)).toBe(text)
})
