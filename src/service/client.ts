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
  /** Behind the base URL. */
  readonly path: string
  /** JSON, which makes it a POST; null for a GET. */
  readonly body: string | null
}

/** The notarization service (docs/service.md). Each method logs in where it must, and rejects with the failure. */
export class Client {
  readonly #options: ClientOptions
  readonly #session: Session

  constructor(options: ClientOptions) {
    this.#options = options
    this.#session = new Session(() => this.#logIn())
  }

  /** Makes one call with its attempts. */
  async call({ path, body, ...attempted }: ServiceCall): Promise<GoodAnswer> {
    const { host, transport, pause, baseUrl } = this.#options
    const url = new URL(baseUrl + path)
    const send = async (): Promise<Reply> => {
      let refused: Token | null = null
      for (;;) {
        const token: Token = await this.#session.authorize(refused)
        await attempted.subject?.logIntent()
        await pause.wait()
        const reply = await transport.send({ url, body, token: token.value }, host.halt.kill)
        if (reply.kind === 'no-answer') return reply
        if (reply.status !== 401) {
          this.#session.accept(token)
          return reply
        }
        this.#session.refuse(token)
        refused = token
      }
    }
    return attempt(attempted, send, this.#options)
  }

  /** Completes a registration, which the subscription pays for; `notFound` is about a 404. */
  async complete(
    subject: Subject,
    { id, json }: Subscription,
    notFound: Advice,
  ): Promise<Notarization> {
    const path = `/api/v2/registration/${subject.hash}/forfait`
    const operation = completionOperation(notFound)
    const answer = await this.call({ path, body: json, operation, subject })
    return { record: answer.object, paymentId: id, maybeChargedAgain: answer.mayHaveActedBefore }
  }

  async #logIn(): Promise<string> {
    const { host, transport, pause, baseUrl, apiKey } = this.#options
    const url = new URL(`${baseUrl}/api/v2/auth/login`)
    const body = JSON.stringify({ apiKey })
    const send = async (): Promise<Reply> => {
      await pause.wait()
      // Without a call to make, a login is worth nothing: it ends at once with the run.
      return transport.send({ url, body, token: null }, host.halt.signal)
    }
    const login = { operation: loginOperation, subject: null }
    const { token } = (await attempt(login, send, this.#options)).object
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      throw new FailureError(noUsableToken)
    }
    host.secrets.add([token, ...token.split('.')])
    return token
  }
}

const noUsableToken = makeFailure({
  code: 'invalid-response',
  what: 'the answer to the login has no token that a header can carry',
  remedy: 'check the input "base-url", then run the job again',
})
