import { FailureError } from '../failure.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Halt } from '../runtime/halt.ts'

/** The pause that a `Retry-After` asks of all workers. Every request waits for its end before it is sent. */
export class SharedPause {
  readonly #clock: Clock
  readonly #halt: Halt
  /** On the monotonic clock. */
  #endMs = 0

  constructor(clock: Clock, halt: Halt) {
    this.#clock = clock
    this.#halt = halt
  }

  /** Makes the pause last so long from now, unless it lasts longer already. */
  extend(ms: number): void {
    this.#endMs = Math.max(this.#endMs, this.#clock.monotonic() + ms)
  }

  /** Resolves at the end of the pause. Rejects with the reason if the run is halted. */
  async wait(): Promise<void> {
    const { signal } = this.#halt
    while (!signal.aborted && this.#leftMs() > 0) await this.#clock.sleep(this.#leftMs(), signal)
    if (this.#halt.reason !== null) throw new FailureError(this.#halt.reason)
  }

  #leftMs(): number {
    return this.#endMs - this.#clock.monotonic()
  }
}
