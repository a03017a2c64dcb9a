import { makeFailure, type Failure, type FailureCode } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { formatDuration } from '../text/time.ts'
import { readErrorText } from './error-text.ts'
import { loginOperation, type Advice, type Operation } from './operations.ts'
import { isRetryableStatus } from './retry.ts'
import type { Answer, NoAnswer, Reply } from './transport.ts'

export interface FailedCall {
  readonly operation: Operation
  /** The last reply. */
  readonly reply: Reply
  /** The result of {@link describeReply}. */
  readonly replyText: string
  readonly attempts: number
  /** Whether an earlier attempt or an earlier run may have registered the hash. */
  readonly mayBeRegistered: boolean
}

/** Whether another attempt may follow: no complete answer, or 408, 425, 429, 500, 502, 503, 504. */
export function isRetryable(reply: Reply): boolean {
  if (reply.kind === 'no-answer') return reply.cause !== 'untrusted'
  return reply.body !== null && isRetryableStatus(reply.status)
}

/** Whether the service may have carried out the request: not if it was never sent, and not after a 4xx. */
export function mayHaveActed(reply: Reply): boolean {
  return reply.kind === 'answer' ? statusClass(reply) !== 4 : reply.wasSent
}

export function isSuccess(reply: Reply): reply is Answer {
  return reply.kind === 'answer' && statusClass(reply) === 2
}

function statusClass({ status }: Answer): number {
  return Math.floor(status / 100)
}

/** Describes a reply in a few words, such as `HTTP 503: "overloaded"`; `redact` replaces secrets. */
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
  if (isSuccess(reply)) return `HTTP ${status} and a body that is not a JSON object`
  // The answer to a login may contain the key.
  const shown = operation === loginOperation ? '' : readErrorText(body, redact)
  return shown === '' ? `HTTP ${status}` : `HTTP ${status}: "${quote(shown, 200)}"`
}

/** Returns the failure of a call. The caller sets `registered`. */
export function failureOf(call: FailedCall): Failure {
  const { operation, reply, replyText, attempts } = call
  const { cause, ...diagnosis } = diagnose(call)
  const times = attempts > 1 ? `after ${attempts} attempts, ` : ''
  if (reply.kind === 'no-answer') {
    return makeFailure({ ...diagnosis, what: `${cause}; ${times}${operation.name} got no answer` })
  }
  const what = `${cause}; ${times}${operation.name} returned ${replyText}`
  return makeFailure({ ...diagnosis, what, status: reply.status === 0 ? null : reply.status })
}

interface Diagnosis extends Advice {
  readonly code: FailureCode
  readonly isDeferrable?: boolean
}

const later = 'run the job again later'
/** A year. A longer wait is a mistake by the service. */
const maxPlausibleWaitMs = 366 * 24 * 3_600_000

function diagnose({ operation, reply, mayBeRegistered }: FailedCall): Diagnosis {
  if (reply.kind === 'no-answer') return diagnoseNoAnswer(reply, operation)
  const { status, body } = reply
  if (body === null) return diagnoseUnexpectedAnswer(reply, operation)
  if (isRetryable(reply) || statusClass(reply) === 5) return diagnoseUnavailable(reply)
  const { [status]: usual, other } = operation.refusals
  const advice = usual ?? other
  if (advice === undefined || statusClass(reply) !== 4) {
    return diagnoseUnexpectedAnswer(reply, operation)
  }
  // If the hash may be registered, that is the likely cause, not the usual one.
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
  const isLogin = operation === loginOperation
  const remedy = isLogin ? `${later}; if it persists, check the input "base-url"` : later
  return { code, cause: reason, remedy, isDeferrable: true }
}

function diagnoseUnavailable({ status, retryAfterMs }: Answer): Diagnosis {
  let cause = 'the service is unavailable'
  if (status === 429) cause = 'the rate limit of the service was reached'
  const waitMs = retryAfterMs ?? Infinity
  const wait = `run the job again in ${formatDuration(waitMs / 1000)}, as the service requests`
  const remedy = waitMs > 0 && waitMs <= maxPlausibleWaitMs ? wait : later
  return { code: 'unavailable', cause, remedy, isDeferrable: true }
}

/** Explains an answer that is not from this service, or that it should never send. */
function diagnoseUnexpectedAnswer(reply: Answer, operation: Operation): Diagnosis {
  const isLogin = operation === loginOperation
  let cause = 'the service sent an unexpected answer'
  if (isLogin) cause = 'the input "base-url" is probably not the address of the service'
  if (statusClass(reply) === 3) cause = 'the service sent a redirect, which is never followed'
  const subject = isLogin ? 'check the input "base-url"' : 'report this answer to the service'
  return { code: 'invalid-response', cause, remedy: `${subject}, then run the job again` }
}
