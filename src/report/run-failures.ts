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
  /** Why, as a clause for the annotation; null if `short` says it. */
  readonly reason: string | null
  /** The code of artifact failures that repeat this; null if none do. */
  readonly code: FailureCode | null
  /** Whether another run would pay again unless the remedy comes first. */
  readonly blocksRerun: boolean
}

/** The aftermath of a run that could send. */
export const charged = 'everything registered is charged'

/** Finds what went wrong apart from the artifacts; `aftermath` says what that means. */
export function findRunFailures(
  { bug, isCancelled, unsaved, reason }: Halt,
  outputsFailure: string | null,
  aftermath: string,
): readonly RunFailure[] {
  const runFailures: RunFailure[] = []
  const add = (code: FailureCode | null, what: string, remedy: string): void => {
    const page = `failures.md#${code ?? 'registered-but-the-run-is-red'}`
    const explanation = { what, aftermath, remedy, page }
    runFailures.push({ ...explanation, short: what, reason: null, code, blocksRerun: false })
  }
  if (unsaved.length > 0) runFailures.push(notSaved(unsaved))
  if (bug !== null) add(bug.code, `${bug.code}: ${bug.what}`, bug.remedy)
  if (isCancelled) add('cancelled', 'the run was cancelled', rerun)
  if (unsaved.length === 0 && reason?.code === 'not-saved') {
    add(reason.code, reason.what, reason.remedy)
  }
  if (outputsFailure !== null) add(null, outputsFailure, 'fix that, then run the job again')
  return runFailures
}

const rerun = 'run the job again with the same records file'
const maxNames = 3

function notSaved(artifacts: readonly string[]): RunFailure {
  const names = artifacts.map(name => `"${quote(name)}"`)
  const shown = joinFirst(names, maxNames, { separator: ', ' })
  return {
    code: null,
    blocksRerun: true,
    short: 'a record is only in the log',
    reason: null,
    what: `the record of ${shown} is only in the log, because the records file could not be written`,
    aftermath: 'the service answered, so it is probably charged, but the next run cannot know that',
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
  const [reason = ''] = failure.split('; ')
  const common = { code: null, reason, blocksRerun: hasPrintedLines }
  if (!hasPrintedLines) {
    const what = `the release "${name}" is not complete: ${failure}`
    const short = `the release ${name} is not complete`
    const remedy = 'find out what changed the release, then run the job again'
    return { ...common, short, what, aftermath: charged, remedy, page: 'releases.md' }
  }
  return {
    ...common,
    short: `the records are not attached to ${name}`,
    what: `the records could not be attached to "${name}": ${failure}`,
    aftermath:
      "everything registered is charged; only the log and perhaps this job's machine have the missing records",
    remedy:
      'upload their lines from the log as notarization-records-from-log.jsonl, or you pay again',
    page: 'releases.md#lines-from-the-log',
  }
}
