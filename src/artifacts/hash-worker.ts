import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { describeError, type FailureCode, type Reason } from '../failure.ts'

/** The SHA-256 of a file, 64 lower-case hex digits, with its size in bytes; or why it has none. */
export type HashResult =
  | { readonly hash: string; readonly size: number }
  | { readonly code: FailureCode; readonly reason: Reason; readonly observed: string }

const changed: HashResult = { code: 'changed', reason: 'file-changed', observed: '' }

const buffer = Buffer.allocUnsafeSlow(1024 * 1024)

/** Hashes a file of at most `maxBytes`; returns null if it is larger. */
export function hashFile(path: string, maxBytes: number): HashResult | null {
  let descriptor: number | null = null
  try {
    // Does not block: a FIFO that has replaced the file must not hang the run.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const before = fstatSync(descriptor)
    if (!before.isFile()) return changed
    if (before.size > maxBytes) return null
    const digest = createHash('sha256')
    let size = 0
    let read: number
    do {
      read = readSync(descriptor, buffer)
      digest.update(buffer.subarray(0, read))
      size += read
    } while (read > 0 && size < before.size)
    // A file that was replaced changes too: it lost its name.
    if (size !== before.size || !isUnchanged(before, fstatSync(descriptor))) return changed
    return { hash: digest.digest('hex'), size }
  } catch (error) {
    return { code: 'unreadable', reason: 'file-unreadable', observed: describeError(error) }
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

function isUnchanged(before: Stats, after: Stats): boolean {
  const keys = ['size', 'mtimeMs', 'ctimeMs'] as const
  return keys.every(key => before[key] === after[key])
}

// In a worker thread, each message is a list of the paths of files to hash.
parentPort?.on('message', (paths: readonly string[]) => {
  parentPort?.postMessage(paths.map(path => hashFile(path, Infinity)))
})
