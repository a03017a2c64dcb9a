import { setTimeout } from 'node:timers/promises'

/** Time as a parameter. Tests give their own. */
export interface Clock {
  /** Epoch milliseconds; may jump when somebody sets the clock. */
  readonly now: () => number
  /** Milliseconds that only grow, for durations. */
  readonly monotonic: () => number
  /** Settles after the milliseconds, or at once when the signal aborts; never rejects. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
}
