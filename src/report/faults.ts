import assert from 'node:assert'
import type { Explanation, Failure, FailureCode } from '../failure.ts'
import { isFailed, type Artifact, type FailedArtifact } from '../outcome.ts'
import type { Attachment } from '../release/release.ts'
import { cancelledFailure, type Halt } from '../runtime/halt.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import { joinFirst, toSentence } from '../text/phrases.ts'
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
  /** The one next step. How to run again is said once for all faults: {@link tellRerun}. */
  readonly remedy: string
  readonly rerun: Explanation['rerun']
  /** The page of the docs, such as `failures.md#refused`. */
  readonly page: string
  /** Whether a re-run may pay again unless this step comes first. */
  readonly isUrgent: boolean
  /** Sorted by name; empty if it concerns the whole run. */
  readonly artifacts: ReadonlySet<FailedArtifact>
}

const maxDetails = 3

/** Explains a failure, in the same words everywhere; `artifacts` have the same cause and remedy. */
export function explain(
  failure: Failure,
  hasRelease: boolean,
  artifacts: readonly FailedArtifact[] = [],
): Fault {
  const { code, status, rerun } = failure
  const state = stateOfFailure(failure)
  const isUrgent = state === states.unsure
  let { cause, remedy } = failure
  if (code === 'internal-error') cause = `${cause} (${code})`
  // Only on a release can a re-run read a record that was added by hand.
  const ifFound = hasRelease ? 'upload its record to the release' : 'that is the proof'
  // The remedy of the code is for a hash that the look-up does not find.
  if (isUrgent) remedy = `look up the hash: if found, ${ifFound}; if not, ${remedy}`
  const seen = artifacts.map(({ outcome }) => outcome.failure.detail)
  const details = [...new Set([failure.detail, ...seen])].slice(0, maxDetails)
  let page = 'records.md#settle-an-open-hash'
  if (state === states.failed) page = `failures.md#${code}`
  if (state === states.known) page = 'failures.md#refused'
  return {
    code,
    short: status === null ? cause : `${cause} (HTTP ${status})`,
    what: [cause, ...details].filter(text => text !== ''),
    cost: state.cost,
    remedy,
    rerun,
    page,
    isUrgent,
    artifacts: new Set(artifacts),
  }
}

/** Joins the parts of a fault; each is truncated separately, to keep the remedy. */
export function formatFault({ what, cost, remedy }: Fault): string {
  const parts = [...what, cost, remedy]
  return parts.map(text => toSentence(quote(text, maxMessageLength))).join(' ')
}

/** Which runs find what this one registered: any of this tag, only its re-runs, or none without its records file. */
export type FoundBy = 'all' | 'reruns' | 'none'

/** Says how to run again after all remedies: a sentence, or an empty text if that does not help. */
export function tellRerun(
  faults: readonly Fault[],
  { hasRelease = false, foundBy = 'all' }: { hasRelease?: boolean; foundBy?: FoundBy } = {},
): string {
  const reruns = new Set(faults.map(({ rerun }) => rerun))
  const isNew = reruns.has('new-run')
  if (!isNew && !reruns.has('failed-jobs')) return ''
  let text = 'Then re-run the failed jobs'
  if (isNew) text = 'Then start a new run (a re-run uses the old workflow)'
  const paysAgain = foundBy === 'none' || (isNew && foundBy === 'reruns')
  if (paysAgain) text += " with this run's records file, or you pay again"
  // No run can read what the look-up finds without a release, or what only the log has.
  if (!hasRelease && faults.some(({ isUrgent }) => isUrgent)) {
    text += ', but only if something is left to register'
  }
  return `${text}.`
}

const maxFaults = 20

/** Explains the failures of artifacts, which are sorted by urgency; those with one cause and one remedy together. */
export function explainFailures(
  ranked: readonly Artifact[],
  hasRelease: boolean,
): readonly Fault[] {
  const groups = Map.groupBy(ranked.filter(isFailed), ({ outcome }) => {
    const { cause, remedy } = outcome.failure
    return JSON.stringify([cause, remedy, stateOf(outcome).words])
  })
  return Array.from(groups.values().take(maxFaults), artifacts => {
    const [first] = artifacts
    assert(first !== undefined, 'a group has an artifact')
    return explain(first.outcome.failure, hasRelease, artifacts)
  })
}

/** Explains what ended a run apart from artifacts and release; `cost` says what that means for the cost. */
export function explainHalt(
  { bug, isCancelled, unsaved, reason }: Halt,
  cost: string,
  hasRelease = false,
): readonly Fault[] {
  const failures: Failure[] = []
  if (bug !== null) failures.push(bug)
  if (isCancelled) failures.push(cancelledFailure)
  // A line that says that a hash was sent, or not registered, could not be saved.
  if (unsaved.length === 0 && reason?.code === 'not-saved') failures.push(reason)
  const faults = failures.map((failure): Fault => {
    return { ...explain(failure.with({ registered: 'no' }), hasRelease), cost }
  })
  if (unsaved.length === 0) return faults
  const quoted = unsaved.map(name => `"${quote(name)}"`)
  const names = joinFirst(quoted, 3, { separator: ', ' })
  const explanation = {
    cause: 'a record is only in the log',
    detail: `the answer of the service about ${names} could not be saved`,
    remedy: hasRelease
      ? 'upload its line from the log to the release'
      : 'keep its line from the log, which is the proof; no re-run can read it',
    rerun: hasRelease ? 'failed-jobs' : null,
  } as const
  const charged = 'it was charged, and a re-run may pay again unless it finds that record'
  const fault = explainRun(explanation, charged, 'records.md#add-lines')
  return [...faults, { ...fault, isUrgent: true }]
}

/** Explains what concerns the whole run; `page` is that of the docs. */
export function explainRun(explanation: Explanation, cost: string, page: string): Fault {
  const { cause, detail, remedy, rerun } = explanation
  const what = [cause, detail].filter(text => text !== '')
  const [code, isUrgent, artifacts] = [null, false, new Set<FailedArtifact>()]
  return { code, short: cause, what, cost, remedy, rerun, page, isUrgent, artifacts }
}

/** Explains why a release is not complete; empty if it is. `isKept`: a re-run finds the records. */
export function explainAttachment(
  attachment: Attachment | null,
  run: {
    readonly attachToRelease: boolean
    readonly keepRecords: boolean
    readonly isKept: boolean
    readonly cost: string
  },
): readonly Fault[] {
  if (attachment?.failure == null) return []
  const { attachToRelease, keepRecords, isKept, cost } = run
  const { tag, failure } = attachment
  // Assets were replaced, which have no record.
  if (attachment.hasAllLines || !attachToRelease) {
    return [explainRun(failure, cost, 'failures.md#registered-but-the-run-is-red')]
  }
  const { cause, detail, rerun } = failure
  const canAttach = isKept && rerun !== null
  let { remedy } = failure
  // On a hosted runner, the file is gone after the job.
  if (!isKept) {
    const records = keepRecords ? 'the lines that the post step prints' : 'the records file'
    remedy = rerun === null ? `save ${records}` : `${remedy}, and upload ${records} to the release`
  }
  const fault = explainRun(
    { cause, detail, remedy, rerun },
    canAttach ? 're-running the failed jobs attaches the records without paying again' : cost,
    'releases.md#if-attaching-fails',
  )
  const short = `the records are not attached to ${tag}`
  return [{ ...fault, short, what: [short, ...fault.what] }]
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
