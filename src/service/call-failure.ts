import { makeFailure, type Failure, type FailureCode } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { formatDuration } from '../text/time.ts'
import { readErrorText } from './error-text.ts'
import type { Advice, Operation } from './operations.ts'
import { isRetryableStatus } from './retry.ts'
import type { Answer, NoAnswer, Reply } from './transport.ts'

/** A call that failed. */
export interface FailedCall {
  readonly operation: Operation
  /** The last reply. */
  readonly reply: Reply
  readonly attempts: number
  /** Whether an attempt before, or an earlier run, may have registered the hash. */
  readonly mayBeRegistered: boolean
  /** How long the service asks to wait; null if it does not. */
  readonly retryAfterMs: number | null
  /** Replaces secrets. */
  readonly redact: (text: string) => string
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

const maxTextLength = 200

/** The reply in a few words, such as `HTTP 503: "overloaded"`. */
export function describeReply(call: Pick<FailedCall, 'operation' | 'reply' | 'redact'>): string {
  const { operation, reply, redact } = call
  if (reply.kind === 'no-answer') return reply.reason
  const { status, body } = reply
  if (status === 0) return 'something that is not HTTP'
  if (body === null) return `HTTP ${status} and a body over 1 MiB`
  if (/^\s*<(?:!doctype|html)/i.test(body)) return `HTTP ${status} and an HTML page`
  if (isWithin(reply, 200)) return `HTTP ${status} and a body that is no JSON object`
  // The answer to a login may hold the key.
  const isShown = operation.refusedCode !== 'login-refused'
  const text = isShown ? quote(readErrorText(body, redact), maxTextLength) : ''
  return text === '' ? `HTTP ${status}` : `HTTP ${status}: "${text}"`
}

/** The failure of a call by its last reply. What the attempts before may have done is left to the caller. */
export function failureOf(call: FailedCall): Failure {
  const { operation, reply, attempts } = call
  const { cause, remedy, code, isDeferrable = false } = judge(call)
  const times = attempts > 1 ? ` after ${attempts} attempts` : ''
  const failed = `${cause}; ${operation.name} failed${times}`
  if (reply.kind === 'no-answer') return makeFailure({ code, what: failed, remedy, isDeferrable })
  const what = `${failed} with ${describeReply(call)}`
  return makeFailure({ code, what, remedy, isDeferrable, status: reply.status })
}

interface Judgement extends Advice {
  readonly code: FailureCode
  readonly isDeferrable?: boolean
}

const later = 'run the job again later'
const checkUrl = 'check the input "base-url"'
/** A longer wait that the service asks for is a mistake of it: a year, in milliseconds. */
const maxPlausibleWaitMs = 366 * 24 * 3_600_000
const contactService = 'contact the service about this answer, then run the job again'

function judge(call: FailedCall): Judgement {
  const { operation, reply } = call
  if (reply.kind === 'no-answer') return judgeNoAnswer(reply, operation)
  const { status, body } = reply
  if (body === null) return judgeOddAnswer(reply, operation)
  if (isRetryable(reply) || isWithin(reply, 500)) return judgeTrouble(status, call.retryAfterMs)
  const { [status]: usual, other } = operation.refusals
  const advice = isWithin(reply, 400) ? (usual ?? other) : undefined
  if (advice === undefined) return judgeOddAnswer(reply, operation)
  // What may be registered is refused for that, rather than for the usual cause.
  const isUsual = !call.mayBeRegistered || status === 409
  const { cause } = isUsual ? advice : (other ?? advice)
  return { code: operation.refusedCode, cause, remedy: advice.remedy }
}

function judgeNoAnswer({ cause, reason }: NoAnswer, { isFirstContact }: Operation): Judgement {
  const code = 'unavailable'
  if (cause === 'untrusted') {
    const remedy = 'if the service uses a private certificate authority, set NODE_EXTRA_CA_CERTS'
    return { code, cause: `the certificate of the service is not trusted (${reason})`, remedy }
  }
  const remedy = isFirstContact ? `${later}; if it persists, ${checkUrl}` : later
  return { code, cause: reason, remedy, isDeferrable: true }
}

function judgeTrouble(status: number, retryAfterMs: number | null): Judgement {
  const cause =
    status === 429 ? 'the rate limit of the service is reached' : 'the service is unavailable'
  const waitMs = retryAfterMs ?? Infinity
  const wait = `run the job again in ${formatDuration(waitMs / 1000)}, as the service asks`
  const remedy = waitMs > maxPlausibleWaitMs ? later : wait
  return { code: 'unavailable', cause, remedy, isDeferrable: true }
}

/** An answer that is none of this service, or that it should never give. */
function judgeOddAnswer(reply: Answer, { isFirstContact }: Operation): Judgement {
  let cause = 'the answer cannot be understood'
  if (isFirstContact) cause = 'the input "base-url" is probably not the address of the service'
  if (isWithin(reply, 300)) cause = 'the service redirects, and redirects are not followed'
  return { code: 'invalid-response', cause, remedy: isFirstContact ? checkUrl : contactService }
}
