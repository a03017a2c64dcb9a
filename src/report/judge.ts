/** Joins outcomes and how the run ended into findings. Pure: log, summary, annotation and outputs show the same ones. */
import assert from 'node:assert'
import type { Failure, Needs, Problem } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import {
  isFailed,
  isRegistered,
  type Artifact,
  type FailedArtifact,
  type Outcome,
} from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { joinFirst, pluralize } from '../text/phrases.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
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
  failed: { sign: '❌', words: 'not registered', cost: 'neither registered nor charged' },
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

/** A person can settle these with "confirmed-hashes". */
export const confirmable: ReadonlySet<State> = new Set<State>([
  states.unsure,
  states.contradicted,
  states.known,
])
export const confirmHash = 'records.md#confirm-a-hash'

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

/** Numbers of artifacts. `total` is the sum of the others, except in a dry run. */
export function countArtifacts(artifacts: readonly Artifact[]) {
  return {
    total: artifacts.length,
    registered: artifacts.filter(isRegistered).length,
    failed: artifacts.filter(isFailed).length,
  } as const
}

/** Says that this run registered and charged nothing; an earlier attempt may have. */
export function nothingCharged(host: Host): string {
  const charged = 'nothing was registered or charged'
  return host.environment.attempt > 1 ? `${charged} in this attempt` : charged
}

/** Says what an artifact in this state costs; an earlier attempt may have been charged for it. */
export function costOf(state: State, { environment }: Host): string {
  const isLater = environment.attempt > 1
  if (isLater && state === states.failed) return `${state.cost} in this attempt`
  if (isLater && state === states.known) return 'not charged in this attempt'
  return state.cost
}

/** Says how many registrations of these artifacts this run was charged for; empty if none for certain. */
export function describeCharges(artifacts: readonly Artifact[]): string {
  const registered = artifacts.filter(isRegistered)
  const own = registered.filter(({ outcome }) => outcome.from === 'this-run')
  if (own.length === 0) return ''
  const count = pluralize(new Set(own.map(({ hash }) => hash)).size, 'registration')
  const isLeast = own.some(({ outcome }) => outcome.maybeChargedAgain)
  return isLeast ? ` (charged for at least ${count})` : ` (charged for ${count})`
}

/** Returns where people look up an artifact; null if unknown. `template` is the input "verification-url". */
export function lookUpUrl(template: string | null, { hash, outcome }: Artifact): string | null {
  const record = outcome.state === 'registered' ? outcome.record : {}
  return fillVerificationUrl(template, { hash, record })
}

/** Something to do, as both actions show it. The texts are clauses, or sentences with a period. */
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
  readonly about: readonly { readonly name: string; readonly url: string | null }[]
}

/** Something that went wrong, told once for everything that it hit. */
export interface Finding extends Step {
  /** Null for a problem that stopped the run. */
  readonly reason: FindingReason | null
  /** The likely cause. */
  readonly cause: string
  /** The same with the status, for the first line and the annotation. */
  readonly short: string
  /** What has to change before another run can do better. */
  readonly needs: Needs
  /** With the same failure; empty if it concerns the whole run. */
  readonly artifacts: readonly FailedArtifact[]
}

/** What the words of a failure depend on. */
export interface JudgeContext {
  /** Their `recordsPath` and `verificationUrl` are without secrets; others are not shown. */
  readonly inputs: NotarizeInputs
  readonly host: Host
}

const maxObserved = 3
const maxUnsavedNames = 3

/**
 * Explains everything that went wrong: with artifacts, which are ranked, then apart from them. Equal failures are one
 * finding; what hit both is told once, with what happened to the run.
 */
export function explainAll(
  ranked: readonly Artifact[],
  ofRun: readonly Finding[],
  context: JudgeContext,
): readonly Finding[] {
  const groups = Map.groupBy(ranked.filter(isFailed), ({ outcome: { failure } }) => {
    return `${failure.reason} ${stateOfFailure(failure).words}`
  })
  const findings: Finding[] = []
  for (const group of groups.values()) {
    const finding = explainFailure(group, context)
    const { happened, docs } = ofRun.find(({ reason }) => reason === finding.reason) ?? finding
    findings.push({ ...finding, happened, docs: docs ?? finding.docs })
  }
  const told = new Set(findings.map(({ reason }) => reason))
  return findings.concat(ofRun.filter(({ reason }) => !told.has(reason)))
}

/** Explains the failure of artifacts, at least one, with one reason and state: in the same words everywhere. */
export function explainFailure(
  group: readonly FailedArtifact[],
  { inputs, host }: JudgeContext,
): Finding {
  const [first] = group
  assert(first !== undefined, 'a group has an artifact')
  const { failure } = first.outcome
  const state = stateOfFailure(failure)
  const reason = fitReason(failure, inputs)
  const observed = new Set(group.map(({ outcome }) => outcome.failure.observed))
  observed.delete('')
  const seen = [...observed].slice(0, maxObserved).join('; ')
  const finding = explain(reason, seen, host)
  let { next, hint, short, docs } = finding
  let cost = costOf(state, host)
  if (state === states.unsure) next += ', then look up each file at the service'
  if (confirmable.has(state)) {
    hint = 'in "confirmed-hashes", list the SHA-256 of each file that the service has'
    docs = confirmHash
  }
  const isMaybe = group.some(({ outcome }) => outcome.failure.registered === 'unknown')
  if (state === states.known && isMaybe) {
    cost = 'may have been charged, by this run or an earlier one'
  }
  if (reason !== 'bug') short = withStatus(finding.cause, failure)
  const about = group.map(artifact => {
    return { name: artifact.name, url: lookUpUrl(inputs.verificationUrl, artifact) }
  })
  return { ...finding, next, hint, short, cost, docs, about, artifacts: group }
}

/** Says in the table why an artifact is not known to be registered, or what that costs; empty if there is nothing to say. */
export function describeReason({ outcome }: Artifact, { inputs }: JudgeContext): string {
  if (outcome.state === 'contradicted') {
    return `${words['record-mismatch'].cause}: ${outcome.problems.join(', ')}`
  }
  if (outcome.state !== 'failed') return stateOf(outcome).cost
  const { failure } = outcome
  const { cause } = words[fitReason(failure, inputs)]
  if (failure.status === null && failure.observed !== '') return `${cause}: ${failure.observed}`
  return withStatus(cause, failure)
}

/** Adds the status of the last response to a cause. */
function withStatus(cause: string, { status }: Failure): string {
  return status === null ? cause : `${cause} (HTTP ${status})`
}

/** Explains a reason in the words of the table; `observed` is empty if there is nothing to add. */
function explain(reason: FindingReason, observed: string, { environment }: Host): Finding {
  const { cause, next: text, needs, docs = null } = words[reason]
  const next = text.replace('{reportTo}', () => environment.reportTo)
  let happened = cause
  if (observed !== '') happened += `: ${observed}`
  let short = cause
  if (reason === 'bug') short = happened
  const none = { hint: '', cost: '', about: [], artifacts: [] }
  return { ...none, reason, cause, short, next, happened, docs, needs }
}

/** What ended a run apart from its artifacts. */
export interface RunFailures {
  /** Artifacts whose record is only in the log. */
  readonly unsaved: readonly string[]
  /** Why the outputs could not be written; null if they were. */
  readonly outputsError: string | null
  /** What that means for the cost: a clause; empty if the artifacts tell. */
  readonly cost: string
}

/** Explains what went wrong apart from artifacts. */
export function explainRun(
  host: Host,
  { unsaved, outputsError, cost }: RunFailures,
): readonly Finding[] {
  const { halt, secrets } = host
  const findings: Finding[] = []
  const add = (reason: FindingReason, observed = ''): void => {
    findings.push(explain(reason, secrets.redactLine(observed), host))
  }
  if (halt.bug !== null) add('bug', halt.bug.observed)
  if (halt.isCanceled) add('canceled')
  if (unsaved.length > 0) {
    const names = unsaved.map(name => `"${quote(secrets.redactLine(name))}"`)
    const listed = joinFirst(names, maxUnsavedNames, { separator: ', ' })
    const what = `only the log has the record of ${listed}`
    const docs = 'records.md#save-lines-from-the-log'
    findings.push({ ...explain('not-saved', what, host), docs })
  } else if (halt.reason?.reason === 'not-saved') add('not-saved')
  // A full disk is told once.
  else if (outputsError !== null) add('outputs-not-written', outputsError)
  const [first] = findings
  if (first !== undefined) findings[0] = { ...first, cost }
  return findings
}

/** Adds to a problem what the table of words says about its reason. */
export function completeProblem(problem: Problem): Problem {
  const { input, reason, next: remedy } = problem
  let { message } = problem
  if (remedy !== undefined) message = `${message}; ${remedy}`
  if (reason === undefined) return { input, message, needs: problem.needs }
  const { next, needs } = words[reason]
  return { input, message: `${message}; ${next}`, needs }
}

/** Explains why a run stopped before it sent anything: a finding for each problem. */
export function explainProblems(problems: readonly Problem[]): readonly Finding[] {
  return problems.map(completeProblem).map(({ message, needs }) => ({
    reason: null,
    cause: message,
    short: message,
    next: message,
    hint: '',
    happened: '',
    cost: '',
    docs: null,
    needs,
    about: [],
    artifacts: [],
  }))
}
