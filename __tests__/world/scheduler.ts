/** The queue of a simulated world: everything that can happen waits in it, and one event happens at a time. */
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Choices } from './schedule.ts'

/** Something that can happen. */
interface PendingEvent {
  readonly happen: () => void
  /** Milliseconds of the simulated clock; 0 for now, `Infinity` for what can happen at any time, or never. */
  readonly dueMs: number
  /** What a call still does if its process ends first; null for what ends with the process. */
  readonly arrive: (() => void) | null
  /** Whether it waits for the next run when this one has ended. */
  readonly isOfOthers: boolean
}

/** What a caller gets whose call was lost. */
export const connectionReset = Object.assign(new Error('reset'), { code: 'ECONNRESET' })

/** Turns of the event loop: the records file waits for one. */
const turns = 2
const maxTurns = 50

/** The queue, the simulated clock, and what has happened. */
export class Scheduler {
  readonly #choices: Choices
  readonly #usedFaults = new Set<object>()
  #events: PendingEvent[] = []
  #isEnded = false
  /** What happened, in words. */
  readonly story: string[] = []
  /** What was wrong with it, in words. */
  readonly violations: string[] = []
  /** Milliseconds of the simulated clock. */
  nowMs = 0

  constructor(choices: Choices) {
    this.#choices = choices
  }

  /** One of so many options; 0 is the ordinary one. */
  choose(of: number): number {
    return this.#choices.choose(of)
  }

  /** Notes what is wrong with something. */
  accuse(what: string, sentences: readonly string[]): void {
    this.violations.push(...sentences.map(sentence => `${what}: ${sentence}`))
  }

  tell(line: string): void {
    this.story.push(line)
  }

  /** One of these faults, each at most once in a run; undefined, the ordinary course, for none. */
  chooseFault<Fault extends object>(faults: readonly Fault[]): Fault | undefined {
    const possible = faults.filter(fault => !this.#usedFaults.has(fault))
    const fault = possible[this.choose(possible.length + 1) - 1]
    if (fault !== undefined) this.#usedFaults.add(fault)
    return fault
  }

  /** Lets something happen at any time of this run, or never. */
  interrupt(happen: () => void): void {
    this.#events.push({ happen, dueMs: Infinity, arrive: null, isOfOthers: false })
  }

  /** Lets somebody else take steps at any time of this run or a later one, or never. */
  interleave(steps: readonly (() => void)[]): void {
    const [step, ...later] = steps
    if (step === undefined) return
    const happen = (): void => {
      step()
      this.interleave(later)
    }
    this.#events.push({ happen, dueMs: Infinity, arrive: null, isOfOthers: true })
  }

  /** Resolves when the scheduler lets the event happen; `decide` gives its outcome at that moment. */
  async wait<Result>(
    decide: () => Result,
    { dueMs = 0, arrive = null }: Partial<PendingEvent> = {},
  ): Promise<Result> {
    await new Promise<undefined>(resolve => {
      const happen = (): void => {
        resolve(undefined)
      }
      this.#events.push({ happen, dueMs, arrive, isOfOthers: false })
    })
    return decide()
  }

  /**
   * Makes a call over the network; rejects when its caller ends it. It may arrive although nobody waits for its answer any
   * more: then `serve` takes false.
   */
  call<Result>(signal: AbortSignal, serve: (isHeard: boolean) => Result): Promise<Result> {
    const arrive = (): void => {
      serve(false)
    }
    const decide = (): Result => {
      if (!signal.aborted) return serve(true)
      if (this.choose(2) === 1) arrive()
      throw connectionReset
    }
    const ended = once(signal, 'abort').then(() => Promise.reject(connectionReset))
    return Promise.race([this.wait(decide, { arrive }), ended])
  }

  /** Lets events happen until `done` settles or the process is killed. */
  async run(done: Promise<void>): Promise<void> {
    this.#isEnded = false
    this.#usedFaults.clear()
    void done.then(() => {
      this.kill()
    })
    while (!(await this.#settle())) {
      const ready = this.#ready()
      const event = ready[this.choose(ready.length)]
      if (event === undefined || this.#isIdle()) throw new Error('the run waits for nothing')
      this.#events.splice(this.#events.indexOf(event), 1)
      if (event.dueMs !== Infinity) this.nowMs = Math.max(this.nowMs, event.dueMs)
      event.happen()
    }
    for (const { arrive } of this.#events) if (arrive !== null && this.choose(2) === 1) arrive()
    this.#events = this.#events.filter(event => event.isOfOthers)
  }

  /** The process is killed, or has come to its end. */
  kill(): void {
    this.#isEnded = true
  }

  /** Lets all code run that nothing holds back; whether the process has ended. */
  async #settle(): Promise<boolean> {
    for (let turn = 0; turn < turns || (this.#isIdle() && turn < maxTurns); turn++) {
      await setImmediate()
    }
    return this.#isEnded
  }

  #isIdle(): boolean {
    return !this.#isEnded && this.#events.every(({ dueMs }) => dueMs === Infinity)
  }

  /** What can come next, the ordinary first: of what waits for a time only the earliest. */
  #ready(): readonly PendingEvent[] {
    const now = this.#events.filter(({ dueMs }) => dueMs === 0)
    const later = this.#events.filter(({ dueMs }) => dueMs > 0 && dueMs < Infinity)
    const atAnyTime = this.#events.filter(({ dueMs }) => dueMs === Infinity)
    const earliest = later.sort((a, b) => a.dueMs - b.dueMs).slice(0, 1)
    return [...now, ...earliest, ...atAnyTime]
  }
}

/** The clock of a process in the world. */
export function createClock(scheduler: Scheduler): Clock {
  return {
    now: () => Date.UTC(2026, 0, 1) + scheduler.nowMs,
    monotonic: () => scheduler.nowMs,
    sleep: async (ms, signal) => {
      if (signal.aborted) return
      const over = scheduler.wait(() => undefined, { dueMs: scheduler.nowMs + ms })
      await Promise.race([over, once(signal, 'abort')])
    },
  }
}
