import type { Clock } from './clock.ts'

/** Milliseconds before the first line. Later waits grow: a run of a day logs a few dozen lines. */
const firstWaitMs = 5_000
const growth = 1.25

/** Returns a function to call at each step. It decides when to log; `detail` may be `, 2 failed`. */
export function createProgress(
  what: string,
  clock: Pick<Clock, 'monotonic'>,
  log: (line: string) => void,
): (done: number, total: number, detail?: string) => void {
  let waitMs = firstWaitMs
  let nextMs = clock.monotonic() + waitMs
  return (done, total, detail = '') => {
    const nowMs = clock.monotonic()
    if (nowMs < nextMs || done >= total) return
    waitMs *= growth
    nextMs = nowMs + waitMs
    log(`${what}: ${done} of ${total}${detail}`)
  }
}
