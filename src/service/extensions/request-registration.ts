import {
  changeFailure,
  FailureError,
  failureIn,
  type Failure,
  type FailureCode,
} from '../../failure.ts'
import type { Client, Notarization, Notarize, Subject } from '../client.ts'
import type { Operation } from '../operation.ts'
import type { Subscription } from '../subscription.ts'
import type { Answered } from '../tries.ts'
import { readMasked, usable, type SubscriptionReader } from './active-subscription.ts'

/** The longest description, in UTF-16 code units. */
export const maxDescriptionLength = 500

/** How a registration is requested. */
export interface RequestOptions extends SubscriptionReader {
  readonly client: Client
  /** The subscription of the user; null to take the one that each request is answered with. */
  readonly given: Subscription | null
  /** For a request that was made before. */
  readonly active: () => Promise<Subscription>
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
  const { client, given, active, describe } = options

  const completeAnyway = async (
    refusal: Failure,
    ...subject: Parameters<Notarize>
  ): Promise<Notarization> => {
    const paying =
      given ?? (await changeFailure(active(), later => both(refusal, later, 'request-refused')))
    return changeFailure(client.completeWith(paying)(...subject), later =>
      both(refusal, later, later.code === 'refused' ? 'request-refused' : later.code),
    )
  }

  return async (subject, intent) => {
    let request: Answered
    let paying: Subscription
    try {
      request = await client.call({
        method: 'POST',
        path: '/api/v2/registration/?subscription=true',
        body: requestBody(subject, describe),
        operation,
        intent,
      })
      const reading = readMasked(request, options)
      const what = 'the request of the registration was answered with data that'
      paying = given ?? usable(reading, { ...options, what, registered: 'unknown' })
    } catch (error) {
      const failure = failureIn(error)
      if (failure.code === 'request-refused') return completeAnyway(failure, subject, intent)
      throw new FailureError(neverCompleted(failure), error)
    }
    const completion = client.completeWith(paying)(subject, intent)
    // A try of the request whose answer was lost stays unknown, also if the completion is refused.
    return request.unansweredTries === 0
      ? completion
      : changeFailure(completion, () => ({ registered: 'unknown' }))
  }
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

/** Of a request that may have been made it is said that its registration was never completed. */
function neverCompleted(failure: Failure): Failure {
  if (failure.registered === 'no') return failure
  return { ...failure, ofHash: 'it may be requested, but was not completed' }
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
