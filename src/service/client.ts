import { FailureError, makeFailure } from '../failure.ts'
import type { JsonObject } from '../text/json.ts'
import { attempt, type AttemptOptions, type GoodAnswer, type Subject } from './attempts.ts'
import { completionOperation, loginOperation, type Advice, type Operation } from './operations.ts'
import { Session } from './session.ts'
import type { Subscription } from './subscription.ts'
import type { Reply, Transport } from './transport.ts'

export interface ClientOptions extends AttemptOptions {
  readonly transport: Transport
  /** Normal form, without `/api/v2`. */
  readonly baseUrl: string
  readonly apiKey: string
}

/** The answer to a completion. */
export interface Notarization {
  /** Not yet checked. */
  readonly record: JsonObject
  /** The `id` of the subscription that paid; null if none. */
  readonly paymentId: string | null
  /** Whether an earlier completion in this run may have registered the hash too. */
  readonly maybeChargedAgain: boolean
}

/** Makes all calls for one hash. Rejects with the failure. */
export type Notarize = (subject: Subject) => Promise<Notarization>

export interface ServiceCall {
  readonly operation: Operation
  /** Follows the base URL. */
  readonly path: string
  /** JSON, which makes it a POST; null for a GET. */
  readonly body: string | null
  /** The hash that the call may register; null if it registers nothing. */
  readonly subject: Subject | null
}

/** The notarization service (docs/service.md). The methods log in if necessary and reject with the failure. */
export class Client {
  readonly #options: ClientOptions
  readonly #session: Session

  constructor(options: ClientOptions) {
    this.#options = options
    this.#session = new Session(() => this.#logIn())
  }

  /** Makes one call, with as many attempts as needed. */
  async call({ operation, path, body, subject }: ServiceCall): Promise<GoodAnswer> {
    const { host, transport, pause, baseUrl } = this.#options
    const url = new URL(baseUrl + path)
    const send = async (token: string): Promise<Reply> => {
      await subject?.logIntent()
      await pause.wait()
      return transport.send({ url, body, token }, host.halt.kill)
    }
    const call = { operation, subject, send: () => this.#session.authorize(send) }
    return attempt(call, this.#options)
  }

  /** Completes a registration, paid for by the subscription; `notFound` explains a 404. */
  async complete(subject: Subject, payer: Subscription, notFound: Advice): Promise<Notarization> {
    const path = `/api/v2/registration/${subject.hash}/forfait`
    const operation = completionOperation(notFound)
    const answer = await this.call({ operation, path, body: payer.json, subject })
    const { object: record, mayHaveActedBefore: maybeChargedAgain } = answer
    return { record, paymentId: payer.id, maybeChargedAgain }
  }

  async #logIn(): Promise<string> {
    const { host, transport, pause, baseUrl, apiKey } = this.#options
    const url = new URL(`${baseUrl}/api/v2/auth/login`)
    const body = JSON.stringify({ apiKey })
    const send = async (): Promise<Reply> => {
      await pause.wait()
      // A stopped run needs no token, so its login ends immediately.
      return transport.send({ url, body, token: null }, host.halt.signal)
    }
    const call = { operation: loginOperation, subject: null, send }
    const { token } = (await attempt(call, this.#options)).object
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      throw new FailureError(noUsableToken)
    }
    host.secrets.add([token, ...token.split('.')])
    return token
  }
}

const noUsableToken = makeFailure({
  code: 'invalid-response',
  what: 'the login returned no usable token',
  remedy: 'check the input "base-url", then run the job again',
})
