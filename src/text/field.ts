import { formatTime } from './time.ts'

/** Returns a string, number or boolean as text, with all digits; null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  const isScalar = typeof value === 'number' || typeof value === 'boolean' || JSON.isRawJSON(value)
  return isScalar ? JSON.stringify(value) : null
}

/** Returns {@link textOf}, but the empty string instead of null. */
export function fieldText(value: unknown): string {
  return textOf(value) ?? ''
}

/** Returns epoch milliseconds as a time in UTC, and {@link fieldText} of any other value. */
export function timeText(value: unknown): string {
  const time = formatTime(value)
  return time === '–' ? fieldText(value) : time
}
