/** A longer `Retry-After` ends the attempts. */
export const maxRetryAfterMs = 60_000

const firstBackoffMs = 500
const maxBackoffMs = 30_000

/** Whether an HTTP status says that the same call may succeed later. */
export function isRetryableStatus(status: number): boolean {
  return [408, 425, 429, 500, 502, 503, 504].includes(status)
}

/** The wait after so many attempts: exponential with full jitter, from 0.5 s, doubling, at most 30 s. */
export function backoffMs(attempts: number, random: number): number {
  return random * Math.min(maxBackoffMs, firstBackoffMs * 2 ** (attempts - 1))
}

/** Reads a `Retry-After`: seconds, or a date. Gives milliseconds from now, never negative; null for anything else. */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  const text = value?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER)
  const dateMs = parseHttpDate(text)
  return dateMs === null ? null : Math.max(0, dateMs - nowMs)
}

/** The three forms of a date in HTTP (RFC 9110, 5.6.7); the last one has no time zone. */
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w -]+ \d\d:\d\d:\d\d (?:GMT|\d{4})$/

/** Reads a date of a header as epoch milliseconds; null for anything else. */
export function parseHttpDate(value: string): number | null {
  if (!httpDate.test(value)) return null
  const dateMs = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`)
  return Number.isNaN(dateMs) ? null : dateMs
}
