import type { Clock } from '../clock.ts'

/** A moment before which no worker sends anything, as after a `Retry-After`. */
export class Gate {
  readonly #clock: Clock
  #openAtMs = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Keeps the gate shut for so long, if it is not shut longer already. */
  hold(ms: number): void {
    this.#openAtMs = Math.max(this.#openAtMs, this.#clock.monotonic() + ms)
  }

  /** Waits until the gate is open, or the signal aborts; says whether it was shut. */
  async pass(signal: AbortSignal): Promise<boolean> {
    let wasShut = false
    for (let left = this.#left(); left > 0 && !signal.aborted; left = this.#left()) {
      wasShut = true
      await this.#clock.sleep(left, signal)
    }
    return wasShut
  }

  #left(): number {
    return this.#openAtMs - this.#clock.monotonic()
  }
}
