import { FailureError } from '../failure.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Halt } from '../runtime/halt.ts'

/** The pause after a `Retry-After`. All requests wait for its end. */
export class SharedPause {
  readonly #clock: Clock
  readonly #halt: Halt
  /** On the monotonic clock. */
  #endMs = 0

  constructor(clock: Clock, halt: Halt) {
    this.#clock = clock
    this.#halt = halt
  }

  /** Makes the pause last at least this long from now. */
  extend(ms: number): void {
    this.#endMs = Math.max(this.#endMs, this.#clock.monotonic() + ms)
  }

  /** Resolves at the end of the pause. Rejects with the reason if the run is stopped. */
  async wait(): Promise<void> {
    const { signal } = this.#halt
    while (!signal.aborted && this.#leftMs() > 0) await this.#clock.sleep(this.#leftMs(), signal)
    if (this.#halt.reason !== null) throw new FailureError(this.#halt.reason)
  }

  #leftMs(): number {
    return this.#endMs - this.#clock.monotonic()
  }
}
