import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { describeError } from '../text/system-error.ts'

export interface FileHash {
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
  /** Bytes. */
  readonly size: number
}

/** Why a file has no hash, as the parts of a failure. */
export interface HashFault {
  readonly code: 'unreadable' | 'changed'
  readonly cause: string
  readonly detail: string
}

const changed: HashFault = {
  code: 'changed',
  cause: 'the file changed while it was read',
  detail: '',
}

const buffer = Buffer.allocUnsafeSlow(1024 * 1024)

/** Hashes a file of at most `maxBytes`; returns null if it is larger. */
export function hashFile(path: string, maxBytes: number): FileHash | HashFault | null {
  let descriptor: number | null = null
  try {
    // Does not block: a FIFO that has replaced the file must not hang the run.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const before = fstatSync(descriptor)
    if (!before.isFile()) return changed
    if (before.size > maxBytes) return null
    const result = hashContent(descriptor, before.size)
    const isSame = result.size === before.size && isUnchanged(before, statSync(path))
    return isSame ? result : changed
  } catch (error) {
    return { code: 'unreadable', cause: 'the file could not be read', detail: describeError(error) }
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

function hashContent(descriptor: number, expectedBytes: number): FileHash {
  const digest = createHash('sha256')
  let size = 0
  let read: number
  do {
    read = readSync(descriptor, buffer)
    digest.update(buffer.subarray(0, read))
    size += read
  } while (read > 0 && size < expectedBytes)
  return { hash: digest.digest('hex'), size }
}

function isUnchanged(before: Stats, after: Stats): boolean {
  const keys = ['dev', 'ino', 'size', 'mtimeMs', 'ctimeMs'] as const
  return keys.every(key => before[key] === after[key])
}

// In a worker thread, each message is the path of a file to hash.
parentPort?.on('message', (path: unknown) => {
  if (typeof path === 'string') parentPort?.postMessage(hashFile(path, Infinity))
})
