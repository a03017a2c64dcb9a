import { Failure } from '../../failure.ts'
import type { Host } from '../../runtime/host.ts'
import type { Client, GoodAnswer } from '../client.ts'
import { nothingToPayWith, retrievalOperation, type Operation } from '../operations.ts'
import { checkSubscription, type Subscription, type SubscriptionReading } from '../subscription.ts'

/** Retrieves the active subscription (an extension, see docs/service.md). Rejects with the failure. */
export async function retrieveActive(client: Client, host: Host): Promise<Subscription> {
  const operation = retrievalOperation
  const path = '/api/v2/payment/subscription/active'
  const answer = await client.call({ operation, path, body: null, subject: null })
  const { subscription, warnings } = readMasked(answer, host)
  for (const warning of warnings) host.runner.warning(`The active subscription ${warning}`)
  if (subscription === null) throw noSubscription(operation)
  return subscription
}

/** Reads subscription data from the service and masks its secrets. */
export function readMasked(answer: GoodAnswer, { clock, secrets }: Host): SubscriptionReading {
  const reading = checkSubscription(answer.object, answer.text, clock.now())
  secrets.exempt(reading.exempt)
  secrets.add(reading.secrets)
  return reading
}

/** Creates the failure for an answer without subscription data. */
export function noSubscription({ name }: Operation): Failure {
  const detail = `${name} returned other data`
  return new Failure({ ...nothingToPayWith, code: 'invalid-response', detail })
}
