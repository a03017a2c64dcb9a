import { z } from 'zod'
import { jsonReply } from './reply.ts'
import type { Reply } from './reply.ts'
import {
  loginSchema,
  newRecord,
  partialSubscriptionSchema,
  subscriptionSchema,
} from './resources.ts'
import type { AnsweredRecord, AnsweredSubscription, NotarizationRecord, Plan } from './resources.ts'
import { shapeToken } from './token.ts'

/** How the service behaves where service-api.md leaves it open. */
export type ServiceRules = {
  /** What stands before /api/v2 in every path, such as `/notary`; no slash at its end. */
  readonly prefix: string
  readonly apiKeys: readonly string[]
  /** Seconds until a token expires; null means never, and no `exp` claim. */
  readonly tokenLifetimeSeconds: number | null
  /** Seconds after which the service refuses a token although its `exp` is not reached. */
  readonly tokensAcceptedSeconds: number
  /** Whether a hash already registered may be completed again. */
  readonly repeat: 'refuse' | 'accept'
  /** Whether a hash requested or registered already may be requested again. */
  readonly repeatRequest: 'refuse' | 'accept'
  /** Whether a subscription may lack fields of section 2.2. */
  readonly missingFields: 'refuse' | 'accept'
  /** Fields to lay over the honest record; `undefined` removes a field. */
  readonly record: (hash: string, record: NotarizationRecord) => AnsweredRecord
  /** Which example the active subscription is. */
  readonly plan: Plan
  /** Fields to lay over the active subscription, `undefined` removes one; null means that there is none. */
  readonly activeSubscription: AnsweredSubscription | null
}

/** What the service knows at one moment. */
export type ServiceState = {
  readonly rules: ServiceRules
  /** Whether a hash may be completed that was never requested. */
  readonly anyMayBeCompleted: boolean
  readonly requested: ReadonlySet<string>
  /** Valid tokens and when they expire, in epoch milliseconds. */
  readonly validTokens: ReadonlyMap<string, number>
  readonly registered: ReadonlyMap<string, AnsweredRecord>
}

/** What carrying out a request changes in the service. */
export type Change =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'token-issued'; readonly token: string; readonly expiresAtMs: number }
  | { readonly kind: 'requested'; readonly hash: string }
  | { readonly kind: 'registered'; readonly hash: string; readonly record: AnsweredRecord }

/** The honest answer to a request, and what becomes true with it. */
export type Decision = { readonly reply: Reply; readonly change: Change }

/** A request whose path, method, token and JSON were found good. */
export type Operation = {
  readonly pathParams: Readonly<Record<string, string>>
  /** What stands behind the question mark; empty for most operations, which have none. */
  readonly query: string
  readonly body: unknown
  readonly nowMs: number
  /** Fresh random text, base64url. */
  readonly nonce: string
}

/** A refusal that changes nothing. */
export function refuse(
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Decision {
  return { reply: jsonReply(status, { error }, headers), change: { kind: 'nothing' } }
}

/** Login with API key (service-api.md 4.1). */
export function logIn({ rules }: ServiceState, { body, nowMs, nonce }: Operation): Decision {
  const login = loginSchema.safeParse(body)
  if (!login.success) return refuse(422, z.prettifyError(login.error))
  if (!rules.apiKeys.includes(login.data.apiKey)) return refuse(401, 'invalid API key')

  const issuedAtSeconds = Math.floor(nowMs / 1000)
  const lifetimeSeconds = rules.tokenLifetimeSeconds
  const token = shapeToken({ issuedAtSeconds, lifetimeSeconds, signature: nonce })
  const acceptedSeconds = Math.min(lifetimeSeconds ?? Infinity, rules.tokensAcceptedSeconds)
  const expiresAtMs = (issuedAtSeconds + acceptedSeconds) * 1000
  return {
    reply: jsonReply(200, { token }),
    change: { kind: 'token-issued', token, expiresAtMs },
  }
}

/** Complete a registration without storage (service-api.md 4.2). */
export function completeRegistration(state: ServiceState, operation: Operation): Decision {
  const { rules, anyMayBeCompleted, requested, registered } = state
  const { hash = '' } = operation.pathParams
  const schema = rules.missingFields === 'accept' ? partialSubscriptionSchema : subscriptionSchema
  const subscription = schema.safeParse(operation.body)
  if (!subscription.success) return refuse(422, z.prettifyError(subscription.error))
  if (!anyMayBeCompleted && !requested.has(hash)) return refuse(404, 'hash was never requested')
  if (rules.repeat === 'refuse' && registered.has(hash)) {
    return refuse(409, 'hash is already registered')
  }

  const honest = newRecord(hash, subscription.data, operation.nowMs)
  const record = { ...honest, ...rules.record(hash, honest) }
  return { reply: jsonReply(200, record), change: { kind: 'registered', hash, record } }
}
