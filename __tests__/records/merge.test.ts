import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { mergeRecords, missingLines } from '../../src/records/merge.ts'

const merge = (first: string, second: string): string =>
  mergeRecords(Buffer.from(first), Buffer.from(second)).toString()

describe('mergeRecords', () => {
  it.each<[string, string, string, string]>([
    ['nothing with nothing', '', '', ''],
    ['a file with nothing', '{"a":1}\n', '', '{"a":1}\n'],
    ['nothing with a file', '', '{"a":1}\n', '{"a":1}\n'],
    ['a file with itself', '{"a":1}\n{"b":2}\n', '{"a":1}\n{"b":2}\n', '{"a":1}\n{"b":2}\n'],
    [
      'the lines of the first, then the new ones of the second',
      '{"b":2}\n{"a":1}\n',
      '{"c":3}\n{"a":1}\n{"d":4}\n',
      '{"b":2}\n{"a":1}\n{"c":3}\n{"d":4}\n',
    ],
    ['lines that differ in one byte are two', '{"a":1}\n', '{"a": 1}\n', '{"a":1}\n{"a": 1}\n'],
    ['a last line that lacks only its newline', '{"a":1}', '{"b":2}', '{"a":1}\n{"b":2}\n'],
    [
      'a last line that is incomplete is dropped, on either side',
      '{"a":1}\n{"b"',
      '{"c":3}\n{"d":',
      '{"a":1}\n{"c":3}\n',
    ],
    ['a incomplete line alone', '{"a', '', ''],
    ['a incomplete line inside stays, for a person to see', '{"a\n{"b":2}\n', '', '{"a\n{"b":2}\n'],
    ['the probe of one byte', '\n', '{"a":1}\n', '{"a":1}\n'],
    ['text beyond Latin-1', '{"a":"ünïcode \u2028 😀"}\n', '', '{"a":"ünïcode \u2028 😀"}\n'],
  ])('%s', (_what, first, second, merged) => {
    expect(merge(first, second)).toBe(merged)
  })

  it('keeps every byte of a line, also one that is no UTF-8', () => {
    const line = Buffer.from([0x22, 0xff, 0xfe, 0x00, 0x80, 0x22, 0x0a])

    expect(mergeRecords(line, Buffer.from('1\n'))).toEqual(
      Buffer.concat([line, Buffer.from('1\n')]),
    )
  })
})

const value = fc.json().map(text => JSON.stringify(JSON.parse(text)))
const lines = fc.array(value, { maxLength: 8 })
const toText = (all: readonly string[]): string => all.map(line => `${line}\n`).join('')
const toLines = (text: string): string[] => text.split('\n').slice(0, -1)
const numRuns = 300

describe('mergeRecords, for any two files', () => {
  it('gives each line once, those of the first before the others, and nothing else', () => {
    fc.assert(
      fc.property(lines, lines, (first, second) => {
        const merged = toLines(merge(toText(first), toText(second)))

        expect(merged).toEqual([...new Set([...first, ...second])])
        const missing = missingLines(Buffer.from(toText(first)), Buffer.from(toText(second)))
        expect(toLines(missing.toString())).toEqual(merged.slice(new Set(first).size))
      }),
      { numRuns },
    )
  })

  it('can be done again, in any grouping, without a change', () => {
    fc.assert(
      fc.property(lines, lines, lines, (a, b, c) => {
        const [first, second, third] = [toText(a), toText(b), toText(c)]
        const merged = merge(first, second)

        expect(merge(merged, second)).toBe(merged)
        expect(merge(first, merged)).toBe(merged)
        expect(merge(merged, third)).toBe(merge(first, merge(second, third)))
        expect(new Set(toLines(merge(second, first)))).toEqual(new Set(toLines(merged)))
      }),
      { numRuns },
    )
  })
})
