import type { Failure } from '../failure.ts'
import type { Attachment } from '../release/attach.ts'
import type { Halt } from '../runtime/halt.ts'
import { cut, quote } from '../text/escape.ts'
import { joinFirst } from '../text/words.ts'
import type { Explanation } from './explain.ts'

/** Something that makes the run fail whatever became of its artifacts. */
export interface RunFailure extends Explanation {
  /** A clause for the first line. */
  readonly short: string
}

/**
 * What went wrong beside the artifacts. `aftermath` says of a bug, a signal and outputs that could not be written
 * (`outputsFailure`; null if they were) what that means for the work.
 */
export function findRunFailures(
  { bug, isCancelled, unsaved, reason }: Halt,
  outputsFailure: string | null,
  aftermath: string,
): readonly RunFailure[] {
  // First, as what it asks for comes before another run.
  const runFailures: RunFailure[] = unsaved.length > 0 ? [notSaved(unsaved)] : []
  const add = (what: string, remedy: string, section: string): void => {
    runFailures.push({ short: what, what, aftermath, remedy, page: `failures.md#${section}` })
  }
  if (bug !== null) add(`${bug.code}: ${bug.what}`, bug.remedy, bug.code)
  if (isCancelled) add('the run was cancelled', again, 'cancelled')
  if (unsaved.length === 0 && reason?.code === 'not-saved') {
    add(reason.what, reason.remedy, reason.code)
  }
  if (outputsFailure !== null) {
    const remedy = 'free disk space, then run the job again'
    add(outputsFailure, remedy, 'registered-but-the-run-is-red')
  }
  return runFailures
}

/** Whether a failure says the same as a runFailure, as of a run that was cancelled. */
export function isCoveredBy(failure: Failure, { what }: RunFailure): boolean {
  return what.endsWith(failure.what)
}

const again = 'run the job again: what has a record is not paid for again'
const maxNames = 3

function notSaved(artifacts: readonly string[]): RunFailure {
  const names = artifacts.map(name => `"${quote(name)}"`)
  const shown = joinFirst(names, maxNames, { separator: ', ' })
  return {
    short: 'a record is not saved, only in the log',
    what: `only the log of this step has the record of ${shown}, as the records file could not be written`,
    aftermath: 'it is registered and charged, but the next run does not know',
    remedy: 'append the line to the records file before the next run, or it pays again',
    page: 'failures.md#not-saved',
  }
}

/** What other runFailure means for the work of a run. */
export function describeAftermath({ unsaved }: Halt): string {
  if (unsaved.length > 0) return 'what is registered is charged'
  return 'what is registered is charged, and its record is saved'
}

const maxTagLength = 100

/** What keeps a release from being complete, if anything does. */
export function findAttachFailures(
  attachment: Attachment | null,
  aftermath: string,
): readonly RunFailure[] {
  if (attachment?.failure == null) return []
  const { tag, failure, hasPrintedLines } = attachment
  const name = cut(tag, maxTagLength)
  if (!hasPrintedLines) {
    const what = `the release "${name}" is not complete: ${failure}`
    const short = `the release ${name} is not complete`
    const remedy = `check the release, then ${again}`
    return [{ short, what, aftermath, remedy, page: 'releases.md' }]
  }
  return [
    {
      short: `the records are not attached to ${name}`,
      what: `the records could not be attached to "${name}": ${failure}`,
      aftermath:
        "what is registered is charged; the missing lines are in the log, and this job's machine may be the only other place that has them",
      remedy:
        'upload these lines to the release as notarization-records-from-log.jsonl, or the next run pays again',
      page: 'releases.md#lines-from-the-log',
    },
  ]
}
