import type { Failure } from '../failure.ts'
import type { JsonObject } from '../text/json.ts'
import type { Client, Intent } from './client.ts'
import type { Subscription } from './subscription.ts'

/** What is to be registered. */
export interface Subject {
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
  /** Name of the artifact. */
  readonly name: string
}

/** What came of one registration: a record, not yet checked, or why there is none. */
export type Notarization =
  | {
      readonly record: JsonObject
      /** The `id` of the subscription that paid, which `paymentId` must be; null if it cannot be compared. */
      readonly paymentId: string | null
      /** Completions before this one that may have acted, and whose answer was lost. */
      readonly unansweredTries: number
    }
  | { readonly failure: Failure }

/** A way to register one subject; the seam between the core and the extensions. Never rejects. */
export type Notarize = (subject: Subject, intent: Intent) => Promise<Notarization>

/** The way of `service-api.md`: the registration was requested before, and the subscription was given. */
export function notarizeWith(client: Client, { id, json }: Subscription): Notarize {
  return async ({ hash }, intent) => {
    const answer = await client.complete({ hash, subscriptionJson: json, intent })
    if ('failure' in answer) return answer
    const { object, unansweredTries } = answer
    return { record: object, paymentId: id, unansweredTries }
  }
}
