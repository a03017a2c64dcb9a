/** The operations of the service, and what its replies to them mean (docs/service.md). */
import { Failure, type FailureCode, type Reason } from '../failure.ts'
import type { Reply } from '../runtime/outside.ts'
import { maskWords, quote } from '../text/escape.ts'
import { parseJsonObject, type JsonObject } from '../text/json.ts'
import { formatDuration } from '../text/phrases.ts'
import { isRetryableStatus, maxRetryAfterMs } from './retry.ts'

/** A kind of call. */
interface CallKind {
  /** As in a sentence: "the login". */
  readonly name: string
  /** Follows the base URL; `{hash}` is the hash to register. */
  readonly path: string
  /** Failure code for a final 4xx. */
  readonly refusedCode: FailureCode
  /** What each 4xx means; `other` covers the rest. Without `other`, the rest are unexpected responses. */
  readonly refusals: Readonly<Record<number, Reason>> & { readonly other?: Reason }
  /** What a response means that the service should never send. */
  readonly unexpected: Reason
}

/** Registers nothing, and costs nothing. */
export interface FreeOperation extends CallKind {
  readonly isFree: true
}

/** May register a hash, and be charged. */
export interface Completion extends CallKind {
  readonly isFree: false
}

export type Operation = FreeOperation | Completion

export const login: FreeOperation = {
  isFree: true,
  name: 'the login',
  path: '/api/v2/auth/login',
  refusedCode: 'login-refused',
  refusals: { 400: 'wrong-key', 401: 'wrong-key', 403: 'wrong-key', 422: 'wrong-key' },
  unexpected: 'not-the-service',
}

/** Completes a registration. */
export const completion: Completion = {
  isFree: false,
  name: 'the registration',
  path: '/api/v2/registration/{hash}/forfait',
  refusedCode: 'refused',
  refusals: {
    402: 'unpaid',
    403: 'forbidden',
    404: 'no-request',
    409: 'already-registered',
    other: 'registration-rejected',
  },
  unexpected: 'unexpected-response',
}

/** Completes a registration that this run requested. */
export const requestedCompletion: Completion = {
  ...completion,
  refusals: { ...completion.refusals, 404: 'request-not-found' },
}

/** An extension: requests a registration. */
export const request: FreeOperation = {
  isFree: true,
  name: 'the registration request',
  path: '/api/v2/registration/?subscription=true',
  refusedCode: 'request-refused',
  refusals: {
    402: 'unpaid',
    403: 'forbidden',
    409: 'request-exists',
    other: 'request-rejected',
  },
  unexpected: 'unexpected-response',
}

/** An extension: retrieves the active subscription. */
export const retrieval: FreeOperation = {
  isFree: true,
  name: 'the look-up of the active subscription',
  path: '/api/v2/payment/subscription/active',
  refusedCode: 'refused',
  refusals: { 403: 'forbidden', other: 'no-active-subscription' },
  unexpected: 'unexpected-response',
}

type HttpResponse = Extract<Reply, { readonly kind: 'response' }>

/** A 2xx with a JSON object, parsed and as text. */
export interface GoodResponse {
  readonly object: JsonObject
  readonly text: string
  /** Whether an earlier attempt of the call may have acted too. */
  readonly isRepeated: boolean
}

/** Reads a good response; null for any other reply. */
export function readGood(reply: Reply, isRepeated: boolean): GoodResponse | null {
  if (reply.kind !== 'response' || reply.body === null || statusClass(reply) !== 2) return null
  const object = parseJsonObject(reply.body)
  if (object === undefined) return null
  return { object, text: reply.body, isRepeated }
}

/** Returns the first digit of the status; 0 without a complete response in HTTP. */
function statusClass(reply: Reply): number {
  if (reply.kind !== 'response') return 0
  return Math.floor(reply.status / 100)
}

/** Whether another attempt may follow: no complete response, or a status that passes; not with an untrusted certificate or a long `Retry-After`. */
export function isRetryable(reply: Reply): boolean {
  if (reply.kind !== 'response') return reply.kind !== 'untrusted'
  const { status, body } = reply
  return body !== null && isRetryableStatus(status) && longWaitMs(reply) === null
}

/** Returns the wait that a response asks for, in milliseconds; null if a run can take it. */
function longWaitMs({ retryAfterMs }: HttpResponse): number | null {
  if (retryAfterMs === null || retryAfterMs <= maxRetryAfterMs) return null
  return retryAfterMs
}

/** Whether the service may have carried out the request: not if it did not get it, and not after a 4xx. */
export function mayHaveActed(reply: Reply): boolean {
  return reply.kind !== 'not-sent' && reply.kind !== 'untrusted' && statusClass(reply) !== 4
}

/** Returns the failure of a call that got no good response; the caller sets `registered`. `redact` replaces secrets. */
export function failureOf(
  operation: Operation,
  reply: Reply,
  redact: (text: string) => string,
): Failure {
  const [code, reason] = findReason(operation, reply)
  const status = reply.kind === 'response' && reply.status > 0 ? reply.status : null
  const observed = `${operation.name} ${describeReply(operation, reply, redact)}`
  return new Failure(code, reason, { observed, status, endsRun: operation === login })
}

/** Finds the code, and the reason for it. */
function findReason(operation: Operation, reply: Reply): readonly [FailureCode, Reason] {
  switch (reply.kind) {
    case 'untrusted':
      // What was observed is the code of the error.
      if (reply.reason === 'CERT_HAS_EXPIRED') return ['unavailable', 'expired-certificate']
      return ['unavailable', 'untrusted-certificate']
    case 'no-tunnel':
      return ['unavailable', 'proxy-refused']
    case 'not-sent':
      if (operation !== login) return ['unavailable', 'unavailable']
      if (reply.reason.includes('ENOTFOUND')) return ['unavailable', 'unknown-host']
      return ['unavailable', 'unreachable']
    case 'lost':
    case 'ended':
      return ['unavailable', 'unavailable']
    case 'response':
      return findMeaning(operation, reply)
  }
}

/** Finds what a complete response means that is not a good one. */
function findMeaning(
  { refusals, refusedCode, unexpected }: Operation,
  reply: HttpResponse,
): readonly [FailureCode, Reason] {
  const { status, body } = reply
  const isWhole = body !== null
  if (isWhole && (isRetryableStatus(status) || statusClass(reply) === 5)) {
    if (longWaitMs(reply) !== null) return ['unavailable', 'long-wait']
    if (status === 429) return ['unavailable', 'rate-limit']
    return ['unavailable', 'unavailable']
  }
  const refusal = refusals[status] ?? refusals.other
  if (isWhole && statusClass(reply) === 4 && refusal !== undefined) return [refusedCode, refusal]
  if (statusClass(reply) === 3) return ['invalid-response', 'redirect']
  return ['invalid-response', unexpected]
}

/** Says what was observed, such as `returned HTTP 503: "overloaded"`. */
function describeReply(
  operation: Operation,
  reply: Reply,
  redact: (text: string) => string,
): string {
  if (reply.kind !== 'response') return `got no response: ${reply.reason}`
  const { status, body } = reply
  if (status === 0) return 'returned something that is not HTTP'
  let returned = `returned HTTP ${status}`
  if (body === null) return `${returned} and a body over 1 MiB`
  if (statusClass(reply) === 2) return `${returned} and a body that is not a JSON object`
  const waitMs = longWaitMs(reply)
  if (waitMs !== null) returned += `, asking to wait ${formatDuration(waitMs / 1000)}`
  // The response to a login may contain the key.
  if (operation === login) return returned
  const text = readErrorText(body, redact)
  if (text === '') return returned
  let shown = quote(text, maxTextLength)
  // Leaves space for the note that it is cut.
  if (shown.length > maxTextLength) shown = quote(text, maxTextLength - 30)
  return `${returned}: "${shown}"`
}

/** For the text of an error, with the note that it is cut; in UTF-16 code units. */
const maxTextLength = 200

/** HTML, XML, damaged or other JSON, and binary data do not help a reader. */
const notPlainText = /<[a-z!?/]|^\s*(?:[{["]|null\s*$)|[\0\ufffd]/i

/**
 * Returns the text of an error body on one line: `message` or `error` of a JSON object, or plain
 * text. `redact` replaces known secrets; words that may be unknown secrets become `***`.
 */
function readErrorText(body: string, redact: (text: string) => string): string {
  let text = body
  if (notPlainText.test(body)) {
    const { message, error } = parseJsonObject(body) ?? {}
    text = [message, error].find(value => typeof value === 'string') ?? ''
  }
  return maskWords(redact(text))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
