import { Failure } from '../failure.ts'
import type { Host } from '../runtime/host.ts'
import type { Client, GoodAnswer, Notarization, Subject } from './client.ts'
import { general, request, requestedCompletion, retrieval, type Operation } from './operations.ts'
import { checkSubscription, type Subscription } from './subscription.ts'

/** Operations in addition to the specified two (docs/service.md). The methods reject with a failure. */
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
    const subscription = this.#read(await this.#client.call(retrieval, null, null))
    if (subscription === null) throw noSubscription(retrieval)
    const { runner } = this.#host
    for (const text of subscription.warnings) runner.warning(`The active subscription ${text}`)
    return subscription
  }

  /**
   * Requests a registration, then completes it. The subscription that pays is the configured one, or else the one in the
   * answer. Also tries to complete a refused request, which may have been made earlier.
   */
  async notarize(
    subject: Subject,
    configured: Subscription | null,
    description: string,
  ): Promise<Notarization> {
    const body = JSON.stringify({
      blockchainType: 'ALGORAND',
      // Text in the documented example, although the declared type is boolean.
      custody: 'false',
      description,
      hash: subject.hash,
      signed: 'false',
      status: 'not_registered',
    })
    const answer = await this.#client
      .call(request, body, subject)
      .catch((error: unknown) => Failure.from(error))
    if (answer instanceof Failure) return this.#completeRefused(subject, configured, answer)
    const offered = this.#read(answer)
    const payer = configured ?? offered
    // An unexpected 2xx may mean that the hash is registered.
    if (payer === null) throw noSubscription(request).with({ registered: 'unknown' })
    return this.#client.complete(requestedCompletion, subject, payer)
  }

  /** Completes a registration whose request was refused. A failure names both answers, and explains the one that counts. */
  async #completeRefused(
    subject: Subject,
    configured: Subscription | null,
    refusal: Failure,
  ): Promise<Notarization> {
    const isUnpaid = refusal.status === 402 || refusal.status === 403
    if (refusal.code !== 'request-refused' || isUnpaid) throw refusal
    let payer = configured
    try {
      payer ??= await this.activeSubscription()
      return await this.#client.complete(requestedCompletion, subject, payer)
    } catch (error) {
      const later = Failure.from(error)
      const registered = refusal.registered === 'unknown' ? 'unknown' : later.registered
      if (later.endsRun) throw later.with({ registered })
      // A 404 only confirms that there is nothing to complete.
      const deciding = payer !== null && later.status === 404 ? refusal : later
      const wasRefused = payer === null || later.code === 'refused'
      const code = wasRefused ? refusal.code : later.code
      const detail = `${refusal.detail}; ${later.detail}`
      const failure = deciding.with({ code, detail, registered })
      // A request without an answer may be what made the service know the hash.
      const isOwn = refusal.registered === 'unknown' && later.status === 409
      throw isOwn ? failure.with(general.registeredUnanswered) : failure
    }
  }

  /** Reads subscription data from the service and masks its secrets; null if there is none. */
  #read({ object, text }: GoodAnswer): Subscription | null {
    const { clock, secrets } = this.#host
    const subscription = checkSubscription(object, text, clock.now())
    secrets.exempt(subscription?.exempt ?? [])
    secrets.add(subscription?.secrets ?? [])
    return subscription
  }
}

/** Creates the failure for an answer without subscription data. */
function noSubscription({ name }: Operation): Failure {
  const detail = `${name} returned other data`
  return new Failure({ ...general.nothingToPayWith, code: 'invalid-response', detail })
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
