import type { UsableInputs } from '../inputs.ts'
import {
  failed,
  isFailed,
  type FailedResult,
  type RegisteredResult,
  type Result,
} from '../outcome.ts'
import type { Secrets } from '../secrets.ts'
import type { JsonObject } from '../text/json.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { groupReasons } from './explain.ts'
import { countResults, decideVerdict } from './verdict.ts'

/** What the findings depend on beside the results. */
export interface FindingsOptions {
  readonly inputs: Pick<
    UsableInputs,
    'ifServiceUnavailable' | 'isDryRun' | 'recordsPath' | 'verificationUrl'
  >
  /** When the period of the subscription ended, in epoch milliseconds; null while it goes on, or if that is not known. */
  readonly periodEndedMs: number | null
  readonly secrets: Secrets
}

/** What a run came to: found out once, and laid out by log, outputs and summary. */
export type Findings = ReturnType<typeof findOut>

/** See {@link Findings}; the results are sorted by name. */
export function findOut(given: readonly Result[], options: FindingsOptions) {
  const { inputs, periodEndedMs, secrets } = options
  const clean = ({ name, size, hash }: Result, record: JsonObject | null) => {
    const url =
      record === null ? undefined : fillVerificationUrl(inputs.verificationUrl, { hash, record })
    const link = url === undefined ? {} : { verificationUrl: url }
    return { name: secrets.redactText(name), size, hash, ...link }
  }
  const cleanFailed = (result: FailedResult): FailedResult => {
    const { failure } = result.outcome
    // What is certainly not registered is not to be found.
    const mayBeThere = failure.registered === 'unknown' || failure.status === 409
    const what = secrets.redactText(failure.what)
    const remedy = secrets.redactText(failure.remedy)
    const outcome = failed({ ...failure, what, remedy })
    return { ...clean(result, mayBeThere ? {} : null), outcome }
  }
  const results = given.map(result => (isFailed(result) ? cleanFailed(result) : result))
  const ranked = results.toSorted((a, b) => rankOf(a) - rankOf(b))
  const counts = countResults(results)
  return {
    /** Sorted by name; the failures fit to leave the action: without secrets, and with the link to look them up. */
    results,
    /** In the order for a reader. */
    ranked,
    counts,
    verdict: decideVerdict(counts, inputs),
    reasons: groupReasons(ranked, { recordsPath: inputs.recordsPath, periodEndedMs }),
    /** Makes a registered artifact fit to leave the action; asked for those that are shown only, as it takes time. */
    publish: (result: RegisteredResult): RegisteredResult => {
      const { record, redacted } = secrets.redact(result.outcome.record)
      const places = [...new Set([...result.outcome.redacted, ...redacted])]
      const outcome = { ...result.outcome, record, redacted: places }
      return { ...clean(result, record), outcome }
    },
  }
}

/** What may be registered, what failed, then the rest. */
function rankOf({ outcome }: Result): number {
  if (outcome.state !== 'failed') return 2
  return outcome.failure.registered === 'unknown' ? 0 : 1
}
