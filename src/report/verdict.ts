import type { Failure } from '../failure.ts'
import type { Halt } from '../halt.ts'
import type { Registered, Result } from '../outcome.ts'
import type { Attachment } from '../release/open.ts'
import { cut } from '../text/escape.ts'
import { counted } from '../text/words.ts'
import { makeRoom } from './deliver.ts'
import type { Explanation } from './explain.ts'

/** Numbers of artifacts. */
export type Counts = Readonly<ReturnType<typeof countResults>>

/** Counts results. */
export function countResults(results: readonly Result[]) {
  const count = (isOne: (outcome: Result['outcome']) => boolean): number =>
    results.filter(({ outcome }) => isOne(outcome)).length
  const countFresh = (isOne: (outcome: Registered) => boolean): number =>
    count(one => one.state === 'registered' && one.from === 'this-run' && isOne(one))
  const countFailed = (isOne: (failure: Failure) => boolean): number =>
    count(one => one.state === 'failed' && isOne(one.failure))
  return {
    /** The sum of `registered` and `failed`, except in a dry run. */
    total: results.length,
    registered: count(({ state }) => state === 'registered'),
    newlyRegistered: countFresh(() => true),
    /** Registered by this run after tries whose answer was lost. */
    chargedAgain: countFresh(({ unansweredTries }) => unansweredTries > 0),
    failed: countFailed(() => true),
    /** Failed ones that may be registered all the same. */
    unknown: countFailed(({ registered }) => registered === 'unknown'),
    /** Failed ones that a later run may register by itself. */
    deferrable: countFailed(({ isDeferrable }) => isDeferrable),
    /** Those that a dry run would register. */
    planned: count(({ state }) => state === 'planned'),
    /** Those of them that an earlier run sent and read no answer for. */
    open: count(one => one.state === 'planned' && one.open !== null),
    /** Those that a dry run would not send again, as a line of the records file needs a person. */
    held: count(({ state }) => state === 'held'),
  }
}

/** The answer to "is it notarized?", as an output. */
export type Verdict =
  'registered' | 'partial' | 'failed' | 'nothing-found' | 'dry-run' | 'deferred' | 'stopped'

/** The verdict of a run that did not stop: it follows the counts alone. */
export function decideVerdict(
  { total, registered, failed, deferrable }: Counts,
  inputs: { readonly isDryRun: boolean; readonly ifServiceUnavailable: 'error' | 'warn' },
): Verdict {
  if (inputs.isDryRun) return 'dry-run'
  if (total === 0) return 'nothing-found'
  if (failed === 0) return 'registered'
  if (failed === deferrable && inputs.ifServiceUnavailable === 'warn') return 'deferred'
  return registered === 0 ? 'failed' : 'partial'
}

/** Something that makes the run fail beside its artifacts; `short` is a clause for the first line. */
export interface Trouble extends Explanation {
  readonly short: string
}

const maxTagLength = 100

/** What is wrong beside the artifacts. */
export function findTroubles(run: {
  readonly halt: Pick<Halt, 'bug' | 'isCancelled' | 'hasUnsaved'>
  readonly isRecordsFileGone: boolean
  /** Null if nothing was to be attached. */
  readonly attachment: Attachment | null
  /** That the outputs could not be written; null if they were. */
  readonly outputsFailure: string | null
}): readonly Trouble[] {
  const { halt, isRecordsFileGone, attachment, outputsFailure } = run
  const { tag, failure } = attachment ?? { tag: '', failure: null }
  return [
    ...(halt.bug === null ? [] : [metBug(halt.bug)]),
    ...(halt.isCancelled ? [cancelled] : []),
    ...(halt.hasUnsaved ? [unsaved] : []),
    ...(isRecordsFileGone ? [recordsGone] : []),
    ...(failure === null ? [] : [notAttached(cut(tag, maxTagLength), failure)]),
    ...(outputsFailure === null ? [] : [noOutputs(outputsFailure)]),
  ]
}

const metBug = ({ code, what, remedy }: Failure): Trouble => ({
  short: 'the run met a bug in this action',
  what: `${code}: ${what}`,
  aftermath: 'the records file has every record that was read; nothing more was sent',
  remedy,
})

/** A signal came. */
export const cancelled: Trouble = {
  short: 'the run was cancelled',
  what: 'The run was cancelled by a signal',
  aftermath: 'the first line counts what is registered; nothing more was sent after the signal',
  remedy: 'run the job again with the same records file; what is registered is not sent again',
}

const unsaved: Trouble = {
  short: 'a record is not saved in the records file',
  what: 'A record could not be saved to the records file; the log shows its line',
  aftermath: 'what that line says is registered and charged, but no later run knows it',
  remedy:
    'add that line to the records file by hand before the job runs again, or it is paid for again',
}

const recordsGone: Trouble = {
  short: 'the records file was removed or cut by somebody else',
  what: 'The records file was removed or cut by somebody else while the run went on',
  aftermath: 'what the table shows is registered and charged, but no later run knows it',
  remedy:
    'save the output "records" of this step, it has what was registered; without it a later run pays again',
}

const notAttached = (tag: string, failure: string): Trouble => ({
  short: `the records are not attached to ${tag}`,
  what: `The records could not be attached to the release "${tag}": ${failure}`,
  aftermath: 'the records file has every record; nothing is lost, and nothing is charged again',
  remedy:
    'run the job again with the same records file: it attaches them and sends nothing that is registered; or attach the records file by hand',
})

const noOutputs = (failure: string): Trouble => ({
  short: 'the outputs could not be written',
  what: failure,
  aftermath: 'the records file has every record',
  remedy: `${makeRoom} with the same records file`,
})

/** The verdict in one line, for log and summary; it never contradicts the exit code. */
export function formatVerdict(
  verdict: Verdict,
  counts: Counts,
  troubles: readonly Trouble[],
): string {
  const { total, registered, newlyRegistered } = counts
  const isFine = troubles.length === 0
  const shorts = troubles.map(({ short }) => short)
  const beside = shorts.map(short => `; ${short}`).join('')
  const split = ` (${newlyRegistered} newly registered, ${registered - newlyRegistered} known before)`
  const of = `${registered} of ${counted(total, 'artifact')} registered`
  const some = registered === 0 ? of : `${of}${split}`
  if (verdict === 'dry-run') return `${formatDryRun(counts, isFine)}${beside}`
  if (verdict === 'nothing-found')
    return `${isFine ? '⚠️' : '❌'} NOTHING NOTARIZED: no artifact was found${beside}`
  if (verdict === 'registered') {
    const how = isFine ? '✅ NOTARIZED' : `⚠️ NOTARIZED, but ${shorts.join(', and ')}`
    return `${how}: ${of}${split}`
  }
  if (verdict === 'deferred' && isFine)
    return `⚠️ NOT NOTARIZED: deferred; ${some}; the service was not available: ${formatFailed(counts)}`
  return `❌ ${registered === 0 ? 'NOT' : 'PARTLY'} NOTARIZED: ${some}; ${formatFailed(counts)}${beside}`
}

function formatDryRun(counts: Counts, isFine: boolean): string {
  const { total, registered, planned, open, held, failed } = counts
  const them = held === 1 ? 'it' : 'them'
  return [
    `${failed === 0 && isFine ? '🔎' : '❌'} DRY RUN, nothing was sent: `,
    `${planned} of ${counted(total, 'artifact')} would be registered`,
    open === 0 ? '' : ` (${open} may have been registered by an earlier run)`,
    `, ${registered} known before`,
    held === 0 ? '' : `, ${held} not sent again until a person has settled ${them}`,
    failed === 0 ? '' : `, ${failed} could not be hashed`,
  ].join('')
}

/** How many failed, and how many of them may be registered: `1 failed and may be registered`; `of` follows the number. */
export function formatFailed({ failed, unknown }: Counts, of = ''): string {
  if (unknown === 0) return `${failed}${of} failed`
  const mayBe = unknown === failed ? ' and' : `, ${unknown} of them`
  return `${failed}${of} failed${mayBe} may be registered`
}
