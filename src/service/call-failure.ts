import { makeFailure, type Failure, type FailureCode } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { formatDuration } from '../text/time.ts'
import { readErrorText } from './error-text.ts'
import { loginOperation, type Advice, type Operation } from './operations.ts'
import { isRetryableStatus } from './retry.ts'
import type { Answer, NoAnswer, Reply } from './transport.ts'

/** A call that failed. */
export interface FailedCall {
  readonly operation: Operation
  /** The last reply. */
  readonly reply: Reply
  /** The last reply in a few words. */
  readonly replyText: string
  readonly attempts: number
  /** Whether an attempt before, or an earlier run, may have registered the hash. */
  readonly mayBeRegistered: boolean
  /** How long the service asks to wait; null if it does not. */
  readonly retryAfterMs: number | null
}

/** Whether another attempt may follow: no complete answer, or 408, 425, 429, 500, 502, 503, 504. */
export function isRetryable(reply: Reply): boolean {
  if (reply.kind === 'no-answer') return reply.cause !== 'untrusted'
  return reply.body !== null && isRetryableStatus(reply.status)
}

/** Whether the request may have been carried out: not if it was never sent, and not if it was refused with a 4xx. */
export function mayHaveActed(reply: Reply): boolean {
  return reply.kind === 'answer' ? !isWithin(reply, 400) : reply.wasSent
}

/** Whether a reply is a 2xx. */
export function isSuccess(reply: Reply): reply is Answer {
  return reply.kind === 'answer' && isWithin(reply, 200)
}

/** Whether a status is one of the hundred from `first` on. */
function isWithin({ status }: Answer, first: number): boolean {
  return status >= first && status < first + 100
}

/** The reply in a few words, such as `HTTP 503: "overloaded"`; `redact` replaces secrets. */
export function describeReply(
  reply: Reply,
  operation: Operation,
  redact: (text: string) => string,
): string {
  if (reply.kind === 'no-answer') return reply.reason
  const { status, body } = reply
  if (status === 0) return 'something that is not HTTP'
  if (body === null) return `HTTP ${status} and a body over 1 MiB`
  if (/^\s*<(?:!doctype|html)/i.test(body)) return `HTTP ${status} and an HTML page`
  if (isWithin(reply, 200)) return `HTTP ${status} and a body that is not a JSON object`
  // The answer to a login may hold the key.
  const shown = operation === loginOperation ? '' : readErrorText(body, redact)
  return shown === '' ? `HTTP ${status}` : `HTTP ${status}: "${quote(shown, 200)}"`
}

/** The failure of a call. What the attempts before the last one may have done is left to the caller. */
export function failureOf(call: FailedCall): Failure {
  const { operation, reply, replyText, attempts } = call
  const { code, cause, remedy, isDeferrable = false } = diagnose(call)
  const times = attempts > 1 ? `after ${attempts} attempts, ` : ''
  if (reply.kind === 'no-answer') {
    const what = `${cause}; ${times}${operation.name} failed`
    return makeFailure({ code, what, remedy, isDeferrable })
  }
  const what = `${cause}; ${times}${operation.name} was answered with ${replyText}`
  return makeFailure({ code, what, remedy, isDeferrable, status: reply.status })
}

interface Diagnosis extends Advice {
  readonly code: FailureCode
  readonly isDeferrable?: boolean
}

const later = 'run the job again later'
const checkUrl = 'check the input "base-url", then run the job again'
/** A longer wait that the service asks for is a mistake of it: a year, in milliseconds. */
const maxPlausibleWaitMs = 366 * 24 * 3_600_000

function diagnose({ operation, reply, mayBeRegistered, retryAfterMs }: FailedCall): Diagnosis {
  if (reply.kind === 'no-answer') return diagnoseNoAnswer(reply, operation)
  const { status, body } = reply
  if (body === null) return diagnoseUnexpectedAnswer(reply, operation)
  if (isRetryable(reply) || isWithin(reply, 500)) return diagnoseUnavailable(status, retryAfterMs)
  const { [status]: usual, other } = operation.refusals
  const advice = usual ?? other
  if (advice === undefined || !isWithin(reply, 400))
    return diagnoseUnexpectedAnswer(reply, operation)
  // What may be registered is refused for that, rather than for the usual cause.
  const isUsual = !mayBeRegistered || status === 409
  const { cause } = isUsual ? advice : (other ?? advice)
  return { code: operation.refusedCode, cause, remedy: advice.remedy }
}

function diagnoseNoAnswer({ cause, reason }: NoAnswer, operation: Operation): Diagnosis {
  const code = 'unavailable'
  if (cause === 'untrusted') {
    const remedy = 'if the service uses a private certificate authority, set NODE_EXTRA_CA_CERTS'
    return { code, cause: `the certificate of the service is not trusted (${reason})`, remedy }
  }
  const remedy =
    operation === loginOperation ? `${later}; if it persists, check the input "base-url"` : later
  return { code, cause: reason, remedy, isDeferrable: true }
}

function diagnoseUnavailable(status: number, retryAfterMs: number | null): Diagnosis {
  let cause = 'the service is unavailable'
  if (status === 429) cause = 'the rate limit of the service was reached'
  const waitMs = retryAfterMs ?? Infinity
  const wait = `run the job again in ${formatDuration(waitMs / 1000)}, as the service asks`
  const remedy = waitMs > maxPlausibleWaitMs ? later : wait
  return { code: 'unavailable', cause, remedy, isDeferrable: true }
}

/** An answer that is none of this service, or that it should never give. */
function diagnoseUnexpectedAnswer(reply: Answer, operation: Operation): Diagnosis {
  const code = 'invalid-response'
  const redirect = 'the service redirects, and redirects are not followed'
  if (operation === loginOperation) {
    const elsewhere = 'the input "base-url" is probably not the address of the service'
    return { code, cause: isWithin(reply, 300) ? redirect : elsewhere, remedy: checkUrl }
  }
  const cause = isWithin(reply, 300) ? redirect : 'the answer cannot be understood'
  const remedy = 'contact the service about this answer, then run the job again'
  return { code, cause, remedy }
}
