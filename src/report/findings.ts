/** Explains everything that went wrong in the words of the table; pure. */
import assert from 'node:assert'
import type { Failure, Problem } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import { isFailed, type Artifact, type FailedArtifact, type Outcome } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { joinFirst } from '../text/phrases.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import type { Link, Step } from './report.ts'
import { stateOf, states } from './states.ts'
import { findWords, words, type FindingReason, type Words } from './words.ts'

/** Something that went wrong, told once for everything that it hit. */
export interface Finding extends Step {
  /** The likely cause. */
  readonly cause: string
  /** The same with the status, for the annotation. */
  readonly short: string
  readonly needs: Words['needs']
}

/** What the words of a failure depend on; without secrets. */
export interface Context {
  readonly inputs: NotarizeInputs
  readonly host: Host
}

const maxObserved = 3
const maxUnsavedNames = 3

/** Explains the failures of artifacts, which are ranked. Equal failures are one finding. */
export function explainFailures(ranked: readonly Artifact[], context: Context): readonly Finding[] {
  const groups = Map.groupBy(ranked.filter(isFailed), ({ outcome }) => {
    return `${outcome.failure.reason} ${stateOf(outcome).words}`
  })
  return Array.from(groups.values(), group => explainFailure(group, context))
}

/** Explains the failure of artifacts, at least one, with one reason and state. */
export function explainFailure(group: readonly FailedArtifact[], context: Context): Finding {
  const [first] = group
  assert(first !== undefined, 'a group has an artifact')
  const { failure } = first.outcome
  const observed = new Set(group.map(({ outcome }) => outcome.failure.observed))
  observed.delete('')
  const seen = [...observed].slice(0, maxObserved).join('; ')
  const finding = explain(findWords(failure, context.inputs), seen, context.host)
  const about = group.map((artifact): Link => {
    return { name: artifact.name, url: lookUpUrl(artifact, context) }
  })
  let { short } = finding
  if (failure.reason !== 'bug') short = withStatus(finding.cause, failure)
  return { ...finding, short, results: [{ cost: costOf(first.outcome, context.host), about }] }
}

/** Says what an artifact costs; an earlier attempt may have been charged for it. */
export function costOf(outcome: Outcome, { environment }: Host): string {
  const state = stateOf(outcome)
  const isMaybe = outcome.state === 'failed' && outcome.failure.registered === 'unknown'
  if (state === states.known && isMaybe) return 'may have been charged, by an earlier call'
  if (environment.attempt > 1 && state === states.failed) return `${state.cost} in this attempt`
  return state.cost
}

/** Returns where people look up an artifact; null if that is unknown, or if it cannot be registered. */
export function lookUpUrl(
  { hash, outcome }: Artifact,
  { inputs: { verificationUrl } }: Context,
): string | null {
  const state = stateOf(outcome)
  if (state === states.failed || state === states.planned) return null
  const record = outcome.state === 'registered' ? outcome.record : {}
  return fillVerificationUrl(verificationUrl, { hash, record })
}

/** Says in the table why an artifact is not known to be registered, or what that costs; empty if there is nothing to say. */
export function describeReason({ outcome }: Artifact, { inputs, host }: Context): string {
  if (outcome.state !== 'failed') return costOf(outcome, host)
  const { failure } = outcome
  const { cause } = findWords(failure, inputs)
  if (failure.status === null && failure.observed !== '') return `${cause}: ${failure.observed}`
  return withStatus(cause, failure)
}

/** Adds the status of the last response to a cause. */
function withStatus(cause: string, { status }: Failure): string {
  return status === null ? cause : `${cause} (HTTP ${status})`
}

/** Explains a reason in words of the table; `observed` is empty if there is nothing to add. */
function explain(found: Words, observed: string, { environment }: Host): Finding {
  const { cause, next, hint = '', needs, docs } = found
  let happened = cause
  if (observed !== '') happened += `: ${observed}`
  return {
    cause,
    short: found === words.bug ? happened : cause,
    next: next.replace('{reportTo}', () => environment.reportTo),
    hint: withDocs(hint, docs),
    needs,
    happened: [happened],
    results: [],
  }
}

function withDocs(hint: string, docs: string | undefined): string {
  if (docs === undefined) return hint
  if (hint === '') return `more in docs:${docs}`
  return `${hint}: docs:${docs}`
}

/** Explains what went wrong apart from artifacts. `unsaved` are those whose record is only in the log. */
export function explainRun(
  { host }: Pick<Context, 'host'>,
  outputsError: string | null,
  unsaved: readonly string[] = [],
): readonly Finding[] {
  const { halt, secrets } = host
  const findings: Finding[] = []
  const add = (reason: FindingReason, observed = ''): void => {
    findings.push(explain(words[reason], secrets.redactLine(observed), host))
  }
  if (halt.bug !== null) add('bug', halt.bug.observed)
  if (halt.isCanceled) add('canceled')
  if (unsaved.length > 0) {
    const names = unsaved.map(name => `"${quote(secrets.redactLine(name))}"`)
    const listed = joinFirst(names, maxUnsavedNames, { separator: ', ' })
    add('not-saved', `only the log has the record of ${listed}`)
  } else if (halt.reason?.reason === 'not-saved') add('not-saved')
  // A full disk is told once.
  else if (outputsError !== null) add('outputs-not-written', outputsError)
  return findings
}

/** Explains why a run stopped before it sent anything. */
export function explainProblem(problem: Problem, { secrets }: Host): Finding {
  const { next, hint = '', needs, docs } = problem
  const message = secrets.redactLine(problem.message)
  return {
    cause: message,
    short: message,
    next: secrets.redactLine(next),
    hint: withDocs(secrets.redactLine(hint), docs),
    needs,
    happened: [message],
    results: [],
  }
}

/** Joins findings with the same next step to one step each. */
export function toSteps(findings: readonly Finding[]): readonly Step[] {
  const groups = Map.groupBy(findings, ({ next, hint }) => `${next}; ${hint}`)
  return Array.from(groups.values(), ([first, ...others]) => {
    assert(first !== undefined, 'a group has a finding')
    const all = [first, ...others].flatMap(finding => finding.happened)
    const happened = [...new Set(all)].filter(text => !all.some(other => isPart(text, other)))
    const results = [first, ...others].flatMap(finding => finding.results)
    return { next: first.next, hint: first.hint, happened, results }
  })
}

function isPart(text: string, other: string): boolean {
  return other !== text && other.startsWith(text)
}
