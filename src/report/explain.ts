import type { Failure } from '../failure.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import { standingOfFailure } from './standing.ts'

/** The answers about something that went wrong: clauses without a full stop. */
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

const addRecord = 'add its record to the records file'

/** Explains a failure, in the same words for log, outputs, annotation and summary. */
export function explain(failure: Failure): Explanation {
  const { code, what, remedy } = failure
  const page = `failures.md#${code}`
  const settling = 'records.md#settle-an-open-hash'
  if (code === 'record-mismatch' && failure.registered === 'unknown') {
    const aftermath = 'it may be registered and charged; it is not sent again'
    return { what, aftermath, remedy, page: settling }
  }
  switch (standingOfFailure(failure)) {
    case 'failed':
      return { what, aftermath: 'nothing was registered or charged for it', remedy, page }
    case 'known': {
      const aftermath = 'the service says it is registered; this run was not charged for it'
      return { what, aftermath, remedy, page }
    }
    case 'probable': {
      // No other run has its record.
      const aftermath =
        'it is probably registered and charged by an earlier call that got no answer'
      return { what, aftermath, remedy: addRecord, page: settling }
    }
    case 'uncertain': {
      const next = `look it up at the service: if found, ${addRecord}; if not, ${remedy}`
      return { what, aftermath: 'it may be registered and charged', remedy: next, page: settling }
    }
  }
}

/** Joins the answers; what happened is truncated so that the remedy stays. */
export function formatExplanation({ what, aftermath, remedy }: Explanation): string {
  return `${quote(what, maxMessageLength)}; ${aftermath}; ${quote(remedy, maxMessageLength)}`
}

/** Shows the code of a failure with the HTTP status, if there is one. */
export function describeCode({ code, status }: Failure): string {
  return status === null ? code : `${code}, HTTP ${status}`
}
