import type { Failure, FailureCode } from '../failure.ts'

/** So many hashes since the last record that speak against the service end the run. */
const maxFailures = 5
/** Before the first record, so many of which nothing was registered, or a single one that may be. */
const maxFailuresAtFirst = 3

/** Decides after each hash whether the service has earned more: only what is likely to succeed is sent. */
export class Trust {
  /** Whether this run has a record. */
  isEarned = false
  #failures = 0

  /** Notes a record. */
  earn(): void {
    this.isEarned = true
    this.#failures = 0
  }

  /** Notes a failure. Returns whether nothing more may be sent. */
  isLostBy(failure: Failure): boolean {
    if (!speaksAgainstService(failure)) return false
    this.#failures += 1
    if (this.isEarned) return this.#failures >= maxFailures
    return failure.registered === 'unknown' || this.#failures >= maxFailuresAtFirst
  }
}

/** What the next hash will probably end with, too. */
const ofService: ReadonlySet<FailureCode> = new Set([
  'unavailable',
  'invalid-response',
  'record-mismatch',
])

/** Whether a failure speaks against the service or the account, not against the file. */
function speaksAgainstService({ code, status }: Failure): boolean {
  const isRefused = code === 'refused' || code === 'request-refused'
  return ofService.has(code) || (isRefused && (status === 402 || status === 403))
}
