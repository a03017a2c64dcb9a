import { FailureError, makeFailure } from '../failure.ts'
import type { JsonObject } from '../text/json.ts'
import {
  attempt,
  type AttemptedCall,
  type AttemptOptions,
  type GoodAnswer,
  type Subject,
} from './attempts.ts'
import { completionOperation, loginOperation, type Advice } from './operations.ts'
import { Session, type Token } from './session.ts'
import { SharedPause } from './shared-pause.ts'
import type { Subscription } from './subscription.ts'
import type { HttpRequest, Reply, Transport } from './transport.ts'

/** What a client needs of the run. */
export interface ClientOptions extends AttemptOptions {
  readonly transport: Transport
  /** Normal form, without `/api/v2`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Whether the subscription data of the input pays, and not that of the service. */
  readonly paysByInput: boolean
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
  /** Behind the base URL. */
  readonly path: string
  /** JSON, which makes it a POST; null for a GET. */
  readonly body: string | null
}

/** The notarization service (docs/service.md). Each method logs in where it must, and rejects with the failure. */
export interface Client {
  /** Makes one call with its attempts. */
  readonly call: (made: ServiceCall) => Promise<GoodAnswer>
  /** Completes a registration, which the subscription pays for; `notFound` is about a 404. */
  readonly complete: (
    subject: Subject,
    subscription: Subscription,
    notFound: Advice,
  ) => Promise<Notarization>
}

/** See {@link Client}. */
export function createClient(options: ClientOptions): Client {
  const { transport, halt, secrets, baseUrl, apiKey } = options
  const pause = new SharedPause(options.clock, halt)
  const session = new Session(logIn)
  const attemptOptions = { ...options, pause }

  async function logIn(): Promise<string> {
    const url = new URL(`${baseUrl}/api/v2/auth/login`)
    const body = JSON.stringify({ apiKey })
    const request: HttpRequest = { url, body, token: null }
    const send = async (): Promise<Reply> => {
      await pause.wait()
      // Without a call to make, a login is worth nothing: it ends at once with the run.
      return transport.send(request, halt.signal)
    }
    const login = { operation: loginOperation, subject: null }
    const { token } = (await attempt(login, send, attemptOptions)).object
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      throw new FailureError(noUsableToken)
    }
    secrets.add([token, ...token.split('.')])
    return token
  }

  async function call({ path, body, ...attempted }: ServiceCall): Promise<GoodAnswer> {
    const url = new URL(baseUrl + path)
    const send = async (): Promise<Reply> => {
      let refused: Token | null = null
      for (;;) {
        const token: Token = await session.authorize(refused)
        await attempted.subject?.logIntent()
        await pause.wait()
        const reply = await transport.send({ url, body, token: token.value }, halt.kill)
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

  const complete: Client['complete'] = async (subject, subscription, notFound) => {
    const { id: paymentId, json: body } = subscription
    const path = `/api/v2/registration/${subject.hash}/forfait`
    const operation = completionOperation(options.paysByInput, notFound)
    const answer = await call({ path, body, operation, subject })
    const { object: record, mayHaveActedBefore: maybeChargedAgain } = answer
    return { record, paymentId, maybeChargedAgain }
  }

  return { call, complete }
}

const noUsableToken = makeFailure({
  code: 'invalid-response',
  what: 'the answer to the login has no token that a header can carry',
  remedy: 'check the input "base-url"',
})
