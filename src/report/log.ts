/** What the log says of a run: the steps, each artifact, the verdict, and the annotation. */
import assert from 'node:assert'
import { isFailed, isRegistered, type Artifact, type FailedArtifact } from '../outcome.ts'
import { cut, maxMessageLength, quote } from '../text/escape.ts'
import { formatSize } from '../text/units.ts'
import { pluralize, toSentence } from '../text/phrases.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { formatFault, type Fault } from './faults.ts'
import { countState, stateOf, states } from './states.ts'

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

/** A completed run, as log, summary and annotation tell it; without secrets. */
export interface Judgement {
  /** All artifacts, the most urgent first. */
  readonly ranked: readonly Artifact[]
  /** The output `verdict`. */
  readonly verdict: keyof typeof titles
  /** What a failed run means for the cost: a clause. */
  readonly cost: string
  /** What went wrong apart from the artifacts. */
  readonly runFaults: readonly Fault[]
  /** Everything to act on, in an order that can be followed. The run passes if there is none. */
  readonly steps: readonly Fault[]
  /** How to run again after all steps: a sentence; empty if that does not help. */
  readonly rerun: string
  /** Template of the URL where people look up a registration; null if none. */
  readonly template: string | null
  readonly docsUrl: string
  /** The records file, as the user named it. */
  readonly recordsPath: string
}

/** Formats the end of the log: the steps, each artifact, and the verdict. */
export function* formatLog(judgement: Judgement): Generator<string, void> {
  const { ranked, steps, rerun, template, docsUrl } = judgement
  for (const [index, step] of steps.entries()) {
    yield `${index + 1}. ${formatFault(step)} See ${docsUrl}/${step.page}`
  }
  if (rerun !== '') yield rerun
  for (const artifact of ranked) {
    const { sign, words } = stateOf(artifact.outcome)
    const parts = [formatArtifact(`${sign} ${words}`, artifact)]
    if (isFailed(artifact)) {
      const { code, detail } = artifact.outcome.failure
      const url = lookUpUrl(artifact, template)
      if (url !== undefined) parts.push(`look-up: ${url}`)
      parts.push(code, quote(detail, maxMessageLength), referTo(artifact, steps))
    }
    yield parts.filter(part => part !== '').join('; ')
  }
  yield formatVerdict(judgement)
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

/** Says which step explains an artifact. Log and summary number the steps from 1. */
export function referTo(artifact: FailedArtifact, steps: readonly Fault[]): string {
  const index = steps.findIndex(({ artifacts }) => artifacts.has(artifact))
  return index === -1 ? 'see the output "failures"' : `see ${index + 1} above`
}

const titles = {
  registered: ['✅', 'NOTARIZED'],
  partial: ['❌', 'PARTLY NOTARIZED'],
  failed: ['❌', 'NOT NOTARIZED'],
  'nothing-found': ['⚠️', 'NOTHING NOTARIZED'],
  'dry-run': ['🔎', 'DRY RUN, nothing was sent'],
} as const

/** Formats the first line of the summary; it begins with a cross exactly if the run fails. */
export function formatVerdict({ ranked, verdict, runFaults, steps }: Judgement): string {
  const { total, registered, newlyRegistered, failed } = countArtifacts(ranked)
  const isDryRun = verdict === 'dry-run'
  const all = pluralize(total, 'artifact')
  const before = registered - newlyRegistered
  const apart = registered === 0 ? '' : ` (${newlyRegistered} new, ${before} registered before)`
  const isCounted = !isDryRun && total > 0
  const facts = [isCounted ? `${registered} of ${all} registered${apart}` : `${all} found`]
  const found = ranked.map(({ outcome }) => stateOf(outcome))
  const shown = isDryRun ? found : found.filter(({ cost }) => cost !== null)
  const groups = Map.groupBy(shown, ({ words }) => words)
  for (const [words, { length }] of groups) facts.push(`${length} ${words}`)
  const knownCount = countState(ranked, states.known)
  if (knownCount > 0) facts.push(`the service already has ${knownCount}`)
  const shorts = runFaults.map(({ short }) => short)
  let [sign, title]: readonly [string, string] = titles[verdict]
  if (found.includes(states.chargedAgain)) sign = '⚠️'
  if (steps.length > 0) sign = '❌'
  if (verdict === 'failed' && countState(ranked, states.failed) < failed) title = 'NOT CONFIRMED'
  if (verdict === 'registered' && shorts.length > 0) title += `, but ${shorts.join(', and ')}`
  else facts.push(...shorts)
  return `${sign} ${title}: ${facts.join('; ')}`
}

const maxCauseLength = 120

/** Formats the annotation of a failed run: what happened, what it cost, and the first step. */
export function formatError(judgement: Judgement): string {
  const { steps, rerun } = judgement
  const [next] = steps
  assert(next !== undefined, 'a run that fails has a step')
  const worst = steps.find(({ artifacts }) => artifacts.size > 0)
  const facts = worst === undefined ? tellFaults(judgement, next) : tellFailures(judgement, worst)
  const number = steps.length === 1 ? '' : `step 1 of ${steps.length}: `
  const sentences = [...facts, number + next.remedy].map(toSentence)
  if (steps.length === 1 && rerun !== '') sentences.push(rerun)
  return sentences.join(' ')
}

/** Tells why a run fails in which no artifact did, and what that costs. */
function tellFaults({ ranked, runFaults }: Judgement, next: Fault): readonly string[] {
  const { total, registered } = countArtifacts(ranked)
  const [, why] = next.what
  let what = runFaults.map(({ short }) => short).join(', and ')
  if (runFaults.length === 1 && why !== undefined) what += `: ${cut(why, maxCauseLength)}`
  if (registered > 0) {
    const all = pluralize(total, 'artifact is', 'artifacts are')
    what = `${registered} of ${all} registered, but ${what}`
  }
  return [what, next.cost]
}

/** Tells how many artifacts failed, why the first did, and what that costs. */
function tellFailures({ ranked, runFaults }: Judgement, worst: Fault): readonly string[] {
  const { total, registered, failed } = countArtifacts(ranked)
  const unknown = failed - countState(ranked, states.failed) - countState(ranked, states.known)
  let cost = 'nothing was registered or charged in this run'
  if (registered > 0) cost = `${pluralize(registered, 'artifact is', 'artifacts are')} registered`
  if (unknown > 0) cost = `${unknown} may be registered and charged`
  const shorts = runFaults.map(({ short }) => short).filter(short => short !== worst.short)
  const all = pluralize(total, 'artifact')
  return [
    `${failed} of ${all} failed: ${cut(worst.short, maxCauseLength)}`,
    [...shorts, cost].join('; '),
  ]
}
