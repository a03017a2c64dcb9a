import type { JsonObject } from '../../outcome.ts'
import { maxJsonDepth } from '../../secrets.ts'

/** Whether a value is a JSON object: no array, not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses one JSON object; undefined for anything else, and for what is nested deeper than 200 levels. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) && isShallow(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isShallow(root: unknown): boolean {
  let level: readonly unknown[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxJsonDepth) return false
    level = level.flatMap((value): readonly unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  return true
}
