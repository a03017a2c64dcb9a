/** Says in one line each how a run ended, what it cost, and what is wrong; pure. */
import { isRegistered, type Artifact } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { cut } from '../text/escape.ts'
import { pluralize, toSentence } from '../text/phrases.ts'
import type { Finding } from './findings.ts'
import type { Step } from './report.ts'
import type { CompletedRun } from './run-end.ts'
import {
  countArtifacts,
  countHashes,
  countStates,
  states,
  type State,
  type Verdict,
} from './states.ts'

/** Says what this attempt was charged for, for certain and at most. */
export function describeCost(
  { artifacts, doubtCount }: CompletedRun,
  service: string,
  host: Host,
): string {
  const own = artifacts.filter(isRegistered).filter(({ outcome }) => outcome.from === 'this-run')
  const least = countHashes(own)
  if (least + doubtCount === 0) return nothingCharged(service, host)
  const scope = host.environment.attempt > 1 ? 'Charged in this attempt' : 'Charged'
  const most = least + doubtCount
  if (doubtCount === 0) return `${scope}: ${pluralize(least, 'registration')}, by ${service}`
  const why = `${pluralize(doubtCount, 'call')} may have been charged without a record`
  return `${scope}: ${least} to ${pluralize(most, 'registration')}, by ${service} (${why})`
}

export function nothingCharged(service: string, { environment }: Host): string {
  const scope = environment.attempt > 1 ? 'Charged in this attempt' : 'Charged'
  return `${scope}: nothing, by ${service}`
}

const titles: Readonly<Record<Verdict, readonly [string, string]>> = {
  registered: ['✅', 'NOTARIZED'],
  partial: ['❌', 'PARTLY NOTARIZED'],
  failed: ['❌', 'NOT NOTARIZED'],
  'nothing-found': ['⚠️', 'NOTHING NOTARIZED'],
  'dry-run': ['🔎', 'DRY RUN, nothing was sent'],
}

/** What the first line says if it goes for all artifacts. */
const counted: ReadonlyMap<State, string> = new Map<State, string>([
  [states.unsure, 'may be registered'],
  [states.known, 'without a record (409)'],
  [states.chargedAgain, 'maybe charged more than once'],
])

/** Returns the first line; it begins with a cross exactly if the run fails. */
export function describeVerdict(
  ranked: readonly Artifact[],
  verdict: Verdict,
  {
    end,
    wrong,
    hasMore,
  }: {
    readonly end: CompletedRun
    readonly wrong: readonly Finding[]
    readonly hasMore: boolean
  },
): string {
  const { total, registered, failed: failedCount } = countArtifacts(ranked)
  const counts = countStates(ranked)
  const all = pluralize(total, 'artifact')
  let [sign, title] = titles[verdict]
  if (hasMore) sign = '⚠️'
  if (wrong.length > 0) sign = '❌'
  let fact = `${registered} of ${all} registered`
  if (verdict === 'failed' && !counts.has(states.failed)) {
    title = 'NOT CONFIRMED'
    fact = `${registered} of ${all} known to be registered`
  }
  if (verdict === 'dry-run') {
    const planned = (counts.get(states.planned) ?? 0) + (counts.get(states.inDoubt) ?? 0)
    fact = `${planned} of ${all} would be registered`
  }
  if (total === 0) fact = `${all} found`
  const facts = [fact]
  // Several states are counted below.
  const [only] = counts.keys()
  const words = counts.size === 1 && only !== undefined ? counted.get(only) : undefined
  if (words !== undefined) facts.push(`${total} ${words}`)
  const causes = [...new Set(wrong.map(({ cause }) => cause))]
  if (verdict === 'registered' && causes.length > 0) {
    title += `, but ${causes.slice(0, 2).join(', and ')}`
  } else if (failedCount === 0) facts.push(...causes)
  facts.push(...describeOnlyInLog(end))
  return `${sign} ${title}: ${facts.join(', ')}`
}

/** Says how many records are only in the log; nothing if none are. */
export function describeOnlyInLog({ artifacts, place, unsaved }: CompletedRun): readonly string[] {
  let count = unsaved.length
  if (place.kind === 'log') count = countHashes(artifacts.filter(isRegistered))
  if (count === 0) return []
  return [`${pluralize(count, 'record is', 'records are')} only in the log`]
}

const maxCauseLength = 100

/** Returns the annotation of a failed run: how many failed and why, what it cost, where records are, and the first step. */
export function describeError(
  ranked: readonly Artifact[],
  {
    end,
    wrong,
    first,
    steps,
    cost,
  }: {
    readonly end: CompletedRun
    readonly wrong: readonly Finding[]
    readonly first: Finding
    readonly steps: readonly Step[]
    readonly cost: string
  },
): string {
  const { total, registered, failed: failedCount } = countArtifacts(ranked)
  const all = pluralize(total, 'artifact')
  let cause = cut(first.short, maxCauseLength)
  const others = new Set(wrong.map(({ cause: text }) => text)).size - 1
  if (others > 0) cause += `, and for ${pluralize(others, 'other reason')}`
  let fact = `${registered} of ${all} registered, but ${cause}`
  if (failedCount > 0) fact = `${failedCount} of ${all} failed: ${cause}`
  else if (total === 0) fact = `no artifacts were found, and ${cause}`
  const [step] = steps
  const clauses = [fact, cost, ...describeOnlyInLog(end)]
  if (step !== undefined) clauses.push(`step 1 of ${steps.length}: ${step.next}`)
  return clauses.map(toSentence).join(' ')
}
