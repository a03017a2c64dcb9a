import { setMaxListeners } from 'node:events'
import { bugFailure, makeFailure, type Failure } from './failure.ts'
import { describeError } from './text/system-error.ts'

/** How long calls in flight may go on after the run was cancelled, in milliseconds. */
const graceMs = 5000

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

/** When to stop, and why: the first reason stays. */
export class Halt {
  readonly #begun = new AbortController()
  readonly #kill = new AbortController()
  readonly #reasons: Failure[] = []
  /** Aborts when nothing new may be sent. */
  readonly signal = this.#begun.signal
  /** Aborts when calls in flight must end, too. */
  readonly kill = this.#kill.signal

  constructor() {
    // Each call in flight listens.
    setMaxListeners(0, this.signal, this.kill)
  }

  /** Why nothing more is sent, or null. */
  get reason(): Failure | null {
    return this.#reasons[0] ?? null
  }

  /** Whether a signal asked the run to stop. */
  get isCancelled(): boolean {
    return this.#reasons.includes(cancelledFailure)
  }

  /** Whether a record could not be saved, whatever else stopped the run. */
  get hasUnsaved(): boolean {
    return this.#reasons.includes(notSavedFailure)
  }

  /** A bug of ours that showed, whatever else stopped the run; null for none. */
  get bug(): Failure | null {
    return this.#reasons.find(({ code }) => code === 'internal-error') ?? null
  }

  /** SIGINT or SIGTERM came: calls in flight have 5 s more. */
  cancel(): void {
    if (this.isCancelled) return
    this.stop(cancelledFailure)
    setTimeout(() => {
      this.#kill.abort()
    }, graceMs).unref()
  }

  /** Something makes it wrong to send more. Calls in flight end by their own rules. */
  stop(reason: Failure): void {
    this.#reasons.push(reason)
    this.#begun.abort()
  }

  /** A bug of ours showed, which `reportTo` is the address for. */
  noteBug(error: unknown, reportTo: string): void {
    this.stop(bugFailure(describeError(error), reportTo))
  }
}
