import type { Reply } from './transport.ts'

/** A longer `Retry-After` ends the tries. */
export const maxRetryAfterMs = 60_000

const firstBackoffMs = 500
const maxBackoffMs = 30_000
const retriedStatuses = new Set([408, 425, 429, 500, 502, 503, 504])

/** What to do after a try. `holdMs`: all workers wait that long, whether this call is tried again or not. */
export type NextStep =
  | { readonly action: 'done'; readonly holdMs: number }
  | { readonly action: 'wait'; readonly waitMs: number; readonly holdMs: number }

/** What the decision depends on. */
export interface RetryState {
  readonly reply: Reply
  /** Tries made so far, this one included. */
  readonly tries: number
  readonly maxAttempts: number
  /** Epoch milliseconds, for a `Retry-After` that is a date. */
  readonly nowMs: number
  /** From 0 to 1. */
  readonly random: number
}

/** Whether a reply may be followed by another try: no complete answer, or 408, 425, 429, 500, 502, 503, 504. */
export function isRetryable(reply: Reply): boolean {
  return reply.kind === 'lost' || (reply.kind === 'answer' && retriedStatuses.has(reply.status))
}

/**
 * Decides about another try; pure. The wait is an exponential backoff with full jitter from 0.5 s, doubling, at most
 * 30 s; a `Retry-After` up to 60 s takes its place and holds back all workers, a longer one ends the tries.
 */
export function decideNextStep({ reply, tries, maxAttempts, nowMs, random }: RetryState): NextStep {
  if (!isRetryable(reply)) return { action: 'done', holdMs: 0 }
  const retryAfterMs = reply.kind === 'answer' ? parseRetryAfter(reply.retryAfter, nowMs) : null
  if (retryAfterMs !== null && retryAfterMs > maxRetryAfterMs) return { action: 'done', holdMs: 0 }
  const holdMs = retryAfterMs ?? 0
  if (tries >= maxAttempts) return { action: 'done', holdMs }
  const ceiling = Math.min(maxBackoffMs, firstBackoffMs * 2 ** (tries - 1))
  return { action: 'wait', waitMs: retryAfterMs ?? random * ceiling, holdMs }
}

const days = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const months = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const time = '\\d{2}:\\d{2}:\\d{2}'
const httpDates = [
  new RegExp(`^${days}, \\d{2} ${months} \\d{4} ${time} GMT$`),
  new RegExp(`^${days}[a-z]*, \\d{2}-${months}-\\d{2} ${time} GMT$`),
  new RegExp(`^${days} ${months} [ \\d]\\d ${time} \\d{4}$`),
]

/**
 * Reads a `Retry-After` (RFC 9110, 10.2.3): seconds, or a date in one of the three forms. Gives milliseconds from now,
 * never negative; null for nonsense.
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  const text = value?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER)
  if (!httpDates.some(form => form.test(text))) return null
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs)
}
