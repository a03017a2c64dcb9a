import type { Explanation, FailureCode } from '../failure.ts'

/** The likely cause of an answer and what to fix: clauses without a period. */
export interface Advice {
  readonly cause: string
  readonly remedy: string
  /** By default, a re-run of the failed jobs. */
  readonly rerun?: Explanation['rerun']
  /** Whether the service says that it has the hash. */
  readonly isKnown?: boolean
}

/** A kind of call, see docs/service.md. */
export interface Operation {
  /** As in a sentence: "the login". */
  readonly name: string
  /** Follows the base URL; `{hash}` is the hash to register. */
  readonly path: string
  /** Failure code for a final 4xx. */
  readonly refusedCode: FailureCode
  /** What each 4xx means; `other` covers the rest. Without `other`, the rest are unexpected answers. */
  readonly refusals: Readonly<Record<number, Advice>> & { readonly other?: Advice }
  /** Explains an answer that the service should never send. */
  readonly unexpected: Advice
}

const wrongKey: Advice = {
  cause: 'the service rejected the API key',
  remedy: 'check the secret in "api-key"',
}
const unpaid: Advice = {
  cause: 'the subscription has probably ended or is used up',
  remedy: 'renew the subscription, and update its secret if you use one',
}
const forbidden: Advice = {
  cause: 'the account probably has no permission to register',
  remedy: 'check the permissions of the account at the service',
}
const unexpected: Advice = {
  cause: 'the service sent an unexpected answer',
  remedy: 'report this answer to the service',
}

export const login: Operation = {
  name: 'the login',
  path: '/api/v2/auth/login',
  refusedCode: 'login-refused',
  refusals: { 400: wrongKey, 401: wrongKey, 403: wrongKey, 422: wrongKey },
  unexpected: {
    cause: 'the input "base-url" is probably not the address of the service',
    remedy: 'check and correct the input "base-url"',
    rerun: 'new-run',
  },
}

/** A 409 to a completion. */
export const alreadyRegistered: Advice = {
  cause: 'the service already has this hash, probably from an earlier run',
  remedy:
    'look up the hash, which is the proof, then restore the record of that run for later runs',
  rerun: null,
  isKnown: true,
}

/** Completes a registration. */
export const completion: Operation = {
  name: 'the registration',
  path: '/api/v2/registration/{hash}/forfait',
  refusedCode: 'refused',
  refusals: {
    402: unpaid,
    403: forbidden,
    404: {
      cause: 'the service probably has no request for this hash',
      remedy: 'set the input "request-registration" to true',
      rerun: 'new-run',
    },
    409: alreadyRegistered,
    other: {
      cause: 'the service rejected the registration, probably because of the subscription data',
      remedy: 'check the subscription, and the secret in "subscription" if you set it',
    },
  },
  unexpected,
}

/** Completes a registration that this run requested. */
export const requestedCompletion: Operation = {
  ...completion,
  refusals: {
    ...completion.refusals,
    404: {
      cause: 'the service cannot find the request that this run just made',
      remedy: 'wait a few minutes',
    },
  },
}

/** An extension: requests a registration. */
export const request: Operation = {
  name: 'the registration request',
  path: '/api/v2/registration/?subscription=true',
  refusedCode: 'request-refused',
  refusals: {
    402: unpaid,
    403: forbidden,
    409: {
      cause: 'the service already has a request for this hash but cannot complete it',
      remedy: 'ask the service about this request',
    },
    other: {
      cause: 'the service rejected the registration request',
      remedy: 'check the account at the service',
    },
  },
  unexpected,
}

/** An extension: retrieves the active subscription. */
export const retrieval: Operation = {
  name: 'the lookup of the active subscription',
  path: '/api/v2/payment/subscription/active',
  refusedCode: 'refused',
  refusals: {
    403: forbidden,
    other: {
      cause: 'the account probably has no active subscription',
      remedy: 'activate a subscription at the service',
    },
  },
  unexpected,
}

/** What no operation has of its own. */
export const general = {
  unavailable: {
    cause: 'the service is unavailable',
    remedy: 'wait until the service is available again',
  },
  /** The first call did not even connect. */
  unreachable: {
    cause: 'the service cannot be reached',
    remedy: 'check the network of the runner',
  },
  noTunnel: {
    cause: 'the proxy did not connect to the service',
    remedy: 'check the proxy of the runner (https_proxy)',
  },
  untrusted: {
    cause: 'the certificate of the service is not trusted',
    remedy:
      'report it to the service, or set NODE_EXTRA_CA_CERTS in the workflow for a private certificate authority',
    rerun: 'new-run',
  },
  expired: {
    cause: 'the certificate of the service has expired',
    remedy: 'wait until the service has renewed it',
  },
  rateLimit: {
    cause: 'the rate limit of the service was reached',
    remedy: 'wait a few minutes',
  },
  /** A 401 to a token that is only seconds old. */
  rejectedToken: {
    cause: 'the service rejected its own new token',
    remedy: 'check the permissions of the API key at the service',
  },
  /** A 2xx without any field of subscription data. */
  nothingToPayWith: {
    cause: 'the service sent no subscription data',
    remedy: 'set the input "subscription" to your subscription data',
    rerun: 'new-run',
  },
  /** A 409 to a completion after a call without an answer: no run has the record. */
  registeredUnanswered: {
    cause: 'the service already has this hash, probably from an earlier call without an answer',
    remedy: 'ask the service about this hash',
    rerun: 'failed-jobs',
  },
} as const satisfies Readonly<Record<string, Advice>>
