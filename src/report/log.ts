/** What the log says of a finished run: the steps, each artifact, the verdict, and the annotation. */
import type { CompletedRun } from './report.ts'
import { isFailed, type Artifact, type FailedArtifact } from '../outcome.ts'
import { cut, maxMessageLength, quote } from '../text/escape.ts'
import { joinFirst, pluralize, toSentence } from '../text/phrases.ts'
import { formatSize } from '../text/units.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { countArtifacts, stateOf, states, type Again, type Finding } from './judge.ts'

/** A completed run as log, summary and annotation tell it; without secrets. */
export interface Told {
  readonly end: CompletedRun
  /** All artifacts, the most serious first. */
  readonly ranked: readonly Artifact[]
  /** The output `verdict`. */
  readonly verdict: keyof typeof titles
  /** Everything to act on, in an order that can be followed. The run passes if there is none. */
  readonly findings: readonly Finding[]
  /** The last step; null if nothing failed. */
  readonly again: Again | null
  /** Template of the URL where people look up a registration; null if none. */
  readonly template: string | null
  readonly docsUrl: string
  /** The records file, as the user named it. */
  readonly recordsPath: string
}

/** Formats the end of the log: the steps, each artifact, and the verdict. */
export function* formatLog(told: Told): Generator<string, void> {
  const { ranked, findings, again, template, docsUrl } = told
  yield* formatSteps(findings, again, docsUrl)
  for (const artifact of ranked) {
    const { sign, words } = stateOf(artifact.outcome)
    const parts = [formatArtifact(`${sign} ${words}`, artifact)]
    if (isFailed(artifact)) {
      const { code, observed } = artifact.outcome.failure
      parts.push(code, quote(observed, maxMessageLength))
      const url = lookUpUrl(artifact, template)
      if (url !== undefined) parts.push(`look up: ${url}`)
    }
    yield parts.filter(part => part !== '').join('; ')
  }
  yield formatVerdict(told)
}

/** Formats the steps of either action, each with the section of the docs that it needs. */
export function* formatSteps(
  findings: readonly Finding[],
  again: Again | null,
  docsUrl: string,
): Generator<string, void> {
  for (const [index, finding] of findings.entries()) {
    const docs = finding.docs === null ? '' : ` See ${docsUrl}/${finding.docs}`
    yield `${index + 1}. ${formatFinding(finding)}${docs}`
  }
  if (again === null) return
  const docs = again.docs === null ? '' : ` See ${docsUrl}/${again.docs}`
  yield `${findings.length + 1}. ${again.text}${docs}`
}

/** Joins the parts of a finding; each is cut separately, to keep the others. */
export function formatFinding({ next, happened, cost }: Finding): string {
  const parts = [next, ...happened, cost].filter(text => text !== '')
  return parts.map(text => toSentence(quote(text, maxMessageLength))).join(' ')
}

/** Formats an artifact for the log of either action. */
export function formatArtifact(
  state: string,
  { name, size, hash }: Pick<Artifact, 'name' | 'size' | 'hash'>,
): string {
  return `${state}: "${quote(name)}" (${formatSize(size)}, ${hash ?? 'not hashed'})`
}

/** Returns the URL that shows whether a failed artifact is registered; undefined if none, or if it is not. */
export function lookUpUrl(
  { hash, outcome }: FailedArtifact,
  template: string | null,
): string | undefined {
  if (stateOf(outcome) === states.failed) return undefined
  return fillVerificationUrl(template, { hash, record: {} })
}

const titles = {
  registered: ['✅', 'NOTARIZED'],
  partial: ['❌', 'PARTLY NOTARIZED'],
  failed: ['❌', 'NOT NOTARIZED'],
  'nothing-found': ['⚠️', 'NOTHING NOTARIZED'],
  'dry-run': ['🔎', 'DRY RUN, nothing was sent'],
} as const

/** Formats the first line of the summary; it begins with a cross exactly if the run fails. */
export function formatVerdict({ end, ranked, verdict, findings }: Told): string {
  const { total, registered, failed } = countArtifacts(ranked)
  const found = new Set(ranked.map(({ outcome }) => stateOf(outcome)))
  const all = pluralize(total, 'artifact')
  const ofRun = findings.filter(({ artifacts }) => artifacts.length === 0).map(({ short }) => short)
  let [sign, title]: readonly [string, string] = titles[verdict]
  if (end.place.kind === 'log' || found.has(states.chargedAgain)) sign = '⚠️'
  if (findings.length > 0) sign = '❌'
  if (verdict === 'failed' && !found.has(states.failed)) title = 'NOT CONFIRMED'
  const isCounted = verdict !== 'dry-run' && total > 0
  const facts = [isCounted ? `${registered} of ${all} registered` : `${all} found`]
  const [only] = found
  // Several states are counted below.
  if (found.size === 1 && only !== undefined && (failed > 0 || !isCounted)) {
    if (only !== states.failed) facts.push(`${total} ${only.words}`)
  }
  if (verdict === 'registered' && ofRun.length > 0) title += `, but ${joinFirst(ofRun, 2)}`
  else facts.push(...ofRun)
  if (verdict === 'registered' && end.place.kind === 'log' && end.unsaved.length === 0) {
    facts.push('the records are only in the log')
  }
  return `${sign} ${title}: ${facts.join('; ')}`
}

const countWords = new Map<string, string>([
  [states.registered.words, 'new'],
  [states.chargedAgain.words, 'maybe charged more than once'],
])

/** Counts the artifacts of each state, such as `4 new`; empty if all have the same. */
export function countStates(ranked: readonly Artifact[]): readonly string[] {
  const groups = Map.groupBy(ranked, ({ outcome }) => stateOf(outcome).words)
  if (groups.size < 2) return []
  return Array.from(groups, ([words, { length }]) => `${length} ${countWords.get(words) ?? words}`)
}

const maxCauseLength = 120

/** Formats the annotation of a failed run: how many failed and why, what it cost, and the first step. */
export function formatError({ ranked, findings }: Told): string {
  const { total, registered, failed } = countArtifacts(ranked)
  const all = pluralize(total, 'artifact')
  const worst = findings.find(({ artifacts }) => artifacts.length > 0) ?? findings[0]
  const unknown = ranked.filter(({ outcome }) => {
    return outcome.state === 'failed' && outcome.failure.registered === 'unknown'
  }).length
  const cause = cut(worst?.short ?? '', maxCauseLength)
  let what = `${failed} of ${all} failed: ${cause}`
  if (failed === 0) what = `${registered} of ${all} registered, but ${cause}`
  const costs: string[] = []
  if (unknown > 0) costs.push(`${unknown} may be registered and charged`)
  if (failed > 0 && registered > 0) costs.push(`${registered} registered`)
  if (unknown + registered === 0) costs.push('nothing was registered or charged')
  const [first] = findings
  const steps = [what, costs.join('; '), first?.next ?? ''].filter(text => text !== '')
  return steps.map(toSentence).join(' ')
}
