import type { Attachment } from '../release/attach.ts'
import type { Halt } from '../runtime/halt.ts'
import { cut } from '../text/escape.ts'
import type { Explanation } from './explain.ts'

/** Something that makes the run fail whatever became of its artifacts. */
export interface Trouble extends Explanation {
  /** A clause for the first line. */
  readonly short: string
}

/** All of them. */
export type Troubles = readonly Trouble[]

/** What went wrong beside the artifacts; `outputsFailure` is null if the outputs were written. */
export function findTroubles(
  { bug, isCancelled, hasUnsavedRecord }: Halt,
  attachment: Attachment | null,
  outputsFailure: string | null,
): Troubles {
  const troubles: Trouble[] = []
  if (bug !== null) {
    troubles.push({
      short: 'a bug in this action stopped the run',
      what: `${bug.code}: ${bug.what}`,
      aftermath: 'nothing more was sent',
      remedy: bug.remedy,
      page: 'failures.md#internal-error',
    })
  }
  if (isCancelled) troubles.push(cancelled)
  if (hasUnsavedRecord) troubles.push(unsaved)
  if (attachment !== null && attachment.failure !== null) troubles.push(notAttached(attachment))
  if (outputsFailure !== null) {
    troubles.push({
      short: 'the outputs could not be written',
      what: outputsFailure,
      aftermath: 'the records file has every record',
      remedy: 'free disk space, then run the job again with the same records file',
      page: 'failures.md#registered-but-the-run-is-red',
    })
  }
  return troubles
}

/** A signal came. */
export const cancelled: Trouble = {
  short: 'the run was cancelled',
  what: 'a signal cancelled the run',
  aftermath: 'nothing was sent after the signal',
  remedy:
    'run the job again with the same records file: what is registered is not sent again, but what may be registered is',
  page: 'failures.md#cancelled',
}

const unsaved: Trouble = {
  short: 'a record is not saved, only in the log',
  what: 'a record could not be saved in the records file, so its line is in the log of this step',
  aftermath: 'what the line shows is registered and charged, but a later run does not know it',
  remedy: 'append the line to the records file before the job runs again, or it is paid for again',
  page: 'failures.md#not-saved',
}

const maxTagLength = 100

function notAttached({ tag, failure, hasPrintedLines }: Attachment): Trouble {
  const name = cut(tag, maxTagLength)
  if (!hasPrintedLines) {
    return {
      short: `the release ${name} is not complete`,
      what: `the release "${name}" is not complete: ${failure ?? ''}`,
      aftermath: 'registered as counted',
      remedy: 'correct that, then run the job again: what has a record is not sent again',
      page: 'releases.md',
    }
  }
  return {
    short: `the records are not attached to ${name}`,
    what: `the records could not be attached to "${name}": ${failure ?? ''}`,
    aftermath:
      "registered as counted; the lines that the release lacks are in the log, and this job's machine may be the only other place that has them",
    remedy:
      'upload them to the release as notarization-records-from-log.jsonl before the next run, or it pays again',
    page: 'releases.md#lines-from-the-log',
  }
}
