/** A simulated clock, network, disk and service, in which one event happens at a time, and anything can go wrong. */
import { setImmediate } from 'node:timers/promises'
import type { AppendedFile, Disk } from '../../src/records/disk.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Choices } from './schedule.ts'

/** Something that is about to happen. */
interface PendingEvent {
  readonly label: string
  /** On the simulated clock, in milliseconds; an event with a time cannot come before one with an earlier time. */
  readonly dueMs?: number
  readonly happen: () => void
}

/** Where all events wait, and what has happened. */
export class Scheduler {
  readonly #choices: Choices
  #pending: PendingEvent[] = []
  /** What happened, in words. */
  readonly story: string[] = []
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

  /** Resolves when the scheduler lets the event happen; `decide` gives its outcome at that moment. */
  wait<T>(label: string, decide: () => T, dueMs?: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const happen = (): void => {
        try {
          resolve(decide())
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      }
      this.#pending.push(dueMs === undefined ? { label, happen } : { label, dueMs, happen })
    })
  }

  /**
   * Lets events happen until `done` settles, or until one of the `interruptions` ends the process (it gives true). Each
   * interruption is possible between any two events.
   */
  async run(done: Promise<void>, interruptions: readonly (() => boolean)[]): Promise<void> {
    const state = { isDone: false }
    void done.then(() => {
      state.isDone = true
    })
    const left = [...interruptions]
    for (;;) {
      // Lets all code run that nothing holds back.
      for (let turn = 0; turn < 3; turn++) await setImmediate()
      if (state.isDone) return
      const ready = this.#ready()
      if (ready.length === 0) throw new Error('the run waits for nothing')
      const choice = this.choose(ready.length + left.length)
      const event = ready[choice]
      if (event === undefined) {
        const [interrupt] = left.splice(choice - ready.length, 1)
        if (interrupt?.() === true) return
        continue
      }
      this.#pending = this.#pending.filter(one => one !== event)
      this.nowMs = Math.max(this.nowMs, event.dueMs ?? 0)
      event.happen()
    }
  }

  /** Forgets all that waits, as its process has ended. */
  clear(): void {
    this.#pending = []
  }

  /** What may come next: of the events with a time only the first. */
  #ready(): readonly PendingEvent[] {
    const timed = this.#pending.filter(({ dueMs }) => dueMs !== undefined)
    const first = timed.toSorted((a, b) => (a.dueMs ?? 0) - (b.dueMs ?? 0))[0]
    const others = this.#pending.filter(({ dueMs }) => dueMs === undefined)
    return first === undefined ? others : [...others, first]
  }
}

/** The clock of a process in the world. */
export function createClock(scheduler: Scheduler): Clock {
  return {
    now: () => Date.UTC(2026, 0, 1) + scheduler.nowMs,
    monotonic: () => scheduler.nowMs,
    sleep: (ms, signal) => {
      if (signal.aborted) return Promise.resolve()
      const dueMs = scheduler.nowMs + ms
      const over = scheduler.wait('a wait ends', () => undefined, dueMs)
      const aborted = new Promise<undefined>(resolve => {
        signal.addEventListener('abort', () => {
          resolve(undefined)
        })
      })
      return Promise.race([over, aborted])
    },
  }
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

  /** The process ended by itself: the system writes what is left. */
  end(): void {
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
        this.#scheduler.wait('a sync ends', () => {
          this.end()
        }),
      size: () => Promise.resolve(this.text.length),
      close: () => Promise.resolve(),
    })
  }

  #append(text: string): Promise<void> {
    if (text === '') return Promise.resolve()
    return this.#scheduler.wait('a write ends', () => {
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
