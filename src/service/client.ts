import { Failure } from '../failure.ts'
import type { Host } from '../runtime/host.ts'
import { quote } from '../text/escape.ts'
import { parseJsonObject, type JsonObject } from '../text/json.ts'
import { formatDuration } from '../text/time.ts'
import {
  describeReply,
  failureOf,
  isRetryable,
  isSuccess,
  mayHaveActed,
  type FailedCall,
} from './call-failure.ts'
import {
  completionOperation,
  loginOperation,
  rejectedToken,
  type Advice,
  type Operation,
} from './operations.ts'
import { backoffMs } from './retry.ts'
import type { Subscription } from './subscription.ts'
import type { Reply, Transport } from './transport.ts'

export interface ClientOptions {
  readonly host: Host
  readonly transport: Transport
  /** Normal form, without `/api/v2`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Per call, including the first. */
  readonly maxAttempts: number
}

/** A hash to register. */
export interface Subject {
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
  /** Name of the artifact, without secrets. */
  readonly artifact: string
  /** Whether an earlier run may have registered the hash. */
  readonly isOpen: boolean
  /** Saves, once, that the hash is about to be sent. Rejects with the failure. */
  readonly logIntent: () => Promise<void>
}

export interface Call {
  readonly operation: Operation
  /** Follows the base URL. */
  readonly path: string
  /** JSON, which makes it a POST; null for a GET. */
  readonly body: string | null
  /** The hash that the call may register; null if it registers nothing. */
  readonly subject: Subject | null
}

/** A 2xx with a JSON object, parsed and as text. */
export interface GoodAnswer {
  readonly object: JsonObject
  readonly text: string
  /** Whether an earlier attempt of the call may have registered the hash too. */
  readonly isRepeated: boolean
}

/** The answer to a completion: a record that is not yet checked. */
export interface Notarization extends GoodAnswer {
  /** The `id` of the subscription that paid; null if none. */
  readonly paymentId: string | null
}

/** A token, and what the service has said to it. */
interface Login {
  readonly token: Promise<string>
  /** Whether the token replaces one that was rejected. */
  readonly isRenewal: boolean
  wasAccepted: boolean
}

/** The notarization service (docs/service.md). Logs in when the first call needs it. Its methods reject with a failure. */
export class Client {
  readonly #options: ClientOptions
  /** Shared by all workers; null before the first login. */
  #login: Login | null = null
  /** Until when a `Retry-After` holds back all workers, on the monotonic clock. */
  #pauseEndMs = 0

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** Completes a registration, paid for by the subscription; `notFound` explains a 404. */
  async complete(subject: Subject, payer: Subscription, notFound: Advice): Promise<Notarization> {
    const path = `/api/v2/registration/${subject.hash}/forfait`
    const operation = completionOperation(notFound)
    const answer = await this.call({ operation, path, body: payer.json, subject })
    return { ...answer, paymentId: payer.id }
  }

  /** Makes one call, with as many attempts as needed. */
  async call(call: Call): Promise<GoodAnswer> {
    const { operation, subject } = call
    let hasActed = false
    try {
      for (let attempts = 1; ; attempts++) {
        const reply = await this.#attempt(call)
        const text = isSuccess(reply) ? reply.body : null
        const object = text === null ? undefined : parseJsonObject(text)
        if (text !== null && object !== undefined) return { object, text, isRepeated: hasActed }
        hasActed ||= subject !== null && mayHaveActed(reply)
        const observed = describeReply(reply, operation, shown =>
          this.#options.host.secrets.redactText(shown),
        )
        const mayBeRegistered = hasActed || subject?.isOpen === true
        await this.#waitForRetry({ operation, reply, observed, attempts, mayBeRegistered }, subject)
      }
    } catch (error) {
      throw Failure.from(error).with({ registered: hasActed ? 'unknown' : 'no' })
    }
  }

  /** Waits before the next attempt. Rejects with the failure if none may follow. */
  async #waitForRetry(failed: FailedCall, subject: Subject | null): Promise<void> {
    const { operation, reply, observed, attempts } = failed
    const { host, maxAttempts } = this.#options
    const { clock, halt, random, runner } = host
    const wasEnded = reply.kind === 'no-answer' && reply.cause === 'ended'
    const retryAfterMs = reply.kind === 'answer' ? reply.retryAfterMs : null
    const isTemporary = isRetryable(reply)
    if (isTemporary && retryAfterMs !== null) {
      this.#pauseEndMs = Math.max(this.#pauseEndMs, clock.monotonic() + retryAfterMs)
    }
    const canRetry = isTemporary && attempts < maxAttempts
    if (halt.reason !== null && (canRetry || wasEnded)) throw halt.reason
    if (!canRetry) throw failureOf(failed)
    const waitMs = retryAfterMs ?? backoffMs(attempts, random())
    const target = subject === null ? '' : ` of "${quote(subject.artifact)}"`
    const which = `attempt ${attempts} of ${maxAttempts}`
    const wait = formatDuration(waitMs / 1000)
    runner.info(`${operation.name}${target} ${observed} (${which}); retrying in ${wait}`)
    await clock.sleep(waitMs, halt.signal)
  }

  /** Makes one attempt, with a token. After a 401, all workers share one new login, and it is made again. */
  async #attempt(call: Call): Promise<Reply> {
    if (call.operation === loginOperation) return this.#send(call, null)
    let isRenewal = false
    for (;;) {
      this.#login ??= { token: this.#logIn(), isRenewal, wasAccepted: false }
      const login = this.#login
      const reply = await this.#send(call, await login.token)
      const isRejected = reply.kind === 'answer' && reply.status === 401
      if (reply.kind === 'answer' && !isRejected) login.wasAccepted = true
      if (!isRejected) return reply
      if (login.isRenewal && !login.wasAccepted) throw rejectionOf(call)
      // Another worker may have started a new login already.
      if (this.#login === login) this.#login = null
      isRenewal = true
    }
  }

  async #send({ path, body, subject }: Call, token: string | null): Promise<Reply> {
    const { host, transport, baseUrl } = this.#options
    const { clock, halt } = host
    await subject?.logIntent()
    // Another worker may extend the pause in the meantime.
    for (;;) {
      if (halt.reason !== null) throw halt.reason
      const leftMs = this.#pauseEndMs - clock.monotonic()
      if (leftMs <= 0) break
      await clock.sleep(leftMs, halt.signal)
    }
    return transport.send({ url: new URL(baseUrl + path), body, token }, halt.kill)
  }

  async #logIn(): Promise<string> {
    const { host, apiKey } = this.#options
    const operation = loginOperation
    const path = '/api/v2/auth/login'
    const body = JSON.stringify({ apiKey })
    const { object } = await this.call({ operation, path, body, subject: null })
    const { token } = object
    // Anything else cannot stand in a header.
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      const detail = 'the login returned no usable token'
      const parts = { code: 'invalid-response', detail, endsRun: true } as const
      throw new Failure({ ...operation.unexpected, ...parts })
    }
    host.secrets.add([token, ...token.split('.')])
    return token
  }
}

/** Returns the failure for a 401 to a new token. */
function rejectionOf({ operation }: Call): Failure {
  const detail = `${operation.name} returned HTTP 401 after a new login`
  const parts = { code: 'login-refused', detail, status: 401, endsRun: true } as const
  return new Failure({ ...rejectedToken, ...parts })
}
