import { createHash, hash, type Hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs'
import { describeError } from '../text/system-error.ts'

/** Places in the shared counters: the next file to take, whether to stop, the MiB and the files done by all. */
export const shared = { next: 0, stop: 1, mebibytes: 2, files: 3 } as const

/** Bytes of a SHA-256. */
export const digestBytes = 32

/** Large reads, and small files in one. */
const bufferBytes = 1024 * 1024

/** The files that threads hash together; all but the paths is memory that they share. */
export interface HashTask {
  readonly paths: readonly string[]
  /** Indexes of the paths, in the order in which they are taken. */
  readonly order: Uint32Array<SharedArrayBuffer>
  readonly counters: Int32Array<SharedArrayBuffer>
  /** Bytes of each file; -1 while it has no hash. */
  readonly sizes: Float64Array<SharedArrayBuffer>
  /** The SHA-256 of each file, one after the other. */
  readonly digests: Uint8Array<SharedArrayBuffer>
}

/** Why a file has no hash; `index` is that of its path. */
export interface HashFault {
  readonly index: number
  readonly code: 'unreadable' | 'changed'
  readonly why: string
}

/** A task of which nothing is done. */
export function createTask(paths: readonly string[], order: Iterable<number>): HashTask {
  const task = {
    paths,
    order: new Uint32Array(new SharedArrayBuffer(4 * paths.length)),
    counters: new Int32Array(new SharedArrayBuffer(16)),
    sizes: new Float64Array(new SharedArrayBuffer(8 * paths.length)).fill(-1),
    digests: new Uint8Array(new SharedArrayBuffer(digestBytes * paths.length)),
  }
  task.order.set([...order])
  return task
}

/** Whether the data of a worker is a task. By hand: a worker starts several times faster without zod. */
export function isHashTask(data: unknown): data is HashTask {
  return typeof data === 'object' && data !== null && 'paths' in data && 'digests' in data
}

/**
 * Takes one file after the other until all are taken or the stop is set, and adds to `faults`. Yields after each read,
 * with the bytes read, so that the caller may let others run.
 */
export function* hashShare(task: HashTask, faults: HashFault[]): Generator<number, void> {
  const { paths, order, counters, sizes, digests } = task
  const buffer = Buffer.allocUnsafeSlow(bufferBytes)
  for (;;) {
    const index = order[Atomics.add(counters, shared.next, 1)]
    if (index === undefined) return
    const result = yield* hashFile(paths[index] ?? '', buffer, counters)
    if (result === 'stopped') return
    if ('digest' in result) {
      digests.set(result.digest, index * digestBytes)
      sizes[index] = result.size
    } else faults.push({ index, ...result })
    Atomics.add(counters, shared.files, 1)
  }
}

type FileHash =
  { readonly size: number; readonly digest: Uint8Array } | Pick<HashFault, 'code' | 'why'>

const changed: FileHash = { code: 'changed', why: 'it changed while it was read' }

/** Never throws. */
function* hashFile(
  path: string,
  buffer: Buffer,
  counters: HashTask['counters'],
): Generator<number, FileHash | 'stopped'> {
  let descriptor: number | null = null
  try {
    // Not blocking: a FIFO that took the place of the file must not hang the run.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const before = fstatSync(descriptor)
    if (!before.isFile()) return changed
    let long: Hash | null = null
    for (let size = 0; ;) {
      const read = readSync(descriptor, buffer, 0, buffer.length, null)
      if (read === buffer.length) Atomics.add(counters, shared.mebibytes, 1)
      yield read
      if (Atomics.load(counters, shared.stop) === 1) return 'stopped'
      size += read
      const part = buffer.subarray(0, read)
      const isEnd = read === 0 || size >= before.size
      if (!isEnd || long !== null) long = (long ?? createHash('sha256')).update(part)
      if (!isEnd) continue
      if (size !== before.size || !isSame(before, statSync(path))) return changed
      return { size, digest: long?.digest() ?? hash('sha256', part, 'buffer') }
    }
  } catch (error) {
    return { code: 'unreadable', why: describeError(error) }
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

function isSame(before: Stats, after: Stats): boolean {
  return (
    before.ino === after.ino &&
    before.dev === after.dev &&
    before.size === after.size &&
    before.mtimeMs === after.mtimeMs &&
    // A writer can set the other time back.
    before.ctimeMs === after.ctimeMs
  )
}
