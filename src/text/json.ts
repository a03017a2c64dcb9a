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
  return JSON.isRawJSON(value) && Number.isInteger(Number(JSON.stringify(value)))
}

/**
 * Parses JSON; numbers that would be written in another way are kept as raw JSON, so that they keep all their digits.
 * Throws a `SyntaxError`.
 */
export function parseJson(text: string): unknown {
  if (!mayChange.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? JSON.rawJSON(source)
      : value,
  )
}

// A number of 16 digits, with decimals or an exponent. Reading without a reviver is several times faster.
const mayChange = /(?:^|[:,[\s])-?(?:\d{16}|\d+[.eE])/

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
export function isShallow(value: unknown, maxDepth = maxJsonDepth): boolean {
  if (typeof value !== 'object' || value === null) return true
  return maxDepth > 0 && Object.values(value).every(inner => isShallow(inner, maxDepth - 1))
}
