/** What the service does, and how it answers (docs/service.md). */
import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Memory } from './memory.ts'
import { exampleSubscription, newRecord, requestSchema, subscriptionFields } from './resources.ts'
import type { AnyFields } from './resources.ts'

/** An answer ready to be sent. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A call whose path, method, token and JSON are valid. */
export interface Operation {
  /** The variable part of the path. */
  readonly parameter: string
  readonly body: unknown
  readonly nowMs: number
}

/** Returns an answer with a JSON body. */
export function jsonReply(status: number, value: unknown, headers: Reply['headers'] = {}): Reply {
  const body = JSON.stringify(value)
  return { status, headers: { 'content-type': 'application/json', ...headers }, body }
}

/** Returns a refusal. */
export function refuse(status: number, error: string, headers: Reply['headers'] = {}): Reply {
  return jsonReply(status, { error }, headers)
}

/** Logs in with an API key. */
export function logIn(memory: Memory, { body, nowMs }: Operation): Reply {
  const login = z.looseObject({ apiKey: z.string() }).safeParse(body)
  if (!login.success) return refuse(422, z.prettifyError(login.error))
  if (!memory.rules.apiKeys.includes(login.data.apiKey)) return refuse(401, 'invalid API key')
  const token = newToken(Math.floor(nowMs / 1000))
  memory.tokens.push(token)
  return jsonReply(200, { token })
}

/** Completes a registration without storage. */
export function completeRegistration(
  memory: Memory,
  { parameter: hash, body, nowMs }: Operation,
): Reply {
  const { rules, requested, registered, completionCounts } = memory
  const subscription = z.record(z.string(), z.unknown()).safeParse(body).data
  if (subscription === undefined) return refuse(422, 'body is not a JSON object')
  if (Object.keys(subscription).length === 0) return refuse(422, 'no subscription data')
  const wrong = findWrongField(memory, subscription)
  if (wrong !== undefined) return refuse(422, `${wrong} does not have a listed type`)
  if (rules.requested !== 'any' && !requested.has(hash)) {
    return refuse(404, 'hash was never requested')
  }
  if (rules.repeat === 'refuse' && registered.has(hash)) {
    return refuse(409, 'hash is already registered')
  }
  const honest = newRecord(hash, subscription, nowMs)
  const record = { ...honest, ...rules.record(hash, honest) }
  registered.set(hash, record)
  completionCounts.set(hash, (completionCounts.get(hash) ?? 0) + 1)
  return jsonReply(200, record)
}

/** Requests a registration without storage. The answer can be sent as the body of the completion. */
export function requestRegistration(memory: Memory, { parameter: query, body }: Operation): Reply {
  const { rules, requested, registered } = memory
  if (query !== 'subscription=true') return refuse(400, 'query must be subscription=true')
  const request = requestSchema.safeParse(body)
  if (!request.success) return refuse(422, z.prettifyError(request.error))
  const subscription = readActive(memory)
  if (subscription === undefined) return refuse(402, 'no active subscription')
  const { hash } = request.data
  if (rules.repeatRequest === 'refuse' && (registered.has(hash) || requested.has(hash))) {
    return refuse(409, 'hash was already requested')
  }
  requested.add(hash)
  return jsonReply(200, subscription)
}

/** Retrieves the active subscription. */
export function getActiveSubscription(memory: Memory): Reply {
  const subscription = readActive(memory)
  return subscription ? jsonReply(200, subscription) : refuse(404, 'no such subscription')
}

/** Makes a token in the form of a JWT. It is not signed, because clients cannot check that. */
function newToken(iat: number): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const claims = encode({ iat, nbf: iat, exp: iat + 36_000 })
  return [encode({ alg: 'HS256', typ: 'JWT' }), claims, randomBytes(32).toString('hex')].join('.')
}

function readActive({ rules: { activeSubscription } }: Memory): AnyFields | undefined {
  return activeSubscription ? { ...exampleSubscription, ...activeSubscription } : undefined
}

/** Finds a field that has neither a listed type nor the value of the active subscription. */
function findWrongField(memory: Memory, subscription: AnyFields): string | undefined {
  const active = readActive(memory)
  const isWrong = ([name, schema]: [string, z.ZodType]): boolean =>
    name in subscription &&
    !isDeepStrictEqual(subscription[name], active?.[name]) &&
    !schema.safeParse(subscription[name]).success
  return Object.entries(subscriptionFields).find(isWrong)?.[0]
}
