import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { canceledFailure, describeError, Failure } from '../failure.ts'
import { failed, planned, type Artifact } from '../outcome.ts'
import type { FoundFile } from './files.ts'

const buffer = Buffer.allocUnsafeSlow(1024 * 1024)

/** Returns an artifact with the SHA-256 of a file, or why it has none. Once the run has `ended`, it is canceled. */
export async function hashFile({ name, path }: FoundFile, ended: AbortSignal): Promise<Artifact> {
  let descriptor: number | null = null
  try {
    // What became a FIFO meanwhile does not block.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const before = fstatSync(descriptor)
    if (before.isFIFO()) throw new Failure('changed', 'file-changed')
    const digest = createHash('sha256')
    let size = 0
    let read: number
    do {
      // Lets signals arrive.
      await setImmediate()
      if (ended.aborted) throw canceledFailure
      read = readSync(descriptor, buffer)
      digest.update(buffer.subarray(0, read))
      size += read
    } while (read > 0 && size < before.size)
    // Also of a file that was replaced: it lost its name.
    const isTouched = fstatSync(descriptor).ctimeMs !== before.ctimeMs
    if (size !== before.size || isTouched) throw new Failure('changed', 'file-changed')
    return { input: 'path', name, size, hash: digest.digest('hex'), outcome: planned }
  } catch (error) {
    const observed = describeError(error)
    const failure =
      error instanceof Failure ? error : new Failure('unreadable', 'file-unreadable', { observed })
    return { input: 'path', name, size: null, hash: null, outcome: failed(failure) }
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}
