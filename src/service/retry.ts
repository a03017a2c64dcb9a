/** A longer `Retry-After` ends the attempts. */
export const maxRetryAfterMs = 60_000

/** Whether the same call may succeed later. */
export function isRetryableStatus(status: number): boolean {
  return [408, 425, 429, 500, 502, 503, 504].includes(status)
}

/** Returns the wait after this many attempts: exponential with full jitter, from 1 s, doubling, at most 30 s. */
export function backoffMs(attempts: number, random: number): number {
  return random * Math.min(30_000, 1000 * 2 ** (attempts - 1))
}

/** Parses a `Retry-After` in seconds or as a date. Returns milliseconds from now, at least 0; null if invalid. */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  const text = value?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER)
  const dateMs = parseHttpDate(text)
  if (dateMs === null) return null
  return Math.max(0, dateMs - nowMs)
}

/** The three date formats of HTTP (RFC 9110, 5.6.7). The last one ends with the year, without a time zone. */
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w -]+ \d\d:\d\d:\d\d (?:GMT|\d{4})$/

/** Parses an HTTP date. Returns epoch milliseconds; null if invalid. */
export function parseHttpDate(value: string): number | null {
  if (!httpDate.test(value)) return null
  const dateMs = Date.parse(value.replace(/\d{4}$/, '$& GMT'))
  return Number.isNaN(dateMs) ? null : dateMs
}
