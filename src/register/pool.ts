import { bugFailure, type Failure } from '../failure.ts'
import type { Halt } from '../halt.ts'
import type { Outcome } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import { describeError } from '../text/system-error.ts'
import { settle, type Tried } from './registration.ts'

/** So many hashes may end without a good answer, or refused with 402 or 403, before no further one is begun. */
export const maxOutages = 5

/** What the workers need. */
export interface PoolOptions {
  readonly concurrency: number
  readonly halt: Halt
  /** Makes one registration. */
  readonly registerOne: (registration: Registration) => Promise<Tried>
  /** Address for reports about bugs of ours. */
  readonly reportTo: string
  /** Takes each outcome, with the number of those that are settled. */
  readonly onSettled: (outcome: Outcome, done: number) => void
}

/**
 * Makes all registrations, at most `concurrency` at a time, and gives exactly one outcome for each hash, when all lines
 * are saved.
 */
export async function runPool(
  registrations: readonly Registration[],
  options: PoolOptions,
): Promise<ReadonlyMap<string, Outcome>> {
  const { concurrency, halt, registerOne, reportTo, onSettled } = options
  const outcomes = new Map<string, Outcome>()
  const saves: Promise<void>[] = []
  const queue = registrations.values()
  let outages = 0
  let stop: Failure | null = null

  const tryOne = async (registration: Registration): Promise<Tried> => {
    try {
      return await registerOne(registration)
    } catch (error) {
      const failure = bugFailure(describeError(error), reportTo)
      return { outcome: settle(registration, failure), failure, saved: Promise.resolve() }
    }
  }
  const work = async (): Promise<void> => {
    for (const registration of queue) {
      const reason = stop ?? halt.reason
      if (reason !== null) {
        outcomes.set(registration.hash, settle(registration, { ...reason, registered: 'no' }))
        continue
      }
      const { outcome, failure, saved } = await tryOne(registration)
      saves.push(saved)
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
  await Promise.all(saves)
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
