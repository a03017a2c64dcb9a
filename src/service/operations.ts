import type { FailureCode, Reason } from '../failure.ts'

/** A kind of call, see docs/service.md. */
export interface Operation {
  /** As in a sentence: "the login". */
  readonly name: string
  /** Follows the base URL; `{hash}` is the hash to register. */
  readonly path: string
  /** Failure code for a final 4xx. */
  readonly refusedCode: FailureCode
  /** What each 4xx means; `other` covers the rest. Without `other`, the rest are unexpected responses. */
  readonly refusals: Readonly<Record<number, Reason>> & { readonly other?: Reason }
  /** What a response means that the service should never send. */
  readonly unexpected: Reason
}

export const login: Operation = {
  name: 'the login',
  path: '/api/v2/auth/login',
  refusedCode: 'login-refused',
  refusals: { 400: 'wrong-key', 401: 'wrong-key', 403: 'wrong-key', 422: 'wrong-key' },
  unexpected: 'not-the-service',
}

/** Completes a registration. */
export const completion: Operation = {
  name: 'the registration',
  path: '/api/v2/registration/{hash}/forfait',
  refusedCode: 'refused',
  refusals: {
    402: 'unpaid',
    403: 'forbidden',
    404: 'no-request',
    409: 'already-registered',
    other: 'registration-rejected',
  },
  unexpected: 'unexpected-response',
}

/** Completes a registration that this run requested. */
export const requestedCompletion: Operation = {
  ...completion,
  refusals: { ...completion.refusals, 404: 'request-not-found' },
}

/** An extension: requests a registration. */
export const request: Operation = {
  name: 'the registration request',
  path: '/api/v2/registration/?subscription=true',
  refusedCode: 'request-refused',
  refusals: {
    402: 'unpaid',
    403: 'forbidden',
    409: 'request-exists',
    other: 'request-rejected',
  },
  unexpected: 'unexpected-response',
}

/** An extension: retrieves the active subscription. */
export const retrieval: Operation = {
  name: 'the look-up of the active subscription',
  path: '/api/v2/payment/subscription/active',
  refusedCode: 'refused',
  refusals: { 403: 'forbidden', other: 'no-active-subscription' },
  unexpected: 'unexpected-response',
}
