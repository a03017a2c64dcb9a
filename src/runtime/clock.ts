import { setTimeout } from 'node:timers/promises'

export interface Clock {
  /** Epoch milliseconds; may jump when the system clock is set. */
  readonly now: () => number
  /** Milliseconds that only increase, for durations. */
  readonly monotonic: () => number
  /** Resolves after `ms` milliseconds, or immediately when the signal aborts; never rejects. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
}
