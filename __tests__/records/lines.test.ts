import { expect, it } from '@jest/globals'
import { missingLines } from '../../src/records/lines.ts'
import { lineOf } from './entries.ts'

const [one, two, three] = [lineOf(1), lineOf(2), lineOf(3)]

it.each<[string, known: readonly string[], file: string, missing: string]>([
  ['nothing of nothing', [], '', ''],
  ['nothing of an equal file', [one + two], two + one, ''],
  ['the lines that no file has, in their order', [one, three], three + two + one, two],
  ['every line without a known file', [], one + two, one + two],
  ['a line once', [], one + one, one],
  [
    'a line that differs in one byte',
    [one],
    one.replace('"size":1', '"size": 1'),
    one.replace('"size":1', '"size": 1'),
  ],
  ['no incomplete last line', [one], one + two.slice(0, 40), ''],
  ['a last line without its newline', [one], one + two.trimEnd(), two],
  ['no line that a known file has without its newline', [one.trimEnd()], one, ''],
  [
    'an incomplete line inside, for a person to see',
    [],
    `${one.slice(0, 40)}\n${two}`,
    `${one.slice(0, 40)}\n${two}`,
  ],
  ['no blank line', [one], `\n${one}\n`, ''],
  ['bytes that are not UTF-8', [one], '"\xff\xfe\0\x80"\n', '"\xff\xfe\0\x80"\n'],
])('gives %s', (_, known, file, missing) => {
  const bytes = missingLines(
    known.map(text => Buffer.from(text, 'latin1')),
    Buffer.from(file, 'latin1'),
  )
  expect(bytes.toString('latin1')).toBe(missing)
})
