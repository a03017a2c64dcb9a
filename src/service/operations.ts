/** The operations of the service, and what its replies to them mean (docs/service.md). */
import { Failure, type FailureCode, type Reason } from '../failure.ts'
import type { HttpResponse, NoResponse, Reply } from '../runtime/outside.ts'
import type { Secrets } from '../runtime/secrets.ts'
import { quoteSaid } from '../text/escape.ts'
import { parseJsonObject, type JsonObject } from '../text/json.ts'
import { formatDuration } from '../text/phrases.ts'
import { isRetryableStatus, maxRetryAfterMs } from './retry.ts'
import { checkSubscription, type Subscription } from './subscription.ts'

/** A kind of call. Only a completion can register a hash, and be charged. */
export interface Operation<Result> {
  /** As in a sentence: "the login". */
  readonly name: string
  /** Follows the base URL; `{hash}` is the hash to register. */
  readonly path: string
  /** What a response has, as in a sentence: "no record". */
  readonly asksFor: string
  /** Reads the object of a 2xx, which is also given as text; null if it has nothing of what was asked for. */
  readonly read: (object: JsonObject, text: string) => Result | null
  /** Why such an object has nothing of it. */
  readonly lacking: Reason
  /** Failure code for a final 4xx. */
  readonly refusedCode: FailureCode
  /** What each 4xx means, but a 401 to a new token; `other` covers the rest. Without it, the service did not send them. */
  readonly refusals: Readonly<Record<number, Reason>> & { readonly other?: Reason }
}

/** Returns the token. */
export const login: Operation<string> = {
  name: 'the login',
  path: '/api/v2/auth/login',
  asksFor: 'usable token',
  // Any other token cannot stand in a header.
  read: ({ token }) => (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) ? token : null),
  lacking: 'wrong-key',
  refusedCode: 'login-refused',
  refusals: { 400: 'wrong-key', 401: 'wrong-key', 403: 'wrong-key', 422: 'wrong-key' },
}

/** Completes a registration. Returns the record, which is not yet checked. */
export const completion: Operation<JsonObject> = {
  name: 'the registration',
  path: '/api/v2/registration/{hash}/forfait',
  asksFor: 'record',
  read: object => (recordFields.some(field => field in object) ? object : null),
  lacking: 'unexpected-response',
  refusedCode: 'refused',
  refusals: {
    402: 'unpaid',
    403: 'forbidden',
    404: 'no-request',
    409: 'already-registered',
    other: 'rejected',
  },
}

/** The fields that make an object a record, of whatever kind. */
const recordFields = ['hash', 'status', 'custody', 'signed']

const forSubscription = {
  asksFor: 'subscription data',
  read: checkSubscription,
  lacking: 'no-subscription',
} as const

/** An extension: requests a registration. */
export const request: Operation<Subscription> = {
  name: 'the registration request',
  path: '/api/v2/registration/?subscription=true',
  ...forSubscription,
  refusedCode: 'request-refused',
  refusals: { 402: 'unpaid', 403: 'forbidden', other: 'request-rejected' },
}

/** An extension: retrieves the active subscription. */
export const retrieval: Operation<Subscription> = {
  name: 'the look-up of the active subscription',
  path: '/api/v2/payment/subscription/active',
  ...forSubscription,
  refusedCode: 'refused',
  refusals: { 403: 'forbidden', other: 'no-subscription' },
}

/** Returns the first digit of the status. */
function statusClass({ status }: HttpResponse): number {
  return Math.floor(status / 100)
}

/** Whether another attempt may follow: no complete response, or a status that passes; not if waiting does not help, nor after a long `Retry-After`. */
export function isRetryable(reply: Reply): boolean {
  if (reply.kind !== 'response')
    return reply.reason !== 'protocol' && ['unreachable', 'proxy', 'lost'].includes(reply.kind)
  return reply.body !== null && isRetryableStatus(reply.status) && longWaitMs(reply) === null
}

/** Returns the wait that a response asks for, in milliseconds; null if a run can take it. */
function longWaitMs({ retryAfterMs }: HttpResponse): number | null {
  return retryAfterMs !== null && retryAfterMs > maxRetryAfterMs ? retryAfterMs : null
}

/**
 * Whether a reply proves that the service did nothing: a 4xx, a 503 with a `Retry-After` (an assumption, see docs/service.md),
 * or none because nothing was sent.
 */
function isUndone(reply: Reply): boolean {
  if (reply.kind !== 'response') return reply.kind !== 'lost' && reply.kind !== 'canceled'
  return statusClass(reply) === 4 || (reply.status === 503 && reply.retryAfterMs !== null)
}

/** Returns what was asked for from a 2xx with an object that has it, or the failure of any other reply. */
export function readReply<Result>(
  operation: Operation<Result>,
  reply: Reply,
  secrets: Secrets,
): Result | Failure {
  const isOfLogin = operation.name === login.name
  const isOfCompletion = operation.name === completion.name
  const mayHaveActed = isOfCompletion && !isUndone(reply)
  if (reply.kind !== 'response') {
    const isCanceled = reply.kind === 'canceled'
    const reason = reply.kind === 'lost' ? (reply.reason ?? 'unavailable') : reply.kind
    const observed = describeNone(operation, reply)
    const code = reason === 'protocol' ? 'invalid-response' : 'unavailable'
    const parts = { observed, mayHaveActed, endsRun: isOfLogin || isCanceled, isOfLogin }
    return new Failure(isCanceled ? 'cancelled' : code, reason, parts)
  }
  const { status } = reply
  const body = reply.body ?? ''
  const object = statusClass(reply) === 2 ? (parseJsonObject(body) ?? null) : null
  const result = object && operation.read(object, body)
  if (result !== null) return result
  const [code, reason, what] = explainReply(operation, reply, object)
  const observed = `${operation.name} returned ${what}`
  // The response to a login may contain the key.
  const said = quoteSaid(isOfLogin ? null : readSaid(body), text => secrets.redactText(text))
  const endsRun = isOfLogin || code === 'login-refused'
  const response = isOfCompletion ? object : null
  const parts = { observed, said, mayHaveActed, status, response, endsRun, isOfLogin }
  return new Failure(code, reason, parts)
}

function describeNone({ name }: Operation<unknown>, { kind, detail }: NoResponse): string {
  if (kind === 'canceled') return `${name} got no response before the run was canceled`
  if (kind === 'lost') return `${name} got ${detail}`
  return kind === 'unreachable' ? `${name} was not sent: ${detail}` : detail
}

/** Says what a complete response means that is not a good one, and what it was: `HTTP 200 and no record`. */
function explainReply(
  operation: Operation<unknown>,
  reply: HttpResponse,
  object: JsonObject | null,
): readonly [code: FailureCode, reason: Reason, what: string] {
  const { status, body } = reply
  const kind = statusClass(reply)
  const unexpected = operation === login ? 'not-the-service' : 'unexpected-response'
  let what = `HTTP ${status}`
  if (kind === 3) return ['invalid-response', 'redirect', what]
  // A 409 says enough, whatever its body.
  if (body === null && status !== 409)
    return ['invalid-response', unexpected, `${what} and a body over 1 MiB`]
  const waitMs = longWaitMs(reply)
  if (waitMs !== null) what += `, asking to wait ${formatDuration(waitMs / 1000)}`
  if (isRetryableStatus(status) || kind === 5) {
    const isLimit = status === 429 || waitMs !== null
    return ['unavailable', isLimit ? 'rate-limit' : 'unavailable', what]
  }
  if (kind === 4) {
    let code = operation.refusedCode
    let meant = operation.refusals[status] ?? operation.refusals.other
    // The client has logged in anew before.
    if (operation !== login && status === 401) [code, meant] = ['login-refused', 'rejected-token']
    if (meant === undefined) [code, meant] = ['invalid-response', 'not-the-service']
    if (code === 'request-refused' && status === 409) what += ', so a request exists'
    // What answers in HTML or XML stands in front of the service.
    const isOfFront = status !== 409 && /^\s*<[a-z!?]/i.test(body ?? '')
    return [code, isOfFront ? 'blocked' : meant, what]
  }
  if (object !== null) {
    return ['invalid-response', operation.lacking, `${what} and no ${operation.asksFor}`]
  }
  return ['invalid-response', unexpected, `${what} and a body that is not a JSON object`]
}

/** HTML, XML, damaged or other JSON, and binary data do not help a reader. */
const notPlainText = /<[a-z!?/]|^\s*(?:[{["]|null\s*$)|[\0\ufffd]/i

/** Returns what an error body says: `message` or `error` of a JSON object, or plain text. */
function readSaid(body: string): unknown {
  if (!notPlainText.test(body)) return body
  const { message, error } = parseJsonObject(body) ?? {}
  return [message, error].find(value => typeof value === 'string')
}
