import { Failure } from '../failure.ts'
import type { HashedArtifact } from '../outcome.ts'
import type { Completed } from '../records/ledger.ts'
import type { Host, HttpRequest, Reply, Transport } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { formatDuration } from '../text/phrases.ts'
import { completion, login, readReply, type Operation } from './operations.ts'
import { findRetryAfterMs, findWaitMs } from './retry.ts'
import type { Subscription } from './subscription.ts'

interface ClientInputs {
  /** Normal form, without `/api/v2`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Per call, including the first. */
  readonly maxAttempts: number
}

/** Who is charged for a registration. */
export interface Payer {
  readonly subscription: Subscription
  /** Why the service refused the request, which may have been made before; null if it did not. */
  readonly refusal: Failure | null
}

/** Details of a call. */
interface CallOptions {
  /** JSON, which makes it a POST; a GET by default. */
  readonly body?: string
  /** What it is for. */
  readonly artifact?: HashedArtifact
}

interface Login {
  readonly token: Promise<string>
  /** Whether a 401 leads to a new login: not if the token replaced a rejected one and was never accepted itself. */
  isRenewable: boolean
}

/** The notarization service (docs/service.md). Its methods reject with a failure. */
export class Client {
  readonly #host: Host
  readonly #transport: Transport
  readonly #inputs: ClientInputs
  /** Shared by all workers; null before the first login. */
  #login: Login | null = null
  /** Until when a `Retry-After` holds back all workers, on the monotonic clock. */
  #pauseEndMs = 0

  constructor(host: Host, transport: Transport, inputs: ClientInputs) {
    this.#host = host
    this.#transport = transport
    this.#inputs = inputs
  }

  /** Completes a registration, which is charged to the payer. Only this call can register anything. */
  async complete(artifact: HashedArtifact, { subscription, refusal }: Payer): Promise<Completed> {
    try {
      const object = await this.call(completion, { body: subscription.json, artifact })
      return { object, paymentId: subscription.id }
    } catch (error) {
      const failure = Failure.orRethrow(error)
      if (refusal === null || failure.code !== 'refused') throw failure
      // A 404 only confirms that there is nothing to complete.
      if (failure.status === 404) throw refusal.followedBy(failure)
      // A 409 only says that a request exists.
      const told = refusal.status === 409 ? failure : failure.followedBy(refusal)
      throw told.with({ code: refusal.code })
    }
  }

  /** Makes a call with as many attempts as needed, but never again after one that may have registered a hash. */
  async call<Result>(operation: Operation<Result>, options: CallOptions = {}): Promise<Result> {
    const { clock, halt, random, runner, secrets } = this.#host
    const { maxAttempts } = this.#inputs
    let seen: Failure | null = null
    for (let attempts = 1; ; attempts++) {
      const reply = await this.#attempt(operation, options).catch((error: unknown) => {
        const failure = Failure.orRethrow(error)
        if (failure.endsRun) halt.end(failure)
        // What was seen of this hash says more than what ended the run meanwhile.
        throw seen ?? failure
      })
      const result = readReply(operation, reply, secrets)
      if (!(result instanceof Failure)) return result
      const { observed, said, mayHaveActed } = result
      const after = attempts > 1 ? `after ${attempts} attempts, ` : ''
      seen = result.with({ observed: after + observed })
      const retryAfterMs = findRetryAfterMs(reply)
      if (retryAfterMs === null) throw seen
      this.#pauseEndMs = Math.max(this.#pauseEndMs, clock.monotonic() + retryAfterMs)
      if (attempts === maxAttempts || mayHaveActed || halt.reason !== null) throw seen
      const waitMs = findWaitMs(attempts, retryAfterMs, random())
      const who = options.artifact ? `"${quote(options.artifact.name)}": ` : ''
      const which = `attempt ${attempts} of ${maxAttempts}`
      const next = `retrying in ${formatDuration(waitMs / 1000)}`
      runner.info(`${who}${observed}${said} (${which}); ${next}`)
      await clock.sleep(waitMs, halt.ended)
    }
  }

  /** Makes one attempt, with a token. After a 401, all workers share one new login, and it is made again. */
  async #attempt(operation: Operation<unknown>, options: CallOptions): Promise<Reply> {
    const { artifact, body = null } = options
    const path = artifact ? operation.path.replace('{hash}', artifact.hash) : operation.path
    const request = { url: new URL(this.#inputs.baseUrl + path), body }
    if (operation === login) return this.#send({ ...request, token: null })
    for (;;) {
      this.#login ??= { token: this.#requestToken(), isRenewable: true }
      const current = this.#login
      const reply = await this.#send({ ...request, token: await current.token })
      if (reply.kind !== 'response') return reply
      if (reply.status !== 401) current.isRenewable = true
      if (reply.status !== 401 || !current.isRenewable) return reply
      // Unless another worker has started a new login already.
      if (this.#login === current) this.#login = { token: this.#requestToken(), isRenewable: false }
    }
  }

  async #send(request: HttpRequest): Promise<Reply> {
    const { clock, halt } = this.#host
    // Another worker may extend the pause in the meantime.
    while (halt.reason === null && clock.monotonic() < this.#pauseEndMs) {
      await clock.sleep(this.#pauseEndMs - clock.monotonic(), halt.ended)
    }
    if (halt.reason !== null) throw halt.reason
    return this.#transport.send(request, halt.callsEnded)
  }

  async #requestToken(): Promise<string> {
    const token = await this.call(login, { body: JSON.stringify({ apiKey: this.#inputs.apiKey }) })
    // The head of a JWT is the same for many tokens, and no secret.
    this.#host.secrets.add([token, ...token.split('.').slice(1)])
    return token
  }
}
