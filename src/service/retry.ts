/** A longer `Retry-After` ends the tries. */
export const maxRetryAfterMs = 60_000

const firstBackoffMs = 500
const maxBackoffMs = 30_000

/** What one try showed, as far as another one depends on it. */
export interface TryResult {
  /** Whether another try may end better. */
  readonly isRetryable: boolean
  /** How long the other side asks to wait; null if it does not. */
  readonly retryAfterMs: number | null
}

/** What the decision depends on. */
export interface RetryState {
  /** Tries made so far, this one included. */
  readonly tries: number
  readonly maxAttempts: number
  /** From 0 to 1. */
  readonly random: number
  /** The longest wait that is accepted; 60 s unless given. */
  readonly maxWaitMs?: number
}

/** What to do after a try. `holdMs`: all workers wait that long, whether this call is tried again or not. */
export interface NextStep {
  readonly action: 'done' | 'wait'
  readonly waitMs: number
  readonly holdMs: number
}

/** Whether an HTTP status says that the same call may succeed later. */
export function isRetryableStatus(status: number): boolean {
  return [408, 425, 429, 500, 502, 503, 504].includes(status)
}

/**
 * Decides about another try; pure. The wait is an exponential backoff with full jitter from 0.5 s, doubling, at most
 * 30 s; a `Retry-After` up to 60 s takes its place and holds back all workers, a longer one ends the tries.
 */
export function decideNextStep(
  { isRetryable, retryAfterMs }: TryResult,
  { tries, maxAttempts, random, maxWaitMs = maxRetryAfterMs }: RetryState,
): NextStep {
  if (!isRetryable || (retryAfterMs ?? 0) > maxWaitMs)
    return { action: 'done', waitMs: 0, holdMs: 0 }
  const holdMs = retryAfterMs ?? 0
  if (tries >= maxAttempts) return { action: 'done', waitMs: 0, holdMs }
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
