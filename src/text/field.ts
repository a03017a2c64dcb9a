import { formatTime } from './time.ts'

/** A scalar as text, numbers with all their digits; null for null, a missing value, an object or an array. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  const isScalar = typeof value === 'number' || typeof value === 'boolean' || JSON.isRawJSON(value)
  return isScalar ? JSON.stringify(value) : null
}

/** As {@link textOf}, but empty for what is no scalar. */
export function fieldText(value: unknown): string {
  return textOf(value) ?? ''
}

/** A time of a record, in UTC where it is epoch milliseconds; any other value as {@link fieldText}. */
export function timeText(value: unknown): string {
  const time = formatTime(value)
  return time === '–' ? fieldText(value) : time
}
