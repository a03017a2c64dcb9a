import { formatTime } from './time.ts'

/** A field of a record as text, whatever its type; empty for null, lists, objects and what is missing. */
export function fieldText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return JSON.isRawJSON(value) ? JSON.stringify(value) : ''
}

/** A time of a record, in UTC where it is epoch milliseconds; any other value as {@link fieldText}. */
export function timeText(value: unknown): string {
  const time = formatTime(value)
  return time === '–' ? fieldText(value) : time
}
