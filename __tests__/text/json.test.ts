import { describe, expect, it } from '@jest/globals'
import { isInteger, isJsonObject, parseJson, parseJsonObject } from '../../src/text/json.ts'

/** So many levels of objects, or of arrays within one. */
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}"x"${'}'.repeat(levels)}`
const nestedArrays = (levels: number): string =>
  `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

describe('parsing a JSON object', () => {
  it.each(['{}', '{"a":null}', ' \n{"a":[1,{"b":2}]}\r\n', '{"a":1,"a":2}'])('takes %j', text => {
    expect(parseJsonObject(text)).toEqual(JSON.parse(text))
  })

  const values = ['null', 'true', '1', '12345678901234567890', '"{}"', '[]', '[{}]']
  it.each([...values, '', ' ', '{', '{}{}', '{a:1}', '<html>', '\ufeff{}'])(
    'gives nothing for %j, and does not throw',
    text => {
      expect(parseJsonObject(text)).toBeUndefined()
    },
  )

  it('keeps a field named __proto__ as a field, and changes no prototype', () => {
    const parsed = parseJsonObject('{"__proto__":{"hash":"forged"},"a":1}')
    expect(Object.keys(parsed ?? {})).toEqual(['__proto__', 'a'])
    expect(parsed?.['hash']).toBeUndefined()
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
  })

  it.each([nested, nestedArrays])(
    'takes 200 levels and refuses more, up to 1 MiB of them',
    make => {
      expect(parseJsonObject(make(200))).toEqual(JSON.parse(make(200)))
      for (const levels of [202, 1000, make === nested ? 174_000 : 524_000])
        expect(parseJsonObject(make(levels))).toBeUndefined()
    },
  )
})

describe('numbers that JavaScript would change', () => {
  const integers = ['12345678901234567890', '-9007199254740993', '{"a":[1,12345678901234567890]}']
  const decimals = ['0.12345678901234567890', '-0.10', '[1.25,2.50,1.0000000000000001]']
  const exponents = ['1E+400', '1e21', '[1e400,-1E999]', '{"a":0.1e-400}', '{"b":{"c":1e999}}']
  it.each([...integers, ...decimals, ...exponents, ' [ 12345678901234567890 ]'])(
    'are written again as they were: %s',
    text => {
      expect(JSON.stringify(parseJson(text))).toBe(text.replaceAll(' ', ''))
    },
  )

  it.each(['-7', '1.0', '1.7672256e12', '1234567890'.repeat(3)])('are integers: %s', text => {
    expect(isInteger(parseJson(text))).toBe(true)
  })

  it.each(['0.5', '0.12345678901234567890', '1e400', '"1"', 'true', 'null', '[]', '{}'])(
    'are no integers: %s',
    text => {
      expect(isInteger(parseJson(text))).toBe(false)
    },
  )
})

it.each([
  [{}, true],
  [{ a: 1 }, true],
  [parseJson('12345678901234567890'), false],
  ...[[], null, undefined, '{}', 0].map(value => [value, false] as const),
])('tells objects from the rest: %j', (value, isObject) => {
  expect(isJsonObject(value)).toBe(isObject)
})
