/** A JSON object as it was parsed, every field kept. */
export type JsonObject = Readonly<Record<string, unknown>>

/** What is nested deeper is not understood: it could exhaust the stack. */
export const maxJsonDepth = 200

declare global {
  /** Of ECMAScript 2026, in Node from 22 on. */
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
    rawJSON: (text: string) => object
    isRawJSON: (value: unknown) => boolean
  }
}

/** Whether a value is a JSON object: no array, not null, no number. */
export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
  )
}

/** Whether a value of {@link parseJson} is an integer, however large. */
export function isInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value)
  return JSON.isRawJSON(value) && /^-?\d+$/.test(JSON.stringify(value))
}

/**
 * Parses JSON; numbers that a JavaScript number would change are kept as raw JSON, so that what is written again says
 * the same. Throws a `SyntaxError`.
 */
export function parseJson(text: string): unknown {
  if (!mayChange.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && isChanged(value, source)
      ? JSON.rawJSON(source)
      : value,
  )
}

// A number of 16 digits, with decimals or an exponent. Reading without a reviver is several times faster.
const mayChange = /(?:^|[:,[\s])-?(?:\d{16}|\d+[.eE])/

/** An integer may be written as `1.0` or `1e2`; a decimal that becomes one by rounding is changed. */
function isChanged(value: number, source: string): boolean {
  if (!Number.isInteger(value)) return String(value) !== source
  return !Number.isSafeInteger(value) || significant(String(value)) !== significant(source)
}

function significant(number: string): string {
  return number.replace(/[eE].*|[-.]/g, '').replace(/^0+|0+$/g, '')
}

/** Parses one JSON object; undefined for anything else, and for what is nested deeper than 200 levels. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text)
    return isJsonObject(value) && isShallow(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether a value is nested at most so many levels deep. */
export function isShallow(root: unknown, maxDepth = maxJsonDepth): boolean {
  let level: readonly unknown[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return false
    level = level.flatMap((value): readonly unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  return true
}
