import type { Clock } from './outside.ts'
import { formatDuration } from '../text/phrases.ts'

/** Milliseconds before the first line. Later waits grow: a run of a day logs a few dozen lines. */
const firstWaitMs = 5_000
const growth = 1.25

/** Returns a function to call at each step. It decides when to log; `detail` may be `2 failed`. */
export function createProgress(
  what: string,
  clock: Pick<Clock, 'monotonic'>,
  log: (line: string) => void,
): (done: number, total: number, detail?: string) => void {
  const startMs = clock.monotonic()
  let waitMs = firstWaitMs
  let nextMs = startMs + waitMs
  return (done, total, detail = '') => {
    const nowMs = clock.monotonic()
    if (nowMs < nextMs || done >= total) return
    waitMs *= growth
    nextMs = nowMs + waitMs
    const rate = done / ((nowMs - startMs) / 1000)
    const left = rate > 0 ? `, about ${formatDuration((total - done) / rate)} left` : ''
    const more = detail === '' ? '' : `, ${detail}`
    log(`${what}: ${done} of ${total}${more}, ${rate.toFixed(1)} per second${left}`)
  }
}
