import { Failure } from '../failure.ts'
import type { HashedArtifact } from '../outcome.ts'
import type { Source } from '../runtime/environment.ts'
import type { Host } from '../runtime/outside.ts'
import type { Client, Payer } from './client.ts'
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
 * Finds out who is charged, for which it may request registrations. Uses operations in addition to the specified two
 * (docs/service.md), none of which registers anything.
 */
export class Payers {
  readonly #client: Client
  readonly #host: Host
  readonly #inputs: PayerInputs
  /** Retrieved once; null before. */
  #active: Promise<Subscription> | null = null

  constructor(client: Client, host: Host, inputs: PayerInputs) {
    this.#client = client
    this.#host = host
    this.#inputs = inputs
  }

  /**
   * Returns who is charged for an artifact: the given subscription, or else the one in the response to the request of the
   * registration, which is made here if the inputs ask for it. Rejects with a failure.
   */
  async obtain(artifact: HashedArtifact, source: Source): Promise<Payer> {
    const { payment, requestRegistration } = this.#inputs
    const given = payment === 'active' ? await this.#obtainActive() : payment
    if (given !== null && !requestRegistration) return { subscription: given, refusal: null }
    try {
      const offered = await this.#request(artifact, source)
      return { subscription: given ?? offered, refusal: null }
    } catch (error) {
      const refusal = Failure.orRethrow(error)
      const { code, reason, status } = refusal
      // With a given subscription, the response need not have one.
      if (given !== null && reason === 'no-subscription')
        return { subscription: given, refusal: null }
      if (code !== 'request-refused' || status === 402 || status === 403) throw refusal
      // The request may have been made before.
      return { subscription: given ?? (await this.#obtainActive(refusal)), refusal }
    }
  }

  /** Requests a registration. Returns the subscription in the response. */
  async #request(artifact: HashedArtifact, { repository, ref }: Source): Promise<Subscription> {
    const { hash, name } = artifact
    const body = JSON.stringify({
      blockchainType: 'ALGORAND',
      // Text in the documented example, although the declared type is boolean.
      custody: 'false',
      description: fillDescription(this.#inputs.description, { artifact: name, repository, ref }),
      hash,
      signed: 'false',
      status: 'not_registered',
    })
    return this.#mask(await this.#client.call(operations.request, { body, artifact }))
  }

  /** Returns the active subscription; `refusal` is that of a request, which then offered none. */
  async #obtainActive(refusal: Failure | null = null): Promise<Subscription> {
    this.#active ??= this.#client.call(operations.retrieval).then(active => this.#mask(active))
    try {
      return await this.#active
    } catch (error) {
      const failure = Failure.orRethrow(error)
      if (refusal !== null && !failure.endsRun) throw refusal.followedBy(failure)
      // Without the subscription that all use, no other artifact can be registered.
      throw failure.with({ endsRun: true })
    }
  }

  /** Masks the secrets of subscription data from the service. */
  #mask(subscription: Subscription): Subscription {
    this.#host.secrets.exempt(subscription.exempt)
    this.#host.secrets.addDetails(subscription.secrets)
    this.#host.secrets.maskDetails()
    return subscription
  }
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
