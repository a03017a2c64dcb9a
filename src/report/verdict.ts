import type { Halt } from '../halt.ts'
import { isFailed, isRegistered, type Result } from '../outcome.ts'
import type { Attachment } from '../release/open.ts'
import { cut } from '../text/escape.ts'
import { counted } from '../text/words.ts'
import type { Explanation } from './explain.ts'

/** Numbers of artifacts. */
export type Counts = Readonly<ReturnType<typeof countResults>>

/** Counts results. */
export function countResults(results: readonly Result[]) {
  const registered = results.filter(isRegistered).map(({ outcome }) => outcome)
  const fresh = registered.filter(({ from }) => from === 'this-run')
  const failures = results.filter(isFailed).map(({ outcome }) => outcome.failure)
  const planned = results.map(({ outcome }) => outcome).filter(one => one.state === 'planned')
  return {
    /** The sum of `registered` and `failed`, except in a dry run. */
    total: results.length,
    registered: registered.length,
    newlyRegistered: fresh.length,
    /** Registered by this run after tries whose answer was lost. */
    chargedAgain: fresh.filter(({ unansweredTries }) => unansweredTries > 0).length,
    failed: failures.length,
    /** Failed ones that may be registered all the same. */
    unknown: failures.filter(one => one.registered === 'unknown').length,
    /** Those that a dry run would register. */
    planned: planned.length,
    /** Those of them that an earlier run sent and read no answer for. */
    open: planned.filter(({ isOpen }) => isOpen).length,
    /** Those that a dry run would not send again, as a line of the records file needs a person. */
    held: results.filter(({ outcome }) => outcome.state === 'held').length,
  }
}

/** How a run went, beside its counts. `isDeferred`: only the service was not available, and the author lets that pass. */
export interface Course {
  readonly isDryRun: boolean
  readonly isDeferred: boolean
}

/** The answer to "is it notarized?", as an output: it follows the counts alone. */
export function decideVerdict(
  { total, registered, failed }: Counts,
  { isDryRun, isDeferred }: Course,
): 'registered' | 'partial' | 'failed' | 'nothing-found' | 'dry-run' | 'deferred' {
  if (isDryRun) return 'dry-run'
  if (isDeferred) return 'deferred'
  if (total === 0) return 'nothing-found'
  if (failed === 0) return 'registered'
  return registered === 0 ? 'failed' : 'partial'
}

/** Something that makes the run fail beside its artifacts; `short` is a clause for the first line. */
export interface Trouble extends Explanation {
  readonly short: string
}

const maxTagLength = 100

/** What is wrong beside the artifacts. */
export function findTroubles(run: {
  readonly halt: Pick<Halt, 'isCancelled' | 'hasUnsaved'>
  readonly isRecordsFileGone: boolean
  /** Null if nothing was to be attached. */
  readonly attachment: Attachment | null
  /** Why the outputs could not be written; null if they were. */
  readonly outputsFailure: string | null
}): readonly Trouble[] {
  const { halt, isRecordsFileGone, attachment, outputsFailure } = run
  const tag = cut(attachment?.tag ?? '', maxTagLength)
  const failure = attachment?.failure ?? null
  return [
    ...(halt.isCancelled ? [cancelled] : []),
    ...(halt.hasUnsaved ? [unsaved] : []),
    ...(isRecordsFileGone ? [recordsGone] : []),
    ...(failure === null ? [] : [notAttached(tag, failure)]),
    ...(outputsFailure === null ? [] : [noOutputs(outputsFailure)]),
  ]
}

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
  what: `The outputs could not be written (${failure})`,
  aftermath: 'the records file has every record',
  remedy: 'make room on the machine, then run the job again with the same records file',
})

/** The answer in one line, for log and summary; it never contradicts the exit code. */
export function formatVerdict(
  counts: Counts,
  { isDryRun, isDeferred, troubles }: Course & { readonly troubles: readonly Trouble[] },
): string {
  const { total, registered, newlyRegistered, failed } = counts
  const isFine = troubles.length === 0
  const shorts = troubles.map(({ short }) => short)
  const beside = shorts.map(short => `; ${short}`).join('')
  if (isDryRun) return `${formatDryRun(counts, isFine)}${beside}`
  if (total === 0) {
    return `${isFine ? '⚠️' : '❌'} NOTHING NOTARIZED: no artifact was found${beside}`
  }
  const of = `${registered} of ${counted(total, 'artifact')} registered`
  const split = ` (${newlyRegistered} newly registered, ${registered - newlyRegistered} known before)`
  if (failed === 0 && isFine) return `✅ NOTARIZED: ${of}${split}`
  if (failed === 0) return `⚠️ NOTARIZED, but ${shorts.join(', and ')}: ${of}${split}`
  const some = registered === 0 ? '' : split
  if (isDeferred && isFine) {
    const mayBe = formatUnknown(counts, [', which may be registered', 'of which'])
    return `⚠️ NOT NOTARIZED: deferred; ${of}${some}; the service was not available for ${failed}${mayBe}`
  }
  return `❌ ${registered === 0 ? 'NOT' : 'PARTLY'} NOTARIZED: ${of}${some}; ${formatFailed(counts)}${beside}`
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
export function formatFailed(counts: Counts, of = ''): string {
  return `${counts.failed}${of} failed${formatUnknown(counts, [' and may be registered', 'of them'])}`
}

function formatUnknown(
  { failed, unknown }: Counts,
  [all, of]: readonly [all: string, of: string],
): string {
  if (unknown === 0) return ''
  return unknown === failed ? all : `, ${unknown} ${of} may be registered`
}
