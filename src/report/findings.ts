/** Explains everything that went wrong in the words of the table; pure. */
import type { Problem } from '../failure.ts'
import type { Artifact, FailedArtifact, Outcome } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { joinFirst, toSentences } from '../text/phrases.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import type { Result, Step } from './report.ts'
import type { Job } from './run-end.ts'
import { stateOf, states } from './states.ts'
import { findWords, linkTo, words, type FindingReason, type Words } from './words.ts'

/** Something that went wrong. What to do, or the hint, ends with the address of the docs that have more. */
export interface Finding extends Words {
  /** What was observed: a clause; empty if there is nothing to add. */
  readonly observed: string
  /** What became of the artifact; null if it concerns the whole run. */
  readonly result: Result | null
}

const maxNames = 3
const maxObserved = 3

/** Explains the failure of an artifact. */
export function explainFailure(artifact: FailedArtifact, job: Job): Finding {
  const { name, outcome } = artifact
  const { failure } = outcome
  const finding = explain(findWords(failure, job.inputs), failure.observed, job)
  const about = [{ name, url: lookUpUrl(artifact, job) }]
  return { ...finding, result: { cost: costOf(outcome, job), about } }
}

/** Says what an artifact cost; an earlier attempt may have been charged for it. */
function costOf(outcome: Outcome, { inputs, host }: Job): string {
  const state = stateOf(outcome)
  if (inputs.dryRun) return 'not hashed'
  const isMaybe = outcome.state === 'failed' && outcome.failure.registered === 'unknown'
  if (state === states.known && isMaybe) return 'may have been charged, for an earlier call'
  if (host.environment.attempt > 1 && state === states.failed)
    return `${state.cost} in this attempt`
  return state.cost
}

/** Returns where people look up an artifact; null if that is unknown, or if it cannot be registered. */
export function lookUpUrl({ hash, outcome }: Artifact, { inputs }: Job): string | null {
  const state = stateOf(outcome)
  if (state === states.failed || state === states.planned) return null
  const record = outcome.state === 'registered' ? outcome.record : {}
  return fillVerificationUrl(inputs.verificationUrl, { hash, record })
}

/** Says in one clause what went wrong: the likely cause, and what was observed. */
export function summarize(cause: string, observed: string): string {
  if (observed === '') return cause
  return cause.endsWith(')') ? `${cause}: ${observed}` : `${cause} (${observed})`
}

/** What fills the placeholders in the words. */
interface Details {
  readonly host: Host
  /** Without secrets; empty if the run has no records file. */
  readonly recordsPath: string
}

function explain(found: Words, observed: string, { host, recordsPath }: Details): Finding {
  const next = found.next
    .replace('{reportTo}', () => host.environment.reportTo)
    .replace('{recordsPath}', () => `"${quote(recordsPath)}"`)
  const { docs } = found
  const linked = docs === undefined ? next : linkTo(docs, next, host)
  return { ...found, next: linked, observed, result: null }
}

/** How a run went wrong, apart from artifacts. */
export interface RunFaults {
  /** Why the outputs could not be written; null if they were. */
  readonly outputsError: string | null
  /** Artifacts whose record is only in the log. */
  readonly unsaved: readonly string[]
}

/** Explains what went wrong apart from artifacts. */
export function explainRun(
  { outputsError, unsaved }: RunFaults,
  details: Details,
): readonly Finding[] {
  const { halt, secrets } = details.host
  const findings: Finding[] = []
  const add = (reason: FindingReason, observed = ''): void => {
    findings.push(explain(words[reason], secrets.redactLine(observed), details))
  }
  if (halt.bug !== null) add('bug', halt.bug.observed)
  if (halt.isCanceled) add('canceled')
  if (unsaved.length > 0) {
    const names = unsaved.map(name => `"${quote(secrets.redactLine(name))}"`)
    const listed = joinFirst(names, maxNames, { separator: ', ' })
    add('not-saved', `only the log has the record of ${listed}`)
  } else if (halt.reason?.reason === 'not-saved') add('not-saved')
  // A full disk is told once.
  else if (outputsError !== null) add('outputs-not-written', outputsError)
  return findings
}

/** Explains why a run stopped before it sent anything. The docs have more about the hint, if there is one. */
export function explainProblem(problem: Problem, host: Host): Finding {
  const { secrets } = host
  const { docs, hint } = problem
  const link = (text: string): string => {
    const clean = secrets.redactLine(text)
    return docs === undefined ? clean : linkTo(docs, clean, host)
  }
  const known = { cause: secrets.redactLine(problem.message), needs: problem.needs }
  const finding = { ...known, observed: '', result: null }
  if (hint === undefined) return { ...finding, next: link(problem.next) }
  return { ...finding, next: secrets.redactLine(problem.next), hint: link(hint) }
}

/** Joins findings with the same next step to one step each. */
export function toSteps(findings: readonly Finding[]): readonly Step[] {
  const groups = Map.groupBy(findings, ({ next }) => next)
  return Array.from(groups, ([next, group]) => {
    const hints = new Set(group.map(({ hint = '' }) => hint))
    const byCause = Map.groupBy(group, ({ cause }) => cause)
    const happened = Array.from(byCause, ([cause, same]) => {
      const observed = new Set(same.map(finding => finding.observed).filter(text => text !== ''))
      return toSentences([cause, ...[...observed].slice(0, maxObserved)])
    })
    const byCost = Map.groupBy(
      group.flatMap(({ result }) => result ?? []),
      ({ cost }) => cost,
    )
    const results = Array.from(byCost, ([cost, same]) => {
      return { cost, about: same.flatMap(({ about }) => about) }
    })
    return { next, hint: toSentences([...hints]), happened, results }
  })
}
