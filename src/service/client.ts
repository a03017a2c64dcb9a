import { Failure } from '../failure.ts'
import type { HashedArtifact } from '../outcome.ts'
import type { Completed } from '../records/ledger.ts'
import type { Host, HttpRequest, Reply, Transport } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { formatDuration } from '../text/phrases.ts'
import { completion, isRetryable, login, readReply, type Operation } from './operations.ts'
import { findWaitMs } from './retry.ts'
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
  /** That of the operation by default. */
  readonly path?: string
  /** JSON, which makes it a POST; a GET by default. */
  readonly body?: string
  /** The name of the artifact that it is for, for the log. */
  readonly artifact?: string
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
  async complete(
    { hash, name: artifact }: HashedArtifact,
    { subscription, refusal }: Payer,
  ): Promise<Completed> {
    const path = completion.path.replace('{hash}', hash)
    try {
      const object = await this.call(completion, { path, body: subscription.json, artifact })
      return { object, paymentId: subscription.id }
    } catch (error) {
      throw joinRefusal(Failure.orRethrow(error), refusal)
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
      seen = result
      const { observed, said, mayHaveActed } = seen
      if (attempts > 1) seen = seen.with({ observed: `after ${attempts} attempts, ${observed}` })
      const retryAfterMs = this.#holdBack(reply)
      const isLast = attempts === maxAttempts || mayHaveActed || !isRetryable(reply)
      if (isLast || halt.reason !== null) throw seen
      const waitMs = findWaitMs(attempts, retryAfterMs, random())
      const who = options.artifact === undefined ? '' : `"${quote(options.artifact)}": `
      const which = `attempt ${attempts} of ${maxAttempts}`
      const next = `retrying in ${formatDuration(waitMs / 1000)}`
      runner.info(`${who}${observed}${said} (${which}); ${next}`)
      await clock.sleep(waitMs, halt.signal)
    }
  }

  /** Holds back all workers for the wait that a reply asks for, if another attempt may follow. Returns it in milliseconds. */
  #holdBack(reply: Reply): number {
    if (reply.kind !== 'response' || reply.retryAfterMs === null || !isRetryable(reply)) return 0
    const endMs = this.#host.clock.monotonic() + reply.retryAfterMs
    this.#pauseEndMs = Math.max(this.#pauseEndMs, endMs)
    return reply.retryAfterMs
  }

  /** Makes one attempt, with a token. After a 401, all workers share one new login, and it is made again. */
  async #attempt(operation: Operation<unknown>, options: CallOptions): Promise<Reply> {
    const { path = operation.path, body = null } = options
    const request = { url: new URL(this.#inputs.baseUrl + path), body }
    if (operation === login) return this.#send({ ...request, token: null })
    for (;;) {
      this.#login ??= { token: this.#requestToken(), isRenewable: true }
      const current = this.#login
      const reply = await this.#send({ ...request, token: await current.token })
      if (reply.kind !== 'response') return reply
      const isRejected = reply.status === 401
      if (!isRejected) current.isRenewable = true
      if (!isRejected || !current.isRenewable) return reply
      // Another worker may have started a new login already.
      if (this.#login !== current) continue
      this.#login = { token: this.#requestToken(), isRenewable: false }
    }
  }

  async #send(request: HttpRequest): Promise<Reply> {
    const { clock, halt } = this.#host
    // Another worker may extend the pause in the meantime.
    for (;;) {
      if (halt.reason !== null) throw halt.reason
      const leftMs = this.#pauseEndMs - clock.monotonic()
      if (leftMs <= 0) break
      await clock.sleep(leftMs, halt.signal)
    }
    return this.#transport.send(request, halt.kill)
  }

  async #requestToken(): Promise<string> {
    const token = await this.call(login, { body: JSON.stringify({ apiKey: this.#inputs.apiKey }) })
    // The head of a JWT is the same for many tokens, and no secret.
    this.#host.secrets.add([token, ...token.split('.').slice(1)])
    return token
  }
}

/** Returns the failure of a completion. If its request was refused too, it names both responses, the one that counts first. */
function joinRefusal(failure: Failure, refusal: Failure | null): Failure {
  if (refusal === null || failure.code !== 'refused') return failure
  // A 404 only confirms that there is nothing to complete.
  if (failure.status === 404) return refusal.followedBy(failure)
  return failure.followedBy(refusal).with({ code: refusal.code })
}
