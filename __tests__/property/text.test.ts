import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { renderMarkdown } from '../support/github-page.ts'
import { quote, toHtml, toLogLine } from '../../src/text/escape.ts'
import { parseCommands, splitLines } from '../support/commands.ts'
import { decodeHtml } from '../support/html.ts'

const commands = ['::', ':', '##[', '##', '#', '[', ']', 'error', 'add-mask', '\n', '\r', '\r\n']
const spaces = [' ', '\t', '\u2028', '\u0085', '\u00a0', '\u3000', '\ufeff', '\u200b', '\u202e']
const escapes = ['\\', '\\u0023', '%0A', '%25', '"', "'", '`', '<', '>', '&', '&lt;', '\u001b[31m']
const markup = ['|', '*', '_', '~', '@a', '](', '![', '<!--', '-->', '</td>', '$']
const rare = ['\0', '\ud800', '\udc00', '🎉', '\u{e0041}', '漢']
const nasty = fc.constantFrom(...commands, ...spaces, ...escapes, ...markup, ...rare)
const anyText = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 14 })
  .map(parts => parts.join(''))

const invisible = /[\p{Cc}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/u

describe('any text', () => {
  it('becomes one log line without commands or invisible characters', () => {
    fc.assert(
      fc.property(anyText, text => {
        const line = toLogLine(text)
        expect(splitLines(line)).toEqual(line === '' ? [] : [line])
        expect(parseCommands(line)).toEqual([])
        expect(line).not.toMatch(/^\s*::|##\[/)
        expect(line).not.toMatch(invisible)
        expect(toLogLine(line)).toBe(line)
        const within = toLogLine(`FAILED: "${quote(text)}": ${quote(text.slice(1))}`)
        expect(parseCommands(within)).toEqual([])
        expect(splitLines(within)).toEqual([within])
      }),
      { numRuns: 1500, seed: 21 },
    )
  })

  it('becomes one paragraph of plain text on GitHub, without HTML, links, emphasis or omissions', () => {
    const parts = ['www.', 'WWW.', 'https://', 'HTTP://', 'x.example', 'a@b.example', '_', '-', '.']
    const address = fc.constantFrom(...parts)
    const text = fc
      .array(fc.oneof(address, nasty, fc.string({ maxLength: 3 })), { maxLength: 12 })
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(text, input => {
        const html = toHtml(input)
        const outside = html.replace(/&#(?:35|64);<wbr>|&(?:amp|lt|gt|#\d+);/g, '')
        expect(outside).not.toMatch(/[<>"'`|[\]&*~@#!\\$]/)
        expect(outside).not.toMatch(invisible)
        expect(decodeHtml(html)).toBe(quote(input))
        const shown = decodeHtml(renderMarkdown(`"${html}" is the text`))
        const oneSpace = (words: string): string => words.replaceAll(/ +/g, ' ')
        expect(oneSpace(shown)).toBe(oneSpace(`<p>"${quote(input)}" is the text</p>`))
      }),
      { numRuns: 1000, seed: 31 },
    )
  })
})

it('any JSON value becomes one harmless log line that parses to the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), anyText, (value, text) => {
      const object = { [text]: value, text }
      const line = toLogLine(JSON.stringify(object))
      expect(JSON.stringify(JSON.parse(line))).toBe(JSON.stringify(object))
      expect(parseCommands(line)).toEqual([])
      expect(line).not.toMatch(/##\[/)
      expect(line).not.toMatch(invisible)
      // The runner escapes each line again, without effect.
      expect(toLogLine(line)).toBe(line)
    }),
    { numRuns: 1000, seed: 25 },
  )
})
