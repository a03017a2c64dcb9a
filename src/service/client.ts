import { Failure } from '../failure.ts'
import type { HashedArtifact } from '../outcome.ts'
import type { Host, HttpRequest, Reply, Transmit } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import type { JsonObject } from '../text/json.ts'
import { formatDuration } from '../text/phrases.ts'
import { completion, findMismatch, login, readReply, type Operation } from './operations.ts'
import { findPauseMs, findWaitMs, isRetryableStatus } from './retry.ts'
import type { Subscription } from './subscription.ts'

/** Who is charged for a registration. */
export interface Payer {
  readonly subscription: Subscription
  /** Why the service refused the request, which may have been made before; null if it did not. */
  readonly refusal: Failure | null
}

/**
 * Makes a call with as many attempts as needed, but never again after one that may have registered a hash. A JSON `body` makes
 * it a POST; `artifact` is what it is for. Rejects with a failure.
 */
export type Call = <Result>(
  operation: Operation<Result>,
  body?: string | null,
  artifact?: HashedArtifact | null,
) => Promise<Result>

/** Connects to the notarization service (docs/service.md). `baseUrl` is in normal form; `maxAttempts` counts the first one. */
export function connectToService(
  { clock, halt, random, runner, secrets }: Host,
  transmit: Transmit,
  inputs: { readonly baseUrl: string; readonly apiKey: string; readonly maxAttempts: number },
) {
  const { baseUrl, apiKey, maxAttempts } = inputs
  /**
   * The latest login, which all workers share; null before the first one. It is renewed after a 401, unless its token replaced
   * a rejected one and was never accepted itself.
   */
  let latest: { readonly token: Promise<string>; isRenewable: boolean } | null = null
  /** Until when a `Retry-After` holds back all workers, on the monotonic clock. */
  let pauseEndMs = 0

  const call: Call = async (operation, body = null, artifact = null) => {
    const path = artifact ? operation.path.replace('{hash}', artifact.hash) : operation.path
    const url = new URL(baseUrl + path)
    let seen: Failure | null = null
    for (let attempts = 1; ; attempts++) {
      const sent = operation === login ? send({ url, body, token: null }) : sendWithToken(url, body)
      const reply = await sent.catch((error: unknown) => {
        const failure = Failure.orRethrow(error)
        // What was seen of this hash says more than what ended the run meanwhile.
        throw seen ?? failure
      })
      const result = readReply(operation, reply, secrets)
      if (!(result instanceof Failure)) return result
      const { code, observed, said, mayHaveActed } = result
      const after = attempts > 1 ? `after ${attempts} attempts, ` : ''
      seen = result.with({ observed: after + observed })
      const pauseMs = findPauseMs(reply)
      pauseEndMs = Math.max(pauseEndMs, clock.monotonic() + (pauseMs ?? 0))
      // A call that may have acted is never repeated.
      const isLast = mayHaveActed || pauseMs === null || attempts === maxAttempts
      if (isLast || halt.reason !== null) {
        // Without a valid token, nothing else can be registered either.
        if (operation === login || code === 'login-refused') halt.end(seen)
        throw seen
      }
      const waitMs = findWaitMs(attempts, pauseMs, random())
      const who = artifact === null ? '' : `"${quote(artifact.name)}": `
      const which = `attempt ${attempts} of ${maxAttempts}`
      const next = `retrying in ${formatDuration(waitMs / 1000)}`
      runner.info(`${who}${observed}${said} (${which}); ${next}`)
      await clock.sleep(waitMs, halt.ended)
    }
  }

  /** Makes one attempt. After a 401, all workers share one new login, and it is made again. */
  async function sendWithToken(url: URL, body: string | null): Promise<Reply> {
    for (;;) {
      latest ??= { token: requestToken(), isRenewable: true }
      const used = latest
      const reply = await send({ url, body, token: await used.token })
      if (reply.kind !== 'response') return reply
      const { status } = reply
      if (status !== 401 && !isRetryableStatus(status)) used.isRenewable = true
      if (status !== 401 || !used.isRenewable) return reply
      // Unless another worker has started a new login already.
      if (latest === used) latest = { token: requestToken(), isRenewable: false }
    }
  }

  async function requestToken(): Promise<string> {
    const token = await call(login, JSON.stringify({ apiKey }))
    secrets.add([token])
    return token
  }

  /** Sends one request, unless nothing more may be sent, once the pause is over. */
  async function send(request: HttpRequest): Promise<Reply> {
    // Another worker may extend the pause in the meantime.
    while (halt.reason === null && clock.monotonic() < pauseEndMs) {
      await clock.sleep(pauseEndMs - clock.monotonic(), halt.ended)
    }
    if (halt.reason !== null) throw halt.reason
    return transmit(request, halt.callsEnded)
  }

  /** Completes a registration, which is charged to the payer, and returns the record. Rejects with a failure. */
  async function complete(artifact: HashedArtifact, payer: Payer): Promise<JsonObject> {
    const { subscription, refusal } = payer
    try {
      const record = await call(completion, subscription.json, artifact)
      const request = { hash: artifact.hash, paymentId: subscription.id }
      const mismatch = findMismatch(record, request, secrets)
      if (mismatch !== null) throw mismatch
      return record
    } catch (error) {
      const failure = Failure.orRethrow(error)
      if (refusal === null) throw failure
      // A 409 only says that a request exists.
      if (failure.isOfRun) throw refusal.status === 409 ? failure : refusal
      if (failure.code !== 'refused') throw failure
      const { code, status } = refusal
      if (status === 409) throw failure.with({ code })
      // A 404 only confirms that there is nothing to complete.
      if (failure.status === 404) throw refusal.followedBy(failure)
      throw failure.followedBy(refusal).with({ code })
    }
  }

  return { call, complete }
}
