/** Explains in the words of the table what went wrong, and what became of each artifact; pure. */
import { untried, type Problem } from '../failure.ts'
import { isFailed, isRegistered } from '../outcome.ts'
import type { Artifact, FailedArtifact, Outcome } from '../outcome.ts'
import { describeFields } from '../records/record.ts'
import { linkTo } from '../runtime/environment.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { joinFirst, toSentences } from '../text/phrases.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import type { Listing, Row, Step, Table } from './report.ts'
import type { Job } from './run-end.ts'
import { isPlain, stateOf, states } from './states.ts'
import { findWords, words, type FindingReason, type Words } from './words.ts'

/** Something that went wrong. What to do, or the hint, ends with the address of the docs that have more. */
export interface Finding extends Words {
  /** What was observed: a clause; empty if there is nothing to add. */
  readonly observed: string
  /** What became of the artifact; null if it concerns the whole run. */
  readonly result: Listing | null
}

/** How many names a step shows at most. */
export const maxNames = 3
const maxObserved = 3

/** Explains the failure of an artifact. */
export function explainFailure(artifact: FailedArtifact, job: Job) {
  const { name, outcome } = artifact
  const { failure } = outcome
  const finding = explain(findWords(failure, job.inputs), failure.observed, job)
  const links = [{ name, url: lookUpUrl(artifact, job) }]
  return { ...finding, result: { text: costOf(outcome, job), links } }
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
function lookUpUrl({ hash, outcome }: Artifact, { inputs }: Job): string | null {
  const state = stateOf(outcome)
  if (state === states.failed || state === states.planned) return null
  const record = outcome.state === 'registered' ? outcome.record : {}
  return fillVerificationUrl(inputs.verificationUrl, { hash, record })
}

/** Says in one clause what went wrong: the likely cause, and what was observed. */
export function summarize(cause: string, observed: string): string {
  if (observed === '') return cause
  if (observed.startsWith(untried)) return observed.replace(untried, `${untried} (${cause})`)
  return cause.endsWith(')') ? `${cause}: ${observed}` : `${cause} (${observed})`
}

/** What fills in the words: the path of the records file is without secrets, and empty if there is none. */
type Details = Pick<Job, 'host' | 'recordsPath'>

/** Fills in the words, and adds the address of the docs. */
function explain(found: Words, observed: string, { host, recordsPath }: Details): Finding {
  const { reportTo } = host.environment
  const next = found.next
    .replace('{reportTo}', () => reportTo)
    .replace('{recordsPath}', () => `"${quote(recordsPath)}"`)
  return { ...found, next: linkTo(found.docs, next, host), observed, result: null }
}

/** Explains what went wrong apart from artifacts: `unsaved` are those whose record is only in the log. */
export function explainRun(
  outputsError: string | null,
  unsaved: readonly string[],
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

/** Explains why a run stopped before it sent anything. */
export function explainProblem(problem: Problem, host: Host): Finding {
  const { secrets } = host
  const cause = secrets.redactLine(problem.message)
  const next = secrets.redactLine(problem.next)
  const hint = secrets.redactLine(problem.hint ?? '')
  return explain({ ...problem, cause, next, hint }, '', { host, recordsPath: '' })
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
    const found = group.flatMap(({ result }) => result ?? [])
    const byText = Map.groupBy(found, ({ text }) => text)
    const results = Array.from(byText, ([text, same]) => {
      return { text, links: same.flatMap(({ links }) => links) }
    })
    return { next, hint: toSentences([...hints]), happened, results }
  })
}

/** Says what happened and what to do, for an annotation. */
export function describeCause({ happened, next, hint }: Step): string {
  return toSentences([...happened, next, hint])
}

/** Makes the table of a run. */
export function makeTable(ranked: readonly Artifact[], job: Job): Table {
  const records = ranked.filter(isRegistered).map(({ outcome }) => describeFields(outcome.record))
  const columns: string[] = []
  if (records.length > 0) columns.push('Registered at (UTC)', 'Blockchain')
  if (records.some(({ transaction }) => transaction !== '')) columns.push('Transaction')
  const inFile = records.length === 0 ? '' : `, and ${job.recordsPath} has their records`
  return {
    columns,
    rows: ranked.map(artifact => makeRow(artifact, job)),
    isFolded: ranked.some(isFailed),
    elsewhere: `the log of this step has all of them${inFile}`,
  }
}

function makeRow(artifact: Artifact, job: Job): Row {
  const { outcome } = artifact
  const state = stateOf(outcome)
  const { sign, words } = state
  const url = lookUpUrl(artifact, job)
  const row = { sign, words, artifact, url, note: '', cells: [], isPlain: isPlain(state) }
  switch (outcome.state) {
    case 'planned':
      return { ...row, note: state.cost }
    case 'failed': {
      const { cause } = findWords(outcome.failure, job.inputs)
      return { ...row, note: summarize(cause, outcome.failure.observed) }
    }
    case 'registered': {
      const { time, blockchain, transaction } = describeFields(outcome.record)
      if (!outcome.isConfirmed) return { ...row, cells: [time, blockchain, transaction] }
      return { ...row, note: 'confirmed by a person after a look-up' }
    }
  }
}
