import { setImmediate } from 'node:timers/promises'
import { problemAt, Stop } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import type { AppendedFile } from './disk.ts'
import type { RecordsStore } from './store.ts'

/**
 * The append-only records file. Lines appended in the same event loop turn, or during a write,
 * share one write and one sync. After the first failure, nothing more is written.
 */
export class RecordsFile {
  readonly #file: AppendedFile
  #bytes: number
  #pending: string[] = []
  /** The last write: resolves to null, or to why it failed. */
  #write: Promise<string | null> = Promise.resolve(null)

  /** `bytes` is the length of the file. */
  private constructor(file: AppendedFile, bytes: number) {
    this.#file = file
    this.#bytes = bytes
  }

  /** Opens or creates the file and completes it; null if nothing is to do. Throws a `Stop`. */
  static async open(
    path: string,
    { reading, content, disk }: RecordsStore,
    hasWork: boolean,
  ): Promise<RecordsFile | null> {
    const { tail, goodBytes } = reading
    const rest = content.subarray(goodBytes)
    if (!hasWork && tail !== 'incomplete' && rest.length === 0) return null
    let file: AppendedFile | null = null
    try {
      file = await disk.openForAppending(path)
      if (tail === 'incomplete') await file.truncate(goodBytes)
      await file.append(rest)
      await file.sync()
      return new RecordsFile(file, content.length)
    } catch (error) {
      await file?.close()
      const text = `"${quote(path)}" cannot be written: ${describeError(error)}, so no record could be saved; fix that, then re-run the failed jobs`
      throw new Stop(problemAt('records-path', text))
    }
  }

  /** Appends a line. Resolves to null once it is on disk, or to why it is not. Never rejects. */
  append(line: string): Promise<string | null> {
    this.#pending.push(line)
    if (this.#pending.length === 1) this.#write = this.#writePending(this.#write)
    return this.#write
  }

  /** Closes the file once all appended lines are written. Never rejects. */
  async close(): Promise<void> {
    await this.#write
    await this.#file.close().catch(() => undefined)
  }

  async #writePending(last: Promise<string | null>): Promise<string | null> {
    const failure = await last
    // Workers that receive their answers in the same turn share a sync.
    await setImmediate()
    const bytes = Buffer.from(this.#pending.join(''))
    this.#pending = []
    if (failure !== null) return failure
    try {
      await this.#file.append(bytes)
      await this.#file.sync()
      this.#bytes += bytes.length
      return null
    } catch (error) {
      // Removes an incomplete line if possible; otherwise the next run removes it.
      await this.#file.truncate(this.#bytes).catch(() => undefined)
      return describeError(error)
    }
  }
}
