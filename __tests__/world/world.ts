/** A simulated clock, network and disk, in which one event happens at a time, and anything can go wrong. */
import { setImmediate } from 'node:timers/promises'
import type { AppendedFile, Disk } from '../../src/records/disk.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Choices } from './schedule.ts'

/** Something that is about to happen. */
interface PendingEvent {
  readonly happen: () => void
  /** On the simulated clock, in milliseconds; null for what may happen at any time. */
  readonly dueMs: number | null
  /** What may come of it although the process has ended. */
  readonly arrive: (() => void) | null
}

/** A call over the network. */
interface NetworkCall<Result> {
  /** What the other side does if the call arrives. */
  readonly arrive: () => void
  /** Arrives or not, and gives what the caller gets; may throw. */
  readonly answer: () => Result
  /** What the caller gets if it ends the call; may throw. */
  readonly end: () => Result
}

/** Turns of the event loop: the records file waits for one. */
const turns = 2
const maxTurns = 50

/** Where all events wait, what has happened, and what must not have. */
export class Scheduler {
  readonly #choices: Choices
  #pending: PendingEvent[] = []
  #isEnded = false
  /** What happened, in words. */
  readonly story: string[] = []
  /** What was wrong when it happened, in words. */
  readonly violations: string[] = []
  /** Milliseconds of the simulated clock; the wall clock is this far behind 2026. */
  nowMs = 0

  constructor(choices: Choices) {
    this.#choices = choices
  }

  /** One of so many options; 0 is the ordinary one. */
  choose(of: number): number {
    return this.#choices.choose(of)
  }

  tell(line: string): void {
    this.story.push(line)
  }

  require(isTrue: boolean, what: string): void {
    if (!isTrue) this.violations.push(what)
  }

  /** Resolves when the scheduler lets the event happen; `decide` gives its outcome at that moment. */
  wait<Result>(
    decide: () => Result,
    options: Partial<Pick<PendingEvent, 'dueMs' | 'arrive'>> = {},
  ): Promise<Result> {
    const { dueMs = null, arrive = null } = options
    return new Promise((resolve, reject) => {
      const happen = (): void => {
        try {
          resolve(decide())
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      }
      this.#pending.push({ happen, dueMs, arrive })
    })
  }

  /** Makes a call; one that its caller has ended, or whose caller has ended, may arrive all the same. */
  call<Result>(signal: AbortSignal, { arrive, answer, end }: NetworkCall<Result>): Promise<Result> {
    const decide = (): Result => {
      if (!signal.aborted) return answer()
      if (this.choose(2) === 1) arrive()
      return end()
    }
    const ended = new Promise<void>(resolve => {
      signal.addEventListener('abort', () => {
        resolve()
      })
    })
    return Promise.race([this.wait(decide, { arrive }), ended.then(end)])
  }

  /**
   * Lets events happen until `done` settles, or until something ends the process. Of each list of `interruptions` the next
   * one is possible between any two events.
   */
  async run(done: Promise<void>, interruptions: readonly (() => void)[][]): Promise<void> {
    this.#isEnded = false
    void done.then(() => {
      this.kill()
    })
    while (!(await this.#settle())) {
      const ready = this.#ready()
      const lists = interruptions.filter(list => list.length > 0)
      if (ready.length === 0) throw new Error('the run waits for nothing')
      const choice = this.choose(ready.length + lists.length)
      const event = ready[choice]
      if (event === undefined) {
        lists[choice - ready.length]?.shift()?.()
        continue
      }
      this.#pending.splice(this.#pending.indexOf(event), 1)
      this.nowMs = Math.max(this.nowMs, event.dueMs ?? 0)
      event.happen()
    }
    const left = this.#pending
    this.#pending = []
    for (const { arrive } of left) if (arrive !== null && this.choose(2) === 1) arrive()
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
    return this.#pending.length === 0 && !this.#isEnded
  }

  /** What may come next: of the events with a time only the first. */
  #ready(): readonly PendingEvent[] {
    let first: PendingEvent | null = null
    for (const event of this.#pending) {
      if (event.dueMs !== null && event.dueMs < (first?.dueMs ?? Infinity)) first = event
    }
    const others = this.#pending.filter(({ dueMs }) => dueMs === null)
    if (first !== null) others.push(first)
    return others
  }
}

/** What can go wrong in a run, each once. */
export class Faults<Fault> {
  readonly #all: readonly Fault[]
  #left: Fault[] = []

  constructor(all: readonly Fault[]) {
    this.#all = all
  }

  /** A run begins. */
  renew(): void {
    this.#left = [...this.#all]
  }

  /** One of those that are possible; undefined, the ordinary course, for none. */
  draw(scheduler: Scheduler, isPossible: (fault: Fault) => boolean): Fault | undefined {
    const possible = this.#left.filter(isPossible)
    const fault = possible[scheduler.choose(possible.length + 1) - 1]
    this.#left = this.#left.filter(other => other !== fault)
    return fault
  }
}

/** The clock of a process in the world. */
export function createClock(scheduler: Scheduler): Clock {
  return {
    now: () => Date.UTC(2026, 0, 1) + scheduler.nowMs,
    monotonic: () => scheduler.nowMs,
    sleep: (ms, signal) => {
      if (signal.aborted) return Promise.resolve()
      const over = scheduler.wait(() => undefined, { dueMs: scheduler.nowMs + ms })
      const aborted = new Promise<undefined>(resolve => {
        signal.addEventListener('abort', () => {
          resolve(undefined)
        })
      })
      return Promise.race([over, aborted])
    },
  }
}

/** The whole lines of a file; a last one without its newline counts if it is whole. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return last.endsWith('}}') ? [...lines, last] : lines
}

/** A disk with one file. What was not synced may be lost, in part or whole, when the process is killed. */
export class WorldDisk implements Disk {
  readonly #scheduler: Scheduler
  #synced = ''
  #unsynced = ''
  #isThere = false
  /** How many more writes fail for want of space, after a part of them. */
  fullWrites = 0

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  /** What a process reads. */
  get text(): string {
    return this.#synced + this.#unsynced
  }

  /** The whole lines that a kill cannot lose. */
  get syncedLines(): readonly string[] {
    return this.#synced.split('\n').slice(0, -1)
  }

  /** The process was killed: what was not synced is missing, or half there, or lacks its last byte, or is there. */
  kill(): void {
    const { length } = this.#unsynced
    const kept = [0, Math.floor(length / 2), length - 1, length]
    if (length > 0) this.#synced += this.#unsynced.slice(0, kept[this.#scheduler.choose(4)])
    this.#unsynced = ''
  }

  /** Nothing can be lost any more, as after a sync, or as the process has ended by itself. */
  settle(): void {
    this.#synced += this.#unsynced
    this.#unsynced = ''
  }

  read = (): Buffer => {
    if (!this.#isThere) throw Object.assign(new Error('missing'), { code: 'ENOENT' })
    return Buffer.from(this.text)
  }

  createFolder = (): Promise<void> => Promise.resolve()

  syncFolder = (): Promise<void> => Promise.resolve()

  truncate = (_: string, bytes: number): Promise<void> => {
    this.#synced = this.text.slice(0, bytes)
    this.#unsynced = ''
    return Promise.resolve()
  }

  openForAppending = (): Promise<AppendedFile> => {
    this.#isThere = true
    return Promise.resolve({
      append: data => this.#append(Buffer.from(data).toString()),
      sync: () =>
        this.#scheduler.wait(() => {
          this.settle()
        }),
      size: () => Promise.resolve(this.text.length),
      close: () => Promise.resolve(),
    })
  }

  #append(text: string): Promise<void> {
    if (text === '') return Promise.resolve()
    return this.#scheduler.wait(() => {
      const isFull = this.fullWrites > 0 && this.#scheduler.choose(2) === 1
      if (!isFull) {
        this.#unsynced += text
        return
      }
      this.fullWrites -= 1
      this.#unsynced += text.slice(0, Math.floor(text.length / 2))
      this.#scheduler.tell('  the disk is full')
      throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    })
  }
}
