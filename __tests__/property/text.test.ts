import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { renderMarkdown } from '../../scripts/github-page.ts'
import { cut, quote, toHtml, toJsonLogLine, toLogLine } from '../../src/text/escape.ts'
import { Secrets } from '../../src/secrets.ts'
import { parseCommands, splitLines } from '../support/commands.ts'
import { decodeHtml } from '../support/html.ts'

const nasty = fc.constantFrom(
  ...['::', ':', '##[', '##', '#', '[', ']', 'error', 'add-mask', ' ', '\t', '\n', '\r', '\r\n'],
  ...['\u2028', '\u0085', '\u00a0', '\u3000', '\ufeff', '\u200b', '\u202e', '\0', '\u001b[31m'],
  ...['\\', '\\u0023', '%0A', '%25', '"', "'", '`', '<', '>', '&', '&lt;', '|', '*', '_', '~'],
  ...['@a', '](', '![', '<!--', '-->', '</td>', '$', '\ud800', '\udc00', '🎉', '\u{e0041}', '漢'],
)
const anyText = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 14 })
  .map(parts => parts.join(''))

const INVISIBLE = /[\p{Cc}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/u

describe('any text', () => {
  it('is one log line that carries out no command and hides nothing', () => {
    fc.assert(
      fc.property(anyText, text => {
        const line = toLogLine(text)
        expect(splitLines(line)).toEqual(line === '' ? [] : [line])
        expect(parseCommands(line)).toEqual([])
        expect(line).not.toContain('##[')
        expect(line).not.toMatch(/^\s*::/)
        expect(line).not.toMatch(INVISIBLE)
        expect(toLogLine(line)).toBe(line)
        const within = toLogLine(`FAILED: "${quote(text)}": ${quote(text.slice(1))}`)
        expect(parseCommands(within)).toEqual([])
        expect(splitLines(within)).toEqual([within])
      }),
      { numRuns: 3000, seed: 21 },
    )
  })

  it('is HTML that is nothing but text', () => {
    fc.assert(
      fc.property(anyText, text => {
        const html = toHtml(text)
        const outside = html.replace(/&#(?:35|64);<wbr>|&(?:amp|lt|gt|#\d+);/g, '')
        expect(outside).not.toMatch(/[<>"'`|[\]&*~@#!\\$]/)
        expect(outside).not.toMatch(INVISIBLE)
        expect(decodeHtml(html)).toBe(quote(text))
      }),
      { numRuns: 2000, seed: 23 },
    )
  })

  it('is one paragraph of plain text on GitHub: no link, no emphasis, nothing left out', () => {
    const address = fc.constantFrom(
      ...['www.', 'WWW.', 'https://', 'HTTP://', 'x.example', 'a@b.example', '_', '__', '-', '.'],
    )
    const text = fc
      .array(fc.oneof(address, nasty, fc.string({ maxLength: 3 })), { maxLength: 12 })
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(text, given => {
        const shown = decodeHtml(renderMarkdown(`"${toHtml(given)}" is what was given`))
        const oneSpace = (words: string): string => words.replaceAll(/ +/g, ' ')
        expect(oneSpace(shown)).toBe(oneSpace(`<p>"${quote(given)}" is what was given</p>`))
      }),
      { numRuns: 1000, seed: 31 },
    )
  })

  it('is cut to its limit and no further, and says so', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 30 }), (text, limit) => {
        const shown = cut(text, limit)
        if (text.length <= limit) expect(shown).toBe(text)
        else {
          const [, kept = '', length] = /^(.*)… \[cut, (\d+) characters\]$/s.exec(shown) ?? []
          expect(Number(length)).toBe(text.length)
          expect(text.startsWith(kept)).toBe(true)
          expect([limit, limit - 1]).toContain(kept.length)
        }
        expect(quote(text, limit).length).toBeLessThanOrEqual(limit * 2 + 40)
      }),
      { numRuns: 1000, seed: 24 },
    )
  })
})

describe('any JSON value', () => {
  const { value } = fc.letrec<{ value: unknown }>(tie => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(anyText, fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(anyText, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }))

  it('is one harmless log line that parses back to the same value', () => {
    fc.assert(
      fc.property(value, given => {
        const line = toJsonLogLine(given)
        expect(JSON.stringify(JSON.parse(line))).toBe(JSON.stringify(given))
        expect(parseCommands(line)).toEqual([])
        expect(line).not.toContain('##[')
        expect(line).not.toMatch(INVISIBLE)
        // What the runner does to each line changes nothing more.
        expect(toLogLine(line)).toBe(line)
      }),
      { numRuns: 1000, seed: 25 },
    )
  })
})

describe('any secrets', () => {
  // Without the character of the replacement, which can stand in no secret of this kind.
  const letters = fc.string({
    unit: fc.constantFrom(...Array.from('abcdef"\\/+=% é漢')),
    minLength: 6,
    maxLength: 12,
  })
  const secret = letters.map(text => text.trim()).filter(text => text.length >= 6)
  const list = fc.array(secret, { minLength: 1, maxLength: 4 })

  const replaceEach = (text: string, encode: (character: string) => string): string =>
    Array.from(text, encode).join('')
  const hexOf = (text: string): string => Buffer.from(text).toString('hex')
  const toJson = (text: string): string => JSON.stringify(text).slice(1, -1)
  const unicode = (character: string): string =>
    character
      .split('')
      .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')
  const percent = (character: string): string => hexOf(character).replaceAll(/../g, '%$&')
  const isOdd = (character: string): boolean => (character.codePointAt(0) ?? 0) % 2 === 1
  /** Encodings of a text; what each gives shows nothing of its end but the fill characters. */
  const encodings: Readonly<Record<string, (text: string) => string>> = {
    'as it is': text => text,
    JSON: toJson,
    'JSON with slashes escaped': text => toJson(text).replaceAll('/', String.raw`\/`),
    'JSON, all of it': text => replaceEach(text, unicode),
    'JSON, some of it': text => toJson(text).replaceAll('+', String.raw`\u002B`),
    URI: text => encodeURIComponent(text),
    'URI in small letters': text =>
      encodeURIComponent(text).replaceAll(/%../g, escape => escape.toLowerCase()),
    'percent, all of it': text => replaceEach(text, percent),
    'percent, some of it': text =>
      replaceEach(text, character =>
        character === '%' || isOdd(character) ? percent(character).toUpperCase() : character,
      ),
    'HTML, decimal': text => replaceEach(text, one => `&#${one.codePointAt(0) ?? 0};`),
    'HTML, hexadecimal': text =>
      replaceEach(text, one => `&#x${(one.codePointAt(0) ?? 0).toString(16)};`),
    'HTML, by name': text =>
      text.replaceAll('"', '&quot;').replaceAll('+', '&plus;').replaceAll('=', '&equals;'),
    hex: hexOf,
    'hex in capitals': text => hexOf(text).toUpperCase(),
    base64: text => Buffer.from(text).toString('base64'),
    base64url: text => Buffer.from(text).toString('base64url'),
    'base64 in lines': text =>
      (
        Buffer.from(text)
          .toString('base64')
          .match(/.{1,8}/g) ?? []
      ).join('\r\n'),
    'base64 of UTF-16': text =>
      /^[\0-\x7f]*$/.test(text)
        ? Buffer.from(text, 'utf16le').toString('base64')
        : Buffer.from(text).toString('base64'),
  }
  const forms = Object.values(encodings)
  const form = fc.constantFrom(...Object.entries(encodings))
  const secretsOf = (values: readonly string[], spared: readonly string[] = []) => {
    const masks: string[] = []
    const secrets = new Secrets(line => masks.push(line))
    secrets.spare(spared)
    secrets.add(values)
    return { secrets, masks }
  }
  const filler = fc.string({ unit: fc.constantFrom(...Array.from('xyz-. \n')), maxLength: 8 })

  it('are nowhere in a text any more, in none of their forms, and the rest of it stays', () => {
    fc.assert(
      fc.property(
        list,
        fc.array(fc.tuple(filler, fc.nat(3), form), { maxLength: 6 }),
        (values, parts) => {
          const { secrets } = secretsOf(values)
          const text = parts
            .map(
              ([before, index, [, encode]]) =>
                `${before} ${encode(values[index % values.length] ?? '')}.`,
            )
            .join('')
          const clean = secrets.redactText(text)
          for (const value of values)
            for (const encode of forms) expect(clean).not.toContain(encode(value))
          // All fillers in their order, and nothing else than replacements between them.
          const kept = parts.map(([before]) => `${RegExp.escape(before)} \\*{3,}\\.`).join('')
          expect(clean).toMatch(new RegExp(`^${kept}$`))
          expect(secrets.redactText(clean)).toBe(clean)
          expect(secrets.isIn(text)).toBe(parts.length > 0)
        },
      ),
      { numRuns: 1000, seed: 26 },
    )
  })

  // Of another alphabet than what stands around them, and long enough that none of their parts comes by chance.
  const strong = fc.string({
    unit: fc.constantFrom(...Array.from('GHJKLMNPQR23456789_+/&"%')),
    minLength: 12,
    maxLength: 24,
  })

  it('are found in any encoding of an encoding, at any place in the encoded text', () => {
    fc.assert(
      fc.property(
        strong,
        fc.array(form, { minLength: 1, maxLength: 3 }),
        fc.tuple(filler, filler, filler, filler),
        (value, layers, [first, before, after, last]) => {
          const { secrets } = secretsOf([value])
          const encodeAll = (text: string): string =>
            layers.reduce((inner, [, encode]) => encode(inner), `${before}${text}${after}`)
          const clean = secrets.redactText(`${first} ${encodeAll(value)} ${last}`)
          const [, head, tail] = /^([^*]*)\*{3,}([^*]*)$/.exec(clean) ?? []
          // What is left would be the same with another secret, so that it says nothing of this one.
          const other = encodeAll(Array.from(value).reverse().join(''))
          expect(`${first} ${other}`.startsWith(head ?? 'nothing was replaced')).toBe(true)
          if (other.length === encodeAll(value).length)
            expect(`${other} ${last}`.endsWith(tail ?? 'nothing was replaced')).toBe(true)
          expect(secrets.isIn(clean)).toBe(false)
        },
      ),
      { numRuns: 2000, seed: 29 },
    )
  })

  it('leave a text that has none of them as it is, to the letter', () => {
    const { secrets } = secretsOf(['Zq8#kW2!vT', 'not/in+any=of_them'])
    const encoded = fc
      .tuple(fc.array(form, { maxLength: 3 }), anyText)
      .map(([layers, text]) =>
        layers.reduce((inner, [, encode]) => encode(inner.toWellFormed()), text),
      )
    fc.assert(
      fc.property(fc.array(encoded, { maxLength: 3 }), parts => {
        const text = parts.join('')
        expect(secrets.redactText(text)).toBe(text)
        expect(secrets.isIn(text)).toBe(false)
      }),
      { numRuns: 1000, seed: 30 },
    )
  })

  it('make no mask that is short, has two lines, or stands inside what must stay readable', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom(...Array.from('ab\n\r ')), maxLength: 20 }), {
          maxLength: 5,
        }),
        fc.array(fc.string({ unit: fc.constantFrom(...Array.from('ab ')), maxLength: 9 }), {
          maxLength: 3,
        }),
        (values, spared) => {
          for (const mask of secretsOf(values, spared).masks) {
            expect(mask.length).toBeGreaterThanOrEqual(6)
            expect(mask).toBe(mask.trim())
            expect(mask).not.toMatch(/[\r\n]/)
            for (const readable of spared) expect(readable).not.toContain(mask)
          }
        },
      ),
      { numRuns: 500, seed: 27 },
    )
  })

  /** Every leaf and name below a value with its JSON Pointer; names are told by their place. */
  const leaves = (
    value: unknown,
    names: readonly string[] = [],
  ): readonly (readonly [string, string])[] => {
    const here = names.map(name => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
    if (typeof value !== 'object' || value === null) return [[here, JSON.stringify(value)]]
    const below = Object.entries(value).flatMap(([name, field]: [string, unknown]) =>
      leaves(field, [...names, name]),
    )
    return [[here, Array.isArray(value) ? '[]' : '{}'], ...below]
  }

  it('are in no record any more; every place is listed; nothing else is changed', () => {
    const leaf = (values: readonly string[]) =>
      fc.oneof(
        filler,
        fc.integer(),
        fc.constantFrom(null, true),
        fc.tuple(filler, fc.constantFrom(...values)).map(([before, value]) => before + value),
      )
    const drawn = list.chain(values => {
      const { tree } = fc.letrec<{ tree: unknown }>(tie => ({
        tree: fc.oneof(
          { maxDepth: 3 },
          leaf(values),
          fc.array(tie('tree'), { maxLength: 3 }),
          fc.dictionary(fc.oneof(filler, fc.constantFrom('a/b', '~', '')), tie('tree'), {
            maxKeys: 3,
          }),
        ),
      }))
      return fc.tuple(fc.constant(values), fc.dictionary(filler, tree, { maxKeys: 4 }))
    })
    fc.assert(
      fc.property(drawn, ([values, record]) => {
        const { secrets } = secretsOf(values)
        const kept = secrets.redact(record)
        const [before, after] = [leaves(record), leaves(kept.record)]
        expect(after.map(([place]) => place)).toEqual(before.map(([place]) => place))
        const changed = before.filter(([, text], index) => text !== after[index]?.[1])
        expect(kept.redacted).toEqual(changed.map(([place]) => place))
        for (const [, text] of changed)
          expect(values.some(value => text.includes(toJson(value)))).toBe(true)
        for (const value of values) expect(JSON.stringify(kept.record)).not.toContain(toJson(value))
        expect(secrets.redact(kept.record)).toEqual({ record: kept.record, redacted: [] })
      }),
      { numRuns: 500, seed: 28 },
    )
  })
})
