import { Failure, type FailureCode } from '../failure.ts'
import { maskWords, quote } from '../text/escape.ts'
import { parseJsonObject } from '../text/json.ts'
import { formatDuration } from '../text/units.ts'
import { alreadyRegistered, general, login, type Advice, type Operation } from './operations.ts'
import { isRetryableStatus, maxRetryAfterMs } from './retry.ts'
import type { Reply } from './transport.ts'

/** Returns the first digit of the status; 0 without a complete answer in HTTP. */
export function statusClass(reply: Reply): number {
  return reply.kind === 'answer' ? Math.floor(reply.status / 100) : 0
}

/** Whether another attempt may follow: no complete answer, or a status that passes; not after a long `Retry-After`. */
export function isRetryable(reply: Reply): boolean {
  if (reply.kind !== 'answer') return reply.kind !== 'untrusted'
  const { status, body, retryAfterMs } = reply
  return body !== null && isRetryableStatus(status) && (retryAfterMs ?? 0) <= maxRetryAfterMs
}

/** Whether the service may have carried out the request: not if it did not get it, and not after a 4xx. */
export function mayHaveActed(reply: Reply): boolean {
  return reply.kind !== 'not-sent' && reply.kind !== 'untrusted' && statusClass(reply) !== 4
}

/**
 * Returns the failure of a call that got no good answer; the caller sets `registered`. `mayBeRegistered`: an attempt,
 * of this or an earlier run, may have registered the hash. `redact` replaces secrets.
 */
export function failureOf(
  operation: Operation,
  reply: Reply,
  context: { readonly mayBeRegistered: boolean; readonly redact: (text: string) => string },
): Failure {
  const advice = explain(operation, reply, context.mayBeRegistered)
  const status = reply.kind === 'answer' && reply.status > 0 ? reply.status : null
  const detail = `${operation.name} ${describeReply(operation, reply, context.redact)}`
  const endsRun = operation === login
  return new Failure({ ...advice, detail, status, endsRun })
}

/** Finds the code, the likely cause and the next step. */
function explain(
  operation: Operation,
  reply: Reply,
  mayBeRegistered: boolean,
): Advice & { readonly code: FailureCode } {
  const isUnreachable = operation === login && reply.kind === 'not-sent'
  if (isUnreachable) return { ...general.unreachable, code: 'unavailable' }
  if (reply.kind === 'untrusted') {
    // The reason is the code of the error.
    const advice = reply.reason === 'CERT_HAS_EXPIRED' ? general.expired : general.untrusted
    return { ...advice, code: 'unavailable' }
  }
  if (reply.kind === 'no-tunnel') return { ...general.noTunnel, code: 'unavailable' }
  if (reply.kind !== 'answer') return { ...general.unavailable, code: 'unavailable' }
  const { status, body, retryAfterMs } = reply
  if (body !== null && (isRetryableStatus(status) || statusClass(reply) === 5)) {
    const advice = status === 429 ? general.rateLimit : general.unavailable
    if ((retryAfterMs ?? 0) <= maxRetryAfterMs) return { ...advice, code: 'unavailable' }
    const time = formatDuration((retryAfterMs ?? 0) / 1000)
    const remedy = `wait ${time}, as the service requests`
    return { code: 'unavailable', cause: advice.cause, remedy }
  }
  const { refusals, refusedCode, unexpected } = operation
  let refusal = refusals[status] ?? refusals.other
  if (refusal === alreadyRegistered && mayBeRegistered) refusal = general.registeredUnanswered
  if (body !== null && statusClass(reply) === 4 && refusal !== undefined) {
    return { ...refusal, code: refusedCode }
  }
  const redirected = 'the service sent a redirect, which is never followed'
  const cause = statusClass(reply) === 3 ? redirected : unexpected.cause
  return { ...unexpected, code: 'invalid-response', cause }
}

/** Says what was observed, such as `returned HTTP 503: "overloaded"`. */
function describeReply(
  operation: Operation,
  reply: Reply,
  redact: (text: string) => string,
): string {
  if (reply.kind !== 'answer') return `got no answer: ${reply.reason}`
  const { status, body } = reply
  if (status === 0) return 'returned something that is not HTTP'
  const returned = `returned HTTP ${status}`
  if (body === null) return `${returned} and a body over 1 MiB`
  if (statusClass(reply) === 2) return `${returned} and a body that is not a JSON object`
  // The answer to a login may contain the key.
  const shown = operation === login ? '' : readErrorText(body, redact)
  return shown === '' ? returned : `${returned}: "${quote(shown, 200)}"`
}

/** HTML, XML, damaged or other JSON, and binary data do not help a reader. */
const notPlainText = /<[a-z!?/]|^\s*(?:[{["]|null\s*$)|[\0\ufffd]/i

/**
 * Returns the text of an error body on one line: `message` or `error` of a JSON object, or plain
 * text. `redact` replaces known secrets; words that may be unknown secrets become `***`.
 */
export function readErrorText(body: string, redact: (text: string) => string): string {
  const object = parseJsonObject(body)
  const plain = notPlainText.test(body) ? '' : body
  const texts = object === undefined ? [plain] : [object['message'], object['error']]
  const text = texts.find(value => typeof value === 'string') ?? ''
  return maskWords(redact(text))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
