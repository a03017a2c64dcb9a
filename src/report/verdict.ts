/** Says in one line each how a run ended and what it cost, and in a few what is wrong; pure. */
import { untried } from '../failure.ts'
import { isFailed, isPlanned, type Artifact } from '../outcome.ts'
import { cut } from '../text/escape.ts'
import { pluralize, toSentences } from '../text/phrases.ts'
import { summarize, type Finding } from './findings.ts'
import type { Step } from './report.ts'
import type { CompletedRun, Job } from './run-end.ts'
import { countArtifacts, countCharges, isNew, stateOf, states } from './states.ts'
import type { Verdict } from './states.ts'

/** Says what this attempt was charged for, for certain and at most; `end` is null if nothing was sent. */
export function describeCost(end: CompletedRun | null, { inputs, host }: Job): string {
  const artifacts = end?.artifacts ?? []
  const least = countCharges(artifacts.filter(isNew))
  // Nobody knows what a bug did.
  const bugs = artifacts.filter(isFailed).filter(({ outcome }) => outcome.failure.reason === 'bug')
  const doubts = Math.max(end?.doubtCount ?? 0, countCharges(bugs))
  // Other runs may have been charged, too.
  const when = host.environment.attempt > 1 ? 'attempt' : 'run'
  const by = `Charged by ${inputs.baseUrl} in this ${when}`
  if (least + doubts === 0) return `${by}: nothing`
  if (doubts === 0) return `${by}: ${pluralize(least, 'registration')}`
  const calls = pluralize(doubts, 'call')
  return `${by}: ${least} to ${least + doubts} registrations (${calls} may have been charged without returning a record)`
}

const titles: Readonly<Record<Verdict, readonly [sign: string, title: string]>> = {
  registered: ['✅', 'NOTARIZED'],
  partial: ['❌', 'PARTLY NOTARIZED'],
  failed: ['❌', 'NOT NOTARIZED'],
  'nothing-found': ['⚠️', 'NOTHING NOTARIZED'],
  'dry-run': ['🔎', 'DRY RUN, nothing was sent'],
}

/** What went wrong in a run, and where its records are. */
export interface Trouble {
  /** The most serious first. */
  readonly wrong: readonly Finding[]
  readonly steps: readonly Step[]
  /** Such as `2 records are only in the log`; empty if none are. */
  readonly onlyInLog: string
  /** What it cost: a clause. */
  readonly cost: string
}

/** Returns the first line. It begins with a cross exactly if the run fails. */
export function describeVerdict(
  ranked: readonly Artifact[],
  verdict: Verdict,
  { wrong, steps, onlyInLog }: Trouble,
): string {
  const { total, registered, failed } = countArtifacts(ranked)
  const all = pluralize(total, 'artifact')
  let [sign, title] = titles[verdict]
  if (steps.length > 0) sign = '⚠️'
  if (wrong.length > 0) sign = '❌'
  let fact = `${registered} of ${all} registered`
  const isCertain = ranked.some(({ outcome }) => stateOf(outcome) === states.failed)
  if (verdict === 'failed' && !isCertain) {
    title = 'NOT CONFIRMED'
    fact = `${registered} of ${all} known to be registered`
  }
  if (verdict === 'dry-run') {
    fact = `${ranked.filter(isPlanned).length} of ${all} would be registered`
  }
  if (total === 0) fact = `${all} found`
  const facts = [fact]
  const causes = [...new Set(wrong.map(({ cause }) => cause))]
  if (verdict === 'registered' && causes.length > 0) {
    title += `, but ${causes.slice(0, 2).join(', and ')}`
  } else if (failed === 0) facts.push(...causes)
  if (onlyInLog !== '') facts.push(onlyInLog)
  return `${sign} ${title}: ${facts.join(', ')}`
}

const maxCauseLength = 150

/** Returns the annotation of a run that failed: how many failed and why, what it cost, where records are, and the first step. */
export function describeFailedRun(
  artifacts: readonly Artifact[],
  verdict: Verdict,
  { wrong, steps, onlyInLog, cost }: Trouble,
): string {
  const { total, registered, failed } = countArtifacts(artifacts)
  const all = pluralize(total, 'artifact')
  const first = wrong.find(({ observed }) => !observed.startsWith(untried)) ?? wrong[0]
  let cause = cut(first === undefined ? '' : summarize(first.cause, first.observed), maxCauseLength)
  const others = new Set(wrong.map(finding => finding.cause)).size - 1
  if (others > 0) cause += `, and ${pluralize(others, 'other cause')}`
  let fact = `${registered} of ${all} registered, but ${cause}`
  if (failed > 0) fact = `${failed} of ${all} failed: ${cause}`
  else if (total === 0) fact = `no artifacts were found, and ${cause}`
  else if (verdict === 'dry-run') fact = `nothing was sent, and ${cause}`
  const step = `step 1 of ${steps.length}: ${steps[0]?.next ?? ''}`
  return toSentences([fact, cost, onlyInLog, step])
}
