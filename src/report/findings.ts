import type { Failure } from '../failure.ts'
import type { UsableInputs } from '../inputs/notarize-inputs.ts'
import { failed, isFailed, isRegistered, type FailedResult, type Result } from '../outcome.ts'
import type { Host } from '../runtime/host.ts'
import type { Secrets } from '../runtime/secrets.ts'
import { toSingleLine } from '../text/escape.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { explain, formatExplanation, isKnownToService } from './explain.ts'
import { countResults, decideVerdict, type Counts, type Verdict } from './verdict.ts'

/** Failures with the same text. */
export interface Reason {
  readonly failure: Failure
  readonly results: readonly FailedResult[]
}

/** What a run came to, without secrets: found once, then laid out by log, outputs and summary. */
export interface Findings {
  readonly host: Host
  readonly inputs: UsableInputs
  /** Sorted by name; failures with the same text are one object. */
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
export function buildFindings(
  given: readonly Result[],
  host: Host,
  inputs: UsableInputs,
): Findings {
  const failures = new Map<string, Failure>()
  const results = given.map(result => {
    const clean = withoutSecrets(result, host.secrets)
    if (!isFailed(clean)) return clean
    const { failure } = clean.outcome
    const key = JSON.stringify(failure)
    const same = failures.get(key) ?? failure
    failures.set(key, same)
    return { ...clean, outcome: failed(same) }
  })
  const ranked = results.toSorted((a, b) => rankOf(a) - rankOf(b))
  const groups = Map.groupBy(ranked.filter(isFailed), ({ outcome }) => outcome.failure)
  const reasons = Array.from(groups, ([failure, group]) => ({ failure, results: group }))
  const counts = countResults(results)
  const verdict = decideVerdict(counts, inputs)
  return { host, inputs, results, ranked, counts, verdict, reasons: reasons.slice(0, maxReasons) }
}

/** Secrets are replaced before a text is cut or escaped, as they would not be recognized after it. */
function withoutSecrets(result: Result, secrets: Secrets): Result {
  const name = secrets.redactText(result.name)
  if (isRegistered(result)) {
    // A line of the records file may be from a run that had other secrets.
    const { value: record, redacted: found } = secrets.redactJson(result.outcome.record)
    const redacted = [...new Set([...result.outcome.redacted, ...found])]
    return { ...result, name, outcome: { ...result.outcome, record, redacted } }
  }
  if (!isFailed(result)) return { ...result, name }
  const { failure } = result.outcome
  const clean = (text: string): string => toSingleLine(secrets.redactText(text))
  const [what, remedy] = [clean(failure.what), clean(failure.remedy)]
  return { ...result, name, outcome: failed({ ...failure, what, remedy }) }
}

/** Where an artifact can be looked up; undefined if it is certain that it is not there, and without a template. */
export function lookUpUrl({ hash, outcome }: Result, { inputs }: Findings): string | undefined {
  const { verificationUrl: template } = inputs
  if (outcome.state === 'registered') {
    return fillVerificationUrl(template, { hash, record: outcome.record })
  }
  if (outcome.state !== 'failed') return undefined
  const { failure } = outcome
  const mayBeThere = failure.registered === 'unknown' || isKnownToService(failure)
  return mayBeThere ? fillVerificationUrl(template, { hash, record: {} }) : undefined
}

/** What a line or row says of a failure: most texts stand in the list above, once for all failures with the same. */
export function describeFailure(failure: Failure, { reasons }: Findings): string {
  const index = reasons.findIndex(reason => reason.failure === failure)
  const text = index < 0 ? formatExplanation(explain(failure)) : `see ${index + 1} above`
  return `${failure.code}: ${text}`
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
