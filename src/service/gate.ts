import type { Clock } from '../clock.ts'
import { FailureError } from '../failure.ts'
import type { Halt } from '../halt.ts'

/** What every request passes before it is sent: shut for all workers after a `Retry-After`, for good once the run is halted. */
export class Gate {
  readonly #clock: Clock
  readonly #halt: Halt
  #openAtMs = 0

  constructor(clock: Clock, halt: Halt) {
    this.#clock = clock
    this.#halt = halt
  }

  /** Keeps the gate shut for so long, if it is not shut longer already. */
  hold(ms: number): void {
    this.#openAtMs = Math.max(this.#openAtMs, this.#clock.monotonic() + ms)
  }

  /** Waits until the gate is open, and says whether it was shut. Rejects with the reason of a halt. */
  async pass(): Promise<boolean> {
    const { signal } = this.#halt
    let wasShut = false
    for (let left = this.#left(); left > 0 && !signal.aborted; left = this.#left()) {
      wasShut = true
      await this.#clock.sleep(left, signal)
    }
    if (this.#halt.reason !== null) throw new FailureError(this.#halt.reason)
    return wasShut
  }

  #left(): number {
    return this.#openAtMs - this.#clock.monotonic()
  }
}
