import { Failure } from '../failure.ts'
import type { PlannedArtifact } from '../outcome.ts'
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
 * Finds out who is charged, for which it may request registrations. Uses operations in addition to the specified two (docs/service.md), none of which registers
 * anything. The methods reject with a failure.
 */
export class Payers {
  readonly #client: Client
  readonly #host: Host
  readonly #inputs: PayerInputs
  #active: Promise<Subscription> | null = null

  constructor(client: Client, host: Host, inputs: PayerInputs) {
    this.#client = client
    this.#host = host
    this.#inputs = inputs
  }

  /**
   * Returns who is charged for an artifact: the given subscription, or else the one in the response to the request of the
   * registration, which is made here if the inputs ask for it.
   */
  async obtain(artifact: PlannedArtifact, source: Source): Promise<Payer> {
    const { payment, requestRegistration } = this.#inputs
    const given = payment === 'active' ? await this.#activeSubscription() : payment
    if (given !== null && !requestRegistration) return { subscription: given, refusal: null }
    try {
      return { subscription: await this.#request(artifact, source, given), refusal: null }
    } catch (error) {
      const refusal = Failure.orRethrow(error)
      const { code, status } = refusal
      if (code !== 'request-refused' || status === 402 || status === 403) throw refusal
      // The request may have been made before.
      return { subscription: given ?? (await this.#activeAfter(refusal)), refusal }
    }
  }

  /** Requests a registration. Returns the subscription to charge: the one in the response unless another one is given. */
  async #request(
    { name: artifact, hash }: PlannedArtifact,
    { repository, ref }: Source,
    given: Subscription | null,
  ): Promise<Subscription> {
    const body = JSON.stringify({
      blockchainType: 'ALGORAND',
      // Text in the documented example, although the declared type is boolean.
      custody: 'false',
      description: fillDescription(this.#inputs.description, { artifact, repository, ref }),
      hash,
      signed: 'false',
      status: 'not_registered',
    })
    const { request } = operations
    const operation: typeof request = {
      ...request,
      read: (object, text) => request.read(object, text) ?? given,
    }
    const offered = this.#mask(await this.#client.call(operation, { body, artifact }))
    return given ?? offered
  }

  /** Returns the active subscription, because a request was refused, and so offered none. */
  async #activeAfter(refusal: Failure): Promise<Subscription> {
    try {
      return await this.#activeSubscription()
    } catch (error) {
      const later = Failure.orRethrow(error)
      if (later.endsRun) throw later
      throw refusal.followedBy(later)
    }
  }

  /** Returns the active subscription, which is retrieved once. */
  #activeSubscription(): Promise<Subscription> {
    this.#active ??= this.#retrieve()
    return this.#active
  }

  async #retrieve(): Promise<Subscription> {
    try {
      return this.#mask(await this.#client.call(operations.retrieval))
    } catch (error) {
      const failure = Failure.orRethrow(error)
      // Without the subscription that all use, no other artifact can be registered.
      throw failure.with({ endsRun: failure.endsRun || this.#inputs.payment === 'active' })
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
  const clean = filled.replace(/\p{Cc}/gu, '')
  return clean
    .slice(0, 500)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed()
}
