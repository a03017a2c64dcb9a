import { FailureError, failureIn, type Failure } from '../../failure.ts'
import type { Host } from '../../runtime/host.ts'
import type { Subject } from '../attempts.ts'
import type { Client, Notarization } from '../client.ts'
import { notFoundAfterRequest, requestOperation } from '../operations.ts'
import type { Subscription } from '../subscription.ts'
import { readMasked, usableData } from './active-subscription.ts'

/** How a registration is requested. */
export interface RequestOptions {
  readonly host: Host
  readonly client: Client
  /** What pays, whatever the request is answered with; null to take the data of the answer. */
  readonly given: Subscription | null
  /** Retrieves the data that pays for a request which was made before, if none is given. */
  readonly active: () => Promise<Subscription>
  /** Text of the request. */
  readonly description: string
}

/**
 * Requests a registration, then completes it (an extension, see docs/service.md). A request that is refused may have been
 * made before, so that the completion is attempted all the same.
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

/** Makes the request, and gives what pays for the completion. */
async function request(subject: Subject, options: RequestOptions): Promise<Subscription> {
  const { host, client, given, description } = options
  const body = JSON.stringify({
    blockchainType: 'ALGORAND',
    // Strings in the documented example, though their declared type is boolean.
    custody: 'false',
    description,
    hash: subject.hash,
    signed: 'false',
    status: 'not_registered',
  })
  const path = '/api/v2/registration/?subscription=true'
  const answer = await client.call({ path, body, operation: requestOperation, subject })
  const reading = readMasked(answer, host)
  // A 2xx that cannot be understood may have registered the hash.
  return given ?? usableData(reading, 'the answer to the request of the registration', 'unknown')
}

/** Completes a registration whose request was refused. A failure reports both answers. */
async function completeRefused(
  subject: Subject,
  refusal: Failure,
  { client, given, active }: RequestOptions,
): Promise<Notarization> {
  let payment: Subscription | null = given
  try {
    payment ??= await active()
    const notFound = { cause: 'there is nothing to complete', remedy: refusal.remedy }
    return await client.complete(subject, payment, notFound)
  } catch (error) {
    const later = failureIn(error)
    const registered = refusal.registered === 'unknown' ? 'unknown' : later.registered
    if (later.endsRun) throw new FailureError({ ...later, registered }, error)
    const what = `${refusal.what}; ${later.what}`
    const { remedy } = later
    // Nothing to complete, or nothing to complete it with: a 409 still says that the service knows the hash.
    if (payment === null || later.status === 404) {
      throw new FailureError({ ...refusal, what, remedy, registered }, error)
    }
    const code = later.code === 'refused' ? refusal.code : later.code
    throw new FailureError({ ...later, code, what, registered }, error)
  }
}

/** Fills the template of the input `description`; without control characters, at most 500 UTF-16 code units. */
export function fillDescription(
  template: string,
  values: Readonly<Record<'artifact' | 'repository' | 'ref', string>>,
): string {
  const placeholder = /\{(artifact|repository|ref)\}/g
  const filled = template.replace(placeholder, (_, name: keyof typeof values) => values[name])
  const clean = filled.replace(/\p{Cc}/gu, '')
  return clean.slice(0, 500).replace(/[\ud800-\udbff]$/, '')
}
