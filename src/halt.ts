import { setMaxListeners } from 'node:events'
import { makeFailure, type Failure } from './failure.ts'

/** How long calls in flight may go on after the run was cancelled, in milliseconds. */
export const graceMs = 5000

/** The run was cancelled before the matter was settled. */
export const cancelledFailure = makeFailure({
  code: 'cancelled',
  what: 'the run was cancelled',
  remedy: 'run the job again with the same records file',
  endsRun: true,
})

/** A record could not be saved. */
export const notSavedFailure = makeFailure({
  code: 'not-saved',
  what: 'the records file could not be written any more, so nothing more was sent',
  remedy:
    'make room or correct the rights; add the lines that the log shows to the records file by hand, then run the job again',
  endsRun: true,
})

/** What was about to be sent, or that it came to nothing, could not be noted; no record is missing. */
export const notNotedFailure: Failure = {
  ...notSavedFailure,
  remedy: 'make room or correct the rights, then run the job again with the same records file',
}

/**
 * When to stop: `signal` aborts as soon as nothing new may be sent, `kill` when calls in flight must end, too. The first
 * reason stays.
 */
export class Halt {
  readonly #begun = new AbortController()
  readonly #kill = new AbortController()
  #reason: Failure | null = null
  #isCancelled = false
  #hasUnsaved = false

  constructor() {
    // Each call in flight listens.
    setMaxListeners(0, this.#begun.signal, this.#kill.signal)
  }

  /** Aborts when nothing new may be sent. */
  get signal(): AbortSignal {
    return this.#begun.signal
  }

  /** Aborts when calls in flight must end. */
  get kill(): AbortSignal {
    return this.#kill.signal
  }

  /** Why nothing more is sent, or null. */
  get reason(): Failure | null {
    return this.#reason
  }

  /** Whether a signal asked the run to stop. */
  get isCancelled(): boolean {
    return this.#isCancelled
  }

  /** Whether a record could not be saved, whatever else stopped the run. */
  get hasUnsaved(): boolean {
    return this.#hasUnsaved
  }

  /** SIGINT or SIGTERM came: calls in flight have 5 s more. */
  cancel(): void {
    if (this.#isCancelled) return
    this.#isCancelled = true
    this.stop(cancelledFailure)
    setTimeout(() => {
      this.#kill.abort()
    }, graceMs).unref()
  }

  /** Something makes it wrong to send more. Calls in flight end by their own rules. */
  stop(reason: Failure): void {
    if (reason === notSavedFailure) this.#hasUnsaved = true
    this.#reason ??= reason
    this.#begun.abort()
  }
}
