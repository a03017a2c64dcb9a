import { FailureError, makeFailure } from '../../failure.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Secrets } from '../../runtime/secrets.ts'
import type { GoodAnswer } from '../attempts.ts'
import type { Client } from '../client.ts'
import { retrievalOperation } from '../operations.ts'
import { checkSubscription, type Subscription, type SubscriptionReading } from '../subscription.ts'

/** What reading subscription data of the service needs of the run. */
export interface SubscriptionReader {
  readonly secrets: Secrets
  readonly clock: Clock
  /** Takes a warning about data that is retrieved to be used for the whole run. */
  readonly warn: (text: string) => void
}

/** Retrieves the active subscription (an extension, see docs/service.md). Rejects with the failure. */
export async function retrieveActive(
  client: Client,
  reader: SubscriptionReader,
): Promise<Subscription> {
  const path = '/api/v2/payment/subscription/active'
  const answer = await client.call({
    path,
    body: null,
    operation: retrievalOperation,
    subject: null,
  })
  const reading = readMasked(answer, reader)
  for (const warning of reading.warnings) reader.warn(`The active subscription ${warning}`)
  return usableData(reading, 'the active subscription')
}

/** Reads subscription data of the service, and masks its secrets before anything else is done with it. */
export function readMasked(answer: GoodAnswer, reader: SubscriptionReader): SubscriptionReading {
  const nowMs = reader.clock.now()
  const reading = checkSubscription(answer.object, { json: answer.text, nowMs })
  reader.secrets.spare(reading.spared)
  reader.secrets.add(reading.secrets)
  return reading
}

/** The data of a reading. Throws a failure if there is none; `what` names the answer in a sentence. */
export function usableData(reading: SubscriptionReading, what: string): Subscription {
  if (reading.subscription !== null) return reading.subscription
  const failure = makeFailure({
    code: 'invalid-response',
    what: `${what} ${reading.errors.join('; ')}`,
    remedy: 'give the subscription data in the input "subscription", then run the job again',
  })
  throw new FailureError(failure)
}
