import type { FailureCode } from '../failure.ts'
import type { Attachment } from '../release/attach.ts'
import type { Halt } from '../runtime/halt.ts'
import { cut, quote } from '../text/escape.ts'
import { joinFirst } from '../text/words.ts'
import type { Explanation } from './explain.ts'

/** Something that makes the run fail even if every artifact is registered. */
export interface RunFailure extends Explanation {
  /** A clause for the first line. */
  readonly short: string
  /** The code of artifact failures that say the same; null if none do. */
  readonly code: FailureCode | null
}

/** The aftermath for a run that got as far as sending. */
export const charged = 'everything registered is charged'

/**
 * Finds what went wrong in addition to the artifacts. `outputsFailure` is why the outputs could not be written, or null.
 * `aftermath` says what that, a bug or a signal means for the work.
 */
export function findRunFailures(
  { bug, isCancelled, unsaved, reason }: Halt,
  outputsFailure: string | null,
  aftermath: string,
): readonly RunFailure[] {
  const runFailures: RunFailure[] = []
  const add = (code: FailureCode | null, what: string, remedy: string): void => {
    const short = code === 'internal-error' ? 'there is a bug in this action' : what
    const page = `failures.md#${code ?? 'registered-but-the-run-is-red'}`
    runFailures.push({ code, short, what, aftermath, remedy, page })
  }
  // First, because its remedy comes before another run.
  if (unsaved.length > 0) runFailures.push(notSaved(unsaved))
  if (bug !== null) add(bug.code, `${bug.code}: ${bug.what}`, bug.remedy)
  if (isCancelled) add('cancelled', 'the run was cancelled', rerun)
  if (unsaved.length === 0 && reason?.code === 'not-saved') {
    add(reason.code, reason.what, reason.remedy)
  }
  if (outputsFailure !== null) add(null, outputsFailure, 'free disk space, then run the job again')
  return runFailures
}

const rerun = 'run the job again with the same records file'
const maxNames = 3

function notSaved(artifacts: readonly string[]): RunFailure {
  const names = artifacts.map(name => `"${quote(name)}"`)
  const shown = joinFirst(names, maxNames, { separator: ', ' })
  return {
    code: null,
    short: 'a record is saved only in the log',
    what: `the record of ${shown} is only in the log, because the records file could not be written`,
    aftermath: 'it is registered and charged, but the next run cannot know that',
    remedy:
      'copy its line from the log to the records file before you run the job again, or you pay again',
    page: 'failures.md#not-saved',
  }
}

const maxTagLength = 100

/** Explains why the release is not complete; null if it is. */
export function explainAttachment(attachment: Attachment | null): RunFailure | null {
  if (attachment?.failure == null) return null
  const { tag, failure, hasPrintedLines } = attachment
  const name = cut(tag, maxTagLength)
  if (!hasPrintedLines) {
    const what = `the release "${name}" is not complete: ${failure}`
    const short = `the release ${name} is not complete`
    const remedy = 'find out what changed the release, then run the job again'
    return { code: null, short, what, aftermath: charged, remedy, page: 'releases.md' }
  }
  return {
    code: null,
    short: `the records are not attached to ${name}`,
    what: `the records could not be attached to "${name}": ${failure}`,
    aftermath:
      "everything registered is charged; only the log and perhaps this job's machine have the missing records",
    remedy:
      'upload their lines from the log as notarization-records-from-log.jsonl, or you pay again',
    page: 'releases.md#lines-from-the-log',
  }
}
