/** Joins outcomes, how the run ended, and where its records are into steps. Pure: log, summary, annotation and outputs show the same ones. */
import assert from 'node:assert'
import type { Failure, Problem } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import type { Place } from '../keep/keep.ts'
import { isFailed, isRegistered } from '../outcome.ts'
import type { Artifact, FailedArtifact, Outcome } from '../outcome.ts'
import type { Halt } from '../runtime/halt.ts'
import { quote } from '../text/escape.ts'
import { joinFirst } from '../text/phrases.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { confirmHash, runAgain, type RunAgain } from './run-again.ts'
import { fitReason, words, type FindingReason } from './words.ts'

/** What is known about an artifact. */
export interface State {
  readonly sign: string
  /** For log and summary; they also follow a number. */
  readonly words: string
  /** What it means for the cost: a clause, also before a list of names; empty if there is nothing to say. */
  readonly cost: string
}

/** All states; the order is the rank: the most serious first. */
export const states = {
  unsure: { sign: '❓', words: 'may be registered', cost: 'may be registered and charged' },
  contradicted: {
    sign: '❓',
    words: 'record does not match',
    cost: 'may be registered and charged',
  },
  known: { sign: '❌', words: 'no record (409)', cost: 'not charged by this run' },
  failed: { sign: '❌', words: 'not registered', cost: 'not registered or charged' },
  open: {
    sign: '⚠️',
    words: 'would be sent again',
    cost: 'sent earlier, without a response; may be registered, and may be charged again',
  },
  chargedAgain: { sign: '⚠️', words: 'maybe charged more than once', cost: '' },
  planned: { sign: '🔎', words: 'would be registered', cost: '' },
  registered: { sign: '✅', words: 'registered', cost: '' },
  registeredBefore: { sign: '✅', words: 'registered before', cost: '' },
} as const satisfies Readonly<Record<string, State>>

export function stateOf(outcome: Outcome): State {
  switch (outcome.state) {
    case 'planned':
      return outcome.openSince === null ? states.planned : states.open
    case 'contradicted':
      return states.contradicted
    case 'failed':
      return stateOfFailure(outcome.failure)
    case 'registered':
      if (outcome.maybeChargedAgain) return states.chargedAgain
      return outcome.from === 'this-run' ? states.registered : states.registeredBefore
  }
}

function stateOfFailure({ reason, registered }: Failure): State {
  if (reason === 'already-registered') return states.known
  if (reason === 'record-mismatch') return states.contradicted
  return registered === 'unknown' ? states.unsure : states.failed
}

/** Sorts by rank; artifacts of one state keep their order. */
export function rankArtifacts(artifacts: readonly Artifact[]): readonly Artifact[] {
  const order: readonly State[] = Object.values(states)
  const rankOf = ({ outcome }: Artifact): number => order.indexOf(stateOf(outcome))
  return artifacts.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Numbers of artifacts. `total` is the sum of `registered` and `failed`, except in a dry run. */
export function countArtifacts(artifacts: readonly Artifact[]) {
  const registered = artifacts.filter(isRegistered)
  return {
    total: artifacts.length,
    registered: registered.length,
    newlyRegistered: registered.filter(({ outcome }) => outcome.from === 'this-run').length,
    failed: artifacts.filter(isFailed).length,
  } as const
}

/** Something to do, as both actions show it. The texts are clauses without a period. */
export interface Step {
  readonly next: string
  /** More about it; empty if there is nothing to add. */
  readonly hint: string
  /** What happened, the likely cause first; empty if `next` says it. */
  readonly happened: string
  /** What it cost, or another result; it also stands before the names. */
  readonly cost: string
  /** The section of the docs; null if none. */
  readonly docs: string | null
  /** What it is about, sorted by name, with where to look it up; empty if it concerns the whole run. */
  readonly about: readonly { readonly name: string; readonly url: string | undefined }[]
}

/** Something that went wrong, told once for everything that it hit. */
export interface Finding extends Step {
  /** Null for a problem that stopped the run. */
  readonly reason: FindingReason | null
  /** The likely cause. */
  readonly cause: string
  /** The same with the status, for the first line and the annotation. */
  readonly short: string
  /** Whether the workflow or the commit has to change. */
  readonly isWorkflow: boolean
  /** Whether any run ends the same way until someone takes the step, which does not change the workflow. */
  readonly isLasting: boolean
  /** With the same failure; empty if it concerns the whole run. */
  readonly artifacts: ReadonlySet<FailedArtifact>
}

/** What the words of a failure depend on. */
export interface JudgeContext {
  readonly inputs: NotarizeInputs
  /** Template of the URL where people look up a registration; null if none. */
  readonly template: string | null
  /** Where to report bugs. */
  readonly reportTo: string
}

const maxFindings = 20
const maxObserved = 3
const maxUnsavedNames = 3

/** Explains the failures of artifacts, which are ranked; equal failures are one finding. */
export function explainFailures(
  ranked: readonly Artifact[],
  context: JudgeContext,
): readonly Finding[] {
  const groups = Map.groupBy(ranked.filter(isFailed), ({ outcome: { failure } }) => {
    return `${failure.reason} ${stateOfFailure(failure).words}`
  })
  return Array.from(groups.values().take(maxFindings), group => explainFailure(group, context))
}

/** Explains the failure of artifacts, at least one, with one reason and state: in the same words everywhere. */
export function explainFailure(group: readonly FailedArtifact[], context: JudgeContext): Finding {
  const [first] = group
  assert(first !== undefined, 'a group has an artifact')
  const { failure } = first.outcome
  const observed = new Set(group.map(({ outcome }) => outcome.failure.observed))
  const reason = fitReason(failure, context.inputs)
  const finding = explain(reason, [...observed].slice(0, maxObserved), context.reportTo)
  const { cause } = words[reason]
  const state = stateOfFailure(failure)
  const about = group.map(({ name, hash }) => {
    return { name, url: fillVerificationUrl(context.template, { hash, record: {} }) }
  })
  const isUnsure = state === states.unsure
  let { next, hint, docs } = finding
  let cost: string = state.cost
  if (isUnsure) next = `${next}, then look up each file at the service`
  if (isUnsure || words[reason].change === 'confirm') {
    hint = 'in "confirmed-hashes", list the SHA-256 of each file that the service has'
    docs = confirmHash
  }
  const isMaybe = group.some(({ outcome }) => outcome.failure.registered === 'unknown')
  if (state === states.known && isMaybe) cost = 'may be charged by this run'
  return {
    ...finding,
    next,
    hint,
    short: reason === 'bug' ? finding.happened : withStatus(cause, failure),
    cost,
    docs,
    about,
    artifacts: new Set(group),
  }
}

/** Adds the status of the last response to a cause. */
export function withStatus(cause: string, { status }: Failure): string {
  return status === null ? cause : `${cause} (HTTP ${status})`
}

/** Explains a reason that concerns the whole run. */
function explain(reason: FindingReason, observed: readonly string[], reportTo: string): Finding {
  const { cause, next, change, docs = null } = words[reason]
  const seen = observed.filter(text => text !== '').join('; ')
  const happened = seen === '' ? cause : `${cause}: ${seen}`
  return {
    reason,
    cause,
    short: reason === 'bug' ? happened : cause,
    next: next.replace('{reportTo}', () => reportTo),
    hint: '',
    happened,
    cost: '',
    docs,
    isWorkflow: change === 'workflow',
    isLasting: change === 'repair' || change === 'confirm',
    about: [],
    artifacts: new Set(),
  }
}

/** What ended a run apart from its artifacts. */
export interface RunFailures {
  readonly halt: Pick<Halt, 'bug' | 'isCancelled' | 'reason'>
  /** Artifacts whose record is only in the log. */
  readonly unsaved: readonly string[]
  /** Why the outputs could not be written; null if they were. */
  readonly outputsError: string | null
  /** What that means for the cost: a clause; empty if the artifacts tell. */
  readonly cost: string
  readonly reportTo: string
}

/** Explains what went wrong apart from artifacts. */
export function explainRun(run: RunFailures): readonly Finding[] {
  const { halt, unsaved, outputsError, cost, reportTo } = run
  const findings: Finding[] = []
  if (halt.bug !== null) findings.push(explain('bug', [halt.bug.observed], reportTo))
  if (halt.isCancelled) findings.push(explain('canceled', [], reportTo))
  if (unsaved.length > 0) {
    const names = unsaved.map(name => `"${quote(name)}"`)
    const what = `only the log has the record of ${joinFirst(names, maxUnsavedNames, { separator: ', ' })}`
    const docs = 'records.md#save-lines-from-the-log'
    findings.push({ ...explain('not-saved', [what], reportTo), docs })
  } else if (halt.reason?.reason === 'not-saved') findings.push(explain('not-saved', [], reportTo))
  // A full disk is told once.
  if (outputsError !== null && !findings.some(({ reason }) => reason === 'not-saved')) {
    findings.push(explain('outputs-not-written', [outputsError], reportTo))
  }
  return findings.map((finding, index) => (index === 0 ? { ...finding, cost } : finding))
}

/** Joins the findings of artifacts and of the run. What is both is told once, with everything that happened. */
export function joinFindings(
  ofArtifacts: readonly Finding[],
  ofRun: readonly Finding[],
): readonly Finding[] {
  const findings = ofArtifacts.map(finding => {
    const same = ofRun.find(({ reason }) => reason === finding.reason)
    return same === undefined
      ? finding
      : { ...finding, happened: same.happened, docs: same.docs ?? finding.docs }
  })
  const told = new Set(ofArtifacts.map(({ reason }) => reason))
  return [...findings, ...ofRun.filter(({ reason }) => !told.has(reason))]
}

/** Explains why a run stopped before it sent anything: a finding for each problem. */
export function explainProblems(problems: readonly Problem[]): readonly Finding[] {
  return problems.map(({ message, needs }) => {
    const texts = {
      cause: message,
      short: message,
      next: message,
      hint: '',
      happened: '',
      cost: '',
    }
    const isWorkflow = needs === 'workflow'
    const isLasting = needs === 'secret' || needs === 'person'
    const rest = { reason: null, docs: null, about: [], artifacts: new Set<FailedArtifact>() }
    return { ...texts, ...rest, isWorkflow, isLasting }
  })
}

/** Says how to run again after all findings; null without any. `place` is null where nothing is ever charged. */
export function tellAgain(
  findings: readonly Finding[],
  place: Place | null,
  isEarlierMissing = false,
): RunAgain | null {
  if (findings.length === 0) return null
  const found = new Set(
    findings.flatMap(({ artifacts }) => Array.from(artifacts, ({ outcome }) => stateOf(outcome))),
  )
  const isUnsure = found.has(states.unsure)
  const isIncomplete = place?.kind === 'artifact' && !place.isComplete
  return runAgain({
    place,
    isEarlierMissing: isEarlierMissing || isIncomplete || place?.kind === 'unknown',
    isChanged: findings.some(({ isWorkflow }) => isWorkflow),
    canConfirm: isUnsure || found.has(states.known) || found.has(states.contradicted),
    isUnsure,
    lasting: findings.flatMap(({ isLasting }, index) => (isLasting ? [index + 1] : [])),
    isLasting: findings.every(({ isLasting }) => isLasting),
  })
}
