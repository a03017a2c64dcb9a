import type { FailureCode } from '../failure.ts'

/** The likely cause of an answer and what to do about it: clauses without a period. */
export interface Advice {
  readonly cause: string
  readonly remedy: string
}

/** What each 4xx means; `other` covers the rest. Without `other`, the rest are unexpected answers. */
export interface Refusals {
  readonly [status: number]: Advice | undefined
  readonly other?: Advice
}

/** A kind of call, see docs/service.md. */
export interface Operation {
  /** As in a sentence: "the login". */
  readonly name: string
  /** Failure code for a final 4xx. */
  readonly refusedCode: FailureCode
  readonly refusals: Refusals
}

const again = 'then run the job again'

const wrongKey: Advice = {
  cause: 'the service rejected the API key',
  remedy: `check that the secret in the input "api-key" is a key for this service, ${again}`,
}
const unpaid: Advice = {
  cause: 'payment required: the subscription has probably ended or is used up',
  remedy: `renew the subscription and update the input "subscription", if set, ${again}`,
}
const forbidden: Advice = {
  cause: 'forbidden: the account may lack permission to register or to use this subscription',
  remedy: `check the permissions of the account at the service, ${again}`,
}
const known: Advice = {
  cause: 'the service already has this hash',
  remedy: `restore the records of the run that registered it, ${again}`,
}
const wrongData: Advice = {
  cause: 'the service rejected the subscription data',
  remedy: `check the subscription and the input "subscription", if set, ${again}`,
}

export const loginOperation: Operation = {
  name: 'the login',
  refusedCode: 'login-refused',
  refusals: { 400: wrongKey, 401: wrongKey, 403: wrongKey, 422: wrongKey },
}

export const retrievalOperation: Operation = {
  name: 'the lookup of the active subscription',
  refusedCode: 'refused',
  refusals: {
    403: forbidden,
    other: {
      cause: 'the account probably has no active subscription',
      remedy: `activate a subscription at the service, or set the input "subscription", ${again}`,
    },
  },
}

export const requestOperation: Operation = {
  name: 'the registration request',
  refusedCode: 'request-refused',
  refusals: {
    402: unpaid,
    403: forbidden,
    409: known,
    other: {
      cause: 'the service rejected the registration request',
      remedy: `check the permissions of the account at the service, ${again}`,
    },
  },
}

/** A 404 to a completion that this run did not request. */
export const neverRequested: Advice = {
  cause: 'the service probably has no request for this registration',
  remedy: `set the input "request-registration" to true, or request it at the service, ${again}`,
}

/** A 404 to a completion whose request the service accepted. */
export const notFoundAfterRequest: Advice = {
  cause: 'the service accepted the request but cannot find the registration',
  remedy: 'run the job again later',
}

const completionRefusals: Refusals = {
  400: wrongData,
  402: unpaid,
  403: forbidden,
  409: known,
  422: wrongData,
  other: {
    cause: 'the service rejected the registration',
    remedy: `check the registration and the subscription at the service, ${again}`,
  },
}

/** Completes a registration; `notFound` explains a 404. */
export function completionOperation(notFound: Advice): Operation {
  const refusals = { ...completionRefusals, 404: notFound }
  return { name: 'the registration', refusedCode: 'refused', refusals }
}
