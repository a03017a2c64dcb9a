import type { Clock } from '../clock.ts'
import type { Certainty, Failure } from '../failure.ts'
import { cancelledFailure, type Halt } from '../halt.ts'
import type { Secrets } from '../secrets.ts'
import { parseJsonObject, type JsonObject } from '../text/json.ts'
import type { Reply } from './exchange.ts'
import type { Gate } from './gate.ts'
import {
  failureOf,
  isRetryable,
  isSuccess,
  mayHaveActed,
  reasonOf,
  type Operation,
} from './operation.ts'
import { decideNextStep, parseRetryAfter } from './retry.ts'

/** How tries are made. */
export interface TriesOptions {
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  readonly halt: Halt
  readonly secrets: Secrets
  readonly maxAttempts: number
  /** False: a call that may have acted is never sent again. */
  readonly retryUnanswered: boolean
  /** A try failed and another one follows. */
  readonly onRetry: (retry: Retry) => void
}

/** A try that is followed by another one. */
export interface Retry {
  /** Name of the operation. */
  readonly call: string
  /** Name of the artifact; null for a call that is for all. */
  readonly artifact: string | null
  /** The try that failed, from 1. */
  readonly tries: number
  readonly maxAttempts: number
  /** Why it failed, free of secrets. */
  readonly why: string
  readonly waitMs: number
}

/** A 2xx with a JSON object, parsed and as text. */
export interface Answered {
  readonly object: JsonObject
  readonly text: string
  /** Tries before this one that may have acted, and whose answer was lost. */
  readonly unansweredTries: number
}

/** What came of a call with all its tries. */
export type Answer = Answered | { readonly failure: Failure }

/** What is tried, perhaps several times. */
interface Repeated extends Pick<Retry, 'artifact'> {
  readonly operation: Operation
  readonly url: URL
}

/**
 * Has `send` make tries, until an answer is good, final, or the last; it gives a failure where nothing could be sent.
 * `wasLost`: the try before may have acted, and its answer was lost.
 */
export async function makeTries(
  { operation, url, artifact }: Repeated,
  send: (wasLost: boolean) => Promise<Reply | Failure>,
  options: TriesOptions & { readonly gate: Gate },
): Promise<Answer> {
  const { clock, gate, halt, secrets, maxAttempts } = options
  let unansweredTries = 0
  let registered: Certainty = 'no'
  let wasLost = false
  for (let tries = 1; ; tries++) {
    await gate.pass(halt.signal)
    const reply = halt.reason ?? (await send(wasLost))
    if ('code' in reply) return { failure: { ...reply, registered } }
    if (isSuccess(reply)) {
      const object = parseJsonObject(reply.body)
      if (object !== undefined) return { object, text: reply.body, unansweredTries }
    }
    wasLost = mayHaveActed(reply)
    if (wasLost) unansweredTries += 1
    if (wasLost && operation.mayAct) registered = 'unknown'
    if (reply.kind === 'aborted') {
      return { failure: { ...(halt.reason ?? cancelledFailure), registered } }
    }
    const retryAfterMs =
      reply.kind === 'answer' ? parseRetryAfter(reply.retryAfter, clock.now()) : null
    const { action, waitMs, holdMs } = decideNextStep(
      { isRetryable: isRetryable(reply), retryAfterMs },
      { tries, maxAttempts, random: options.random() },
    )
    if (holdMs > 0) gate.hold(holdMs)
    const saying = (body: string): string => secrets.saying(body)
    const failed = { operation, url, reply, tries, registered, saying }
    const isOnce = wasLost && operation.mayAct && !options.retryUnanswered
    if (isOnce) return { failure: { ...failureOf(failed), isDeferrable: false } }
    if (action === 'done') return { failure: failureOf(failed) }
    const why = reasonOf(failed)
    options.onRetry({ call: operation.name, artifact, tries, maxAttempts, why, waitMs })
    await clock.sleep(waitMs, halt.signal)
  }
}
