import { describe, expect, it } from '@jest/globals'
import { mergeRecords, missingLines } from '../../src/records/merge.ts'

describe('merging two records files', () => {
  // What holds for any two is in property/records.test.ts.
  it.each<[string, string, string, string]>([
    ['nothing and nothing', '', '', ''],
    ['a line that both have', '{"b":2}\n{"a":1}\n', '{"a":1}\n{"c":3}\n', '{"c":3}\n'],
    ['lines that differ in one byte', '{"a":1}\n', '{"a": 1}\n', '{"a": 1}\n'],
    ['a line twice', '', '1\n1\n', '1\n'],
    ['a last line that is incomplete', '{"a":1}\n', '{"artifact":"d', ''],
    ['a last line of somebody else, for a person to see', '{"a":1}\n', 'notes', 'notes\n'],
    ['a last line that lacks only its newline', '{"a":1}\n', '{"b":2}', '{"b":2}\n'],
    ['an incomplete line inside, for a person to see', '', '{"a\n{"b":2}\n', '{"a\n{"b":2}\n'],
    ['a blank line', '{"a":1}\n', '\n', ''],
    ['bytes that are no UTF-8', '1\n', '"\xff\xfe\0\x80"\n', '"\xff\xfe\0\x80"\n'],
  ])('adds to the lines of the first: %s', (_, first, second, added) => {
    const [one, two] = [Buffer.from(first, 'latin1'), Buffer.from(second, 'latin1')]
    expect(mergeRecords(one, two).toString('latin1')).toBe(first + added)
    expect(missingLines(one, two).toString('latin1')).toBe(added)
  })

  it.each([
    ['incomplete', '{"a":1}\n{"art', '{"a":1}\n{"c":3}\n'],
    ['without its newline', '{"a":1}', '{"a":1}\n{"c":3}\n'],
    ['blank', '\n', '{"c":3}\n'],
  ])('completes the first when its last line is %s', (_, first, merged) => {
    expect(mergeRecords(Buffer.from(first), Buffer.from('{"c":3}\n')).toString()).toBe(merged)
  })
})
