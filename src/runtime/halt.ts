import { setMaxListeners } from 'node:events'
import { bugFailure, Failure } from '../failure.ts'
import { describeError } from '../text/system-error.ts'
import { systemClock, type Clock } from './clock.ts'

/** How long calls in flight may continue after a signal, in milliseconds. */
const graceMs = 5000

/** The run was canceled before the artifact was sent, or before its answer arrived. */
export const cancelledFailure = new Failure({
  code: 'cancelled',
  cause: 'the run was canceled',
  remedy: 'find out what canceled the run, for example a timeout or a newer run',
  endsRun: true,
})

/** The artifact was not sent, because its line could not be saved. */
export const notSavedFailure = new Failure({
  code: 'not-saved',
  cause: 'the records file could not be written',
  remedy: 'on a self-hosted runner, free disk space or fix the permissions of the file',
  endsRun: true,
})

/** Whether the run must stop, and why. */
export class Halt {
  readonly #clock: Clock
  readonly #stopped = new AbortController()
  readonly #killed = new AbortController()
  readonly #signalled = new AbortController()
  /** Why nothing more is sent: the first reason; null if none. */
  reason: Failure | null = null
  /** The first bug in this action, even if something else stopped the run; null if none. */
  bug: Failure | null = null
  /** Artifacts whose record could not be saved; its line is in the log instead. */
  readonly unsaved: string[] = []
  /** Aborts when nothing more may be sent. */
  readonly signal = this.#stopped.signal
  /** Aborts when calls in flight must end too. */
  readonly kill = this.#killed.signal
  /** Aborts at the first signal, even if something else stopped the run before. */
  readonly cancelled = this.#signalled.signal

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
    // Every call in flight listens, so Node's limit does not apply.
    setMaxListeners(0, this.signal, this.kill, this.cancelled)
  }

  get isCancelled(): boolean {
    return this.cancelled.aborted
  }

  /** Handles SIGINT or SIGTERM: calls in flight get 5 more seconds. */
  cancel(): void {
    if (this.isCancelled) return
    this.stop(cancelledFailure)
    this.#signalled.abort()
    void this.#clock.sleep(graceMs, this.kill).then(() => {
      this.#killed.abort()
    })
  }

  /** Stops sending. Calls in flight continue. */
  stop(reason: Failure): void {
    this.reason ??= reason
    this.#stopped.abort()
  }

  /** Stops sending because of a bug; `reportTo` says where to report it. */
  noteBug(error: unknown, reportTo: string): void {
    this.bug ??= bugFailure(describeError(error), reportTo)
    this.stop(this.bug)
  }
}
