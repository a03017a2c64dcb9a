import type { Retry } from '../service/tries.ts'
import { quote } from '../text/escape.ts'
import { formatDuration } from '../text/time.ts'

/** The line about a retry: what is tried again, why and when. */
export function formatRetry({ call, artifact, tries, maxAttempts, why, waitMs }: Retry): string {
  const what = artifact === null ? call : `${call} of "${quote(artifact)}"`
  const wait = waitMs < 1000 ? `${Math.ceil(waitMs)} ms` : formatDuration(waitMs / 1000)
  return `${what}: try ${tries} of ${maxAttempts} failed: ${quote(why)}; next in ${wait}`
}

const maxLines = 30

/** Logs retries, at most a few dozen lines a run: the first 30, then every one whose number is a power of two. */
export function createRetryLog(log: (line: string) => void): (retry: Retry) => void {
  let count = 0
  return retry => {
    count++
    const isRound = (count & (count - 1)) === 0
    if (count > maxLines && !isRound) return
    const number = count > maxLines ? ` (retry ${count} of this run)` : ''
    const more = count === maxLines ? '; of further retries only a few are logged' : ''
    log(`${formatRetry(retry)}${number}${more}`)
  }
}
