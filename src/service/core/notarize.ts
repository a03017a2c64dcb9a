import type { Client, Completion } from './client.ts'
import type { Subscription } from './subscription.ts'

/** What is to be registered. */
export interface Subject {
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
  /** Name of the artifact. */
  readonly name: string
}

/** What came of one registration, and the id of the subscription that its `paymentId` is held against. */
export interface Notarization {
  readonly completion: Completion
  readonly paymentId: string | null
}

/** A way to register one subject; the seam between the core and the extensions. Never rejects. */
export type Notarize = (subject: Subject) => Promise<Notarization>

/** The way of `service-api.md`: the registration was requested before, and the subscription was given. */
export function notarizeWith(client: Client, subscription: Subscription): Notarize {
  return async ({ hash }) => ({
    completion: await client.complete(hash, subscription.json),
    paymentId: subscription.id,
  })
}
