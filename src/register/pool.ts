import { bugFailure, type Failure } from '../failure.ts'
import type { Halt } from '../halt.ts'
import type { Outcome } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import { describeError } from '../text/system-error.ts'

/** So many hashes may end without a good answer, or refused with 402 or 403, before no further one is begun. */
export const maxOutages = 5

/** What a registration came to, and why it failed by what this run sent for it alone; null if it did not. */
export interface Tried {
  readonly outcome: Outcome
  readonly failure: Failure | null
}

/** What the workers need. */
export interface PoolOptions {
  readonly concurrency: number
  readonly halt: Halt
  /** Makes one registration; the failure is that of its own calls. */
  readonly registerOne: (registration: Registration) => Promise<Tried>
  /** What becomes of a hash that is not tried, or whose try ended in a bug. */
  readonly settle: (registration: Registration, failure: Failure) => Outcome
  /** Address for reports about bugs of ours. */
  readonly reportTo: string
  /** Takes each outcome, with the number of those that are settled. */
  readonly onSettled: (outcome: Outcome, done: number) => void
}

/**
 * Makes all registrations, at most `concurrency` at a time, and gives exactly one outcome for each hash. Never rejects.
 */
export async function runPool(
  registrations: readonly Registration[],
  options: PoolOptions,
): Promise<ReadonlyMap<string, Outcome>> {
  const { concurrency, halt, registerOne, settle, reportTo, onSettled } = options
  const outcomes = new Map<string, Outcome>()
  const queue = registrations.values()
  let outages = 0
  let stop: Failure | null = null

  const tryOne = async (registration: Registration): Promise<Tried> => {
    try {
      return await registerOne(registration)
    } catch (error) {
      const failure = bugFailure(describeError(error), reportTo)
      return { outcome: settle(registration, failure), failure }
    }
  }
  const work = async (): Promise<void> => {
    for (const registration of queue) {
      const reason = stop ?? halt.reason
      if (reason !== null) {
        outcomes.set(registration.hash, settle(registration, { ...reason, registered: 'no' }))
        continue
      }
      const { outcome, failure } = await tryOne(registration)
      outcomes.set(registration.hash, outcome)
      onSettled(outcome, outcomes.size)
      if (failure === null) {
        outages = 0
        continue
      }
      if (failure.isOutage) outages += 1
      if (failure.endsRun) stop ??= failure
      if (outages >= maxOutages) stop ??= notTried(failure)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, registrations.length) }, work))
  return outcomes
}

/** The failure of the hashes that are not begun any more after so many outages. */
function notTried(last: Failure): Failure {
  return {
    ...last,
    what: `not tried, as ${maxOutages} registrations failed in a row (the last: ${last.what})`,
    remedy: 'correct that first, then run the job again with the same records file',
  }
}
