import type { Failure } from '../failure.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import { standingOfFailure, type FailedStanding } from './standing.ts'

/** The answers about something that went wrong: clauses without a period. */
export interface Explanation {
  /** What happened, the likely cause first. */
  readonly what: string
  /** Whether anything is registered or charged. */
  readonly aftermath: string
  /** What to do next. */
  readonly remedy: string
  /** The page of the docs, such as `failures.md#refused`. */
  readonly page: string
}

const aftermaths: Readonly<Record<FailedStanding, string>> = {
  uncertain: 'it may be registered and charged',
  probable: 'it is probably registered and charged by an earlier call that got no answer',
  known: 'the service says it is registered; this run was not charged for it',
  failed: 'nothing was registered or charged for it',
}
const addRecord = 'add its record to the records file'

/** Explains a failure, in the same words for log, outputs, annotation and summary. */
export function explain(failure: Failure): Explanation {
  const { code, what } = failure
  const standing = standingOfFailure(failure)
  const isOpen = standing === 'uncertain' || standing === 'probable'
  const page = isOpen ? 'records.md#settle-an-open-hash' : `failures.md#${code}`
  let aftermath = aftermaths[standing]
  let { remedy } = failure
  // No other run has its record.
  if (standing === 'probable') remedy = addRecord
  // The record is already here.
  if (code === 'record-mismatch') aftermath = `${aftermath}, and is not sent again until settled`
  else if (standing === 'uncertain') {
    remedy = `look up the hash at the service: if found, ${addRecord}; if not, ${remedy}`
  }
  return { what, aftermath, remedy, page }
}

/** Joins the answers; each is truncated separately, to keep the remedy. */
export function formatExplanation({ what, aftermath, remedy }: Explanation): string {
  return `${quote(what, maxMessageLength)}; ${aftermath}; ${quote(remedy, maxMessageLength)}`
}

/** Describes a failure by its code and, if there is one, its HTTP status. */
export function describeCode({ code, status }: Failure): string {
  return status === null ? code : `${code}, HTTP ${status}`
}
