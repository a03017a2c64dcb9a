import type { Failure, FailureCode } from '../failure.ts'

/** So many hashes since the last record that speak against the service end the run. */
const maxFailures = 5
/** Before the first record, so many that were certainly not registered, or a single one that may be. */
const maxFailuresAtFirst = 3

/** Decides after each hash whether the service has earned more: only what is likely to succeed is sent. */
export class Trust {
  /** Whether this step has a record. */
  isEarned = false
  #failures = 0

  /** Notes a record. */
  earn(): void {
    this.isEarned = true
    this.#failures = 0
  }

  /** Notes a failure. Returns whether the service has lost its trust, so that nothing more may be sent. */
  lose(failure: Failure): boolean {
    if (!speaksAgainstService(failure)) return false
    this.#failures += 1
    if (this.isEarned) return this.#failures >= maxFailures
    return failure.mayHaveActed || this.#failures >= maxFailuresAtFirst
  }
}

const refusedCodes: ReadonlySet<FailureCode> = new Set(['refused', 'request-refused'])

/** Whether a failure speaks against the service or the account, not against the file. */
function speaksAgainstService({ code, status, mayHaveActed }: Failure): boolean {
  if (mayHaveActed || code === 'unavailable' || code === 'invalid-response') return true
  return refusedCodes.has(code) && (status === 402 || status === 403)
}
