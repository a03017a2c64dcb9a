/** JSON in several forms, with numbers that keep all their digits. */
import fc from 'fast-check'

/** A JSON object; each number in it is raw JSON. */
export type Fields = Readonly<Record<string, unknown>>

/** White space between tokens, and a byte order mark. */
export const anyForm = fc.record({
  space: fc.constantFrom('', '', ' ', '\t'),
  mark: fc.constantFrom('', '', '', '\ufeff'),
})
type Form = typeof anyForm extends fc.Arbitrary<infer T> ? T : never

/** Omits undefined fields. */
export function write(value: unknown, { space, mark }: Form): string {
  return mark + JSON.stringify(value, null, space)
}

/** Returns null if the text is not JSON. A byte order mark may come first. */
export function read(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''), (_, value: unknown, { source = '' }) =>
      typeof value === 'number' ? JSON.rawJSON(source) : value,
    )
  } catch {
    return null
  }
}

export function isObject(value: unknown): value is Fields {
  const isComposed = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isComposed && !JSON.isRawJSON(value)
}

const numbers = [
  /^(0|-?[1-9]\d{0,14})$/,
  /^-?[1-9]\d{16,40}$/,
  /^-?(0|[1-9]\d{0,20})\.\d{1,25}$/,
  /^-?\d(\.\d{1,20})?[eE][+-]?\d{1,3}$/,
].map(pattern => fc.stringMatching(pattern).map(read))
const texts =
  '2026-01-31T12:00:00Z \ud800 </td><b> \n#x |a| \u202e ::error::x ##[error]x registered false null'
const single = fc.oneof(
  ...numbers,
  fc.constantFrom(null, true, false, ''),
  fc.constantFrom('x'.repeat(2000), ...texts.split(' ')),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.stringMatching(/^\d{1,20}$/),
)
const names = ['', '0', '__proto__', 'constructor', 'toString', 'a/b~c']
const name = fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.constantFrom(...names))
const list = fc.array(fc.oneof(single, fc.array(single, { maxLength: 2 })), { maxLength: 3 })
const deep = fc
  .integer({ min: 2, max: 75 })
  .map(depth => read(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`))

export const anyObject: fc.Arbitrary<Fields> = fc
  .uniqueArray(fc.tuple(name, fc.oneof(single, list)), { maxLength: 3, selector: ([key]) => key })
  .map(entries => Object.fromEntries(entries))

export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 10, arbitrary: single },
  { weight: 4, arbitrary: fc.oneof(list, anyObject) },
  { weight: 1, arbitrary: deep },
)
