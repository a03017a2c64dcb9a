import assert from 'node:assert'
import { isFailed, isRegistered, type Artifact } from '../outcome.ts'
import { cut } from '../text/escape.ts'
import { pluralize, toSentence } from '../text/format.ts'
import type { Fault } from './faults.ts'
import { stateOf, states, type State } from './states.ts'

/** The output `verdict` of a run that was not stopped. */
export type Verdict = 'registered' | 'partial' | 'failed' | 'nothing-found' | 'dry-run'

/** Numbers of artifacts. `total` is the sum of `registered` and `failed`, except in a dry run. */
export interface Counts {
  readonly total: number
  readonly registered: number
  readonly newlyRegistered: number
  readonly failed: number
}

export function countArtifacts(artifacts: readonly Artifact[]): Counts {
  const registered = artifacts.filter(isRegistered)
  return {
    total: artifacts.length,
    registered: registered.length,
    newlyRegistered: registered.filter(({ outcome }) => outcome.from === 'this-run').length,
    failed: artifacts.filter(isFailed).length,
  }
}

export function countState(artifacts: readonly Artifact[], state: State): number {
  return artifacts.filter(({ outcome }) => stateOf(outcome) === state).length
}

/** Decides the verdict by the counts alone: saving and attaching do not change it. */
export function decideVerdict({ total, registered, failed }: Counts, isDryRun: boolean): Verdict {
  if (isDryRun) return 'dry-run'
  if (total === 0) return 'nothing-found'
  if (failed === 0) return 'registered'
  return registered === 0 ? 'failed' : 'partial'
}

/** A completed run, as log, summary and annotation tell it; without secrets. */
export interface Judgement {
  /** All artifacts, the most urgent first. */
  readonly ranked: readonly Artifact[]
  readonly counts: Counts
  readonly verdict: Verdict
  /** Whether a re-run pays again. */
  readonly cost: string
  /** Template of the URL where people look up a registration; null if none. */
  readonly template: string | null
  readonly docsUrl: string
  /** The records file, as the user named it. */
  readonly recordsPath: string
  /** What went wrong apart from the artifacts. */
  readonly runFaults: readonly Fault[]
  /** Everything to act on, in an order that can be followed. The run passes if there is none. */
  readonly steps: readonly Fault[]
}

const titles = {
  registered: ['✅', 'NOTARIZED'],
  partial: ['❌', 'PARTLY NOTARIZED'],
  failed: ['❌', 'NOT NOTARIZED'],
  'nothing-found': ['⚠️', 'NOTHING NOTARIZED'],
  'dry-run': ['🔎', 'DRY RUN, nothing was sent'],
} as const

/** Formats the first line of the summary; it begins with a cross exactly if the run fails. */
export function formatVerdict({ ranked, counts, verdict, runFaults, steps }: Judgement): string {
  const { total, registered, newlyRegistered, failed } = counts
  const isDryRun = verdict === 'dry-run'
  const all = pluralize(total, 'artifact')
  const known = registered - newlyRegistered
  const apart = registered === 0 ? '' : ` (${newlyRegistered} new, ${known} known before)`
  const isCounted = !isDryRun && total > 0
  const facts = [isCounted ? `${registered} of ${all} registered${apart}` : `${all} found`]
  const groups = Map.groupBy(ranked, ({ outcome }) => stateOf(outcome))
  for (const [{ words, cost }, { length }] of groups) {
    if (isDryRun || cost !== null) facts.push(`${length} ${words}`)
  }
  const shorts = runFaults.map(({ short }) => short)
  let [sign, title]: readonly [string, string] = titles[verdict]
  if (groups.has(states.chargedAgain)) sign = '⚠️'
  if (steps.length > 0) sign = '❌'
  if (verdict === 'failed' && countState(ranked, states.failed) < failed) title = 'NOT CONFIRMED'
  if (verdict === 'registered' && shorts.length > 0) title += `, but ${shorts.join(', and ')}`
  else facts.push(...shorts)
  return `${sign} ${title}: ${facts.join('; ')}`
}

const maxCauseLength = 120

/** Formats the annotation of a failed run: what happened, what it cost, and the first step. */
export function formatError(judgement: Judgement): string {
  const { steps } = judgement
  const [next] = steps
  assert(next !== undefined, 'a run that fails has a step')
  const worst = steps.find(({ artifacts }) => artifacts.size > 0)
  const facts = worst === undefined ? tellFaults(judgement, next) : tellFailures(judgement, worst)
  const number = steps.length === 1 ? '' : `step 1 of ${steps.length}: `
  return [...facts, number + next.remedy].map(toSentence).join(' ')
}

/** Tells why a run fails in which no artifact did, and what that costs. */
function tellFaults({ counts, runFaults }: Judgement, next: Fault): readonly string[] {
  const { total, registered } = counts
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
function tellFailures({ ranked, counts, runFaults }: Judgement, worst: Fault): readonly string[] {
  const { total, registered, failed } = counts
  const unknown = failed - countState(ranked, states.failed)
  let cost = 'nothing was registered or charged in this run'
  if (registered > 0) cost = `${pluralize(registered, 'artifact is', 'artifacts are')} registered`
  if (unknown > 0) cost = `${unknown} may be registered and charged`
  // What ended the run; the summary tells the rest.
  const ended = runFaults.filter(({ code, isUrgent }) => code !== null || isUrgent)
  const shorts = ended.map(({ short }) => short).filter(short => short !== worst.short)
  const all = pluralize(total, 'artifact')
  return [
    `${failed} of ${all} failed: ${cut(worst.short, maxCauseLength)}`,
    [...shorts, cost].join('; '),
  ]
}
