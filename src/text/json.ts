export type JsonObject = Readonly<Record<string, unknown>>

declare global {
  /** ECMAScript 2026, available since Node 22. */
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
    rawJSON: (text: string) => object
    isRawJSON: (value: unknown) => boolean
  }
}

/** Whether a value is a JSON object; not an array, null or a raw number. */
export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
  )
}

/** Parses a JSON object, keeping numbers as raw JSON if JavaScript would write them differently; undefined for anything else. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text, (_, item: unknown, { source: digits }) => {
      const isKept = typeof item !== 'number' || digits === undefined || String(item) === digits
      return isKept ? item : JSON.rawJSON(digits)
    })
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns a string, number or boolean as text, with all digits; null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  const isScalar = typeof value === 'number' || typeof value === 'boolean' || JSON.isRawJSON(value)
  return isScalar ? JSON.stringify(value) : null
}
