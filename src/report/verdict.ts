import type { Failure } from '../failure.ts'
import type { Result } from '../outcome.ts'
import { counted } from '../text/words.ts'
import { isKnownToService } from './explain.ts'
import type { Troubles } from './troubles.ts'

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
  /** Failed ones that a later run may register by itself. */
  readonly deferrable: number
  /** Those that a dry run would register. */
  readonly planned: number
  /** Planned ones that an earlier run sent and has no record of. */
  readonly open: number
  /** Those that a dry run would not send, as their record contradicts its request. */
  readonly held: number
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
    deferrable: countFailed(failure => failure.isDeferrable),
    planned: count(one => one.state === 'planned'),
    open: count(one => one.state === 'planned' && one.open !== null),
    held: count(one => one.state === 'held'),
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

/** The exit code of a run that did not stop. */
export function decideExitCode(verdict: Verdict, { failed }: Counts, troubles: Troubles): 0 | 1 {
  if (troubles.length > 0) return 1
  return failed === 0 || verdict === 'deferred' ? 0 : 1
}

/** The verdict in one line, for log and summary; it begins with a cross if the run fails, and only then. */
export function formatVerdict(verdict: Verdict, counts: Counts, troubles: Troubles): string {
  const shorts = troubles.map(({ short }) => short)
  const [sign, text] = headline(verdict, counts)
  if (decideExitCode(verdict, counts, troubles) === 0) return `${sign} ${text}`
  if (verdict !== 'registered') return [`❌ ${text}`, ...shorts].join('; ')
  return `❌ NOTARIZED, but ${shorts.join(', and ')}: ${formatRegistered(counts)}`
}

/** The first line of a run that passes, as sign and text. */
function headline(verdict: Verdict, counts: Counts): readonly [sign: string, text: string] {
  const { failed, knownToService } = counts
  const registered = formatRegistered(counts)
  const text = `${registered}; ${formatFailed(counts)}`
  switch (verdict) {
    case 'dry-run':
      return ['🔎', `DRY RUN, nothing was sent: ${formatPlanned(counts)}`]
    case 'nothing-found':
      return ['⚠️', 'NOTHING NOTARIZED: no artifact was found']
    case 'registered':
      return ['✅', `NOTARIZED: ${registered}`]
    case 'deferred':
      return ['⚠️', `DEFERRED, the service was unavailable: ${text}`]
    case 'partial':
      return ['❌', `PARTLY NOTARIZED: ${text}`]
    case 'failed': {
      const known = `${counted(failed, 'artifact')} known to the service, but their records are not here`
      return [
        '❌',
        failed === knownToService ? `RECORDS MISSING: ${known}` : `NOT NOTARIZED: ${text}`,
      ]
    }
  }
}

/** How many are registered: `4 of 6 artifacts registered`. */
export function countRegistered({ total, registered }: Counts): string {
  return `${registered} of ${counted(total, 'artifact')} registered`
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

/** How many failed: `2 of 6 artifacts failed, 1 of them may be registered`; `of` follows the number. */
export function formatFailed({ failed, unknown, knownToService }: Counts, of = ''): string {
  const mayBe =
    unknown === failed ? ' and may be registered' : `, ${unknown} of them may be registered`
  const known = `, ${knownToService} of them known to the service, but not recorded here`
  return `${failed}${of} failed${unknown > 0 ? mayBe : ''}${knownToService > 0 ? known : ''}`
}

function formatPlanned({ total, registered, planned, open, held, failed }: Counts): string {
  const facts = [`${planned} of ${counted(total, 'artifact')} would be registered`]
  if (open > 0) facts.push(`${open} of them may have been registered by an earlier run`)
  facts.push(`${registered} known before`)
  if (held > 0) facts.push(`${held} not sent until settled`)
  if (failed > 0) facts.push(`${failed} could not be hashed`)
  return facts.join(', ')
}
