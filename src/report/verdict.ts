import type { Failure } from '../failure.ts'
import type { Result } from '../outcome.ts'
import { pluralize } from '../text/words.ts'
import { isKnownToService } from './explain.ts'
import type { RunFailure } from './run-failures.ts'

/** Numbers of artifacts. */
export interface Counts {
  /** The sum of `registered` and `failed`, except in a dry run. */
  readonly total: number
  readonly registered: number
  readonly newlyRegistered: number
  /** Registered ones that may have been charged more than once. */
  readonly maybeChargedAgain: number
  readonly failed: number
  /** Failed ones that may be registered. */
  readonly unknown: number
  /** Failed ones that the service refused because it has them. */
  readonly knownToService: number
  /** Those of them that may be registered by a call of this run, or of an earlier one. */
  readonly knownAfterLoss: number
  /** Failed ones that a later run may register by itself. */
  readonly deferrable: number
  /** Those that a dry run would register. */
  readonly planned: number
  /** Planned ones that an earlier run sent and has no record of. */
  readonly open: number
  /** Those that a dry run would not send, as their record contradicts its request. */
  readonly contradicted: number
}

/** Counts results. */
export function countResults(results: readonly Result[]): Counts {
  const count = (is: (outcome: Result['outcome']) => boolean): number =>
    results.filter(({ outcome }) => is(outcome)).length
  const countFailed = (is: (failure: Failure) => boolean): number =>
    count(one => one.state === 'failed' && is(one.failure))
  return {
    total: results.length,
    registered: count(one => one.state === 'registered'),
    newlyRegistered: count(one => one.state === 'registered' && one.from === 'this-run'),
    maybeChargedAgain: count(one => one.state === 'registered' && one.maybeChargedAgain),
    failed: countFailed(() => true),
    unknown: countFailed(failure => failure.registered === 'unknown'),
    knownToService: countFailed(isKnownToService),
    knownAfterLoss: countFailed(one => isKnownToService(one) && one.registered === 'unknown'),
    deferrable: countFailed(failure => failure.isDeferrable),
    planned: count(one => one.state === 'planned'),
    open: count(one => one.state === 'planned' && one.open !== null),
    contradicted: count(one => one.state === 'contradicted'),
  }
}

/** The answer to "is it notarized?", as an output; a run that did not get as far is `stopped`. */
export type Verdict = 'registered' | 'partial' | 'failed' | 'nothing-found' | 'dry-run' | 'deferred'

/** The verdict follows the counts alone: saving and attaching do not change it. */
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

/** Whether a run fails: with any run failure, and with a failure that is not deferred. */
export function isRed(
  verdict: Verdict,
  counts: Counts,
  runFailures: readonly RunFailure[],
): boolean {
  return runFailures.length > 0 || (counts.failed > 0 && verdict !== 'deferred')
}

/** The verdict for log and summary; it begins with a cross if the run fails, and only then. */
export function formatVerdict(
  verdict: Verdict,
  counts: Counts,
  runFailures: readonly RunFailure[],
): string {
  const shorts = runFailures.map(({ short }) => short)
  const sign = counts.maybeChargedAgain > 0 ? '⚠️' : signs[verdict]
  if (!isRed(verdict, counts, runFailures)) return `${sign} ${headline(verdict, counts)}`
  if (verdict !== 'registered') return [`❌ ${headline(verdict, counts)}`, ...shorts].join('; ')
  return `❌ NOTARIZED, but ${shorts.join(', and ')}: ${formatRegistered(counts)}`
}

const signs: Readonly<Record<Verdict, string>> = {
  registered: '✅',
  'nothing-found': '⚠️',
  deferred: '⚠️',
  'dry-run': '🔎',
  partial: '❌',
  failed: '❌',
}

function headline(verdict: Verdict, counts: Counts): string {
  const { failed, knownToService } = counts
  const registered = formatRegistered(counts)
  const text = `${registered}; ${formatFailed(counts)}`
  switch (verdict) {
    case 'dry-run':
      return `DRY RUN, nothing was sent: ${formatPlanned(counts)}`
    case 'nothing-found':
      return 'NOTHING NOTARIZED: no artifact was found, so nothing was sent'
    case 'registered':
      return `NOTARIZED: ${registered}`
    case 'deferred':
      return `DEFERRED, the service was unavailable: ${text}`
    case 'partial':
      return `PARTLY NOTARIZED: ${text}`
    case 'failed':
      if (failed !== knownToService) return `NOT NOTARIZED: ${text}`
      return `RECORDS MISSING: ${pluralize(failed, 'artifact is', 'artifacts are')} known to the service, but not recorded here`
  }
}

/** How many are registered: `4 of 6 artifacts registered`. */
export function countRegistered({ total, registered }: Counts): string {
  return `${registered} of ${pluralize(total, 'artifact')} registered`
}

function formatRegistered(counts: Counts): string {
  const { registered, newlyRegistered, maybeChargedAgain } = counts
  const text = countRegistered(counts)
  if (registered === 0) return text
  const facts = [
    `${newlyRegistered} newly registered, ${registered - newlyRegistered} known before`,
  ]
  if (maybeChargedAgain > 0) facts.push(`${maybeChargedAgain} may have been charged more than once`)
  return `${text} (${facts.join('; ')})`
}

/** How many failed: `2 of 6 artifacts failed: 1 may be registered, 1 not registered`; `of` follows the number. */
export function formatFailed(counts: Counts, of = ''): string {
  const { failed, unknown, knownToService, knownAfterLoss } = counts
  const states: readonly (readonly [count: number, state: string])[] = [
    [unknown - knownAfterLoss, 'may be registered'],
    [knownAfterLoss, 'may be registered, known to the service'],
    [knownToService - knownAfterLoss, 'known to the service'],
    [failed - unknown - knownToService + knownAfterLoss, 'not registered'],
  ]
  const text = `${failed}${of} failed`
  if (unknown + knownToService === 0) return text
  const parts = states.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`)
  return `${text}: ${parts.join(', ')}`
}

function formatPlanned({ total, registered, planned, open, contradicted, failed }: Counts): string {
  const facts = [`${planned} of ${pluralize(total, 'artifact')} would be registered`]
  if (open > 0) facts.push(`${open} of them may have been registered by an earlier run`)
  facts.push(`${registered} known before`)
  if (contradicted > 0) facts.push(`${contradicted} not sent until settled`)
  if (failed > 0) facts.push(`${failed} could not be hashed`)
  return facts.join(', ')
}

/** The warning of a run that passes although the service was unavailable. */
export function formatDeferral(counts: Counts): string {
  const many = formatFailed(counts, ` of ${pluralize(counts.total, 'artifact')}`)
  return `Deferred: ${many}, because the service was unavailable. Finish this with the same records file before the release is published: no files can be added to an immutable release after that`
}

/** The warning about registrations that may have been charged more than once. */
export function formatChargedAgain({ maybeChargedAgain }: Counts): string {
  const artifacts = pluralize(maybeChargedAgain, 'artifact is', 'artifacts are')
  return `${artifacts} registered, but may have been charged more than once, because an earlier call got no answer; compare your registrations with what the service charges`
}
