import { bugFailure, type Failure } from '../failure.ts'
import { failed, type Outcome } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import type { Halt } from '../runtime/halt.ts'
import { describeError } from '../text/system-error.ts'
import { formatTime } from '../text/time.ts'

/** This many `unavailable` or unpaid hashes stop the run, if none in between is registered. */
export const maxOutages = 5

const notTried = `not tried, because ${maxOutages} registrations failed`

export interface PoolOptions {
  readonly concurrency: number
  readonly halt: Halt
  readonly registerOne: (registration: Registration) => Promise<Outcome>
  /** Address for bug reports. */
  readonly reportTo: string
  /** Called after each registration, with the number of outcomes so far. */
  readonly onDone: (outcome: Outcome, done: number) => void
}

/** Makes all registrations, at most `concurrency` at a time. Returns one outcome per hash; never rejects. */
export async function runPool(
  registrations: readonly Registration[],
  options: PoolOptions,
): Promise<ReadonlyMap<string, Outcome>> {
  const { concurrency, halt, registerOne, reportTo, onDone } = options
  const outcomes = new Map<string, Outcome>()
  const remaining = registrations.values()
  let outages = 0
  let stopReason: Failure | null = null

  const checkOutcome = (outcome: Outcome): void => {
    if (outcome.state === 'registered') {
      outages = 0
      return
    }
    const { failure } = outcome
    if (isOutage(failure)) outages += 1
    if (failure.endsRun) stopReason ??= failure
    if (outages >= maxOutages) stopReason ??= { ...failure, what: `${notTried}: ${failure.what}` }
  }
  const work = async (): Promise<void> => {
    for (const registration of remaining) {
      const { hash } = registration
      const reason = stopReason ?? halt.reason
      if (reason !== null) {
        outcomes.set(hash, addOpenRun(failed({ ...reason, registered: 'no' }), registration))
        continue
      }
      const outcome = await registerOne(registration).catch((error: unknown) =>
        failed(bugFailure(describeError(error), reportTo)),
      )
      outcomes.set(hash, addOpenRun(outcome, registration))
      onDone(outcome, outcomes.size)
      checkOutcome(outcome)
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

/** Marks a failure as `unknown` if an earlier run left the hash open. */
function addOpenRun(outcome: Outcome, { open }: Registration): Outcome {
  if (open === null || outcome.state === 'registered') return outcome
  const when = formatTime(Date.parse(open.at))
  const what = `${outcome.failure.what}; an earlier run sent it on ${when} UTC and got no answer`
  return failed({ ...outcome.failure, registered: 'unknown', what })
}
