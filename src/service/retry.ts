import type { Reply } from '../runtime/outside.ts'

/** A longer `Retry-After` ends the attempts. */
export const maxRetryAfterMs = 60_000

/** Of RFC 9110, 5.6.7, without the form that has no time zone. `Date.parse` would read much else as a date. */
const httpDate = /^[A-Z][a-z]+, \d\d[ -][A-Z][a-z]{2}[ -](?:\d\d){1,2} \d\d:\d\d:\d\d GMT$/

/** Whether the same call may succeed later. */
export function isRetryableStatus(status: number): boolean {
  return [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524].includes(status)
}

/**
 * Returns how long a reply asks all calls to wait before the next attempt, in milliseconds: 0 if it names no time. Null if no
 * attempt may follow: waiting does not help, or takes too long.
 */
export function findPauseMs(reply: Reply): number | null {
  if (reply.kind !== 'response') {
    const isPassing = ['unreachable', 'proxy', 'lost'].includes(reply.kind)
    return isPassing && reply.reason !== 'protocol' ? 0 : null
  }
  const retryAfterMs = reply.retryAfterMs ?? 0
  const isPassing = reply.body !== null && isRetryableStatus(reply.status)
  return isPassing && retryAfterMs <= maxRetryAfterMs ? retryAfterMs : null
}

/**
 * Returns the wait before the next attempt, in milliseconds: exponential with full jitter, from 1 s, doubling, at most
 * 30 s, or the `Retry-After` of the last attempt if that is longer. `random` is from 0 to 1.
 */
export function findWaitMs(attempts: number, retryAfterMs: number, random: number): number {
  return Math.max(retryAfterMs, random * Math.min(30_000, 1000 * 2 ** (attempts - 1)))
}

/** Parses a `Retry-After` in seconds or as a date. Returns milliseconds from now, at least 0; null if invalid. */
export function parseRetryAfter(value: string, nowMs: number): number | null {
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER)
  const dateMs = parseHttpDate(value)
  return dateMs === null ? null : Math.max(0, dateMs - nowMs)
}

/** Parses an HTTP date. Returns epoch milliseconds; null if invalid. */
export function parseHttpDate(value: string): number | null {
  const dateMs = httpDate.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(dateMs) ? null : dateMs
}
