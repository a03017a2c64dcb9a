import { Failure } from '../failure.ts'
import type { Host } from '../runtime/host.ts'
import { quote } from '../text/escape.ts'
import { parseJsonObject, type JsonObject } from '../text/json.ts'
import { formatDuration } from '../text/units.ts'
import { failureOf, isRetryable, mayHaveActed, statusClass } from './call-failure.ts'
import { general, login, type Operation } from './operations.ts'
import { backoffMs } from './retry.ts'
import type { Subscription } from './subscription.ts'
import type { HttpRequest, Reply, Transport } from './transport.ts'

export interface ClientInputs {
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

/** The notarization service (docs/service.md). Logs in when the first call needs it. Its methods reject with a failure. */
export class Client {
  readonly #host: Host
  readonly #transport: Transport
  readonly #inputs: ClientInputs
  /** A token and what the service has said to it, shared by all workers; null before the first login. */
  #login: {
    readonly token: Promise<string>
    /** Whether the token replaces one that was rejected. */
    readonly isRenewal: boolean
    wasAccepted: boolean
  } | null = null
  /** Until when a `Retry-After` holds back all workers, on the monotonic clock. */
  #pauseEndMs = 0

  constructor(host: Host, transport: Transport, inputs: ClientInputs) {
    this.#host = host
    this.#transport = transport
    this.#inputs = inputs
  }

  /** Completes a registration, paid for by the subscription. */
  async complete(
    operation: Operation,
    subject: Subject,
    payer: Subscription,
  ): Promise<Notarization> {
    const answer = await this.call(operation, payer.json, subject)
    return { ...answer, paymentId: payer.id }
  }

  /**
   * Makes one call, with as many attempts as needed. A `body` is JSON, which makes it a POST; `subject` is the hash that
   * the call may register, null if it registers nothing.
   */
  async call(
    operation: Operation,
    body: string | null,
    subject: Subject | null,
  ): Promise<GoodAnswer> {
    const redact = (text: string): string => this.#host.secrets.redactText(text)
    let hasActed = false
    try {
      for (let attempts = 1; ; attempts++) {
        const reply = await this.#attempt(operation, body, subject)
        const text = reply.kind === 'answer' && statusClass(reply) === 2 ? reply.body : null
        const object = text === null ? undefined : parseJsonObject(text)
        if (text !== null && object !== undefined) return { object, text, isRepeated: hasActed }
        hasActed ||= subject !== null && mayHaveActed(reply)
        const mayBeRegistered = hasActed || subject?.isOpen === true
        const failure = failureOf(operation, reply, { mayBeRegistered, redact })
        const waitMs = this.#decideRetry(reply, failure, attempts)
        const target = subject === null ? '' : `"${quote(subject.artifact)}": `
        const which = `attempt ${attempts} of ${this.#inputs.maxAttempts}`
        const wait = formatDuration(waitMs / 1000)
        this.#host.runner.info(`${target}${failure.detail} (${which}); retrying in ${wait}`)
        await this.#host.clock.sleep(waitMs, this.#host.halt.signal)
      }
    } catch (error) {
      throw Failure.from(error).with({ registered: hasActed ? 'unknown' : 'no' })
    }
  }

  /** Returns how long to wait before the next attempt, in milliseconds. Throws the failure if none may follow. */
  #decideRetry(reply: Reply, failure: Failure, attempts: number): number {
    const { clock, halt, random } = this.#host
    const retryAfterMs = reply.kind === 'answer' ? reply.retryAfterMs : null
    const isTemporary = isRetryable(reply)
    if (isTemporary && retryAfterMs !== null) {
      this.#pauseEndMs = Math.max(this.#pauseEndMs, clock.monotonic() + retryAfterMs)
    }
    const canRetry = isTemporary && attempts < this.#inputs.maxAttempts
    if (halt.reason !== null && (canRetry || reply.kind === 'ended')) throw halt.reason
    if (canRetry) return retryAfterMs ?? backoffMs(attempts, random())
    if (attempts === 1) throw failure
    throw failure.with({ detail: `after ${attempts} attempts, ${failure.detail}` })
  }

  /** Makes one attempt, with a token. After a 401, all workers share one new login, and it is made again. */
  async #attempt(
    operation: Operation,
    body: string | null,
    subject: Subject | null,
  ): Promise<Reply> {
    const { path } = operation
    const filled = subject === null ? path : path.replace('{hash}', subject.hash)
    const request = { url: new URL(this.#inputs.baseUrl + filled), body }
    if (operation === login) return this.#send({ ...request, token: null }, subject)
    for (let isRenewal = false; ; isRenewal = true) {
      this.#login ??= { token: this.#logIn(), isRenewal, wasAccepted: false }
      const current = this.#login
      const reply = await this.#send({ ...request, token: await current.token }, subject)
      if (reply.kind !== 'answer') return reply
      if (reply.status !== 401) {
        current.wasAccepted = true
        return reply
      }
      if (current.isRenewal && !current.wasAccepted) {
        const detail = `${operation.name} returned HTTP 401 after a new login`
        const parts = { code: 'login-refused', detail, status: 401, endsRun: true } as const
        throw new Failure({ ...general.rejectedToken, ...parts })
      }
      // Another worker may have started a new login already.
      if (this.#login === current) this.#login = null
    }
  }

  async #send(request: HttpRequest, subject: Subject | null): Promise<Reply> {
    const { clock, halt } = this.#host
    await subject?.logIntent()
    // Another worker may extend the pause in the meantime.
    for (;;) {
      if (halt.reason !== null) throw halt.reason
      const leftMs = this.#pauseEndMs - clock.monotonic()
      if (leftMs <= 0) break
      await clock.sleep(leftMs, halt.signal)
    }
    return this.#transport.send(request, halt.kill)
  }

  async #logIn(): Promise<string> {
    const body = JSON.stringify({ apiKey: this.#inputs.apiKey })
    const { object } = await this.call(login, body, null)
    const { token } = object
    // Anything else cannot stand in a header.
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      const detail = 'the login returned no usable token'
      const parts = { code: 'invalid-response', detail, endsRun: true } as const
      throw new Failure({ ...login.unexpected, ...parts })
    }
    this.#host.secrets.add([token, ...token.split('.')])
    return token
  }
}
