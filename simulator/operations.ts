/** What the service does (service-api.md 4, then EXTENSIONS.md), and how it answers. */
import { z } from 'zod'
import type { AnyFields, Memory } from './memory.ts'
import {
  exampleSubscription,
  loginSchema,
  newRecord,
  partialSubscriptionSchema,
  requestSchema,
  subscriptionSchema,
} from './resources.ts'
import { newToken } from './token.ts'

/** An answer ready to be sent. */
export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** A call whose path, method, token and JSON were found good. */
export type Operation = {
  /** What is variable in the path. */
  readonly parameter: string
  readonly body: unknown
  readonly nowMs: number
}

/** An answer with a JSON body. */
export function jsonReply(status: number, value: unknown, headers: Reply['headers'] = {}): Reply {
  const body = JSON.stringify(value)
  return { status, headers: { 'content-type': 'application/json', ...headers }, body }
}

/** A refusal changes nothing. */
export function refuse(status: number, error: string, headers: Reply['headers'] = {}): Reply {
  return jsonReply(status, { error }, headers)
}

/** Login with API key (service-api.md 4.1). */
export function logIn(memory: Memory, { body, nowMs }: Operation): Reply {
  const { apiKeys, tokenLifetimeSeconds } = memory.rules
  const login = loginSchema.safeParse(body)
  if (!login.success) return refuse(422, z.prettifyError(login.error))
  if (!apiKeys.includes(login.data.apiKey)) return refuse(401, 'invalid API key')
  const issuedAtSeconds = Math.floor(nowMs / 1000)
  const token = newToken(issuedAtSeconds, tokenLifetimeSeconds)
  memory.tokens.push(token)
  memory.validTokens.set(token, (issuedAtSeconds + (tokenLifetimeSeconds ?? Infinity)) * 1000)
  return jsonReply(200, { token })
}

/** Complete a registration without storage (service-api.md 4.2). */
export function completeRegistration(
  memory: Memory,
  { parameter: hash, body, nowMs }: Operation,
): Reply {
  const { rules, anyMayBeCompleted, requested, registered, completionCounts } = memory
  const schema = rules.missingFields === 'accept' ? partialSubscriptionSchema : subscriptionSchema
  const subscription = schema.safeParse(body)
  if (!subscription.success) return refuse(422, z.prettifyError(subscription.error))
  if (!anyMayBeCompleted && !requested.has(hash)) return refuse(404, 'hash was never requested')
  if (rules.repeat === 'refuse' && registered.has(hash)) {
    return refuse(409, 'hash is already registered')
  }
  const honest = newRecord(hash, subscription.data, nowMs)
  const record = { ...honest, ...rules.record(hash, honest) }
  registered.set(hash, record)
  countUp(completionCounts, hash)
  return jsonReply(200, record)
}

/** Request a registration without storage; its answer is ready to be the body of the completion. */
export function requestRegistration(memory: Memory, { parameter: query, body }: Operation): Reply {
  const { rules, requested, registered, requestCounts } = memory
  if (query !== 'subscription=true') return refuse(400, 'query must be subscription=true')
  const request = requestSchema.safeParse(body)
  if (!request.success) return refuse(422, z.prettifyError(request.error))
  const subscription = readActive(memory)
  if (subscription === undefined) return refuse(402, 'no active subscription')
  const { hash } = request.data
  if (rules.repeatRequest === 'refuse') {
    if (registered.has(hash)) return refuse(409, 'hash is already registered')
    if (requested.has(hash)) return refuse(409, 'hash was already requested')
  }
  requested.add(hash)
  countUp(requestCounts, hash)
  return jsonReply(200, subscription)
}

/** Retrieve a specific subscription: the service knows no other than the active one. */
export function getSubscription(memory: Memory, { parameter: sessionId }: Operation): Reply {
  const active = readActive(memory)
  return answerSubscription(active?.['sessionId'] === sessionId ? active : undefined)
}

/** Retrieve the active subscription. */
export function getActiveSubscription(memory: Memory): Reply {
  return answerSubscription(readActive(memory))
}

function answerSubscription(subscription: AnyFields | undefined): Reply {
  return subscription ? jsonReply(200, subscription) : refuse(404, 'no such subscription')
}

function readActive({ rules: { activeSubscription } }: Memory): AnyFields | undefined {
  return activeSubscription ? { ...exampleSubscription, ...activeSubscription } : undefined
}

function countUp(counts: Map<string, number>, hash: string): void {
  counts.set(hash, (counts.get(hash) ?? 0) + 1)
}
