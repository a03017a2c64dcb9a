/** The exact form of escaped text. `property/text.test.ts` shows that no text can act. */
import { expect, it } from '@jest/globals'
import { cut, maxNameLength, quote, showControls } from '../../src/text/escape.ts'
import { toAttribute, toHtml, toLogLine } from '../../src/text/escape.ts'

it.each([
  ['a\nb\r\0', 'a\\u000ab\\u000d\\u0000'],
  ['a\u001b[31mb\u0085', 'a\\u001b[31mb\\u0085'],
  ['a\u202eb\ufeff\u00ad', 'a\\u202eb\\ufeff\\u00ad'],
  ['a\u{e0041}b\ud800c', 'a\\udb40\\udc41b\\ud800c'],
  ...['grüße 漢字 🎉', 'a b  c', 'C:\\new\\u000a', 'é'.normalize('NFD')].map(text => [text, text]),
])('only control and invisible characters are shown as escapes: %j', (text, shown) => {
  expect(showControls(text)).toBe(shown)
})

it('truncation splits no character and no word', () => {
  expect(cut('ab🎉cd', 3)).toBe('ab… [cut, 6 characters]')
  expect(cut('ab🎉cd', 4)).toBe('ab🎉… [cut, 6 characters]')
  expect(cut('one two three', 9)).toBe('one two… [cut, 13 characters]')
  // Counted after escaping, and never within an entity.
  expect(quote('\0'.repeat(maxNameLength))).toMatch(/^(\\u0000){42}.{1,4}… \[cut, 1536 char/)
  expect(toHtml('<'.repeat(300))).toMatch(/^(&lt;){256}… &#91;cut, 300 characters&#93;$/)
  expect(toHtml('<'.repeat(300), 300)).toBe('&lt;'.repeat(300))
})

const harmless = ['a::b::c', 'a # b ## c [d]', 'C:\\x', '  indented', '# [x]', '#[x]']
it.each(harmless)('a harmless log line is unchanged: %j', text => {
  expect(toLogLine(text)).toBe(text)
})

it('plain words in HTML and URLs in attributes stay readable', () => {
  expect(toHtml('c_d www1.x')).toBe('c_d www1.x')
  const attribute = 'https://www.x.example/?a=&#34;b&#34;&amp;c=&lt;d&gt;_'
  expect(toAttribute('https://www.x.example/?a="b"&c=<d>_', 100)).toBe(attribute)
})
