import { createHash, hash, type Hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { describeError } from '../text/system-error.ts'

/** Places in the shared counters: the next file to take, whether to stop, the MiB and the files done by all. */
export const shared = { next: 0, stop: 1, mebibytes: 2, files: 3 } as const

/** Hex digits of a SHA-256. */
export const hashDigits = 64

/** Large reads, and small files in one. */
const bufferBytes = 1024 * 1024
const bytesBetweenPauses = 64 * bufferBytes
/** What a small file costs beside its bytes, as bytes. */
const fileOverheadBytes = 64 * 1024

/** The files that threads hash together; all but the paths is memory that they share. */
export interface HashTask {
  /** In the order in which they are taken. */
  readonly paths: readonly string[]
  readonly counters: Int32Array<SharedArrayBuffer>
  /** Bytes of each file; -1 while it has no hash. */
  readonly sizes: Float64Array<SharedArrayBuffer>
  /** The SHA-256 of each file as hex digits, one after the other. */
  readonly hashes: Uint8Array<SharedArrayBuffer>
}

/** Why a file has no hash; `index` is that of its path. */
export interface HashFault {
  readonly index: number
  readonly code: 'unreadable' | 'changed'
  readonly why: string
}

/** A task of which nothing is done. */
export function createTask(paths: readonly string[]): HashTask {
  return {
    paths,
    counters: new Int32Array(new SharedArrayBuffer(16)),
    sizes: new Float64Array(new SharedArrayBuffer(8 * paths.length)).fill(-1),
    hashes: new Uint8Array(new SharedArrayBuffer(hashDigits * paths.length)),
  }
}

/** Whether the data of a worker is a task. By hand: a worker starts several times faster without zod. */
export function isHashTask(data: unknown): data is HashTask {
  return typeof data === 'object' && data !== null && 'paths' in data && 'hashes' in data
}

/** Takes one file after the other until all are taken or the stop is set, and now and then lets others run. */
export async function hashShare(task: HashTask): Promise<readonly HashFault[]> {
  const { paths, counters, sizes } = task
  const buffer = Buffer.allocUnsafeSlow(bufferBytes)
  const faults: HashFault[] = []
  let sincePause = 0
  for (;;) {
    const index = Atomics.add(counters, shared.next, 1)
    if (index >= paths.length) return faults
    try {
      for (const bytes of hashFile(index, task, buffer)) {
        if (bytes === bufferBytes) Atomics.add(counters, shared.mebibytes, 1)
        sincePause += bytes + fileOverheadBytes
        if (sincePause > bytesBetweenPauses) {
          sincePause = 0
          await setImmediate()
        }
        if (Atomics.load(counters, shared.stop) === 1) return faults
      }
      const why = 'it changed while it was read'
      if (sizes[index] === -1) faults.push({ index, code: 'changed', why })
    } catch (error) {
      faults.push({ index, code: 'unreadable', why: describeError(error) })
    }
    Atomics.add(counters, shared.files, 1)
  }
}

const unchanging = ['ino', 'dev', 'size', 'mtimeMs', 'ctimeMs'] as const

/** Hashes one file, and leaves its size at -1 if it changed meanwhile. Yields after each read, with the bytes read. */
function* hashFile(
  index: number,
  { paths, sizes, hashes }: HashTask,
  buffer: Buffer,
): Generator<number, void> {
  const path = paths[index] ?? ''
  // Not blocking: a FIFO that took the place of the file must not hang the run.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const before = fstatSync(descriptor)
    if (!before.isFile()) return
    let long: Hash | null = null
    for (let size = 0; ;) {
      const read = readSync(descriptor, buffer)
      yield read
      size += read
      const part = buffer.subarray(0, read)
      if (read > 0 && size < before.size) {
        long = (long ?? createHash('sha256')).update(part)
        continue
      }
      const after = statSync(path)
      if (size !== before.size || unchanging.some(key => before[key] !== after[key])) return
      const digits = long?.update(part).digest('hex') ?? hash('sha256', part)
      Buffer.from(hashes.buffer).write(digits, index * hashDigits, 'latin1')
      sizes[index] = size
      return
    }
  } finally {
    closeSync(descriptor)
  }
}
