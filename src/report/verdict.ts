import type { Result } from '../outcome.ts'
import { pluralize } from '../text/words.ts'
import type { RunFailure } from './run-failures.ts'
import { standingOf, standings, type Standing } from './standing.ts'

/** Numbers of artifacts. */
export interface Counts {
  /** The sum of `registered` and `failed`, except in a dry run. */
  readonly total: number
  readonly registered: number
  readonly newlyRegistered: number
  readonly failed: number
  /** Failed artifacts that a later run may register without a fix. */
  readonly deferrable: number
  /** The standing of each artifact. */
  readonly standings: readonly Standing[]
}

export function countResults(results: readonly Result[]): Counts {
  const outcomes = results.map(({ outcome }) => outcome)
  const registered = outcomes.filter(outcome => outcome.state === 'registered')
  const failed = outcomes.filter(outcome => outcome.state === 'failed')
  return {
    total: outcomes.length,
    registered: registered.length,
    newlyRegistered: registered.filter(({ from }) => from === 'this-run').length,
    failed: failed.length,
    deferrable: failed.filter(({ failure }) => failure.isDeferrable).length,
    standings: outcomes.map(standingOf),
  }
}

function countOf(counts: Counts, standing: Standing): number {
  return counts.standings.filter(item => item === standing).length
}

/** The output `verdict` of a run that was not stopped. */
export type Verdict = 'registered' | 'partial' | 'failed' | 'nothing-found' | 'dry-run' | 'deferred'

/** Decides the verdict by the counts alone: saving and attaching do not change it. */
export function decideVerdict(
  { total, registered, failed, deferrable }: Counts,
  inputs: { readonly dryRun: boolean; readonly ifServiceUnavailable: 'error' | 'warn' },
): Verdict {
  if (inputs.dryRun) return 'dry-run'
  if (total === 0) return 'nothing-found'
  if (failed === 0) return 'registered'
  if (failed === deferrable && inputs.ifServiceUnavailable === 'warn') return 'deferred'
  return registered === 0 ? 'failed' : 'partial'
}

/** Whether the run fails: with any run failure, or with a failed artifact unless the run is deferred. */
export function isRed(
  verdict: Verdict,
  counts: Counts,
  runFailures: readonly RunFailure[],
): boolean {
  return runFailures.length > 0 || (counts.failed > 0 && verdict !== 'deferred')
}

/** Formats the first line of the summary; it begins with a cross only if the run fails. */
export function formatVerdict(
  verdict: Verdict,
  counts: Counts,
  runFailures: readonly RunFailure[],
): string {
  const line = headline(verdict, counts)
  if (!isRed(verdict, counts, runFailures)) return line
  const shorts = runFailures.map(({ short }) => short)
  if (verdict !== 'registered') return [line.replace(/^\S+/, '❌'), ...shorts].join('; ')
  return `❌ NOTARIZED, but ${shorts.join(', and ')}: ${formatRegistered(counts)}`
}

function headline(verdict: Verdict, counts: Counts): string {
  const { failed } = counts
  const known = countOf(counts, 'known') + countOf(counts, 'probable')
  const sign = countOf(counts, 'charged-again') > 0 ? '⚠️' : '✅'
  const text = `${formatRegistered(counts)}; ${formatFailed(counts)}`
  switch (verdict) {
    case 'dry-run':
      return `🔎 DRY RUN, nothing was sent: ${formatPlanned(counts)}`
    case 'nothing-found':
      return '⚠️ NOTHING NOTARIZED: no artifact was found, so nothing was sent'
    case 'registered':
      return `${sign} NOTARIZED: ${formatRegistered(counts)}`
    case 'deferred':
      return `⚠️ DEFERRED, the service was unavailable: ${text}`
    case 'partial':
      return `❌ PARTLY NOTARIZED: ${text}`
    case 'failed':
      if (known === failed) {
        return `❌ RECORDS MISSING: the service says that ${pluralize(failed, 'artifact is', 'artifacts are')} already registered`
      }
      return `❌ ${countOf(counts, 'failed') < failed ? 'NOT CONFIRMED' : 'NOT NOTARIZED'}: ${text}`
  }
}

/** Formats how many are registered: `4 of 6 artifacts registered`. */
export function countRegistered({ total, registered }: Counts): string {
  return `${registered} of ${pluralize(total, 'artifact')} registered`
}

function formatRegistered(counts: Counts): string {
  const { registered, newlyRegistered } = counts
  const text = countRegistered(counts)
  if (registered === 0) return text
  const facts = [`${newlyRegistered} new, ${registered - newlyRegistered} from earlier runs`]
  const chargedAgain = countOf(counts, 'charged-again')
  if (chargedAgain > 0) facts.push(`${chargedAgain} may have been charged more than once`)
  return `${text} (${facts.join('; ')})`
}

const failedStandings = ['uncertain', 'probable', 'known', 'failed'] as const

/** Formats how many failed, with `total` after the number: `2 of 6 artifacts failed (…)`. */
export function formatFailed(counts: Counts, total = ''): string {
  const parts: string[] = []
  for (const standing of failedStandings) {
    const count = countOf(counts, standing)
    const words = standings[standing].replace(/^\S+ /, '')
    if (count === counts.failed) return `${count}${total} failed (${words})`
    if (count > 0) parts.push(`${count} ${words}`)
  }
  return `${counts.failed}${total} failed (${parts.join(', ')})`
}

function formatPlanned(counts: Counts): string {
  const { total, registered, failed } = counts
  const open = countOf(counts, 'open')
  const contradicted = countOf(counts, 'contradicted')
  const planned = countOf(counts, 'planned') + open
  const facts = [`${planned} of ${pluralize(total, 'artifact')} would be registered`]
  if (open > 0) facts.push(`${open} of them may have been registered by an earlier run`)
  facts.push(`${registered} registered before`)
  if (contradicted > 0) facts.push(`${contradicted} not sent until settled`)
  if (failed > 0) facts.push(`${failed} could not be hashed`)
  return facts.join(', ')
}

/** Warns about a run that passes although the service was unavailable. */
export function formatDeferral(counts: Counts): string {
  const count = formatFailed(counts, ` of ${pluralize(counts.total, 'artifact')}`)
  return `Deferred: ${count}, because the service was unavailable. Finish this before you publish the release: an immutable release takes no more files`
}

/** Warns about registrations that may have been charged more than once; null if there are none. */
export function formatChargedAgain(counts: Counts): string | null {
  const count = countOf(counts, 'charged-again')
  if (count === 0) return null
  const artifacts = pluralize(count, 'artifact is', 'artifacts are')
  return `${artifacts} registered but may have been charged more than once, because an earlier call got no answer; check what the service charged`
}
