/** The disk of the world: the records file, and the files for later steps. A kill can cut a write off. */
import { basename } from 'node:path'
import type { Disk } from '../../src/runtime/outside.ts'
import type { Scheduler } from './scheduler.ts'

const isFull = { does: 'the disk is full', code: 'ENOSPC' }
const isKilled = { does: 'the run is killed while it writes', code: null }
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
  /** What the records file holds. */
  text = ''
  /** Whether a write of the run has failed. */
  hasFailed = false
  /** The files for later steps, by name. */
  readonly files = new Map<string, string>()

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  /** Starts a run. */
  begin(): void {
    this.hasFailed = false
    this.files.clear()
  }

  /** The lines of the records file that have their newline. */
  get lines(): readonly string[] {
    return this.text.split('\n').slice(0, -1)
  }

  /** Adds lines, as a person does, without an incomplete last line. */
  add(lines: readonly string[]): void {
    const whole = [...new Set([...linesOf(this.text), ...lines])]
    this.text = whole.map(line => `${line}\n`).join('')
  }

  read = (): Buffer => {
    if (this.text === '') throw Object.assign(new Error('missing'), { code: 'ENOENT' })
    return Buffer.from(this.text)
  }

  makeFolder = (): string => '/temp'

  write = (path: string, text: string): void => void this.files.set(basename(path), text)

  truncate = (_: string, bytes: number): void => {
    if (this.#scheduler.hasEnded) return
    if (this.hasFailed && this.#scheduler.chooseFault([isBroken]) !== null) {
      throw Object.assign(new Error('broken'), isBroken)
    }
    this.text = this.text.slice(0, bytes)
  }

  append = (_: string, data: Uint8Array): void => {
    const text = Buffer.from(data).toString()
    if (text === '' || this.#scheduler.hasEnded) return
    const fault = this.#scheduler.chooseFault([isFull, isKilled])
    if (fault === null) {
      this.text += text
      return
    }
    this.#scheduler.log(`  ${fault.does}`)
    const half = Math.floor(text.length / 2)
    if (fault === isFull) {
      this.text += text.slice(0, half)
      this.hasFailed = true
      throw Object.assign(new Error('full'), fault)
    }
    this.text += text.slice(0, this.#scheduler.pick([half, 0, text.length - 1, text.length]))
    this.#scheduler.kill()
  }
}
