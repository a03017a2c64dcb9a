import type { Clock } from '../../clock.ts'
import { FailureError, makeFailure, type Certainty } from '../../failure.ts'
import type { Secrets } from '../../secrets.ts'
import type { Client } from '../client.ts'
import type { Operation } from '../operation.ts'
import { checkSubscription, type Subscription, type SubscriptionReading } from '../subscription.ts'
import type { Answered } from '../tries.ts'

/** What reading subscription data of the service needs of the run. */
export interface SubscriptionReader {
  readonly secrets: Secrets
  readonly clock: Pick<Clock, 'now'>
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
  mayAct: false,
}

/**
 * Retrieves the active subscription, once for the run (an extension: the public documentation of the service, not
 * `service-api.md`, describes this call). Rejects with the failure; whatever fails here has registered nothing.
 */
export function activeSubscription(
  client: Client,
  reader: SubscriptionReader,
): () => Promise<Subscription> {
  let once: Promise<Subscription> | null = null
  const retrieve = async (): Promise<Subscription> => {
    const path = '/api/v2/payment/subscription/active'
    const answer = await client.call({ method: 'GET', path, body: null, operation })
    const reading = readMasked(answer, reader)
    return usable(reading, { ...reader, what: 'the active subscription', registered: 'no' })
  }
  return () => (once ??= retrieve())
}

/** Reads subscription data of the service like a given one, and masks what is secret before anything else is done with it. */
export function readMasked(
  { object, text }: Answered,
  { secrets, clock }: SubscriptionReader,
): SubscriptionReading {
  const reading = checkSubscription(object, { json: text, nowMs: clock.now() })
  secrets.spare(reading.spared)
  secrets.add(reading.secrets)
  return reading
}

interface ReadOptions extends SubscriptionReader {
  /** The answer, in a sentence. */
  readonly what: string
  readonly registered: Certainty
}

/** Subscription data of the service that is to pay; its warnings are given, as it is used. Throws a failure if it is wrong. */
export function usable(
  { subscription, errors, warnings }: SubscriptionReading,
  { warn, notice, what, registered }: ReadOptions,
): Subscription {
  if (subscription === null) {
    const remedy =
      'check the input "base-url", or give the subscription data in the input "subscription"'
    const wrong = `${what} ${errors.join('; ')}`
    throw new FailureError(
      makeFailure({ code: 'invalid-response', registered, what: wrong, remedy }),
    )
  }
  for (const warning of warnings) warn(`the subscription data of the service ${warning}`)
  if (subscription.id === null) {
    notice(
      'the subscription data of the service has no id, so paymentId cannot be compared with it',
    )
  }
  return subscription
}
