import { Failure } from '../failure.ts'
import type { HashedArtifact } from '../outcome.ts'
import type { Source } from '../runtime/environment.ts'
import type { Host } from '../runtime/outside.ts'
import type { Call, Payer } from './client.ts'
import * as operations from './operations.ts'
import type { Subscription } from './subscription.ts'

interface PayerInputs {
  /** The given subscription; null if the one in the response to each request is charged. */
  readonly payment: Subscription | 'active' | null
  readonly requestRegistration: boolean
  /** Template for the text of a request. */
  readonly description: string
}

/**
 * Returns a function that finds out who is charged for an artifact: the given subscription, or else the one in the response to
 * the request of the registration, which it makes if the inputs ask for it. It rejects with a failure. Uses operations in
 * addition to the specified two (docs/service.md), none of which registers anything.
 */
export function preparePayers(call: Call, { halt, secrets }: Host, inputs: PayerInputs) {
  const { payment, requestRegistration, description } = inputs
  /** Retrieved once; null before. */
  let active: Promise<Subscription> | null = null

  async function obtainPayer(artifact: HashedArtifact, source: Source): Promise<Payer> {
    const given = payment === 'active' ? await obtainActive() : payment
    if (given !== null && !requestRegistration) return { subscription: given, refusal: null }
    const { hash, name } = artifact
    const body = JSON.stringify({
      blockchainType: 'ALGORAND',
      // Text in the documented example, although the declared type is boolean.
      custody: 'false',
      description: fillDescription(description, { ...source, artifact: name }),
      hash,
      signed: 'false',
      status: 'not_registered',
    })
    try {
      const offered = mask(await call(operations.request, body, artifact))
      return { subscription: given ?? offered, refusal: null }
    } catch (error) {
      const refusal = Failure.orRethrow(error)
      const { code, reason, status } = refusal
      // With a given subscription, the response need not have one.
      if (given !== null && reason === 'no-subscription')
        return { subscription: given, refusal: null }
      if (code !== 'request-refused' || status === 402 || status === 403) throw refusal
      // The request may have been made before.
      return { subscription: given ?? (await obtainActive(refusal)), refusal }
    }
  }

  /** Returns the active subscription; `refusal` is that of a request, which then offered none. */
  async function obtainActive(refusal: Failure | null = null): Promise<Subscription> {
    active ??= call(operations.retrieval).then(mask)
    try {
      return await active
    } catch (error) {
      const failure = Failure.orRethrow(error)
      // Without the subscription that all use, no other artifact can be registered.
      if (refusal === null) halt.end(failure)
      if (refusal === null || failure.code === 'login-refused') throw failure
      // A 409 only says that a request exists.
      if (failure.isOfRun) throw refusal.status === 409 ? failure : refusal
      if (refusal.status === 409) throw failure.with({ code: refusal.code })
      throw refusal.followedBy(failure)
    }
  }

  /** Masks the secrets of subscription data from the service. */
  function mask(subscription: Subscription): Subscription {
    secrets.addDetails(subscription.secrets)
    secrets.maskDetails(subscription.exempt)
    return subscription
  }

  return obtainPayer
}

/** Fills the template of the input `description`, without control characters: whole characters, up to 500 UTF-16 code units. */
export function fillDescription(
  template: string,
  values: Readonly<Record<'artifact' | 'repository' | 'ref', string | null>>,
): string {
  const placeholder = /\{(artifact|repository|ref)\}/g
  const filled = template.replace(placeholder, (_, name: keyof typeof values) => values[name] ?? '')
  const start = filled.replace(/\p{Cc}/gu, '').slice(0, 500)
  return start.replace(/[\ud800-\udbff]$/, '').toWellFormed()
}
