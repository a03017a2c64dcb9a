import { bugFailure, type Failure } from '../failure.ts'
import type { Outcome } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import type { Halt } from '../runtime/halt.ts'
import { describeError } from '../text/system-error.ts'
import { failedOutcome, type RegistrationResult } from './registration.ts'

/** So many hashes without a good answer, or without payment, end the run unless one is registered in between. */
export const maxOutages = 5

/** What the workers need. */
export interface PoolOptions {
  readonly concurrency: number
  readonly halt: Halt
  /** Makes one registration. */
  readonly registerOne: (registration: Registration) => Promise<RegistrationResult>
  /** Address for reports about bugs of ours. */
  readonly reportTo: string
  /** Takes the outcome of each registration that was made, with the number of outcomes so far. */
  readonly onDone: (outcome: Outcome, done: number) => void
}

/** Makes all registrations, at most `concurrency` at a time. Gives exactly one outcome for each hash; never rejects. */
export async function runPool(
  registrations: readonly Registration[],
  options: PoolOptions,
): Promise<ReadonlyMap<string, Outcome>> {
  const { concurrency, halt, registerOne, reportTo, onDone } = options
  const outcomes = new Map<string, Outcome>()
  const queue = registrations.values()
  let outages = 0
  let ending: Failure | null = null

  const tryOne = async (registration: Registration): Promise<RegistrationResult> => {
    try {
      return await registerOne(registration)
    } catch (error) {
      const failure = bugFailure(describeError(error), reportTo)
      return { outcome: failedOutcome(registration, failure), failure }
    }
  }
  const work = async (): Promise<void> => {
    for (const registration of queue) {
      const reason = ending ?? halt.reason
      if (reason !== null) {
        const failure: Failure = { ...reason, registered: 'no' }
        outcomes.set(registration.hash, failedOutcome(registration, failure))
        continue
      }
      const { outcome, failure } = await tryOne(registration)
      outcomes.set(registration.hash, outcome)
      onDone(outcome, outcomes.size)
      if (failure === null) {
        outages = 0
        continue
      }
      if (isOutage(failure)) outages += 1
      if (failure.endsRun) ending ??= failure
      if (outages >= maxOutages) ending ??= notTried(failure)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return outcomes
}

/** Whether the next hash will probably fail in the same way. */
function isOutage({ code, status }: Failure): boolean {
  const isRefused = code === 'refused' || code === 'request-refused'
  return code === 'unavailable' || (isRefused && (status === 402 || status === 403))
}

/** The failure of the hashes that are not begun any more. */
function notTried(last: Failure): Failure {
  const what = `not tried after ${maxOutages} failed registrations; the last failure: ${last.what}`
  return { ...last, what }
}
