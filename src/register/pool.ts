import { describeError } from '../errors.ts'
import type { Failed, Outcome } from '../outcome.ts'
import type { Registration } from '../plan.ts'
import { failureOf, type Reason } from '../service/core/failures.ts'
import { countOutages, maxOutages } from './breaker.ts'
import type { Halt } from './halt.ts'

/** What one registration came to, and what that means for the others. */
export interface Settled {
  readonly outcome: Outcome
  /** Why no other can succeed; null if others may. */
  readonly endsRun: Reason | null
  readonly isOutage: boolean
  /** Why it failed, without what that means for this artifact. */
  readonly why?: Reason
}

/** What the workers need. */
export interface PoolOptions {
  readonly concurrency: number
  readonly halt: Halt
  /** Makes one registration. */
  readonly registerOne: (registration: Registration) => Promise<Settled>
  /** Address for reports about bugs of ours. */
  readonly reportTo: string
  /** Told the number of registrations that are settled. */
  readonly onSettled?: (done: number) => void
}

/**
 * Makes all registrations, at most `concurrency` at a time, and gives exactly one outcome for each hash. Never rejects.
 */
export async function runPool(
  registrations: readonly Registration[],
  { concurrency, halt, registerOne, reportTo, onSettled }: PoolOptions,
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  const queue = registrations.values()
  let outages = 0
  let stop: Reason | null = null

  const settle = async (registration: Registration): Promise<Settled> => {
    try {
      return await registerOne(registration)
    } catch (error) {
      const reason = bug(error, reportTo)
      return { outcome: failureOf(reason, 'unknown'), endsRun: reason, isOutage: false }
    }
  }
  const work = async (): Promise<void> => {
    for (const registration of queue) {
      const reason = stop ?? halt.reason
      if (reason !== null) {
        outcomes.set(registration.hash, failureOf(reason, 'no'))
        continue
      }
      const { outcome, endsRun, isOutage, why } = await settle(registration)
      outcomes.set(registration.hash, outcome)
      onSettled?.(outcomes.size)
      outages = countOutages(
        outages,
        outcome.state === 'registered' ? 'registered' : isOutage ? 'outage' : 'other',
      )
      stop ??= endsRun
      if (outages >= maxOutages && outcome.state === 'failed') stop ??= brokenOff(outcome, why)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, registrations.length) }, work))
  return outcomes
}

function brokenOff(
  { code, message, isDeferrable = false }: Failed,
  why: Reason | undefined,
): Reason {
  return {
    code,
    what: `not tried, as ${maxOutages} registrations failed in a row (the last: ${why?.what ?? message})`,
    remedy: 'mend that first, then run the job again with the same records file',
    isDeferrable,
  }
}

/** A bug of ours, named as such. */
export function bug(error: unknown, reportTo: string): Reason {
  return {
    code: 'internal-error',
    what: `a bug in this action: ${describeError(error)}`,
    remedy: `please report it at ${reportTo}`,
  }
}
