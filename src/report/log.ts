/** What the log says of a finished run: the steps, each artifact, the verdict, and the annotation. */
import { isFailed, type Artifact } from '../outcome.ts'
import { cut, maxMessageLength, quote } from '../text/escape.ts'
import { formatSize, pluralize, toSentence } from '../text/phrases.ts'
import {
  countArtifacts,
  describeCharges,
  costOf,
  lookUpUrl,
  nothingCharged,
  stateOf,
  states,
  type Finding,
  type State,
  type Step,
} from './judge.ts'
import type { Told } from './report.ts'

/** Formats the end of the log: the steps, each artifact, and the verdict. */
export function* formatLog(told: Told): Generator<string, void> {
  const { ranked, steps, inputs, host } = told
  yield* formatStepLines(steps, host.environment.docsUrl)
  for (const artifact of ranked) {
    const { sign, words } = stateOf(artifact.outcome)
    const parts = [formatArtifact(`${sign} ${words}`, artifact), confirmedNote(artifact)]
    if (isFailed(artifact)) {
      const { code, observed } = artifact.outcome.failure
      parts.push(code, quote(observed, maxMessageLength))
      const url = lookUpUrl(inputs.verificationUrl, artifact)
      if (url !== null && stateOf(artifact.outcome) !== states.failed) parts.push(url)
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
export function* formatStepLines(steps: readonly Step[], docsUrl: string): Generator<string, void> {
  for (const [index, step] of steps.entries()) {
    const line = `${index + 1}. ${formatStepText(step)}`
    yield step.docs === null ? line : `${line} See ${docsUrl}/${step.docs}`
  }
}

/** Formats a step on one line; each part is cut separately, to keep the others. */
export function formatStepText({ next, hint, happened, cost }: Step): string {
  const parts = [next, hint, happened, cost].filter(text => text !== '')
  return parts.map(text => toSentence(quote(text, maxMessageLength))).join(' ')
}

/** Formats an artifact for the log of either action. */
export function formatArtifact(
  state: string,
  { name, size, hash }: Pick<Artifact, 'name' | 'size' | 'hash'>,
): string {
  return `${state}: "${quote(name)}" (${formatSize(size)}, ${hash ?? 'not hashed'})`
}

const titles: Readonly<Record<Told['verdict'], readonly [string, string]>> = {
  registered: ['✅', 'NOTARIZED'],
  partial: ['❌', 'PARTLY NOTARIZED'],
  failed: ['❌', 'NOT NOTARIZED'],
  'nothing-found': ['⚠️', 'NOTHING NOTARIZED'],
  'dry-run': ['🔎', 'DRY RUN, nothing was sent'],
}

/** What the first line says if it goes for all artifacts. */
const counted: ReadonlyMap<State, string> = new Map<State, string>([
  [states.unsure, 'may be registered'],
  [states.contradicted, 'with a record that does not match'],
  [states.known, 'without a record (409)'],
  [states.chargedAgain, 'maybe charged more than once'],
])

/** Formats the first line of the summary; it begins with a cross exactly if the run fails. */
export function formatVerdict({ ranked, verdict, findings, end: { unsaved } }: Told): string {
  const { total, registered, failed } = countArtifacts(ranked)
  const counts = countStates(ranked)
  const all = pluralize(total, 'artifact')
  let [sign, title] = titles[verdict]
  if (counts.has(states.chargedAgain)) sign = '⚠️'
  if (findings.length > 0) sign = '❌'
  let fact = `${registered} of ${all} registered`
  if (verdict === 'failed' && !counts.has(states.failed)) {
    title = 'NOT CONFIRMED'
    fact = `${registered} of ${all} known to be registered`
  }
  if (verdict === 'dry-run') {
    const planned = (counts.get(states.planned) ?? 0) + (counts.get(states.open) ?? 0)
    fact = `${planned} of ${all} would be registered`
  }
  if (total === 0) fact = `${all} found`
  const facts = [fact]
  // Several states are counted below.
  const [only] = counts.keys()
  if (only !== undefined && counts.size === 1) {
    const words = counted.get(only)
    if (words !== undefined) facts.push(`${total} ${words}`)
  }
  const causes = findings.map(({ cause }) => cause)
  if (verdict === 'registered' && causes.length > 0) {
    title += `, but ${causes.slice(0, 2).join(', and ')}`
  } else if (failed === 0) facts.push(...causes)
  if (unsaved.length > 0) {
    facts.push(`${pluralize(unsaved.length, 'record is', 'records are')} only in the log`)
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
export function formatError(
  { ranked, verdict, findings, steps, host }: Told,
  first: Finding,
): string {
  const { total, registered, failed } = countArtifacts(ranked)
  const all = pluralize(total, 'artifact')
  const known = `registered${describeCharges(ranked)}`
  const cause = cut(first.short, maxCauseLength)
  const clauses = [`${registered} of ${all} ${known}, but ${cause}`]
  if (failed > 0) clauses[0] = `${failed} of ${all} failed: ${cause}`
  else if (total === 0) clauses[0] = `no artifacts were found, and ${cause}`
  else if (verdict === 'dry-run') clauses[0] = `nothing was sent, and ${cause}`
  const costs = new Map<string, number>()
  for (const { cost, artifacts } of findings) {
    if (artifacts.length > 0) costs.set(cost, (costs.get(cost) ?? 0) + artifacts.length)
  }
  const facts = Array.from(costs, ([cost, count]) => `${count} ${cost}`)
  if (failed > 0 && registered > 0) facts.push(`${registered} ${known}`)
  const isFree = (costs.get(costOf(states.failed, host)) ?? 0) === total
  if (isFree) clauses.push(nothingCharged(host))
  else if (facts.length > 0) clauses.push(facts.join(', '))
  clauses.push(`step 1 of ${steps.length}: ${first.next}`)
  return clauses.map(toSentence).join(' ')
}
