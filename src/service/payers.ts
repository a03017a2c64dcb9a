import { Failure } from '../failure.ts'
import type { PlannedArtifact } from '../outcome.ts'
import type { Source } from '../runtime/environment.ts'
import type { Host } from '../runtime/outside.ts'
import type { Client, Payer } from './client.ts'
import * as operations from './operations.ts'
import { checkSubscription, type Subscription } from './subscription.ts'

export interface PayerInputs {
  /** The given subscription; null if the one in the response to each request is charged. */
  readonly payment: Subscription | 'active' | null
  readonly requestRegistration: boolean
  /** Template for the text of a request. */
  readonly description: string
}

/**
 * Finds who is charged. Uses operations in addition to the specified two (docs/service.md), none of which registers
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
  async find(artifact: PlannedArtifact, source: Source): Promise<Payer> {
    const { payment, requestRegistration } = this.#inputs
    const given = payment === 'active' ? await this.#activeSubscription() : payment
    if (given !== null && !requestRegistration) {
      return { subscription: given, operation: operations.completion, refusal: null }
    }
    const operation = operations.requestedCompletion
    try {
      const offered = await this.#request(artifact, source)
      const subscription = given ?? offered
      if (subscription === null) throw noSubscription(operations.request)
      return { subscription, operation, refusal: null }
    } catch (error) {
      const refusal = Failure.from(error)
      const { code, status } = refusal
      if (code !== 'request-refused' || status === 402 || status === 403) throw refusal
      // The request may have been made before.
      const subscription = given ?? (await this.#activeAfter(refusal))
      return { subscription, operation, refusal }
    }
  }

  /** Requests a registration. Returns the subscription in the response; null if there is none. */
  async #request({ name, hash }: PlannedArtifact, source: Source): Promise<Subscription | null> {
    const { repository, ref } = source
    const artifact = this.#host.secrets.redactText(name)
    const body = JSON.stringify({
      blockchainType: 'ALGORAND',
      // Text in the documented example, although the declared type is boolean.
      custody: 'false',
      description: fillDescription(this.#inputs.description, { artifact, repository, ref }),
      hash,
      signed: 'false',
      status: 'not_registered',
    })
    return this.#read(await this.#client.call(operations.request, body, artifact))
  }

  /** Returns the active subscription, because a request was refused, and so offered none. */
  async #activeAfter(refusal: Failure): Promise<Subscription> {
    try {
      return await this.#activeSubscription()
    } catch (error) {
      const later = Failure.from(error)
      if (later.endsRun) throw later
      const observed = `${refusal.observed}; ${later.observed}`
      throw later.with({ code: refusal.code, observed })
    }
  }

  /** Returns the active subscription, which is retrieved once. */
  #activeSubscription(): Promise<Subscription> {
    this.#active ??= this.#retrieve()
    return this.#active
  }

  async #retrieve(): Promise<Subscription> {
    try {
      const subscription = this.#read(await this.#client.call(operations.retrieval))
      if (subscription === null) throw noSubscription(operations.retrieval)
      const { runner } = this.#host
      for (const text of subscription.warnings) runner.warning(`The active subscription ${text}`)
      return subscription
    } catch (error) {
      const failure = Failure.from(error)
      // Without the subscription that all use, no other artifact can be registered.
      throw failure.with({ endsRun: failure.endsRun || this.#inputs.payment === 'active' })
    }
  }

  /** Reads subscription data from the service and masks its secrets; null if there is none. */
  #read({ object, text }: operations.GoodResponse): Subscription | null {
    const { clock, secrets } = this.#host
    const subscription = checkSubscription(object, text, clock.now())
    secrets.exempt(subscription?.exempt ?? [])
    secrets.add(subscription?.secrets ?? [])
    return subscription
  }
}

/** Returns the failure of a completion whose request was refused: it names both responses, and the reason that counts. */
export function joinRefusal(failure: Failure, refusal: Failure | null): Failure {
  if (refusal === null || failure.endsRun || failure.code === 'record-mismatch') return failure
  const { registered, observed } = failure
  // A 404 only confirms that there is nothing to complete.
  const deciding = failure.status === 404 ? refusal : failure
  const code = failure.code === 'refused' ? refusal.code : failure.code
  return deciding.with({ code, registered, observed: `${refusal.observed}; ${observed}` })
}

/** Creates the failure for a response without subscription data. */
function noSubscription({ name }: operations.Operation): Failure {
  const observed = `${name} returned other data`
  return new Failure('invalid-response', 'no-subscription-data', { observed })
}

/** Fills the template of the input `description`, without control characters, up to 500 UTF-16 code units. */
export function fillDescription(
  template: string,
  values: Readonly<Record<'artifact' | 'repository' | 'ref', string | null>>,
): string {
  const placeholder = /\{(artifact|repository|ref)\}/g
  const filled = template.replace(placeholder, (_, name: keyof typeof values) => values[name] ?? '')
  const clean = filled.replace(/\p{Cc}/gu, '')
  return clean.slice(0, 500).replace(/[\ud800-\udbff]$/, '')
}
