/** The operations of the service, and what its replies to them mean (docs/service.md). */
import { Failure, type FailureCode, type Reason } from '../failure.ts'
import { checkRecord } from '../records/record.ts'
import type { HttpResponse, NoResponse, Reply } from '../runtime/outside.ts'
import type { Secrets } from '../runtime/secrets.ts'
import { quoteSaid } from '../text/escape.ts'
import { parseJsonObject, textOf, type JsonObject } from '../text/json.ts'
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
  /** What each 4xx means; `other` covers the rest. Without it, the service did not send them. */
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
    401: 'forbidden',
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
  refusals: { 401: 'forbidden', 402: 'unpaid', 403: 'forbidden', other: 'request-rejected' },
}

/** An extension: retrieves the active subscription. */
export const retrieval: Operation<Subscription> = {
  name: 'the look-up of the active subscription',
  path: '/api/v2/payment/subscription/active',
  ...forSubscription,
  refusedCode: 'refused',
  refusals: { 401: 'forbidden', 403: 'forbidden', other: 'no-subscription' },
}

/** Returns what was asked for from a 2xx with an object that has it, or the failure of any other reply. */
export function readReply<Result>(
  operation: Operation<Result>,
  reply: Reply,
  secrets: Secrets,
): Result | Failure {
  const isResponse = reply.kind === 'response'
  const status = isResponse ? reply.status : null
  const body = (isResponse ? reply.body : null) ?? ''
  const isGood = status !== null && status >= 200 && status < 300
  const object = (isGood ? parseJsonObject(body) : undefined) ?? null
  const result = object && operation.read(object, body)
  if (result !== null) return result
  const [code, reason, observed] = isResponse
    ? explainResponse(operation, reply, object)
    : explainNone(operation.name, reply)
  const isOfLogin = operation === login
  const isOfCompletion = operation === completion
  return new Failure(code, reason, {
    observed,
    // The response to a login may contain the key.
    said: quoteSaid(isOfLogin ? null : readSaid(body), text => secrets.redactText(text)),
    mayHaveActed: isOfCompletion && mayHaveArrived(reply),
    status,
    response: isOfCompletion ? object : null,
    isOfLogin,
  })
}

/** Whether the service may have acted: not after a 4xx or a 503 with a `Retry-After` (see docs/service.md), nor if nothing was sent. */
function mayHaveArrived(reply: Reply): boolean {
  if (reply.kind !== 'response') return reply.kind === 'lost' || reply.kind === 'canceled'
  const { status, retryAfterMs } = reply
  return (status < 400 || status >= 500) && (status !== 503 || retryAfterMs === null)
}

type Explanation = readonly [code: FailureCode, reason: Reason, observed: string]

/** Says what it means that there is no complete response. */
function explainNone(name: string, { kind, reason, detail }: NoResponse): Explanation {
  if (kind === 'canceled')
    return ['cancelled', kind, `${name} got no response before the run was canceled`]
  if (kind === 'lost') {
    const code = reason === 'protocol' ? 'invalid-response' : 'unavailable'
    return [code, reason ?? 'unavailable', `${name} got ${detail}`]
  }
  return ['unavailable', kind, kind === 'unreachable' ? `${name} was not sent: ${detail}` : detail]
}

/** Says what a complete response means that is not a good one; `object` is that of a 2xx. */
function explainResponse(
  operation: Operation<unknown>,
  { status, body, retryAfterMs }: HttpResponse,
  object: JsonObject | null,
): Explanation {
  const kind = Math.floor(status / 100)
  const unexpected = operation === login ? 'not-the-service' : 'unexpected-response'
  let observed = `${operation.name} returned HTTP ${status}`
  if (kind === 3) return ['invalid-response', 'not-the-service', observed]
  // A 409 says enough, whatever its body.
  if (body === null && status !== 409)
    return ['invalid-response', unexpected, `${observed} and a body over 1 MiB`]
  const waitMs = retryAfterMs ?? 0
  const isLong = waitMs > maxRetryAfterMs
  if (isLong) observed += `, asking to wait ${formatDuration(waitMs / 1000)}`
  if (isRetryableStatus(status) || kind === 5) {
    return ['unavailable', isLong || status === 429 ? 'rate-limit' : 'unavailable', observed]
  }
  if (kind === 4) {
    const meant = operation.refusals[status] ?? operation.refusals.other ?? 'not-the-service'
    let code = operation.refusedCode
    if (status === 401) code = 'login-refused'
    if (meant === 'not-the-service') code = 'invalid-response'
    // What answers in HTML or XML stands in front of the service.
    const isOfFront =
      meant !== 'not-the-service' && status !== 409 && /^\s*<[a-z!?]/i.test(body ?? '')
    return [code, isOfFront ? 'blocked' : meant, observed]
  }
  if (object !== null) {
    return ['invalid-response', operation.lacking, `${observed} and no ${operation.asksFor}`]
  }
  return ['invalid-response', unexpected, `${observed} and a body that is not a JSON object`]
}

/** Returns the failure if the record of a completion contradicts its request; null if it matches. */
export function findMismatch(
  record: JsonObject,
  request: { readonly hash: string; readonly paymentId: string | null },
  secrets: Secrets,
): Failure | null {
  const problems = checkRecord(record, request)
  if (problems.length === 0) return null
  const { hash, status } = record
  const isSameHash = textOf(hash)?.toLowerCase() === request.hash
  const isPending = isSameHash && typeof status === 'string' && status !== 'registered'
  const redact = (text: string): string => secrets.redactText(text)
  return new Failure('record-mismatch', isPending ? 'not-yet-registered' : 'record-mismatch', {
    observed: redact(problems.join(', ')),
    said: quoteSaid(saidIn(record), redact),
    mayHaveActed: true,
    response: record,
  })
}

/** HTML, XML, damaged or other JSON, and binary data do not help a reader. */
const notPlainText = /<[a-z!?/]|^\s*(?:[{["]|null\s*$)|[\0\ufffd]/i

/** Returns what an error body says: `message` or `error` of a JSON object, or plain text. */
function readSaid(body: string): unknown {
  if (!notPlainText.test(body)) return body
  return saidIn(parseJsonObject(body) ?? {})
}

function saidIn({ message, error }: JsonObject): unknown {
  return [message, error].find(value => typeof value === 'string' && value !== '')
}
