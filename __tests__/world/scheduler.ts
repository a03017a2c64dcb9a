/** The queue of a simulated world: events wait in it, and happen one at a time. */
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Choices } from './schedule.ts'

interface PendingEvent {
  readonly happen: () => void
  /** Milliseconds of the simulated clock; 0 for now, `Infinity` for any time or never. */
  readonly dueMs: number
  /** What a call still does if its process ends first; null if nothing. */
  readonly arrive: (() => void) | null
  /** Whether it can still happen in a later run; false by default. */
  readonly isLate?: boolean
  /** Stops listening: signals that are listened to are never freed. */
  readonly forget?: () => void
}

export const connectionReset = Object.assign(new Error('reset'), { code: 'ECONNRESET' })

/** Turns of the event loop to wait for an event. */
const maxTurns = 50

/** The queue, the simulated clock, and the story so far. */
export class Scheduler {
  readonly #choose: Choices['choose']
  readonly #usedFaults = new Set<unknown>()
  #events: PendingEvent[] = []
  /** Whether the process has ended: what it still does has no effect. */
  hasEnded = false
  readonly story: string[] = []
  readonly violations: string[] = []
  nowMs = 0
  readonly clock: Clock = {
    now: () => Date.UTC(2026, 0, 1) + this.nowMs,
    monotonic: () => this.nowMs,
    sleep: (ms, signal) => this.#sleep(ms, signal),
  }

  constructor({ choose }: Choices) {
    this.#choose = choose
  }

  addViolations(what: string, promises: readonly string[]): void {
    this.violations.push(...promises.map(promise => `${what}: ${promise}`))
  }

  log(line: string): void {
    this.story.push(line)
  }

  /** Chooses one of these options; the first is the usual one. */
  pick<Option>(options: readonly Option[]): Option {
    const option = options[this.#choose(options.length)]
    if (option === undefined) throw new Error('there is nothing to choose')
    return option
  }

  /** Chooses a fault, each at most once per run; null for the usual course. */
  chooseFault<Fault>(faults: readonly Fault[]): Fault | null {
    const fault = this.pick([null, ...faults.filter(possible => !this.#usedFaults.has(possible))])
    this.#usedFaults.add(fault)
    return fault
  }

  /** Lets something happen at any time of this run, or, if it `isLate`, of a later one, or never. */
  interrupt(what: string, interruption: () => void, isLate = false): void {
    const happen = (): void => {
      this.log(`  ${what}`)
      interruption()
    }
    this.#events.push({ happen, dueMs: Infinity, arrive: null, isLate })
  }

  /** Resolves when the event happens. */
  #wait(arrive: () => void): Promise<unknown> {
    return new Promise(resolve => {
      const happen = (): void => {
        resolve(null)
      }
      if (!this.hasEnded) this.#events.push({ happen, dueMs: 0, arrive })
    })
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const forget = (): void => {
        signal.removeEventListener('abort', happen)
      }
      const happen = (): void => {
        this.#events = this.#events.filter(event => event !== timer)
        forget()
        resolve()
      }
      const timer = { happen, dueMs: this.nowMs + ms, arrive: null, forget }
      if (signal.aborted) resolve()
      if (signal.aborted || this.hasEnded) return
      this.#events.push(timer)
      signal.addEventListener('abort', happen)
    })
  }

  /**
   * Makes a call over the network; rejects when the caller aborts it. It may arrive even if nobody waits for the answer
   * anymore: then `serve` is called with false.
   */
  call<Result>(signal: AbortSignal, serve: (isAwaited: boolean) => Result): Promise<Result> {
    const arrive = (): void => void serve(false)
    const answer = this.#wait(arrive).then(() => {
      if (!signal.aborted) return serve(true)
      if (this.pick([false, true])) arrive()
      throw connectionReset
    })
    const aborted = once(signal, 'abort').then(() => Promise.reject(connectionReset))
    return Promise.race([answer, aborted])
  }

  /** Starts a process: lets events happen until what it does settles, or it is killed. */
  async run(start: () => Promise<void>): Promise<void> {
    this.hasEnded = false
    this.#usedFaults.clear()
    void start().then(() => {
      this.kill()
    })
    while (!(await this.#settle())) {
      if (this.#isIdle()) throw new Error('the run waits for nothing')
      const event = this.pick(this.#possibleEvents())
      this.#events.splice(this.#events.indexOf(event), 1)
      if (event.dueMs !== Infinity) this.nowMs = Math.max(this.nowMs, event.dueMs)
      event.happen()
    }
    for (const { arrive, forget } of this.#events) {
      if (arrive !== null && this.pick([false, true])) arrive()
      forget?.()
    }
    this.#events = this.#events.filter(({ isLate }) => isLate === true)
  }

  kill(): void {
    this.hasEnded = true
  }

  /** Runs all code that does not wait for an event; returns whether the process has ended. */
  async #settle(): Promise<boolean> {
    for (let turn = 0; turn === 0 || (this.#isIdle() && turn < maxTurns); turn++) {
      await setImmediate()
    }
    return this.hasEnded
  }

  #isIdle(): boolean {
    return !this.hasEnded && this.#events.every(({ dueMs }) => dueMs === Infinity)
  }

  /** The events that can come next, the usual one first; of the timers only the earliest. */
  #possibleEvents(): readonly PendingEvent[] {
    const now = this.#events.filter(({ dueMs }) => dueMs === 0)
    const timers = this.#events.filter(({ dueMs }) => dueMs > 0 && dueMs < Infinity)
    const atAnyTime = this.#events.filter(({ dueMs }) => dueMs === Infinity)
    const earliest = timers.sort((a, b) => a.dueMs - b.dueMs).slice(0, 1)
    return [...now, ...earliest, ...atAnyTime]
  }
}
