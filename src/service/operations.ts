import type { FailureCode } from '../failure.ts'

/** The likely cause of an answer, and what to do about it: clauses without a full stop. */
export interface Advice {
  readonly cause: string
  readonly remedy: string
}

/** What a refusal means by its status. A 4xx that is not named is `other`; without `other` it cannot be understood. */
export interface Refusals {
  readonly [status: number]: Advice | undefined
  readonly other?: Advice
}

/** A kind of call. What is known of each stands in docs/service.md. */
export interface Operation {
  /** In a sentence. */
  readonly name: string
  /** Code of a failure by a 4xx that is final. */
  readonly refusedCode: FailureCode
  readonly refusals: Refusals
}

const again = 'then run the job again'

const wrongKey: Advice = {
  cause: 'the service does not accept the API key',
  remedy: `check that the secret for the input "api-key" is a key of this service, ${again}`,
}
const unpaid: Advice = {
  cause: 'payment required: the subscription has probably ended or is used up',
  remedy: `renew the subscription and, if used, correct the input "subscription", ${again}`,
}
const forbidden: Advice = {
  cause:
    'forbidden: the account is probably not allowed to register, or not with this subscription',
  remedy: `check the permissions of the account at the service, ${again}`,
}
const known: Advice = {
  cause: 'the service already has this hash',
  remedy: `restore the records of the run that registered it, ${again}`,
}
const wrongData: Advice = {
  cause: 'the service does not accept the subscription data',
  remedy: `check the subscription and, if used, the input "subscription", ${again}`,
}

/** The exchange of the API key for a token. */
export const loginOperation: Operation = {
  name: 'the login',
  refusedCode: 'login-refused',
  refusals: { 400: wrongKey, 401: wrongKey, 403: wrongKey, 422: wrongKey },
}

/** The retrieval of the active subscription. */
export const retrievalOperation: Operation = {
  name: 'the retrieval of the active subscription',
  refusedCode: 'refused',
  refusals: {
    403: forbidden,
    other: {
      cause: 'the account probably has no active subscription',
      remedy: `activate one at the service or use the input "subscription", ${again}`,
    },
  },
}

/** The request of a registration. */
export const requestOperation: Operation = {
  name: 'the request of the registration',
  refusedCode: 'request-refused',
  refusals: {
    402: unpaid,
    403: forbidden,
    409: known,
    other: {
      cause: 'the service refuses the request of the registration',
      remedy: `check the permissions of the account at the service, ${again}`,
    },
  },
}

/** A completion is answered with 404, and this run did not request the registration. */
export const neverRequested: Advice = {
  cause: 'the service probably has no request for this registration',
  remedy: `set the input "request-registration" to true or request it at the service, ${again}`,
}

/** A completion is answered with 404 after the service accepted the request. */
export const notFoundAfterRequest: Advice = {
  cause: 'the service accepted the request but does not find the registration',
  remedy: 'run the job again later',
}

const completionRefusals: Refusals = {
  400: wrongData,
  402: unpaid,
  403: forbidden,
  409: known,
  422: wrongData,
  other: {
    cause: 'the service refuses the registration',
    remedy: `check the registration and the subscription at the service, ${again}`,
  },
}

/** The completion of a registration; `notFound` is about a 404. */
export function completionOperation(notFound: Advice): Operation {
  const refusals = { ...completionRefusals, 404: notFound }
  return { name: 'the registration', refusedCode: 'refused', refusals }
}
