import type { Failure } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import { failed, isFailed, isRegistered, type FailedResult, type Result } from '../outcome.ts'
import type { Host } from '../runtime/host.ts'
import type { Secrets } from '../runtime/secrets.ts'
import { toSingleLine } from '../text/escape.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { explain, formatExplanation } from './explain.ts'
import { rankOf, standingOf } from './standing.ts'
import { countResults, decideVerdict, type Counts, type Verdict } from './verdict.ts'

/** Artifacts with equal failures. */
export interface Reason {
  /** Equal failures have the same key. */
  readonly key: string
  readonly failure: Failure
  readonly results: readonly FailedResult[]
}

/** The results of a run without secrets, for log, outputs and summary. */
export interface Findings {
  readonly host: Host
  readonly inputs: NotarizeInputs
  /** Sorted by name. */
  readonly results: readonly Result[]
  /** Sorted by urgency, then by name. */
  readonly ranked: readonly Result[]
  readonly counts: Counts
  readonly verdict: Verdict
  /** The first ten, by urgency. Log and summary number them from 1. */
  readonly reasons: readonly Reason[]
}

const maxReasons = 10

/** Collects what log, outputs and summary show; `unredacted` is sorted by name. */
export function buildFindings(
  unredacted: readonly Result[],
  host: Host,
  inputs: NotarizeInputs,
): Findings {
  const results = unredacted.map(result => redactResult(result, host.secrets))
  const urgencyOf = ({ outcome }: Result): number => rankOf(standingOf(outcome))
  const ranked = results.toSorted((a, b) => urgencyOf(a) - urgencyOf(b))
  const groups = Map.groupBy(ranked.filter(isFailed), ({ outcome }) => keyOf(outcome.failure))
  const reasons: Reason[] = []
  for (const [key, group] of groups) {
    const [first] = group
    if (first === undefined || reasons.length === maxReasons) break
    reasons.push({ key, failure: first.outcome.failure, results: group })
  }
  const counts = countResults(results)
  const verdict = decideVerdict(counts, inputs)
  return { host, inputs, results, ranked, counts, verdict, reasons }
}

/** Replaces secrets. Truncating or escaping a text first would make them unrecognizable. */
function redactResult(result: Result, secrets: Secrets): Result {
  const name = secrets.redactText(result.name)
  if (isRegistered(result)) {
    // A line of the records file may be from a run that had other secrets.
    const { value: record, redacted: pointers } = secrets.redactJson(result.outcome.record)
    const redacted = [...new Set([...result.outcome.redacted, ...pointers])]
    return { ...result, name, outcome: { ...result.outcome, record, redacted } }
  }
  if (!isFailed(result)) return { ...result, name }
  const { failure } = result.outcome
  const what = toSingleLine(secrets.redactText(failure.what))
  const remedy = toSingleLine(secrets.redactText(failure.remedy))
  return { ...result, name, outcome: failed({ ...failure, what, remedy }) }
}

/** Returns where to look up an artifact; undefined without a template or if not registered. */
export function lookupUrl({ hash, outcome }: Result, { inputs }: Findings): string | undefined {
  const { verificationUrl: template } = inputs
  if (outcome.state === 'registered') {
    return fillVerificationUrl(template, { hash, record: outcome.record })
  }
  if (outcome.state !== 'failed' || standingOf(outcome) === 'failed') return undefined
  return fillVerificationUrl(template, { hash, record: {} })
}

function keyOf(failure: Failure): string {
  return JSON.stringify(failure)
}

/** Describes a failure in a line or row: by its number if it is in {@link Findings.reasons}. */
export function describeFailure(failure: Failure, { reasons }: Findings): string {
  const key = keyOf(failure)
  const index = reasons.findIndex(reason => reason.key === key)
  const text = index < 0 ? formatExplanation(explain(failure)) : `see ${index + 1} above`
  return `${failure.code}: ${text}`
}
