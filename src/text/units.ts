import { fieldText } from './json.ts'

/** Formats a number of bytes: exact below 1 KiB, then with one decimal; a dash for null. */
export function formatSize(bytes: number | null): string {
  if (bytes === null) return '–'
  let text = `${bytes} B`
  let value = bytes
  for (const unit of ['KiB', 'MiB', 'GiB', 'TiB', 'PiB']) {
    if (value < 1024) break
    value /= 1024
    text = `${value.toFixed(1)} ${unit}`
  }
  return text
}

/** Formats a number of seconds: `45 s`, `3 min`, `2 h 5 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Formats epoch milliseconds as `2026-01-31 12:00:00` in UTC, and any other field of a record as {@link fieldText}. */
export function formatTime(value: unknown): string {
  const date = new Date(typeof value === 'number' ? value : NaN)
  if (Number.isNaN(date.getTime())) return fieldText(value)
  return date.toISOString().slice(0, 19).replace('T', ' ')
}
