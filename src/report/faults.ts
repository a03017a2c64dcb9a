import assert from 'node:assert'
import type { Explanation, Failure, FailureCode } from '../failure.ts'
import { isFailed, type Artifact, type FailedArtifact } from '../outcome.ts'
import type { Attachment } from '../release/release.ts'
import { cancelledFailure, type Halt } from '../runtime/halt.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import { joinFirst, toSentence } from '../text/format.ts'
import { stateOf, stateOfFailure, states } from './states.ts'

/** Something that went wrong, told once for everything that it hit. Its texts are clauses without a period. */
export interface Fault {
  /** Null if no artifact can fail in this way. */
  readonly code: FailureCode | null
  /** For the first line and the annotation. */
  readonly short: string
  /** What happened, the likely cause first: each is a sentence of its own. */
  readonly what: readonly string[]
  /** Whether anything is registered or charged. */
  readonly cost: string
  /** The one next step. */
  readonly remedy: string
  /** The page of the docs, such as `failures.md#refused`. */
  readonly page: string
  /** Whether a re-run may pay again unless this step comes first. */
  readonly isUrgent: boolean
  /** Sorted by name; empty if it concerns the whole run. */
  readonly artifacts: ReadonlySet<FailedArtifact>
}

const maxDetails = 3

/** Explains a failure, in the same words everywhere; `artifacts` have the same cause and remedy. */
export function explain(failure: Failure, artifacts: readonly FailedArtifact[] = []): Fault {
  const { code, status } = failure
  const state = stateOfFailure(failure)
  const isUnsure = state === states.unsure
  let { cause, remedy } = failure
  if (code === 'internal-error') cause = `${cause} (${code})`
  // The remedy of the code is for a hash that the look-up does not find.
  if (isUnsure) {
    remedy = `look up the hash: if found, add its record before you re-run; if not, ${remedy}`
  }
  const seen = artifacts.map(({ outcome }) => outcome.failure.detail)
  const details = [...new Set([failure.detail, ...seen])].slice(0, maxDetails)
  return {
    code,
    short: status === null ? cause : `${cause} (HTTP ${status})`,
    what: [cause, ...details].filter(text => text !== ''),
    cost: state.cost,
    remedy,
    page: state === states.failed ? `failures.md#${code}` : 'records.md#settle-an-open-hash',
    isUrgent: isUnsure,
    artifacts: new Set(artifacts),
  }
}

/** Joins the parts of a fault; each is truncated separately, to keep the remedy. */
export function formatFault({ what, cost, remedy }: Fault): string {
  const parts = [...what, cost, remedy]
  return parts.map(text => toSentence(quote(text, maxMessageLength))).join(' ')
}

const maxFaults = 20

/** Explains the failures of artifacts, which are sorted by urgency; those with one cause and one remedy together. */
export function explainFailures(ranked: readonly Artifact[]): readonly Fault[] {
  const groups = Map.groupBy(ranked.filter(isFailed), ({ outcome }) => {
    const { cause, remedy } = outcome.failure
    return JSON.stringify([cause, remedy, stateOf(outcome).words])
  })
  return Array.from(groups.values().take(maxFaults), artifacts => {
    const [first] = artifacts
    assert(first !== undefined, 'a group has an artifact')
    return explain(first.outcome.failure, artifacts)
  })
}

/** Says which step explains an artifact. Log and summary number the steps from 1. */
export function referTo(artifact: FailedArtifact, steps: readonly Fault[]): string {
  const index = steps.findIndex(({ artifacts }) => artifacts.has(artifact))
  return index === -1 ? 'see the output "failures"' : `see ${index + 1} above`
}

/** Explains what went wrong apart from artifacts and release; `cost` says what that means for the cost. */
export function explainRun(
  { bug, isCancelled, unsaved, reason }: Halt,
  outputsFailure: string | null,
  cost: string,
): readonly Fault[] {
  const failures: Failure[] = []
  if (bug !== null) failures.push(bug)
  if (isCancelled) failures.push(cancelledFailure)
  // A line that says that a hash was sent, or not registered, could not be saved.
  if (unsaved.length === 0 && reason?.code === 'not-saved') failures.push(reason)
  const faults = failures.map((failure): Fault => {
    return { ...explain(failure.with({ registered: 'no' })), cost }
  })
  if (unsaved.length > 0) faults.push(explainUnsaved(unsaved))
  if (outputsFailure === null) return faults
  const cause = 'the outputs could not be written'
  const remedy = 'free disk space, then re-run the failed jobs'
  const page = 'failures.md#registered-but-the-run-is-red'
  return [...faults, runFault({ cause, detail: outputsFailure, remedy }, cost, page)]
}

const maxNames = 3

function explainUnsaved(artifacts: readonly string[]): Fault {
  const quoted = artifacts.map(name => `"${quote(name)}"`)
  const names = joinFirst(quoted, maxNames, { separator: ', ' })
  const explanation = {
    cause: 'a record is only in the log',
    detail: `the answer of the service about ${names} could not be saved`,
    remedy: 'add its line from the log to the records, then re-run the failed jobs',
  }
  const cost = 'it was charged, and a re-run may pay again unless it finds that record'
  return { ...runFault(explanation, cost, 'records.md#add-lines'), isUrgent: true }
}

/** Explains why a release is not complete; empty if it is. */
export function explainAttachment(
  attachment: Attachment | null,
  attachToRelease: boolean,
  cost: string,
): readonly Fault[] {
  if (attachment?.failure == null) return []
  const { tag, failure, hasAllLines } = attachment
  const isLacking = attachToRelease && !hasAllLines
  const what = isLacking
    ? `the records are not attached to ${tag}`
    : `the release ${tag} is not complete`
  const fault = runFault(failure, cost, 'releases.md#if-attaching-fails')
  return [{ ...fault, short: what, what: [what, ...fault.what] }]
}

function runFault({ cause, detail, remedy }: Explanation, cost: string, page: string): Fault {
  const what = [cause, detail].filter(text => text !== '')
  const [code, isUrgent, artifacts] = [null, false, new Set<FailedArtifact>()]
  return { code, short: cause, what, cost, remedy, page, isUrgent, artifacts }
}

/** Orders everything to act on, and tells a cause that artifacts and run share only once. */
export function orderSteps(
  ofArtifacts: readonly Fault[],
  ofRun: readonly Fault[],
): readonly Fault[] {
  const steps = [...ofArtifacts]
  for (const fault of ofRun) {
    const isTold = fault.code !== null && steps.some(({ code }) => code === fault.code)
    if (!isTold) steps.push(fault)
  }
  return steps.sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent))
}

/** Replaces secrets in everything that may have one; `clean` returns a single line. */
export function cleanFault(fault: Fault, clean: (text: string) => string): Fault {
  const what = fault.what.map(clean)
  return { ...fault, short: clean(fault.short), what, remedy: clean(fault.remedy) }
}
