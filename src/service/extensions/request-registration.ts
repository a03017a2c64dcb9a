import type { Failure, FailureCode } from '../../failure.ts'
import type { Client, Intent } from '../client.ts'
import { notarizeWith, type Notarization, type Notarize, type Subject } from '../notarize.ts'
import type { Operation } from '../operation.ts'
import type { Subscription } from '../subscription.ts'
import {
  readMasked,
  usable,
  type SubscriptionAnswer,
  type SubscriptionReader,
} from './active-subscription.ts'

/** The longest description, in UTF-16 code units. */
export const maxDescriptionLength = 500

/** How a registration is requested. */
export interface RequestOptions extends SubscriptionReader {
  readonly client: Client
  /** The subscription of the user; null to take the one that each request is answered with. */
  readonly given: Subscription | null
  /** For a request that was made before. */
  readonly active: () => Promise<SubscriptionAnswer>
  /** Text of the request. */
  readonly describe: (subject: Subject) => string
}

const operation: Operation = {
  name: 'the request of the registration',
  codeOf4xx: status => (status === 402 || status === 403 ? 'refused' : 'request-refused'),
  refusalRemedy: 'check that the subscription is valid and that the account may register',
  mayAct: true,
}

/**
 * Requests each registration, then completes it with the given subscription, or with the data of the answer (an
 * extension: the public documentation of the service, not `service-api.md`, describes the request). A request that is
 * refused may have been made before, so that the completion is tried all the same.
 */
export function notarizeByRequest(options: RequestOptions): Notarize {
  const { client, given, describe } = options
  return async (subject, intent) => {
    const request = await client.call({
      method: 'POST',
      path: '/api/v2/registration/?subscription=true',
      body: requestBody(subject, describe),
      operation,
      intent,
    })
    if ('failure' in request) {
      const { failure } = request
      if (failure.code === 'request-refused') {
        return completeAnyway(failure, { ...options, subject, intent })
      }
      return failure.registered === 'no' ? request : { failure: neverCompleted(failure) }
    }
    const reading = readMasked(request, options)
    const what = 'the request of the registration was answered with data that'
    const paying =
      given === null
        ? usable(reading, { ...options, what, registered: 'unknown' })
        : { subscription: given }
    if ('failure' in paying) return { failure: neverCompleted(paying.failure) }
    const result = await notarizeWith(client, paying.subscription)(subject, intent)
    // A try of the request whose answer was lost stays unknown, also if the completion is refused.
    return 'failure' in result && request.unansweredTries > 0
      ? { failure: { ...result.failure, registered: 'unknown' } }
      : result
  }
}

/** The request may have been made before. What is unknown of it stays unknown. */
async function completeAnyway(
  refusal: Failure,
  {
    client,
    given,
    active,
    subject,
    intent,
  }: RequestOptions & { readonly subject: Subject; readonly intent: Intent },
): Promise<Notarization> {
  const paying = given === null ? await active() : { subscription: given }
  if ('failure' in paying) return { failure: both(refusal, paying.failure, 'request-refused') }
  const result = await notarizeWith(client, paying.subscription)(subject, intent)
  if (!('failure' in result)) return result
  const { code } = result.failure
  return { failure: both(refusal, result.failure, code === 'refused' ? 'request-refused' : code) }
}

/** A request that was refused, and what was tried after it: both answers are said, unless nothing more can be sent. */
function both(request: Failure, later: Failure, code: FailureCode): Failure {
  const registered =
    request.registered === 'unknown' || later.registered === 'unknown' ? 'unknown' : 'no'
  if (later.endsRun) return { ...later, registered }
  const what = `${request.what}; and then ${later.what}`
  if (code !== 'request-refused') return { ...later, registered, what }
  const { remedy } = request
  return { ...later, code, registered, what, remedy, isOutage: false, isDeferrable: false }
}

/** A request that may have been made, of a registration that was never completed. */
function neverCompleted(failure: Failure): Failure {
  return { ...failure, what: `${failure.what}; it may be requested, but was not completed` }
}

function requestBody(subject: Subject, describe: (subject: Subject) => string): string {
  // The two flags are strings in the documented example, though their declared type is boolean.
  return JSON.stringify({
    blockchainType: 'ALGORAND',
    custody: 'false',
    description: describe(subject),
    hash: subject.hash,
    signed: 'false',
    status: 'not_registered',
  })
}

/** Fills the template of the input `description`; without control characters, at most 500 characters. */
export function fillDescription(
  template: string,
  values: Readonly<Record<'artifact' | 'repository' | 'ref', string>>,
): string {
  const filled = template.replace(/\{(artifact|repository|ref)\}/g, (_, name: string) =>
    name === 'artifact' ? values.artifact : name === 'ref' ? values.ref : values.repository,
  )
  const clean = filled.replace(/\p{Cc}/gu, '')
  return clean.slice(0, maxDescriptionLength).replace(/[\ud800-\udbff]$/, '')
}
