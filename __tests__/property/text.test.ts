import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { cut, quote, toHtml, toJsonLogLine, toLogLine } from '../../src/report/escape.ts'
import { Secrets } from '../../src/secrets.ts'
import { parseCommands, splitLines } from '../support/commands.ts'

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
      }),
      { numRuns: 2000, seed: 21 },
    )
  })

  it('carries out no command within a sentence of ours either', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        const line = toLogLine(`FAILED: "${quote(one)}": ${quote(other)}`)
        expect(parseCommands(line)).toEqual([])
        expect(splitLines(line)).toEqual([line])
      }),
      { numRuns: 1000, seed: 22 },
    )
  })

  it('is HTML that is nothing but text', () => {
    fc.assert(
      fc.property(anyText, text => {
        const html = toHtml(text)
        const outside = html.replace(/&(?:amp|lt|gt|#\d+);/g, '')
        expect(outside).not.toMatch(/[<>"'`|[\]&*~@#!\\$]/)
        expect(outside).not.toMatch(INVISIBLE)
        const decoded = html.replace(/&(?:amp|lt|gt|#(\d+));/g, (entity, code?: string) =>
          code === undefined
            ? ({ '&amp;': '&', '&lt;': '<', '&gt;': '>' }[entity] ?? '')
            : String.fromCharCode(Number(code)),
        )
        expect(decoded).toBe(quote(text))
      }),
      { numRuns: 2000, seed: 23 },
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
  const forms: readonly ((value: string) => string)[] = [
    value => value,
    value => JSON.stringify(value).slice(1, -1),
    value => encodeURIComponent(value),
    value => Buffer.from(value).toString('base64'),
    value => Buffer.from(value).toString('base64url'),
  ]
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
        fc.array(fc.tuple(filler, fc.nat(3), fc.constantFrom(...forms)), { maxLength: 6 }),
        (values, parts) => {
          const { secrets } = secretsOf(values)
          const text = parts
            .map(([before, index, form]) => before + form(values[index % values.length] ?? ''))
            .join('')
          const clean = secrets.redactText(text)
          for (const value of values)
            for (const form of forms) expect(clean).not.toContain(form(value))
          for (const [before] of parts) expect(clean).toContain(before)
          expect(secrets.redactText(clean)).toBe(clean)
          expect(secrets.isIn(text)).toBe(parts.length > 0)
        },
      ),
      { numRuns: 500, seed: 26 },
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
          expect(values.some(value => text.includes(JSON.stringify(value).slice(1, -1)))).toBe(true)
        for (const value of values)
          expect(JSON.stringify(kept.record)).not.toContain(JSON.stringify(value).slice(1, -1))
        expect(secrets.redact(kept.record)).toEqual({ record: kept.record, redacted: [] })
      }),
      { numRuns: 500, seed: 28 },
    )
  })
})
