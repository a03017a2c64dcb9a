import type { Failure } from '../failure.ts'

/** So many hashes since the last record that speak against the service end the run. */
const maxFailures = 5
/** Before the first record, so many that were certainly not registered, or a single one that may be. */
const maxFailuresAtFirst = 3

/** Decides after each hash whether the service has earned more: only what is likely to succeed is sent. */
export class Trust {
  /** Whether this step has a record. */
  isEarned = false
  #failures = 0

  earn(): void {
    this.isEarned = true
    this.#failures = 0
  }

  /** Notes a failure. Returns whether nothing more may be sent because of it. */
  lose({ code, status, mayHaveActed }: Failure): boolean {
    // Other failures speak against the file, not against the service or the account.
    const isOfAccount = status === 402 || status === 403
    const isOfService = mayHaveActed || code === 'unavailable' || code === 'invalid-response'
    if (!isOfAccount && !isOfService) return false
    this.#failures += 1
    if (this.isEarned) return this.#failures >= maxFailures
    return mayHaveActed || this.#failures >= maxFailuresAtFirst
  }
}
