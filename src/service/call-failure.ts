import { Failure, type FailureCode } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { formatDuration } from '../text/time.ts'
import { readErrorText } from './error-text.ts'
import {
  alreadyRegistered,
  loginOperation,
  rateLimit,
  registeredUnanswered,
  unavailable,
  unreachable,
  untrusted,
  type Advice,
  type Operation,
} from './operations.ts'
import { isRetryableStatus, maxRetryAfterMs } from './retry.ts'
import type { Answer, NoAnswer, Reply } from './transport.ts'

/** A call whose last attempt got no good answer. */
export interface FailedCall {
  readonly operation: Operation
  /** To the last attempt. */
  readonly reply: Reply
  /** The result of {@link describeReply}. */
  readonly observed: string
  readonly attempts: number
  /** Whether an earlier attempt, of this or an earlier run, may have registered the hash. */
  readonly mayBeRegistered: boolean
}

/** Whether another attempt may follow: no complete answer, or a status that passes; not after a long `Retry-After`. */
export function isRetryable(reply: Reply): boolean {
  if (reply.kind === 'no-answer') return reply.cause !== 'untrusted'
  const { status, body, retryAfterMs } = reply
  return body !== null && isRetryableStatus(status) && (retryAfterMs ?? 0) <= maxRetryAfterMs
}

/** Whether the service may have carried out the request: not if it was never sent, and not after a 4xx. */
export function mayHaveActed(reply: Reply): boolean {
  return reply.kind === 'answer' ? classOf(reply) !== 4 : reply.wasSent
}

export function isSuccess(reply: Reply): reply is Answer {
  return reply.kind === 'answer' && classOf(reply) === 2
}

function classOf({ status }: Answer): number {
  return Math.floor(status / 100)
}

/** Says what was observed, such as `returned HTTP 503: "overloaded"`; `redact` replaces secrets. */
export function describeReply(
  reply: Reply,
  operation: Operation,
  redact: (text: string) => string,
): string {
  if (reply.kind === 'no-answer') return `got no answer: ${reply.reason}`
  const { status, body } = reply
  if (status === 0) return 'returned something that is not HTTP'
  const returned = `returned HTTP ${status}`
  if (body === null) return `${returned} and a body over 1 MiB`
  if (isSuccess(reply)) return `${returned} and a body that is not a JSON object`
  // The answer to a login may contain the key.
  const shown = operation === loginOperation ? '' : readErrorText(body, redact)
  return shown === '' ? returned : `${returned}: "${quote(shown, 200)}"`
}

/** Returns the failure of a call. The caller sets `registered`. */
export function failureOf(call: FailedCall): Failure {
  const { operation, reply, observed, attempts } = call
  const { code, advice } = diagnose(call)
  const times = attempts > 1 ? `after ${attempts} attempts, ` : ''
  return new Failure({
    ...advice,
    code,
    detail: `${times}${operation.name} ${observed}`,
    status: reply.kind === 'answer' && reply.status > 0 ? reply.status : null,
    endsRun: operation === loginOperation,
  })
}

interface Diagnosis {
  readonly code: FailureCode
  readonly advice: Advice
}

function diagnose({ operation, reply, mayBeRegistered }: FailedCall): Diagnosis {
  if (reply.kind === 'no-answer') {
    return { code: 'unavailable', advice: adviceWithoutAnswer(reply, operation) }
  }
  const { refusals, refusedCode, unexpected } = operation
  const { status, body } = reply
  if (body !== null && (isRetryableStatus(status) || classOf(reply) === 5)) {
    return { code: 'unavailable', advice: adviceInOutage(reply) }
  }
  const advice = refusals[status] ?? refusals.other
  if (body !== null && classOf(reply) === 4 && advice !== undefined) {
    const isUnanswered = mayBeRegistered && advice === alreadyRegistered
    return { code: refusedCode, advice: isUnanswered ? registeredUnanswered : advice }
  }
  if (classOf(reply) !== 3) return { code: 'invalid-response', advice: unexpected }
  const cause = 'the service sent a redirect, which is never followed'
  return { code: 'invalid-response', advice: { ...unexpected, cause } }
}

function adviceWithoutAnswer({ cause, wasSent }: NoAnswer, operation: Operation): Advice {
  if (cause === 'untrusted') return untrusted
  return operation === loginOperation && !wasSent ? unreachable : unavailable
}

function adviceInOutage({ status, retryAfterMs }: Answer): Advice {
  const advice = status === 429 ? rateLimit : unavailable
  if (retryAfterMs === null || retryAfterMs <= maxRetryAfterMs) return advice
  const time = formatDuration(retryAfterMs / 1000)
  return { ...advice, remedy: `wait ${time}, as the service requests, then re-run the failed jobs` }
}
