/** A longer `Retry-After` ends the attempts. */
export const maxRetryAfterMs = 60_000

/** Whether the same call may succeed later. */
export function isRetryableStatus(status: number): boolean {
  const isOfFront = status >= 520 && status <= 524
  return isOfFront || [408, 425, 429, 500, 502, 503, 504].includes(status)
}

/** What the last of some attempts says about the next one. */
export interface LastAttempt {
  /** How many there were. */
  readonly attempts: number
  /** Whether it may have registered a hash. */
  readonly mayHaveActed: boolean
  /** The wait that its `Retry-After` asks for, in milliseconds; null if none. */
  readonly retryAfterMs: number | null
}

/**
 * Returns the wait before the next attempt, in milliseconds: exponential with full jitter, from 1 s, doubling, at most
 * 30 s, or the `Retry-After` in its place. After one that may have acted 20 to 40 s, or the `Retry-After` if it is longer.
 */
export function findWaitMs(last: LastAttempt, random: number): number {
  const { attempts, mayHaveActed, retryAfterMs } = last
  if (mayHaveActed) return Math.max(20_000 + random * 20_000, retryAfterMs ?? 0)
  return retryAfterMs ?? random * Math.min(30_000, 1000 * 2 ** (attempts - 1))
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
