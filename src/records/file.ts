import { randomUUID } from 'node:crypto'
import { mkdir, open, stat, unlink, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { problemAt, Stop } from '../stop.ts'
import { quote } from '../text/escape.ts'
import { describeError, errorCode } from '../text/system-error.ts'
import type { Tail } from './reading.ts'

/** Whether a line is safe on disk; `reason` says why not. */
export type Saved =
  { readonly isSaved: true } | { readonly isSaved: false; readonly reason: string }

/** What a records file needs before anything is appended to it. */
export interface Completion {
  /** How the file ended when it was read: a missing newline is written, an incomplete last line cut off. */
  readonly tail: Tail
  /** Whole lines of elsewhere that the file does not have; they are appended first. */
  readonly adopted: Buffer
}

/**
 * The append-only records file. `append` settles when the line is whole on disk; lines that come in one turn of the event
 * loop, or during a write, share one write and one sync. After the first failure nothing more is written.
 */
export class RecordsFile {
  readonly #handle: FileHandle
  readonly #path: string
  #bytes: number
  #pending: string[] = []
  /** What becomes of the lines that are pending; null without any. */
  #nextWrite: Promise<Saved> | null = null
  #lastWrite: Promise<Saved> = Promise.resolve({ isSaved: true })
  #failure: string | null = null

  private constructor(handle: FileHandle, path: string, bytes: number) {
    this.#handle = handle
    this.#path = path
    this.#bytes = bytes
  }

  /**
   * Opens the file for appending, makes it and its folder if missing, and completes it. Throws a `Stop` if it cannot be
   * written or the disk has no room for `expectedBytes`.
   */
  static async open(
    absolutePath: string,
    { tail, adopted, expectedBytes }: Completion & { readonly expectedBytes: number },
  ): Promise<RecordsFile> {
    let handle: FileHandle | null = null
    try {
      await mkdir(dirname(absolutePath), { recursive: true })
      await probeSpace(dirname(absolutePath), expectedBytes)
      handle = await open(absolutePath, 'a')
      const before = await handle.stat()
      if (!before.isFile()) throw new Error('it is not a regular file')
      if (tail.state === 'incomplete') await handle.truncate(tail.goodBytes)
      if (tail.state === 'open') await handle.appendFile('\n')
      await handle.appendFile(adopted)
      await handle.sync()
      if (before.size === 0) await syncFolder(dirname(absolutePath))
      return new RecordsFile(handle, absolutePath, (await handle.stat()).size)
    } catch (error) {
      await handle?.close()
      const text = `"${quote(absolutePath)}" cannot be written: ${describeError(error)}; nothing was sent, as no record could be kept; correct that, then run the job again`
      throw new Stop(problemAt('records-path', text))
    }
  }

  /** Appends one line, newline included. Never rejects. */
  append(line: string): Promise<Saved> {
    this.#pending.push(line)
    this.#nextWrite ??= this.#writePending()
    return this.#nextWrite
  }

  /**
   * Closes the file after all that was appended is settled. Gives false if the path does not lead to these lines any
   * more: somebody removed or cut the file meanwhile. Never rejects.
   */
  async close(): Promise<boolean> {
    await (this.#nextWrite ?? this.#lastWrite)
    const [own, found] = await Promise.all([
      this.#handle.stat().catch(() => null),
      stat(this.#path).catch(() => null),
    ])
    await this.#handle.close().catch(() => undefined)
    return own !== null && found !== null && own.ino === found.ino && found.size >= this.#bytes
  }

  async #writePending(): Promise<Saved> {
    await this.#lastWrite
    // The record of a worker and what it sends next come in one turn: they share a sync.
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
      // Best effort: a half-written line goes, so that the file stays valid; if not, the next run cuts it.
      await this.#handle.truncate(this.#bytes).catch(() => undefined)
      return { isSaved: false, reason: this.#failure }
    }
  }
}

/** Fails when the disk has no room, before anything is paid for. A folder that takes no new file is no reason. */
async function probeSpace(folder: string, bytes: number): Promise<void> {
  const path = join(folder, `.records-probe-${randomUUID()}`)
  let handle: FileHandle
  try {
    handle = await open(path, 'wx')
  } catch (error) {
    if (['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '')) throw error
    return
  }
  try {
    await unlink(path).catch(() => undefined)
    await handle.writeFile(Buffer.alloc(bytes, 0x20))
    await handle.datasync()
  } finally {
    await handle.close()
    await unlink(path).catch(() => undefined)
  }
}

/** Makes the name of a new file as durable as its lines, where the system can. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  if (handle === null) return
  await handle.sync().catch(() => undefined)
  await handle.close()
}
