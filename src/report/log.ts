/** What the log says of a finished run: the steps, each artifact, the verdict, and the annotation. */
import { isFailed, type Artifact } from '../outcome.ts'
import { cut, maxMessageLength, quote } from '../text/escape.ts'
import { formatSize, joinFirst, pluralize, toSentence } from '../text/phrases.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { countArtifacts, stateOf, states, type Finding, type State, type Step } from './judge.ts'
import type { RunAgain } from './run-again.ts'

/** A completed run as log, summary and annotation tell it; without secrets. */
export interface Told {
  /** All artifacts, the most serious first. */
  readonly ranked: readonly Artifact[]
  /** The output `verdict`. */
  readonly verdict: keyof typeof titles
  /** Everything to act on, in an order that can be followed. The run passes if there is none. */
  readonly findings: readonly Finding[]
  /** The last step; null if nothing failed. */
  readonly again: RunAgain | null
  /** How many records are only in the log, because they could not be saved. */
  readonly unsavedCount: number
  /** Template of the URL where people look up a registration; null if none. */
  readonly template: string | null
  readonly docsUrl: string
}

/** Formats the end of the log: the steps, each artifact, and the verdict. */
export function* formatLog(told: Told): Generator<string, void> {
  const { ranked, findings, again, template, docsUrl } = told
  yield* formatStepLines(findings, again, docsUrl)
  for (const artifact of ranked) {
    const { sign, words } = stateOf(artifact.outcome)
    const parts = [formatArtifact(`${sign} ${words}`, artifact)]
    const note = confirmedNote(artifact)
    if (note !== '') parts.push(note)
    if (isFailed(artifact)) {
      const { code, observed } = artifact.outcome.failure
      parts.push(code, quote(observed, maxMessageLength))
      const url = fillVerificationUrl(template, { hash: artifact.hash, record: {} })
      if (url !== undefined && stateOf(artifact.outcome) !== states.failed) parts.push(url)
    }
    yield parts.filter(part => part !== '').join('; ')
  }
  yield formatVerdict(told)
}

/** Says that a record is not from the service; empty otherwise. */
export function confirmedNote({ outcome }: Artifact): string {
  if (outcome.state !== 'registered' || !outcome.isConfirmed) return ''
  return 'confirmed by a person after a look-up'
}

/** Formats the steps of either action, numbered, each with its section of the docs. */
export function* formatStepLines(
  steps: readonly Step[],
  again: RunAgain | null,
  docsUrl: string,
): Generator<string, void> {
  const see = (docs: string | null): string => (docs === null ? '' : ` See ${docsUrl}/${docs}`)
  for (const [index, step] of steps.entries()) {
    yield `${index + 1}. ${formatStepText(step)}${see(step.docs)}`
  }
  if (again !== null) yield `${steps.length + 1}. ${formatAgain(again)}${see(again.docs)}`
}

/** Formats a step on one line; each part is cut separately, to keep the others. */
export function formatStepText({ next, hint, happened, cost }: Step): string {
  const parts = [next, hint, happened, cost].filter(text => text !== '')
  return parts.map(text => toSentence(quote(text, maxMessageLength))).join(' ')
}

/** Formats how to run again on one line. */
export function formatAgain({ next, more }: RunAgain): string {
  return [next, ...more].join(' ')
}

/** Formats an artifact for the log of either action. */
export function formatArtifact(
  state: string,
  { name, size, hash }: Pick<Artifact, 'name' | 'size' | 'hash'>,
): string {
  return `${state}: "${quote(name)}" (${formatSize(size)}, ${hash ?? 'not hashed'})`
}

const titles = {
  registered: ['✅', 'NOTARIZED'],
  partial: ['❌', 'PARTLY NOTARIZED'],
  failed: ['❌', 'NOT NOTARIZED'],
  'nothing-found': ['⚠️', 'NOTHING NOTARIZED'],
  'dry-run': ['🔎', 'DRY RUN, nothing was sent'],
} as const

/** What the first line says if it goes for all artifacts. */
const counted: ReadonlyMap<State, string> = new Map<State, string>([
  [states.unsure, 'may be registered'],
  [states.contradicted, 'with a record that does not match'],
  [states.known, 'without a record (409)'],
  [states.chargedAgain, 'maybe charged more than once'],
])

/** Formats the first line of the summary; it begins with a cross exactly if the run fails. */
export function formatVerdict(told: Told): string {
  const { ranked, verdict, findings, unsavedCount } = told
  const { total, registered, failed } = countArtifacts(ranked)
  const counts = countStates(ranked)
  const isDryRun = verdict === 'dry-run'
  const all = pluralize(total, 'artifact')
  const ofRun = findings.filter(({ artifacts }) => artifacts.size === 0).map(({ cause }) => cause)
  let [sign, title]: readonly [string, string] = titles[verdict]
  if (counts.has(states.chargedAgain)) sign = '⚠️'
  if (findings.length > 0) sign = '❌'
  if (verdict === 'failed' && !counts.has(states.failed)) title = 'NOT CONFIRMED'
  const planned = (counts.get(states.planned) ?? 0) + (counts.get(states.open) ?? 0)
  let fact = `${registered} of ${all} registered`
  if (title === 'NOT CONFIRMED') fact = `${registered} of ${all} known to be registered`
  if (isDryRun) fact = `${planned} of ${all} would be registered`
  if (total === 0) fact = `${all} found`
  const facts = [fact]
  // Several states are counted below.
  const [only] = counts.keys()
  const words = counts.size === 1 && only !== undefined ? counted.get(only) : undefined
  if (words !== undefined) facts.push(`${total} ${words}`)
  if (verdict === 'registered' && ofRun.length > 0)
    title += `, but ${joinFirst(ofRun, 2, { separator: ', and ' })}`
  else if (failed === 0) facts.push(...ofRun)
  if (unsavedCount > 0) {
    facts.push(`${pluralize(unsavedCount, 'record is', 'records are')} only in the log`)
  }
  return `${sign} ${title}: ${facts.join(', ')}`
}

/** Counts the artifacts of each state, the most serious first. */
export function countStates(ranked: readonly Artifact[]): ReadonlyMap<State, number> {
  const groups = Map.groupBy(ranked, ({ outcome }) => stateOf(outcome))
  return new Map(Array.from(groups, ([state, { length }]) => [state, length]))
}

const maxCauseLength = 100

/** Formats the annotation of a failed run: how many failed and why, what it cost, and the first step. */
export function formatError({ ranked, findings }: Told): string {
  const { total, registered, failed } = countArtifacts(ranked)
  const all = pluralize(total, 'artifact')
  const [first] = findings
  const cause = cut(first?.short ?? '', maxCauseLength)
  let what = `${failed} of ${all} failed: ${cause}`
  if (failed === 0 && total > 0) what = `${registered} of ${all} registered, but ${cause}`
  const costs = new Map<string, number>()
  for (const { cost, artifacts } of findings) {
    if (artifacts.size > 0) costs.set(cost, (costs.get(cost) ?? 0) + artifacts.size)
  }
  const facts = Array.from(costs, ([cost, count]) => `${count} ${cost}`)
  if (failed > 0 && registered > 0) facts.push(`${registered} registered`)
  const isFree = costs.get(states.failed.cost) === total
  const told = isFree ? 'nothing was registered or charged' : facts.join(', ')
  const step = `step 1 of ${findings.length + 1}: ${first?.next ?? ''}`
  return [what, told, step]
    .filter(text => text !== '')
    .map(toSentence)
    .join(' ')
}
