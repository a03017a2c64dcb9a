import { Failure } from '../failure.ts'
import type { Completed, Intent } from '../records/ledger.ts'
import type { Host, HttpRequest, Reply, Transport } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { formatDuration } from '../text/phrases.ts'
import {
  failureOf,
  isRetryable,
  login,
  mayHaveActed,
  readGood,
  type Completion,
  type FreeOperation,
  type GoodResponse,
  type Operation,
} from './operations.ts'
import { backoffMs } from './retry.ts'
import type { Subscription } from './subscription.ts'

export interface ClientInputs {
  /** Normal form, without `/api/v2`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Per call, including the first. */
  readonly maxAttempts: number
}

/** Who is charged for a registration, and how it is completed. */
export interface Payer {
  readonly subscription: Subscription
  readonly operation: Completion
  /** Why the service refused the request, which may have been made before; null if it did not. */
  readonly refusal: Failure | null
}

/** A call of an operation. */
interface Call {
  readonly operation: Operation
  /** JSON, which makes it a POST; null for a GET. */
  readonly body: string | null
  /** The hash to register; null if the operation is free. */
  readonly hash: string | null
  /** The artifact that it is for, for the log; null if it is for all. */
  readonly artifact: string | null
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

  /** Logs in, unless a worker has. */
  async logIn(): Promise<void> {
    await this.#currentLogin().token
  }

  /** Completes a registration, which is charged to the payer. Only this call can register anything. */
  async complete(intent: Intent, { subscription, operation }: Payer): Promise<Completed> {
    const { hash, artifact } = intent
    const { json: body, id: paymentId } = subscription
    return { ...(await this.#make({ operation, body, hash, artifact })), paymentId }
  }

  /** Makes a call that registers nothing. `body` is JSON, which makes it a POST. */
  call(
    operation: FreeOperation,
    body: string | null = null,
    artifact: string | null = null,
  ): Promise<GoodResponse> {
    return this.#make({ operation, body, hash: null, artifact })
  }

  /** Makes a call with as many attempts as needed. */
  async #make(call: Call): Promise<GoodResponse> {
    const { clock, halt, random, secrets } = this.#host
    let hasActed = false
    try {
      for (let attempts = 1; ; attempts++) {
        const reply = await this.#attempt(call)
        const good = readGood(reply, hasActed)
        if (good !== null) return good
        hasActed ||= !call.operation.isFree && mayHaveActed(reply)
        const retryAfterMs = this.#holdBack(reply)
        const canRetry = isRetryable(reply) && attempts < this.#inputs.maxAttempts
        // A final response says more than that the run was stopped.
        if (halt.reason !== null && (canRetry || reply.kind === 'ended')) throw halt.reason
        const failure = failureOf(call.operation, reply, part => secrets.redactText(part))
        if (!canRetry) throw afterAttempts(failure, attempts)
        const waitMs = retryAfterMs ?? backoffMs(attempts, random())
        this.#logRetry(call, failure, { attempts, waitMs })
        await clock.sleep(waitMs, halt.signal)
      }
    } catch (error) {
      throw Failure.from(error).with({ registered: hasActed ? 'unknown' : 'no' })
    }
  }

  /** Holds back all workers for the wait that a reply asks for, if another attempt may follow. Returns it in milliseconds. */
  #holdBack(reply: Reply): number | null {
    if (reply.kind !== 'response' || reply.retryAfterMs === null || !isRetryable(reply)) return null
    const endMs = this.#host.clock.monotonic() + reply.retryAfterMs
    this.#pauseEndMs = Math.max(this.#pauseEndMs, endMs)
    return reply.retryAfterMs
  }

  #logRetry(
    { artifact }: Call,
    { observed }: Failure,
    { attempts, waitMs }: { readonly attempts: number; readonly waitMs: number },
  ): void {
    const which = `attempt ${attempts} of ${this.#inputs.maxAttempts}`
    let line = `${observed} (${which}); retrying in ${formatDuration(waitMs / 1000)}`
    if (artifact !== null) line = `"${quote(artifact)}": ${line}`
    this.#host.runner.info(line)
  }

  /** Makes one attempt, with a token. After a 401, all workers share one new login, and it is made again. */
  async #attempt({ operation, body, hash }: Call): Promise<Reply> {
    let { path } = operation
    if (hash !== null) path = path.replace('{hash}', hash)
    const request = { url: new URL(this.#inputs.baseUrl + path), body }
    if (operation === login) return this.#send({ ...request, token: null })
    for (;;) {
      const current = this.#currentLogin()
      const reply = await this.#send({ ...request, token: await current.token })
      if (reply.kind !== 'response') return reply
      if (reply.status !== 401) {
        current.isRenewable = true
        return reply
      }
      if (!current.isRenewable) {
        const observed = `${operation.name} returned HTTP 401 after a new login`
        const parts = { observed, status: 401, endsRun: true } as const
        throw new Failure('login-refused', 'rejected-token', parts)
      }
      // Another worker may have started a new login already.
      if (this.#login !== current) continue
      this.#login = { token: this.#requestToken(), isRenewable: false }
    }
  }

  #currentLogin(): Login {
    this.#login ??= { token: this.#requestToken(), isRenewable: true }
    return this.#login
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
    const body = JSON.stringify({ apiKey: this.#inputs.apiKey })
    const { object } = await this.call(login, body)
    const { token } = object
    // Anything else cannot stand in a header.
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      const observed = 'the login returned no usable token'
      throw new Failure('invalid-response', login.unexpected, { observed, endsRun: true })
    }
    // The head of a JWT is the same for many tokens, and no secret.
    this.#host.secrets.add([token, ...token.split('.').slice(1)])
    return token
  }
}

function afterAttempts(failure: Failure, attempts: number): Failure {
  if (attempts === 1) return failure
  return failure.with({ observed: `after ${attempts} attempts, ${failure.observed}` })
}
