import { describe, expect, it } from '@jest/globals'
import { isJsonObject, parseJsonObject } from '../../src/service/core/json.ts'

/** An object with a text at the end of this many levels of objects. */
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}"x"${'}'.repeat(levels)}`

/** An object with arrays below it, so many levels in all. */
const nestedArrays = (levels: number): string =>
  `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

describe('parsing a JSON object', () => {
  it.each(['{}', '{"a":null}', ' \n{"a":[1,{"b":2}]}\r\n', '{"a":1,"a":2}'])('takes %j', text => {
    expect(parseJsonObject(text)).toEqual(JSON.parse(text))
  })

  it.each(['', ' ', 'null', 'true', '1', '"{}"', '[]', '[{}]', '{', '{}{}', '{a:1}', '<html>'])(
    'gives nothing for %j, and does not throw',
    text => {
      expect(parseJsonObject(text)).toBeUndefined()
    },
  )

  it('gives nothing for a text with a byte order mark', () => {
    expect(parseJsonObject('\ufeff{}')).toBeUndefined()
  })

  it('keeps a field named __proto__ as a field, and changes no prototype', () => {
    const parsed = parseJsonObject('{"__proto__":{"hash":"forged"},"a":1}')
    expect(Object.keys(parsed ?? {})).toEqual(['__proto__', 'a'])
    expect(parsed?.['hash']).toBeUndefined()
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
  })

  it.each([nested, nestedArrays])('takes 200 levels and refuses more', make => {
    expect(parseJsonObject(make(200))).toEqual(JSON.parse(make(200)))
    expect(parseJsonObject(make(202))).toBeUndefined()
    expect(parseJsonObject(make(1000))).toBeUndefined()
  })

  it.each([nested, nestedArrays])('survives the deepest nesting that fits into 1 MiB', make => {
    const deepest = make === nested ? 174_000 : 524_000
    expect(make(deepest).length).toBeLessThanOrEqual(1024 * 1024)
    expect(parseJsonObject(make(deepest))).toBeUndefined()
  })

  it('takes the widest object that fits into 1 MiB', () => {
    const wide = `{"a":[${'0,'.repeat(520_000)}0]}`
    expect(wide.length).toBeLessThanOrEqual(1024 * 1024)
    expect(parseJsonObject(wide)?.['a']).toHaveLength(520_001)
  })
})

it.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  [undefined, false],
  ['{}', false],
  [0, false],
])('tells objects from the rest: %j', (value, isObject) => {
  expect(isJsonObject(value)).toBe(isObject)
})
