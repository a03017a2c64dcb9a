import { FailureError, makeFailure, type Certainty } from '../../failure.ts'
import type { Host } from '../../runtime/host.ts'
import type { GoodAnswer } from '../attempts.ts'
import type { Client } from '../client.ts'
import { retrievalOperation } from '../operations.ts'
import { checkSubscription, type Subscription, type SubscriptionReading } from '../subscription.ts'

/** Retrieves the active subscription (an extension, see docs/service.md). Rejects with the failure. */
export async function retrieveActive(client: Client, host: Host): Promise<Subscription> {
  const path = '/api/v2/payment/subscription/active'
  const call = { path, body: null, operation: retrievalOperation, subject: null }
  const reading = readMasked(await client.call(call), host)
  for (const warning of reading.warnings) host.runner.warning(`The active subscription ${warning}`)
  return usableData(reading, 'the active subscription', 'no')
}

/** Reads subscription data of the service, and masks its secrets before anything else is done with it. */
export function readMasked(answer: GoodAnswer, { clock, secrets }: Host): SubscriptionReading {
  const reading = checkSubscription(answer.object, { json: answer.text, nowMs: clock.now() })
  secrets.exempt(reading.exempt)
  secrets.add(reading.secrets)
  return reading
}

/** The data of a reading. Throws a failure, with this `registered`, if there is none; `what` names the answer. */
export function usableData(
  reading: SubscriptionReading,
  what: string,
  registered: Certainty,
): Subscription {
  if (reading.subscription !== null) return reading.subscription
  const failure = makeFailure({
    code: 'invalid-response',
    registered,
    what: `${what} ${reading.errors.join('; ')}`,
    remedy: 'give the subscription data in the input "subscription", then run the job again',
  })
  throw new FailureError(failure)
}
