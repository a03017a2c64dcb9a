/** The disk of the world, with one file. A kill can lose what was not synced, in part or completely. */
import type { AppendedFile, Disk } from '../../src/runtime/outside.ts'
import type { Scheduler } from './scheduler.ts'

const isFull = { code: 'ENOSPC' }
const isBroken = { code: 'EIO' }

/** The complete lines of a file; the last one may lack its newline. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return last.endsWith('}}') ? [...lines, last] : lines
}

/** A disk whose records file exists once it has a byte. */
export class WorldDisk implements Disk {
  readonly #scheduler: Scheduler
  #synced = ''
  #unsynced = ''
  /** Whether a write of the run has failed. */
  hasFailed = false
  /** The last evidence page; null if none. */
  page: string | null = null

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  /** The file as a process reads it. */
  get text(): string {
    return this.#synced + this.#unsynced
  }

  /** The complete lines that a kill cannot lose. */
  get syncedLines(): readonly string[] {
    return this.#synced.split('\n').slice(0, -1)
  }

  /** Kills the process: all unsynced bytes are lost, or half of them, or the last one, or none. */
  kill(): void {
    const { length } = this.#unsynced
    const kept = length === 0 ? [0] : [0, Math.floor(length / 2), length - 1, length]
    this.#unsynced = this.#unsynced.slice(0, this.#scheduler.pick(kept))
    this.sync()
  }

  sync(text = this.text): void {
    this.#synced = text
    this.#unsynced = ''
  }

  /** Adds lines, as a person does, without an incomplete last line. */
  add(lines: readonly string[]): void {
    const whole = [...new Set([...linesOf(this.text), ...lines])]
    this.sync(whole.map(line => `${line}\n`).join(''))
  }

  read = (): Buffer => {
    if (this.text === '') throw Object.assign(new Error('missing'), { code: 'ENOENT' })
    return Buffer.from(this.text)
  }

  openForAppending = (): Promise<AppendedFile> =>
    Promise.resolve({
      append: data => this.#append(Buffer.from(data).toString()),
      sync: async () => {
        await this.#scheduler.wait()
        this.sync()
      },
      truncate: bytes => {
        if (this.hasFailed && this.#scheduler.chooseFault([isBroken]) !== null) {
          return Promise.reject(Object.assign(new Error('broken'), isBroken))
        }
        this.sync(this.text.slice(0, bytes))
        return Promise.resolve()
      },
      close: () => Promise.resolve(),
    })

  writeNew = (_: string, name: string, text: string): Promise<string> => {
    if (name.endsWith('.md')) this.page = text
    return Promise.resolve(`/temp/${name}`)
  }

  async #append(text: string): Promise<void> {
    if (text === '') return
    await this.#scheduler.wait()
    const fault = this.#scheduler.chooseFault([isFull])
    this.#unsynced += fault === null ? text : text.slice(0, Math.floor(text.length / 2))
    if (fault === null) return
    this.#scheduler.log('  the disk is full')
    this.hasFailed = true
    throw Object.assign(new Error('full'), fault)
  }
}
