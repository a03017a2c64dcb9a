import type { JsonObject } from '../../outcome.ts'

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
  return JSON.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && isChanged(value)
      ? JSON.rawJSON(source)
      : value,
  )
}

function isChanged(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))
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

/** Whether a value is nested at most {@link maxJsonDepth} levels deep. */
export function isShallow(root: unknown): boolean {
  let level: readonly unknown[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxJsonDepth) return false
    level = level.flatMap((value): readonly unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  return true
}
