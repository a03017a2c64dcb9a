/** Formats epoch milliseconds as `2026-01-31 12:00:00` in UTC; a dash for anything else. */
export function formatTime(value: unknown): string {
  const date = new Date(typeof value === 'number' ? value : NaN)
  return Number.isNaN(date.getTime()) ? '–' : date.toISOString().slice(0, 19).replace('T', ' ')
}

/** Formats a number of seconds: `45 s`, `3 min`, `2 h 5 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
