import type { Certainty } from '../../outcome.ts'
import type { Secrets } from '../../secrets.ts'
import type { CallFailure, Client } from '../core/client.ts'
import { failureOf, type Operation } from '../core/failures.ts'
import { checkSubscription, type Subscription } from '../core/subscription.ts'

/** The active subscription, or why there is none to use. */
export type ActiveSubscription =
  { readonly kind: 'subscription'; readonly subscription: Subscription } | CallFailure

/** What reading subscription data of the service needs of the run. */
export interface SubscriptionReader {
  readonly secrets: Secrets
  readonly nowMs: () => number
  /** Takes a warning; the same one comes only once. */
  readonly warn: (text: string) => void
  /** Takes a notice; the same one comes only once. */
  readonly notice: (text: string) => void
}

const operation: Operation = {
  name: 'the retrieval of the active subscription',
  codeOf4xx: () => 'refused',
  refusalRemedy:
    'check that the account has an active subscription, or give one in the input "subscription"',
}

/**
 * Retrieves the active subscription, once for the run (an extension: the public documentation of the service, not
 * `service-api.md`, describes this call). Whatever fails here has registered nothing.
 */
export function activeSubscription(
  client: Client,
  reader: SubscriptionReader,
): () => Promise<ActiveSubscription> {
  let once: Promise<ActiveSubscription> | null = null
  const retrieve = async (): Promise<ActiveSubscription> => {
    const path = '/api/v2/payment/subscription/active'
    const answer = await client.call({ method: 'GET', path, body: null, operation })
    if (answer.kind === 'failed') return { ...answer, failure: failureOf(answer.reason, 'no') }
    const subscription = acceptSubscription(answer, reader)
    return subscription instanceof Array
      ? unusable('the active subscription', subscription, 'no')
      : { kind: 'subscription', subscription }
  }
  return () => (once ??= retrieve())
}

/**
 * Masks what is secret in subscription data of the service, then checks it like a given one; gives what is wrong with it
 * where it cannot be used.
 */
export function acceptSubscription(
  { object, text }: { readonly object: Readonly<Record<string, unknown>>; readonly text: string },
  { secrets, nowMs, warn, notice }: SubscriptionReader,
): Subscription | readonly string[] {
  const reading = checkSubscription(object, { json: text, nowMs: nowMs() })
  secrets.spare(reading.spared)
  secrets.add(reading.secrets)
  for (const warning of reading.warnings) warn(`the subscription data of the service ${warning}`)
  if (reading.subscription === null) return reading.errors
  if (reading.subscription.id === null) {
    notice(
      'the subscription data of the service has no id, so paymentId cannot be compared with it',
    )
  }
  return reading.subscription
}

/** The failure of an answer that is no subscription data. */
export function unusable(
  what: string,
  errors: readonly string[],
  registered: Certainty,
): CallFailure {
  const reason = {
    code: 'invalid-response' as const,
    what: `${what} ${errors.join('; ')}`,
    remedy: 'check `base-url`, or give the subscription data in the input "subscription"',
  }
  const failure = failureOf(reason, registered)
  return { kind: 'failed', failure, reason, endsRun: null, isOutage: false, status: null }
}
