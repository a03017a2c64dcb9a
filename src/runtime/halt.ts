import { setMaxListeners } from 'node:events'
import { bugFailure, makeFailure, type Failure } from '../failure.ts'
import { describeError } from '../text/system-error.ts'
import { systemClock, type Clock } from './clock.ts'

/** How long calls in flight may go on after the run was cancelled, in milliseconds. */
const graceMs = 5000

/** The run was cancelled before a call for the artifact was answered. */
export const cancelledFailure = makeFailure({
  code: 'cancelled',
  what: 'the run was cancelled',
  remedy: 'run the job again with the same records file',
  endsRun: true,
})

/** The records file could not be written. */
export const notSavedFailure = makeFailure({
  code: 'not-saved',
  what: 'the records file could not be written, so nothing more was sent',
  remedy:
    'free disk space or fix the permissions, then run the job again with the same records file',
  endsRun: true,
})

/** When to stop, and why: the first reason stays. */
export class Halt {
  readonly #clock: Clock
  readonly #stopped = new AbortController()
  readonly #killed = new AbortController()
  readonly #signalled = new AbortController()
  /** Why nothing more is sent, or null. */
  reason: Failure | null = null
  /** A bug in this action, whatever else stopped the run; null for none. */
  bug: Failure | null = null
  /** Set when a record could not be saved: its line is in the log instead. */
  readonly unsaved: string[] = []
  /** Aborts when nothing new may be sent. */
  readonly signal = this.#stopped.signal
  /** Aborts when calls in flight must end, too. */
  readonly kill = this.#killed.signal
  /** Aborts when a signal asks the run to stop, whatever has stopped it before. */
  readonly cancelled = this.#signalled.signal

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
    // Each call in flight listens.
    setMaxListeners(0, this.signal, this.kill, this.cancelled)
  }

  /** Whether a signal asked the run to stop. */
  get isCancelled(): boolean {
    return this.cancelled.aborted
  }

  /** Handles SIGINT or SIGTERM: calls in flight have 5 s more. */
  cancel(): void {
    if (this.isCancelled) return
    this.stop(cancelledFailure)
    this.#signalled.abort()
    void this.#clock.sleep(graceMs, this.kill).then(() => {
      this.#killed.abort()
    })
  }

  /** Stops all sending. Calls in flight end by their own rules. */
  stop(reason: Failure): void {
    this.reason ??= reason
    this.#stopped.abort()
  }

  /** Stops all sending because of a bug; `reportTo` is the address for reports. */
  noteBug(error: unknown, reportTo: string): void {
    this.bug ??= bugFailure(describeError(error), reportTo)
    this.stop(this.bug)
  }
}
