import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { cut, maxNameLength, quote, showControls } from '../../src/text/escape.ts'
import { toAttribute, toHtml, toLogLine } from '../../src/text/escape.ts'
import { parseCommands, splitLines } from '../support/commands.ts'
import { renderMarkdown } from '../support/github-page.ts'
import { decodeHtml } from '../support/html.ts'

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

it('a harmless log line is unchanged', () => {
  const lines = ['a::b::c', 'a # b ## c [d]', 'C:\\x', '  indented', '# [x]', '#[x]']
  expect(lines.map(toLogLine)).toEqual(lines)
})

it('a log line of JSON parses to the same value', () => {
  const value = { '##[x]\u0085': ['::\u202e##[error]', '\ud800\r\n'] }
  expect(JSON.parse(toLogLine(JSON.stringify(value)))).toEqual(value)
})

it('plain words in HTML and URLs in attributes stay readable', () => {
  expect(toHtml('c_d www1.x')).toBe('c_d www1.x')
  expect(toHtml('@a @b #1')).toBe('&#64;<wbr>a &#64;<wbr>b &#35;<wbr>1')
  const attribute = 'https://www.x.example/?a=&#34;b&#34;&amp;c=&lt;d&gt;_'
  expect(toAttribute('https://www.x.example/?a="b"&c=<d>_')).toBe(attribute)
})

describe('any text', () => {
  const commands = ['::', ':', '##[', '##', '#', '[', ']', 'error', 'add-mask', '\n', '\r', '\r\n']
  const spaces = [' ', '\t', '\u2028', '\u0085', '\u00a0', '\u3000', '\ufeff', '\u200b', '\u202e']
  const escapes = ['\\', '\\u0023', '%0A', '"', "'", '`', '&', '&lt;', '\u001b[31m', '\ud800']
  const markup = ['<', '>', '|', '*', '_', '~', '@a', '](', '![', '<!--', '-->', '</td>', '$', '🎉']
  const links = ['www.', 'WWW.', 'https://', 'HTTP://', 'x.example', 'a@b.example', '-', '.']
  const nasty = fc.constantFrom(...commands, ...spaces, ...escapes, ...markup, ...links)
  const other = fc.string({ unit: 'binary', maxLength: 6 })
  const part = fc.oneof({ weight: 3, arbitrary: nasty }, other)
  const anyText = fc.array(part, { maxLength: 14 }).map(parts => parts.join(''))
  const invisible = /[\p{Cc}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/u

  it('becomes one log line without commands or invisible characters', () => {
    fc.assert(
      fc.property(anyText, text => {
        for (const raw of [text, `FAILED: "${quote(text)}": ${quote(text.slice(1))}`]) {
          const line = toLogLine(raw)
          expect(splitLines(line)).toEqual(line === '' ? [] : [line])
          expect(parseCommands(line)).toEqual([])
          expect(line).not.toMatch(/^\s*::|##\[/)
          expect(line).not.toMatch(invisible)
          // The runner escapes each line again, without effect.
          expect(toLogLine(line)).toBe(line)
        }
      }),
      { numRuns: 400, seed: 21 },
    )
  })

  it('becomes one paragraph of plain text on GitHub, without HTML, links, emphasis or omissions', () => {
    fc.assert(
      fc.property(anyText, text => {
        const html = toHtml(text)
        expect(html).not.toMatch(invisible)
        expect(decodeHtml(html)).toBe(quote(text))
        const shown = decodeHtml(renderMarkdown(`"${html}" is the text`))
        const oneSpace = (words: string): string => words.replaceAll(/ +/g, ' ')
        expect(oneSpace(shown)).toBe(oneSpace(`<p>"${quote(text)}" is the text</p>`))
      }),
      { numRuns: 250, seed: 31 },
    )
  })
})
