import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { problemAt, Stop } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import type { AppendedFile, Disk } from './disk.ts'
import type { RecordsReading } from './reading.ts'

/** Whether a line is safe on disk; `reason` says why not. */
export type Saved =
  { readonly isSaved: true } | { readonly isSaved: false; readonly reason: string }

/** What a records file needs before anything is appended to it. */
export interface Completion {
  /** The file as it was read: a missing newline is written, an incomplete last line cut off. */
  readonly reading: RecordsReading
  /** Whole lines from elsewhere that the file lacks; they are appended first. */
  readonly missing: Buffer
  readonly disk: Disk
}

/**
 * The append-only records file. `append` resolves when the line is whole on disk; lines that come in one turn of the event
 * loop, or during a write, share one write and one sync. After the first failure nothing more is written.
 */
export class RecordsFile {
  readonly #file: AppendedFile
  readonly #path: string
  readonly #disk: Disk
  #bytes: number
  #pending: string[] = []
  /** The write that the pending lines wait for; null without any. */
  #nextWrite: Promise<Saved> | null = null
  #lastWrite: Promise<Saved> = Promise.resolve({ isSaved: true })
  #failure: string | null = null

  private constructor(file: AppendedFile, path: string, { disk, bytes }: OpenedOn) {
    this.#file = file
    this.#path = path
    this.#disk = disk
    this.#bytes = bytes
  }

  /** Opens the file for appending, creates it and its folder if missing, and completes it. Throws a `Stop`. */
  static async open(path: string, { reading, missing, disk }: Completion): Promise<RecordsFile> {
    let file: AppendedFile | null = null
    try {
      await disk.createFolder(dirname(path))
      if (reading.tail === 'incomplete') await disk.truncate(path, reading.goodBytes)
      file = await disk.openForAppending(path)
      if (reading.tail === 'unterminated') await file.append('\n')
      await file.append(missing)
      await file.sync()
      await disk.syncFolder(dirname(path))
      return new RecordsFile(file, path, { disk, bytes: await file.size() })
    } catch (error) {
      await file?.close()
      const text = `"${quote(path)}" cannot be written: ${describeError(error)}; nothing was sent, as no record could be kept; fix that, then run the job again`
      throw new Stop(problemAt('records-path', text))
    }
  }

  /** Appends one line, newline included. Never rejects. */
  append(line: string): Promise<Saved> {
    this.#pending.push(line)
    this.#nextWrite ??= this.#writePending()
    return this.#nextWrite
  }

  /** Closes the file after all appended lines are written. Never rejects. */
  async close(): Promise<void> {
    await (this.#nextWrite ?? this.#lastWrite)
    await this.#file.close().catch(() => undefined)
  }

  async #writePending(): Promise<Saved> {
    await this.#lastWrite
    // Workers that are answered in the same turn share a sync.
    await setImmediate()
    const bytes = Buffer.from(this.#pending.join(''))
    this.#pending = []
    this.#nextWrite = null
    this.#lastWrite = this.#write(bytes)
    return this.#lastWrite
  }

  async #write(bytes: Buffer): Promise<Saved> {
    if (this.#failure !== null) return { isSaved: false, reason: this.#failure }
    try {
      await this.#file.append(bytes)
      await this.#file.sync()
      this.#bytes += bytes.length
      return { isSaved: true }
    } catch (error) {
      this.#failure = describeError(error)
      // Best effort: an incomplete line goes now; if not, the next run cuts it off.
      await this.#disk.truncate(this.#path, this.#bytes).catch(() => undefined)
      return { isSaved: false, reason: this.#failure }
    }
  }
}

/** Where a records file is, and how many bytes it had when it was opened. */
interface OpenedOn {
  readonly disk: Disk
  readonly bytes: number
}
