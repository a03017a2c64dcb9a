import { Failure } from '../failure.ts'
import type { Host } from '../runtime/outside.ts'
import type { Client, GoodResponse } from './client.ts'
import { request, retrieval, type Operation } from './operations.ts'
import { isRetryableStatus } from './retry.ts'
import { checkSubscription, type Subscription } from './subscription.ts'

/** Who is charged for a registration. */
export interface Payer {
  readonly subscription: Subscription
  /** Why the service refused the request, which may have been made earlier; null if it did not. */
  readonly refusal: Failure | null
}

/** Operations in addition to the specified two (docs/service.md). None of them registers anything. The methods reject with a failure. */
export class Extensions {
  readonly #client: Client
  readonly #host: Host
  #active: Promise<Subscription> | null = null

  constructor(client: Client, host: Host) {
    this.#client = client
    this.#host = host
  }

  /** Returns the active subscription, which is retrieved once. */
  activeSubscription(): Promise<Subscription> {
    this.#active ??= this.#retrieve()
    return this.#active
  }

  async #retrieve(): Promise<Subscription> {
    const subscription = this.#read(await this.#client.call(retrieval))
    if (subscription === null) throw noSubscription(retrieval)
    const { runner } = this.#host
    for (const text of subscription.warnings) runner.warning(`The active subscription ${text}`)
    return subscription
  }

  /**
   * Requests a registration. The configured subscription is charged, or else the one in the response. If the request is
   * refused because it may have been made earlier, the configured or else the active one is.
   */
  async request(
    { hash, name }: { readonly hash: string; readonly name: string },
    configured: Subscription | null,
    description: string,
  ): Promise<Payer> {
    const body = JSON.stringify({
      blockchainType: 'ALGORAND',
      // Text in the documented example, although the declared type is boolean.
      custody: 'false',
      description,
      hash,
      signed: 'false',
      status: 'not_registered',
    })
    try {
      const offered = this.#read(await this.#client.call(request, body, name))
      const subscription = configured ?? offered
      if (subscription === null) throw noSubscription(request)
      return { subscription, refusal: null }
    } catch (error) {
      const refusal = Failure.from(error)
      if (!mayExist(refusal)) throw refusal
      const active =
        configured ??
        (await this.activeSubscription().catch((later: unknown) => {
          throw joinRefusal(Failure.from(later), refusal, false)
        }))
      return { subscription: active, refusal }
    }
  }

  /** Reads subscription data from the service and masks its secrets; null if there is none. */
  #read({ object, text }: GoodResponse): Subscription | null {
    const { clock, secrets } = this.#host
    const subscription = checkSubscription(object, text, clock.now())
    secrets.exempt(subscription?.exempt ?? [])
    secrets.add(subscription?.secrets ?? [])
    return subscription
  }
}

/** Whether a refused request may have been made earlier. */
function mayExist({ code, status }: Failure): boolean {
  if (code !== 'request-refused' || status === null) return false
  return ![401, 402, 403].includes(status) && !isRetryableStatus(status)
}

/** Joins the failure of what followed a refused request with the refusal: names both responses, and explains the one that counts. */
export function joinRefusal(later: Failure, refusal: Failure, wasCompleted = true): Failure {
  if (later.endsRun || later.code === 'record-mismatch') return later
  // A 404 only confirms that there is nothing to complete.
  const deciding = wasCompleted && later.status === 404 ? refusal : later
  const code = !wasCompleted || later.code === 'refused' ? refusal.code : later.code
  const observed = `${refusal.observed}; ${later.observed}`
  return deciding.with({ code, observed, registered: later.registered })
}

/** Creates the failure for a response without subscription data. */
function noSubscription({ name }: Operation): Failure {
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
