/** The further operations (EXTENSIONS.md): what service-api.md 4.3 names without specifying it. */
import { z } from 'zod'
import { refuse } from './operations.ts'
import type { Decision, Operation, ServiceRules, ServiceState } from './operations.ts'
import { jsonReply } from './reply.ts'
import { requestSchema, subscriptionOf } from './resources.ts'
import type { AnsweredSubscription } from './resources.ts'

/** Request a registration without storage; its answer is ready to be the body of the completion. */
export function requestRegistration(state: ServiceState, operation: Operation): Decision {
  const { rules, requested, registered } = state
  if (operation.query !== 'subscription=true') return refuse(400, 'query must be subscription=true')
  const request = requestSchema.safeParse(operation.body)
  if (!request.success) return refuse(422, z.prettifyError(request.error))
  const subscription = readActive(rules)
  if (subscription === undefined) return refuse(402, 'no active subscription')
  const { hash } = request.data
  if (rules.repeatRequest === 'refuse') {
    if (registered.has(hash)) return refuse(409, 'hash is already registered')
    if (requested.has(hash)) return refuse(409, 'hash was already requested')
  }
  return { reply: jsonReply(200, subscription), change: { kind: 'requested', hash } }
}

/** Retrieve the active subscription. */
export function getActiveSubscription({ rules }: ServiceState): Decision {
  return answer(readActive(rules))
}

/** Retrieve a specific subscription: the service knows no other than the active one. */
export function getSubscription({ rules }: ServiceState, { pathParams }: Operation): Decision {
  const active = readActive(rules)
  const sessionId = active?.['sessionId']
  const isKnown =
    typeof sessionId === 'string' &&
    [sessionId, encodeURIComponent(sessionId)].includes(pathParams['sessionId'] ?? '')
  return answer(isKnown ? active : undefined)
}

function readActive({ plan, activeSubscription }: ServiceRules): AnsweredSubscription | undefined {
  return activeSubscription === null
    ? undefined
    : { ...subscriptionOf[plan], ...activeSubscription }
}

function answer(subscription: AnsweredSubscription | undefined): Decision {
  return subscription === undefined
    ? refuse(404, 'no such subscription')
    : { reply: jsonReply(200, subscription), change: { kind: 'nothing' } }
}
