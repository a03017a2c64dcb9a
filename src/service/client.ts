import { FailureError, makeFailure } from '../failure.ts'
import type { JsonObject } from '../text/json.ts'
import {
  attempt,
  type AttemptedCall,
  type AttemptOptions,
  type GoodAnswer,
  type Subject,
} from './attempts.ts'
import { loginOperation, type Operation } from './operations.ts'
import { Session, type Token } from './session.ts'
import { SharedPause } from './shared-pause.ts'
import type { Subscription } from './subscription.ts'
import type { Reply, Transport } from './transport.ts'

/** What a client needs of the run. */
export interface ClientOptions extends AttemptOptions {
  readonly transport: Transport
  /** Normal form, without `/api/v2`. */
  readonly baseUrl: string
  readonly apiKey: string
}

/** The answer to a completion: a record, not yet checked. */
export interface Notarization {
  readonly record: JsonObject
  /** The `id` of the subscription that paid; null if there is none. */
  readonly paymentId: string | null
  /** Whether a completion before this one may have registered the hash, too. */
  readonly maybeChargedAgain: boolean
}

/** Makes all calls for one hash. Rejects with the failure. */
export type Notarize = (subject: Subject) => Promise<Notarization>

/** A call that needs a token. */
export interface ServiceCall extends AttemptedCall {
  readonly method: 'GET' | 'POST'
  /** Behind the base URL. */
  readonly path: string
  /** JSON; null for none. */
  readonly body: string | null
}

/** The notarization service (docs/service.md). Each method logs in where it must, and rejects with the failure. */
export interface Client {
  /** Makes one call with its attempts. */
  readonly call: (made: ServiceCall) => Promise<GoodAnswer>
  /** Completes a registration, which the subscription pays for. */
  readonly complete: (
    subject: Subject,
    subscription: Subscription,
    operation: Operation,
  ) => Promise<Notarization>
}

/** See {@link Client}. */
export function createClient(options: ClientOptions): Client {
  const { transport, halt, secrets, baseUrl, apiKey } = options
  const pause = new SharedPause(options.clock, halt)
  const session = new Session(logIn)
  const attemptOptions = { ...options, pause }
  let isFirstContact = true

  async function logIn(): Promise<string> {
    const url = new URL(`${baseUrl}/api/v2/auth/login`)
    const body = JSON.stringify({ apiKey })
    const send = async (): Promise<Reply> => {
      await pause.wait()
      // Without a call to make, a login is worth nothing: it ends at once with the run.
      return transport.send({ method: 'POST', url, body, token: null }, halt.signal)
    }
    const operation = loginOperation(isFirstContact)
    const { object } = await attempt({ operation, subject: null }, send, attemptOptions)
    const { token } = object
    if (typeof token !== 'string' || token === '')
      throw unusable('the answer to the login has no token')
    secrets.add([token, ...token.split('.')])
    if (!/^[\x21-\x7e]+$/.test(token)) throw unusable('the token cannot stand in a header')
    isFirstContact = false
    return token
  }

  async function call({ method, path, body, ...attempted }: ServiceCall): Promise<GoodAnswer> {
    const url = new URL(baseUrl + path)
    const { operation, subject } = attempted
    const send = async (): Promise<Reply> => {
      let refused: Token | null = null
      for (;;) {
        const token: Token = await session.authorize(refused)
        if (operation.mayAct) await subject?.logIntent()
        await pause.wait()
        const reply = await transport.send({ method, url, body, token: token.value }, halt.kill)
        if (reply.kind === 'no-answer') return reply
        if (reply.status !== 401) {
          session.accept(token)
          return reply
        }
        session.refuse(token)
        refused = token
      }
    }
    return attempt(attempted, send, attemptOptions)
  }

  const complete: Client['complete'] = async (subject, { id, json }, operation) => {
    const path = `/api/v2/registration/${subject.hash}/forfait`
    const answer = await call({ method: 'POST', path, body: json, operation, subject })
    return { record: answer.object, paymentId: id, maybeChargedAgain: answer.mayHaveActedBefore }
  }

  return { call, complete }
}

/** A login that gave no token to use. */
function unusable(what: string): FailureError {
  const remedy = 'check the input "base-url"'
  return new FailureError(makeFailure({ code: 'invalid-response', what, remedy }))
}
