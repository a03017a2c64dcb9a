import { FailureError, failureIn } from '../failure.ts'
import type { Host } from '../runtime/host.ts'
import { quote } from '../text/escape.ts'
import { parseJsonObject, type JsonObject } from '../text/json.ts'
import { formatDuration } from '../text/time.ts'
import { describeReply, failureOf, isRetryable, isSuccess, mayHaveActed } from './call-failure.ts'
import type { Operation } from './operations.ts'
import { backoffMs, maxRetryAfterMs } from './retry.ts'
import type { SharedPause } from './shared-pause.ts'
import type { Reply } from './transport.ts'

export interface AttemptOptions {
  readonly host: Host
  readonly pause: SharedPause
  /** Per call, including the first. */
  readonly maxAttempts: number
}

export interface AttemptedCall {
  readonly operation: Operation
  /** The hash that the call may register; null if it registers nothing. */
  readonly subject: Subject | null
  /** Makes one attempt. Rejects with a failure if nothing more may be sent. */
  readonly send: () => Promise<Reply>
}

/** A hash to register. */
export interface Subject {
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
  /** Name of the artifact, without secrets. */
  readonly artifact: string
  /** Whether an earlier run may have registered the hash. */
  readonly isOpen: boolean
  /** Saves, before the first request, that the hash will be sent. Rejects with the failure. */
  readonly logIntent: () => Promise<void>
}

/** A 2xx with a JSON object, parsed and as text. */
export interface GoodAnswer {
  readonly object: JsonObject
  readonly text: string
  /** Whether the service may have carried out an earlier attempt. */
  readonly mayHaveActedBefore: boolean
}

/** Makes attempts until an answer is good or final. Rejects with a failure about all attempts. */
export async function attempt(
  { operation, subject, send }: AttemptedCall,
  { host, pause, maxAttempts }: AttemptOptions,
): Promise<GoodAnswer> {
  const { clock, random, runner, halt, secrets } = host
  let hasActed = false
  try {
    for (let attempts = 1; ; attempts++) {
      const reply = await send()
      const text = isSuccess(reply) ? (reply.body ?? '') : ''
      const object = parseJsonObject(text)
      if (object !== undefined) return { object, text, mayHaveActedBefore: hasActed }
      hasActed ||= subject !== null && mayHaveActed(reply)

      const retryAfterMs = reply.kind === 'answer' ? reply.retryAfterMs : null
      const isFinal = !isRetryable(reply) || (retryAfterMs ?? 0) > maxRetryAfterMs
      if (!isFinal) pause.extend(retryAfterMs ?? 0)
      const canRetry = !isFinal && attempts < maxAttempts
      const wasEnded = reply.kind === 'no-answer' && reply.cause === 'ended'
      if (halt.reason !== null && (canRetry || wasEnded)) throw new FailureError(halt.reason)

      const replyText = describeReply(reply, operation, shown => secrets.redactText(shown))
      if (!canRetry) {
        const mayBeRegistered = hasActed || subject?.isOpen === true
        const call = { operation, reply, replyText, attempts, mayBeRegistered }
        throw new FailureError(failureOf(call))
      }
      const waitMs = retryAfterMs ?? backoffMs(attempts, random())
      const target = subject === null ? '' : ` of "${quote(subject.artifact)}"`
      const which = `${operation.name}${target}: attempt ${attempts} of ${maxAttempts}`
      runner.info(`${which} failed (${replyText}); retrying in ${formatWait(waitMs)}`)
      await clock.sleep(waitMs, halt.signal)
    }
  } catch (error) {
    const registered = hasActed ? 'unknown' : 'no'
    throw new FailureError({ ...failureIn(error), registered }, error)
  }
}

function formatWait(ms: number): string {
  return ms < 1000 ? `${Math.ceil(ms)} ms` : formatDuration(ms / 1000)
}
