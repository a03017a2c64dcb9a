import { FailureError, failureIn, type Failure } from '../../failure.ts'
import type { Subject } from '../attempts.ts'
import type { Client, Notarization, Notarize } from '../client.ts'
import { completionOperation, notFoundAfterRequest, requestOperation } from '../operations.ts'
import type { Subscription } from '../subscription.ts'
import { readMasked, usableData, type SubscriptionReader } from './active-subscription.ts'

/** Subscription data that pays whatever the request is answered with. */
export interface GivenSubscription {
  readonly subscription: Subscription
  /** Whether it is that of the input, and not of the service. */
  readonly isInputData: boolean
}

/** How registrations are requested. */
export interface RequestOptions extends SubscriptionReader {
  readonly client: Client
  /** Null to take the data that each request is answered with. */
  readonly given: GivenSubscription | null
  /** Retrieves the data that pays for a request which was made before, if none is given. */
  readonly active: () => Promise<Subscription>
  /** Text of the request. */
  readonly describe: (artifact: string) => string
}

/**
 * Requests each registration, then completes it (an extension, see docs/service.md). A request that is refused may have
 * been made before, so that the completion is attempted all the same.
 */
export function notarizeByRequest(options: RequestOptions): Notarize {
  return async subject => {
    let given: GivenSubscription
    try {
      given = await request(subject, options)
    } catch (error) {
      const refusal = failureIn(error)
      if (!mayBeMadeBefore(refusal)) throw error
      return completeRefused(subject, refusal, options)
    }
    const { subscription, isInputData } = given
    const operation = completionOperation(isInputData, notFoundAfterRequest)
    return options.client.complete(subject, subscription, operation)
  }
}

/** Makes the request, and gives what pays for the completion. */
async function request(subject: Subject, options: RequestOptions): Promise<GivenSubscription> {
  const { client, given, describe } = options
  const body = JSON.stringify({
    blockchainType: 'ALGORAND',
    // Strings in the documented example, though their declared type is boolean.
    custody: 'false',
    description: describe(subject.artifact),
    hash: subject.hash,
    signed: 'false',
    status: 'not_registered',
  })
  const path = '/api/v2/registration/?subscription=true'
  const call = { method: 'POST', path, body, operation: requestOperation, subject } as const
  const reading = readMasked(await client.call(call), options)
  if (given !== null) return given
  try {
    const what = 'the answer to the request of the registration'
    return { subscription: usableData(reading, what), isInputData: false }
  } catch (error) {
    // A 2xx that cannot be understood.
    throw new FailureError({ ...failureIn(error), registered: 'unknown' }, error)
  }
}

/** Whether the service may have refused a request because it was made before. */
function mayBeMadeBefore({ code, status }: Failure): boolean {
  return code === 'request-refused' && status !== 402 && status !== 403
}

/** Completes a registration whose request was refused. A failure reports both answers. */
async function completeRefused(
  subject: Subject,
  refusal: Failure,
  { client, given, active }: RequestOptions,
): Promise<Notarization> {
  let subscription: Subscription
  try {
    subscription = given?.subscription ?? (await active())
  } catch (error) {
    const later = failureIn(error)
    const { status } = refusal
    const failure: Failure = { ...later, code: 'request-refused', status, isDeferrable: false }
    throw new FailureError(afterRefusal(refusal, later.endsRun ? later : failure), error)
  }
  const notFound = { cause: 'there is nothing to complete', remedy: refusal.remedy }
  const operation = completionOperation(given?.isInputData === true, notFound)
  try {
    return await client.complete(subject, subscription, operation)
  } catch (error) {
    const later = failureIn(error)
    const code = later.code === 'refused' ? 'request-refused' : later.code
    throw new FailureError(afterRefusal(refusal, { ...later, code }), error)
  }
}

function afterRefusal(refusal: Failure, later: Failure): Failure {
  const registered = refusal.registered === 'unknown' ? 'unknown' : later.registered
  const what = later.endsRun ? later.what : `${refusal.what}; ${later.what}`
  return { ...later, registered, what }
}

/** The longest description, in UTF-16 code units. */
const maxDescriptionLength = 500

/** Fills the template of the input `description`; without control characters, at most 500 characters. */
export function fillDescription(
  template: string,
  values: { readonly artifact: string; readonly repository: string; readonly ref: string },
): string {
  const texts = new Map(Object.entries(values))
  const filled = template.replace(/\{(artifact|repository|ref)\}/g, (placeholder, name: string) => {
    return texts.get(name) ?? placeholder
  })
  const clean = filled.replace(/\p{Cc}/gu, '')
  return clean.slice(0, maxDescriptionLength).replace(/[\ud800-\udbff]$/, '')
}
