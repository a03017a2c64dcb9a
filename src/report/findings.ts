import type { Failure } from '../failure.ts'
import type { UsableInputs } from '../inputs/notarize-inputs.ts'
import { failed, isFailed, type FailedResult, type Result } from '../outcome.ts'
import type { Host } from '../runtime/host.ts'
import { countResults, decideVerdict, type Counts, type Verdict } from './verdict.ts'

/** Failures with the same text. */
export interface Reason {
  readonly failure: Failure
  readonly results: readonly FailedResult[]
}

/** What a run came to: found once, then laid out by log, outputs and summary. */
export interface Findings {
  readonly host: Host
  readonly inputs: UsableInputs
  /** Sorted by name; failures without secrets, and those with the same text are one object. */
  readonly results: readonly Result[]
  /** The same for a reader: what may be registered, other failures, what needs attention, the rest. */
  readonly ranked: readonly Result[]
  readonly counts: Counts
  readonly verdict: Verdict
  /** At most ten, in the order of {@link ranked}. */
  readonly reasons: readonly Reason[]
}

const maxReasons = 10

/** See {@link Findings}; `given` is sorted by name. */
export function findOut(given: readonly Result[], host: Host, inputs: UsableInputs): Findings {
  const failures = new Map<string, Failure>()
  // Before anything is cut or escaped; on one line, as an escaped line break says nothing.
  const clean = (text: string): string =>
    host.secrets.redactText(text).replaceAll(/\s*[\r\n]+\s*/g, ' ')
  const cleanFailure = (failure: Failure): Failure => {
    const cleaned = { ...failure, what: clean(failure.what), remedy: clean(failure.remedy) }
    const key = JSON.stringify(cleaned)
    const same = failures.get(key) ?? cleaned
    failures.set(key, same)
    return same
  }
  const results = given.map(result =>
    isFailed(result)
      ? { ...result, outcome: failed(cleanFailure(result.outcome.failure)) }
      : result,
  )
  const ranked = results.toSorted((a, b) => rankOf(a) - rankOf(b))
  const groups = Map.groupBy(ranked.filter(isFailed), ({ outcome }) => outcome.failure)
  const reasons = Array.from(groups, ([failure, group]) => ({ failure, results: group }))
  const counts = countResults(results)
  const verdict = decideVerdict(counts, inputs)
  return { host, inputs, results, ranked, counts, verdict, reasons: reasons.slice(0, maxReasons) }
}

/** Whether a result is neither a failure nor anything that a reader must know of. */
export function isPlain({ outcome }: Result): boolean {
  if (outcome.state === 'planned') return outcome.open === null
  return outcome.state === 'registered' && !outcome.maybeChargedAgain
}

function rankOf(result: Result): number {
  if (isFailed(result)) return result.outcome.failure.registered === 'unknown' ? 0 : 1
  return isPlain(result) ? 3 : 2
}
