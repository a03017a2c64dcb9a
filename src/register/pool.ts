import { bugFailure, type Failure } from '../failure.ts'
import { failed, type Outcome } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import type { Halt } from '../runtime/halt.ts'
import { describeError } from '../text/system-error.ts'
import { formatTime } from '../text/time.ts'

/** So many hashes without a good answer, or without payment, end the run unless one is registered in between. */
export const maxOutages = 5

/** What the workers need. */
export interface PoolOptions {
  readonly concurrency: number
  readonly halt: Halt
  /** Makes one registration. */
  readonly registerOne: (registration: Registration) => Promise<Outcome>
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

  const tryOne = async (registration: Registration): Promise<Outcome> => {
    try {
      return await registerOne(registration)
    } catch (error) {
      return failed(bugFailure(describeError(error), reportTo))
    }
  }
  const work = async (): Promise<void> => {
    for (const registration of queue) {
      const reason = ending ?? halt.reason
      if (reason !== null) {
        const outcome = failed({ ...reason, registered: 'no' })
        outcomes.set(registration.hash, addOpenRun(outcome, registration))
        continue
      }
      const outcome = await tryOne(registration)
      outcomes.set(registration.hash, addOpenRun(outcome, registration))
      onDone(outcome, outcomes.size)
      if (outcome.state === 'registered') {
        outages = 0
        continue
      }
      const { failure } = outcome
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

/** What an earlier run left open stays open under every failure. */
function addOpenRun(outcome: Outcome, { open }: Registration): Outcome {
  if (open === null || outcome.state === 'registered') return outcome
  const when = formatTime(Date.parse(open.at))
  const what = `${outcome.failure.what}; an earlier run sent it on ${when} UTC and got no answer`
  return failed({ ...outcome.failure, registered: 'unknown', what })
}
