import type { Clock } from './clock.ts'
import { formatDuration } from '../text/time.ts'

/** The first line comes after so many milliseconds; the waits grow, so that a run of a day logs a few dozen lines. */
const firstWaitMs = 5_000
const growth = 1.25

/**
 * Logs the progress of long work: done, total, rate and time left. Call what it gives as often as you like; `detail` is
 * what a reader must know besides, such as `2 failed`.
 */
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
    const beside = detail === '' ? '' : `, ${detail}`
    log(`${what}: ${done} of ${total}${beside}, ${rate.toFixed(1)} per second${left}`)
  }
}
