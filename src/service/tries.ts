import type { Clock } from '../clock.ts'
import { changeFailure, FailureError } from '../failure.ts'
import type { Halt } from '../halt.ts'
import type { Secrets } from '../secrets.ts'
import { quote } from '../text/escape.ts'
import { parseJsonObject, type JsonObject } from '../text/json.ts'
import { formatDuration } from '../text/time.ts'
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
  /** Takes a line about a try that failed and is followed by another one. */
  readonly onRetry: (line: string) => void
}

/** A 2xx with a JSON object, parsed and as text. */
export interface Answered {
  readonly object: JsonObject
  readonly text: string
  /** Tries before this one that may have acted, and whose answer was lost. */
  readonly unansweredTries: number
}

/** What is tried, perhaps several times. */
interface Repeated {
  readonly operation: Operation
  /** Name of the artifact, free of secrets; null for a call that is for all. */
  readonly artifact: string | null
  readonly url: URL
}

/**
 * Has `send` make tries, until an answer is good, final, or the last; it rejects where nothing could be sent. Rejects
 * with a failure that counts all tries. `wasLost`: the try before may have acted, and its answer was lost.
 */
export async function makeTries(
  { operation, url, artifact }: Repeated,
  send: (wasLost: boolean) => Promise<Reply>,
  options: TriesOptions & { readonly gate: Gate },
): Promise<Answered> {
  const { clock, gate, halt, secrets, maxAttempts, retryUnanswered } = options
  let unansweredTries = 0

  const tryOften = async (): Promise<Answered> => {
    let wasLost = false
    for (let tries = 1; ; tries++) {
      const reply = await send(wasLost)
      if (isSuccess(reply)) {
        const object = parseJsonObject(reply.body)
        if (object !== undefined) return { object, text: reply.body, unansweredTries }
      }
      wasLost = mayHaveActed(reply)
      if (wasLost) unansweredTries += 1
      const retryAfterMs =
        reply.kind === 'answer' ? parseRetryAfter(reply.retryAfter, clock.now()) : null
      const { action, waitMs, holdMs } = decideNextStep(
        { isRetryable: isRetryable(reply), retryAfterMs },
        { tries, maxAttempts, random: options.random() },
      )
      if (holdMs > 0) gate.hold(holdMs)
      const failed = { operation, url, reply, tries, secrets }
      const isOnce = wasLost && operation.mayAct && !retryUnanswered
      const wasAborted = reply.kind === 'lost' && reply.isAborted
      const isRepeated = action === 'wait' && !isOnce
      // What the halt ended, and what it keeps from being tried again, has its reason; the rest has its own.
      if (halt.reason !== null && (wasAborted || isRepeated)) throw new FailureError(halt.reason)
      if (isOnce) throw new FailureError({ ...failureOf(failed), isDeferrable: false })
      if (action === 'done') throw new FailureError(failureOf(failed))
      const call = artifact === null ? operation.name : `${operation.name} of "${quote(artifact)}"`
      const why = `try ${tries} of ${maxAttempts} failed: ${quote(reasonOf(failed))}`
      options.onRetry(`${call}: ${why}; next in ${formatWait(waitMs)}`)
      await clock.sleep(waitMs, halt.signal)
    }
  }
  return changeFailure(tryOften(), () => ({
    registered: operation.mayAct && unansweredTries > 0 ? 'unknown' : 'no',
  }))
}

function formatWait(ms: number): string {
  return ms < 1000 ? `${Math.ceil(ms)} ms` : formatDuration(ms / 1000)
}
