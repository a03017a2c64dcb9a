import type { CallFailure, Client, Completion } from '../core/client.ts'
import { failureOf, type Operation, type Reason } from '../core/failures.ts'
import type { Notarization, Notarize, Subject } from '../core/notarize.ts'
import type { Subscription } from '../core/subscription.ts'
import {
  acceptSubscription,
  unusable,
  type ActiveSubscription,
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
  readonly active: () => Promise<ActiveSubscription>
  /** Text of the request. */
  readonly describe: (subject: Subject) => string
}

const operation: Operation = {
  name: 'the request of the registration',
  codeOf4xx: status => (status === 402 || status === 403 ? 'refused' : 'request-refused'),
  refusalRemedy: 'check that the subscription is valid and that the account may register',
}

/**
 * Requests each registration, then completes it with the subscription data of the answer, or with the given one (an
 * extension: the public documentation of the service, not `service-api.md`, describes the request). A request that is
 * refused may have been made before, so that the completion is tried all the same.
 */
export function notarizeByRequest(options: RequestOptions): Notarize {
  const { client, given } = options
  return async subject => {
    const request = await client.call({
      method: 'POST',
      path: '/api/v2/registration/?subscription=true',
      body: requestBody(subject, options.describe),
      operation,
    })
    if (request.kind === 'object') {
      const answered = acceptSubscription(request, options)
      const subscription = given ?? answered
      return subscription instanceof Array
        ? failing(
            unusable(
              'the request of the registration was answered with data that',
              subscription,
              'unknown',
            ),
          )
        : complete(client, subject, subscription)
    }
    return request.reason.code === 'request-refused'
      ? completeAnyway(request, subject, options)
      : failing(request)
  }
}

async function completeAnyway(
  request: CallFailure,
  subject: Subject,
  { client, given, active }: RequestOptions,
): Promise<Notarization> {
  const fallback =
    given === null ? await active() : { kind: 'subscription' as const, subscription: given }
  if (fallback.kind === 'failed') {
    const isNone = fallback.reason.code === 'refused'
    return failing(isNone ? refusedTwice(request, fallback) : inDoubt(request, fallback))
  }
  const { completion, paymentId } = await complete(client, subject, fallback.subscription)
  return {
    completion:
      completion.kind === 'failed' ? afterRefusedRequest(request, completion) : completion,
    paymentId,
  }
}

/** A completion that failed after its request was refused: what is unsure of either stays unsure. */
function afterRefusedRequest(request: CallFailure, completion: CallFailure): Completion {
  const isRefused = completion.reason.code === 'refused'
  return isRefused ? refusedTwice(request, completion) : inDoubt(request, completion)
}

/** A later failure; what its request left open stays open. */
function inDoubt(request: CallFailure, later: CallFailure): CallFailure {
  return request.failure.registered === 'no'
    ? later
    : { ...later, failure: failureOf(later.reason, 'unknown') }
}

function refusedTwice(request: CallFailure, second: CallFailure): CallFailure {
  const isUnsure = [request, second].some(({ failure }) => failure.registered === 'unknown')
  const reason: Reason = {
    code: 'request-refused',
    what: `${request.reason.what}; and then ${second.reason.what}`,
    remedy:
      'it may have been registered by an earlier run whose records file is not here; else check the subscription',
  }
  return { ...second, reason, failure: failureOf(reason, isUnsure ? 'unknown' : 'no') }
}

async function complete(
  client: Client,
  { hash }: Subject,
  subscription: Subscription,
): Promise<Notarization> {
  return { completion: await client.complete(hash, subscription.json), paymentId: subscription.id }
}

function failing(completion: CallFailure): Notarization {
  return { completion, paymentId: null }
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

/** What a description may name. */
export interface DescriptionValues {
  readonly artifact: string
  readonly repository: string
  readonly ref: string
}

/** Fills the template of the input `description`; without control characters, at most 500 characters. */
export function fillDescription(template: string, values: DescriptionValues): string {
  const filled = template.replace(/\{(artifact|repository|ref)\}/g, (_, name: string) =>
    name === 'artifact' ? values.artifact : name === 'ref' ? values.ref : values.repository,
  )
  const clean = filled.replace(/\p{Cc}/gu, '')
  return clean.slice(0, maxDescriptionLength).replace(/[\ud800-\udbff]$/, '')
}
