import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, open, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describeError, errorCode } from '../failure.ts'
import type { AppendedFile, Disk } from '../runtime/outside.ts'

/** Returns the bytes of a regular file; empty if there is no such file. Throws a system error. */
export function readIfThere(path: string, disk: Disk): Buffer {
  try {
    return disk.read(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

/** Returns the bytes of a regular file. Throws a system error, or an error for anything else, such as a FIFO. */
export function readRegularFile(path: string): Buffer {
  // Does not block: opening a FIFO must not hang the run.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('it is not a regular file')
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export const systemDisk: Disk = {
  read: readRegularFile,
  openForAppending: async path => {
    await createFolder(dirname(path))
    const handle = await open(path, 'a')
    // Makes the name of a new file durable, if the system can.
    const folder = await open(dirname(path), 'r').catch(() => null)
    await folder?.sync().catch(() => undefined)
    await folder?.close()
    return {
      append: data => handle.appendFile(data),
      // Uses the path, because Windows cannot truncate through a handle opened for appending.
      truncate: bytes => truncate(path, bytes),
      sync: () => handle.datasync(),
      close: () => handle.close(),
    }
  },
  writeNew: async (folder, name, text) => {
    const path = join(await mkdtemp(join(folder, 'notarization-')), name)
    await writeFile(path, text)
    return path
  },
}

/** Creates a folder and those above it. Does not use `recursive`: where no folder can be created, such as below `/proc`, Node would try forever. */
async function createFolder(path: string): Promise<void> {
  if (existsSync(path) || dirname(path) === path) return
  await createFolder(dirname(path))
  await mkdir(path)
}

/**
 * Appends lines durably. Those of the same event loop turn, or of the time of a write, share one write and one sync. After
 * the first failure, nothing more is written.
 */
export class AppendQueue {
  readonly #file: AppendedFile
  #bytes: number
  #pending: string[] = []
  /** The last write: resolves to null, or to why it failed. */
  #write: Promise<string | null> = Promise.resolve(null)

  /** `bytes` is the length of the file. */
  constructor(file: AppendedFile, bytes: number) {
    this.#file = file
    this.#bytes = bytes
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
    // Workers that receive their responses in the same turn share a sync.
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
