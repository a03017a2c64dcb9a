import { mkdir, open, truncate, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { problemAt, Stop } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
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
}

/**
 * The append-only records file. `append` resolves when the line is whole on disk; lines that come in one turn of the event
 * loop, or during a write, share one write and one sync. After the first failure nothing more is written.
 */
export class RecordsFile {
  readonly #handle: FileHandle
  readonly #path: string
  #bytes: number
  #pending: string[] = []
  /** The write that the pending lines wait for; null without any. */
  #nextWrite: Promise<Saved> | null = null
  #lastWrite: Promise<Saved> = Promise.resolve({ isSaved: true })
  #failure: string | null = null

  private constructor(handle: FileHandle, path: string, bytes: number) {
    this.#handle = handle
    this.#path = path
    this.#bytes = bytes
  }

  /** Opens the file for appending, creates it and its folder if missing, and completes it. Throws a `Stop`. */
  static async open(path: string, { reading, missing }: Completion): Promise<RecordsFile> {
    let handle: FileHandle | null = null
    try {
      await mkdir(dirname(path), { recursive: true })
      // By path: Windows cannot truncate through a handle that appends.
      if (reading.tail === 'incomplete') await truncate(path, reading.goodBytes)
      handle = await open(path, 'a')
      if (reading.tail === 'unterminated') await handle.appendFile('\n')
      await handle.appendFile(missing)
      await handle.sync()
      await syncFolder(dirname(path))
      return new RecordsFile(handle, path, (await handle.stat()).size)
    } catch (error) {
      await handle?.close()
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
    await this.#handle.close().catch(() => undefined)
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
      await this.#handle.appendFile(bytes)
      await this.#handle.datasync()
      this.#bytes += bytes.length
      return { isSaved: true }
    } catch (error) {
      this.#failure = describeError(error)
      // Best effort: an incomplete line goes now; if not, the next run cuts it off.
      await truncate(this.#path, this.#bytes).catch(() => undefined)
      return { isSaved: false, reason: this.#failure }
    }
  }
}

/** Makes the name of a new file as durable as its lines, where the system can. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  if (handle === null) return
  await handle.sync().catch(() => undefined)
  await handle.close()
}
