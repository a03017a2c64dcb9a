import { expect, it } from '@jest/globals'
import { formatSize } from '../../src/text/size.ts'
import { toSentence } from '../../src/text/words.ts'

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
