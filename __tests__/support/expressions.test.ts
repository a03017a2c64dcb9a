import { describe, expect, it } from '@jest/globals'
import { fillExpressions, fillText, holds } from './expressions.ts'

const contexts = {
  values: { a: { 'b-c': 'Text', no: false, list: ['x', 'y'], nothing: undefined }, empty: {} },
  functions: { success: () => false, always: () => true },
}

describe('an expression', () => {
  it.each<[string, unknown]>([
    ["a['b-c'] == 'tEXT'", true],
    ['a.nothing', null],
    ['empty.deep.er', null],
    ['a.list', ['x', 'y']],
    ["a.no && 'never' || 'else'", 'else'],
    ['fromJSON(\'{"n":[1]}\').n[0]', 1],
  ])('%s is evaluated as on the platform', (text, value) => {
    expect(fillExpressions(`\${{ ${text} }}`, contexts)).toEqual(value)
  })

  it.each(['b.c', 'unknown()', 'a b'])('%s is refused', text => {
    expect(() => fillExpressions(`\${{ ${text} }}`, contexts)).toThrow()
  })

  it('in a text becomes text', () => {
    expect(fillText('${{ a.no }}-${{ a.b-c }} ${{ a.list }}', contexts)).toBe('false-Text Array')
  })

  it.each([
    ['', false],
    ['true', false],
    ['always()', true],
    ["${{ always() && a['b-c'] }}", true],
    ['!success()', true],
  ])('%j as a condition holds: %s', (condition, expected) => {
    expect(holds(condition, contexts)).toBe(expected)
  })
})
