import type { Clock } from '../clock.ts'
import { makeFailure, type Certainty, type Failure } from '../failure.ts'
import { cancelledFailure, notNotedFailure, type Halt } from '../halt.ts'
import type { Secrets } from '../secrets.ts'
import { parseJsonObject, type JsonObject } from '../text/json.ts'
import { Gate } from './gate.ts'
import {
  completionOperation,
  failureOf,
  isRetryable,
  isSuccess,
  loginOperation,
  mayHaveActed,
  reasonOf,
  type Operation,
} from './operation.ts'
import { decideNextStep, parseRetryAfter } from './retry.ts'
import { Session, type Token } from './session.ts'
import type { HttpRequest, Reply, Transport } from './transport.ts'

/** What a client needs of the run. */
export interface ClientOptions {
  readonly transport: Transport
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  readonly halt: Halt
  readonly secrets: Secrets
  /** Normal form, without `/api/v2`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly maxAttempts: number
  /** False: a call that may have acted is never sent again. */
  readonly retryUnanswered: boolean
  /** A try failed and another one follows. */
  readonly onRetry: (retry: Retry) => void
}

/** A try that is followed by another one. */
export interface Retry {
  /** Name of the operation. */
  readonly call: string
  /** The try that failed, from 1. */
  readonly tries: number
  readonly maxAttempts: number
  /** Why it failed, free of secrets. */
  readonly why: string
  readonly waitMs: number
}

/**
 * Notes that a hash is about to be sent, before a call that may act goes out; false if that cannot be saved. Called
 * before the first call for a hash, and before each try after one that may have acted.
 */
export interface Intent {
  readonly isNoted: boolean
  readonly note: () => Promise<boolean>
}

/** A call of ours: path behind the base URL, and the JSON text of its body, if it has one. */
export interface ServiceCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: string | null
  readonly operation: Operation
  /** For calls that may act. */
  readonly intent?: Intent
}

/** A 2xx with a JSON object, parsed and as text. */
export interface Answered {
  readonly object: JsonObject
  readonly text: string
  /** Tries before this one that may have acted, and whose answer was lost. */
  readonly unansweredTries: number
}

/** What came of a call with all its tries. */
export type Answer = Answered | { readonly failure: Failure }

/**
 * The notarization service (`service-api.md` 4). Each method logs in first (4.1) when there is no token yet. Nothing
 * here rejects.
 */
export interface Client {
  /** Makes one authorized call with its tries; the seam for the extensions. */
  readonly call: (made: ServiceCall) => Promise<Answer>
  /** Completes a registration without storage (4.2); `subscriptionJson` is the subscription data that pays. */
  readonly complete: (completion: {
    readonly hash: string
    readonly subscriptionJson: string
    readonly intent: Intent
  }) => Promise<Answer>
}

/** So many aged tokens of one try may be refused; the next refusal is final. */
const maxRefusals = 3

/** See {@link Client}. */
export function createClient(options: ClientOptions): Client {
  const { transport, clock, halt, secrets, baseUrl } = options
  const gate = new Gate(clock)
  const session = new Session(login, clock)

  /** Has `send` make tries, until an answer is good, final, or the last; it gives a failure where nothing could be sent. */
  async function repeat(
    operation: Operation,
    url: URL,
    send: (wasLost: boolean) => Promise<Reply | Failure>,
  ): Promise<Answer> {
    const { maxAttempts } = options
    let unansweredTries = 0
    let registered: Certainty = 'no'
    let wasLost = false
    for (let tries = 1; ; tries++) {
      await gate.pass(halt.signal)
      const reply = halt.reason ?? (await send(wasLost))
      if ('code' in reply) return { failure: { ...reply, registered } }
      const object = isSuccess(reply) ? parseJsonObject(reply.body) : undefined
      if (object !== undefined && isSuccess(reply)) {
        return { object, text: reply.body, unansweredTries }
      }
      wasLost = mayHaveActed(reply)
      if (wasLost) unansweredTries += 1
      if (wasLost && operation.mayAct) registered = 'unknown'
      const retryAfterMs =
        reply.kind === 'answer' ? parseRetryAfter(reply.retryAfter, clock.now()) : null
      const { action, waitMs, holdMs } = decideNextStep(
        { isRetryable: isRetryable(reply), retryAfterMs },
        { tries, maxAttempts, random: options.random() },
      )
      if (holdMs > 0) gate.hold(holdMs)
      if (reply.kind === 'aborted') {
        return { failure: { ...(halt.reason ?? cancelledFailure), registered } }
      }
      const saying = (body: string): string => secrets.saying(body)
      const failed = { operation, url, reply, tries, registered, saying }
      const isOnce = wasLost && operation.mayAct && !options.retryUnanswered
      if (isOnce) return { failure: { ...failureOf(failed), isDeferrable: false } }
      if (action === 'done') return { failure: failureOf(failed) }
      options.onRetry({ call: operation.name, tries, maxAttempts, why: reasonOf(failed), waitMs })
      await clock.sleep(waitMs, halt.signal)
    }
  }

  async function login(): Promise<string | Failure> {
    // A login is worth nothing once no more is sent, so that it ends at once with the halt.
    const body = JSON.stringify({ apiKey: options.apiKey })
    const request = makeRequest({ method: 'POST', path: '/api/v2/auth/login', body })
    const answer = await repeat(loginOperation, request.url, () =>
      transport.send(request, halt.signal),
    )
    if ('failure' in answer) return { ...answer.failure, endsRun: true, isOutage: false }
    const { token } = answer.object
    if (typeof token !== 'string' || token === '') return noToken(request.url)
    secrets.add([token, ...token.split('.')])
    return /^[\x21-\x7e]+$/.test(token) ? token : unusableToken
  }

  async function call({ operation, intent, ...made }: ServiceCall): Promise<Answer> {
    const request = makeRequest(made)
    return repeat(operation, request.url, async wasLost => {
      let refused: Token | null = null
      let isDue = intent !== undefined && (!intent.isNoted || wasLost)
      for (let refusals = 0; ;) {
        const token = await session.authorize(refused)
        if ('code' in token) return token
        const wasShut = await gate.pass(halt.signal)
        if (halt.reason !== null) return halt.reason
        // The token may have come of age meanwhile.
        if (wasShut) continue
        if (isDue) {
          if ((await intent?.note()) === false) return notNotedFailure
          isDue = false
          // Saving takes its time: the run may be halted by now, or the gate be shut.
          continue
        }
        const isFinal = refusals > 0 && (session.isNew(token) || refusals >= maxRefusals)
        const headers = { ...request.headers, authorization: `Bearer ${token.value}` }
        const reply = await transport.send({ ...request, headers }, halt.kill)
        if (reply.kind !== 'answer' || reply.status !== 401) return reply
        if (isFinal) {
          session.end(refusedToken)
          return refusedToken
        }
        refused = token
        refusals += 1
      }
    })
  }

  function makeRequest({
    method,
    path,
    body,
  }: Pick<ServiceCall, 'method' | 'path' | 'body'>): HttpRequest {
    const type = body === null ? {} : { 'content-type': 'application/json' }
    const headers = { accept: 'application/json', ...type }
    return { method, url: new URL(baseUrl + path), headers, body }
  }

  return {
    call,
    complete: ({ hash, subscriptionJson, intent }) =>
      call({
        method: 'POST',
        path: `/api/v2/registration/${hash}/forfait`,
        body: subscriptionJson,
        operation: completionOperation,
        intent,
      }),
  }
}

const refusedToken = makeFailure({
  code: 'login-refused',
  what: 'the service refused a new token (HTTP 401), so nothing more was sent',
  remedy: 'check the rights of the API key',
  endsRun: true,
})

const unusableToken = makeFailure({
  code: 'invalid-response',
  what: 'the login gave a token with characters that cannot stand in a header',
  remedy: 'check the input "base-url"',
  endsRun: true,
})

function noToken(url: URL): Failure {
  return makeFailure({
    code: 'invalid-response',
    what: `the login failed: the answer has no token (from ${url.href})`,
    remedy: 'check the input "base-url"',
    endsRun: true,
  })
}
