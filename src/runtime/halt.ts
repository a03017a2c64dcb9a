import { setMaxListeners } from 'node:events'
import { bugFailure, canceledFailure, type Failure } from '../failure.ts'
import type { Clock } from './clock.ts'

/** How long calls in flight may continue after a signal, in milliseconds. */
const graceMs = 4000

/** Whether the run must stop, and why. */
export class Halt {
  readonly #clock: Clock
  readonly #ending = new AbortController()
  readonly #endingCalls = new AbortController()
  readonly #canceling = new AbortController()
  /** Why nothing more is sent: the first reason; null if none. */
  reason: Failure | null = null
  /** The first bug in this action, even if something else ended the run; null if none. */
  bug: Failure | null = null
  /** Aborts when nothing more may be sent. */
  readonly ended = this.#ending.signal
  /** Aborts when calls in flight must end too. */
  readonly callsEnded = this.#endingCalls.signal
  /** Aborts at the first signal, even if something else ended the run before. */
  readonly canceled = this.#canceling.signal

  constructor(clock: Clock) {
    this.#clock = clock
    // Every call in flight listens, so Node's limit does not apply.
    setMaxListeners(0, this.ended, this.callsEnded, this.canceled)
  }

  get isCanceled(): boolean {
    return this.canceled.aborted
  }

  /** Handles SIGINT or SIGTERM: calls in flight get 4 more seconds. */
  cancel(): void {
    this.end(canceledFailure)
    this.#canceling.abort()
    void this.#clock.sleep(graceMs, this.callsEnded).then(() => {
      this.#endingCalls.abort()
    })
  }

  /** Lets nothing more be sent. Calls in flight continue. */
  end(reason: Failure): void {
    this.reason ??= reason
    this.#ending.abort()
  }

  noteBug(error: unknown): void {
    this.bug ??= bugFailure(error)
    this.end(this.bug)
  }
}
