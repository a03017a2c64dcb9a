import { Failure } from '../../failure.ts'
import type { Host } from '../../runtime/host.ts'
import type { Client, Notarization, Subject } from '../client.ts'
import { lostRequest, requestOperation } from '../operations.ts'
import type { Subscription } from '../subscription.ts'
import { noSubscription, readMasked } from './active-subscription.ts'

export interface RequestOptions {
  readonly host: Host
  readonly client: Client
  /** The subscription that pays; null if the data in the answer to the request does. */
  readonly configured: Subscription | null
  /** Retrieves the subscription that pays after a refused request, if none is configured. */
  readonly retrieve: () => Promise<Subscription>
  /** Text of the request. */
  readonly description: string
}

/**
 * Requests a registration, then completes it (an extension, see docs/service.md). Also tries to
 * complete a refused request, which may have been made earlier.
 */
export async function notarizeByRequest(
  subject: Subject,
  options: RequestOptions,
): Promise<Notarization> {
  let payer: Subscription
  try {
    payer = await request(subject, options)
  } catch (error) {
    const refusal = Failure.from(error)
    const { code, status } = refusal
    if (code !== 'request-refused' || status === 402 || status === 403) throw refusal
    return completeRefused(subject, refusal, options)
  }
  return options.client.complete(subject, payer, lostRequest)
}

/** Makes the request. Returns the subscription that pays for the completion. */
async function request(subject: Subject, options: RequestOptions): Promise<Subscription> {
  const { host, client, configured, description } = options
  const body = JSON.stringify({
    blockchainType: 'ALGORAND',
    // Text in the documented example, although the declared type is boolean.
    custody: 'false',
    description,
    hash: subject.hash,
    signed: 'false',
    status: 'not_registered',
  })
  const operation = requestOperation
  const path = '/api/v2/registration/?subscription=true'
  const answer = await client.call({ operation, path, body, subject })
  const { subscription } = readMasked(answer, host)
  const payer = configured ?? subscription
  // An unexpected 2xx may mean that the hash is registered.
  if (payer === null) throw noSubscription(operation).with({ registered: 'unknown' })
  return payer
}

/** Completes a registration whose request was refused. A failure names both answers, and explains the one that counts. */
async function completeRefused(
  subject: Subject,
  refusal: Failure,
  { client, configured, retrieve }: RequestOptions,
): Promise<Notarization> {
  let payer = configured
  try {
    payer ??= await retrieve()
    return await client.complete(subject, payer, lostRequest)
  } catch (error) {
    const later = Failure.from(error)
    const registered = refusal.registered === 'unknown' ? 'unknown' : later.registered
    if (later.endsRun) throw later.with({ registered })
    // A 404 only confirms that there is nothing to complete.
    const deciding = payer !== null && later.status === 404 ? refusal : later
    const wasRefused = payer === null || later.code === 'refused'
    const code = wasRefused ? refusal.code : later.code
    const detail = `${refusal.detail}; ${later.detail}`
    throw deciding.with({ code, detail, registered })
  }
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
