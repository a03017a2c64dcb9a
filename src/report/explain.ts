import type { Failure } from '../failure.ts'
import type { Result } from '../outcome.ts'
import { maxMessageLength, quote } from '../text/escape.ts'

/** The three answers about something that went wrong; clauses without a full stop. */
export interface Explanation {
  /** What happened, the likely cause first. */
  readonly what: string
  /** Whether anything is registered or charged. */
  readonly aftermath: string
  /** What to do next. */
  readonly remedy: string
  /** The page of the docs. */
  readonly page: string
}

const nothing = 'nothing was registered or charged for it'
const unknown = 'it may be registered and charged'
const unsettled = 'it may be registered and charged, and is not sent again until you settle it'
const known = 'the service says that it is registered; this run was not charged for it'
const knownByLostCall =
  'it is probably registered and charged, by an earlier call whose answer was lost'
const addRecord = 'add its record to the records file'

/** The answers about a failure: put together here alone, the same in log, outputs, annotation and summary. */
export function explain(failure: Failure): Explanation {
  const { code, what, remedy, registered } = failure
  const page = `failures.md#${code}`
  const isKnown = isKnownToService(failure)
  if (registered === 'no') return { what, aftermath: isKnown ? known : nothing, remedy, page }
  const settling = 'records.md#settle-an-open-hash'
  if (code === 'record-mismatch') return { what, aftermath: unsettled, remedy, page: settling }
  // No other run has its record.
  if (isKnown) return { what, aftermath: knownByLostCall, remedy: addRecord, page: settling }
  const next = `look it up at the service: if found, ${addRecord}; if not, ${remedy}`
  return { what, aftermath: unknown, remedy: next, page: settling }
}

/** The answers as one text; what happened is cut so that the remedy stays. */
export function formatExplanation({ what, aftermath, remedy }: Explanation): string {
  return `${quote(what, maxMessageLength)}; ${aftermath}; ${quote(remedy, maxMessageLength)}`
}

/** Whether the service refused a hash because it has it. What ends the run was refused for all hashes. */
export function isKnownToService({ code, status, endsRun }: Failure): boolean {
  return status === 409 && !endsRun && (code === 'refused' || code === 'request-refused')
}

/** What became of an artifact, or would, in words, with a sign to find it by. */
export function describeState(outcome: Result['outcome']): string {
  switch (outcome.state) {
    case 'planned':
      if (outcome.open === null) return '🔎 would be registered'
      return '⚠️ would be sent again, may be registered already'
    case 'contradicted':
      return '⚠️ would not be sent, its record has problems'
    case 'registered': {
      const state = outcome.from === 'this-run' ? 'registered' : 'registered before'
      if (!outcome.maybeChargedAgain) return `✅ ${state}`
      return `⚠️ ${state}, may have been charged more than once`
    }
    case 'failed':
      if (isKnownToService(outcome.failure)) return '❓ known to the service'
      if (outcome.failure.registered === 'unknown') return '❓ may be registered'
      return '❌ not registered'
  }
}
