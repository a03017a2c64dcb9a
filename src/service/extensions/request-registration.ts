import { FailureError, failureIn, type Failure } from '../../failure.ts'
import type { Host } from '../../runtime/host.ts'
import type { Subject } from '../attempts.ts'
import type { Client, Notarization } from '../client.ts'
import { notFoundAfterRequest, requestOperation } from '../operations.ts'
import type { Subscription } from '../subscription.ts'
import { noSubscription, readMasked } from './active-subscription.ts'

export interface RequestOptions {
  readonly host: Host
  readonly client: Client
  /** The subscription that pays; null if the data in the answer to the request does. */
  readonly configured: Subscription | null
  /** Retrieves the subscription that pays after a refused request, if none is configured. */
  readonly active: () => Promise<Subscription>
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
  let payment: Subscription
  try {
    payment = await request(subject, options)
  } catch (error) {
    const refusal = failureIn(error)
    const { code, status } = refusal
    if (code !== 'request-refused' || status === 402 || status === 403) throw error
    return completeRefused(subject, refusal, options)
  }
  return options.client.complete(subject, payment, notFoundAfterRequest)
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
  const payment = configured ?? subscription
  // An unexpected 2xx may mean that the hash is registered.
  if (payment === null) throw noSubscription(operation, 'unknown')
  return payment
}

/** Completes a registration whose request was refused. A failure reports both answers. */
async function completeRefused(
  subject: Subject,
  refusal: Failure,
  { client, configured, active }: RequestOptions,
): Promise<Notarization> {
  let payment = configured
  try {
    payment ??= await active()
    const notFound = { cause: 'there is nothing to complete', remedy: refusal.remedy }
    return await client.complete(subject, payment, notFound)
  } catch (error) {
    const later = failureIn(error)
    const registered = refusal.registered === 'unknown' ? 'unknown' : later.registered
    if (later.endsRun) throw new FailureError({ ...later, registered }, error)
    // With nothing to complete or to pay with, the refusal decides: a 409 means that the service has the hash.
    const wasCompleted = payment !== null && later.status !== 404
    const [first, second] = wasCompleted ? [later, refusal] : [refusal, later]
    const what = `${first.what}; ${second.what}`
    const { status, isDeferrable } = wasCompleted ? later : refusal
    const code = wasCompleted && later.code !== 'refused' ? later.code : refusal.code
    throw new FailureError({ ...later, code, status, isDeferrable, what, registered }, error)
  }
}

/** Fills the template of the input `description`, without control characters, up to 500 UTF-16 code units. */
export function fillDescription(
  template: string,
  values: Readonly<Record<'artifact' | 'repository' | 'ref', string>>,
): string {
  const placeholder = /\{(artifact|repository|ref)\}/g
  const filled = template.replace(placeholder, (_, name: keyof typeof values) => values[name])
  const clean = filled.replace(/\p{Cc}/gu, '')
  return clean.slice(0, 500).replace(/[\ud800-\udbff]$/, '')
}
