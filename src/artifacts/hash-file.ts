import { createHash, hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs'
import { describeError } from '../errors.ts'

/** What became of one file: size in bytes and SHA-256 in hex, or why there is none. */
export type FileHash =
  | { readonly size: number; readonly hash: string }
  | { readonly code: 'unreadable' | 'changed'; readonly why: string }

/** Size of the buffer that a caller gives to {@link hashSteps}, in bytes: large reads, and small files in one. */
export const hashBufferBytes = 1024 * 1024

/**
 * Hashes a file through the buffer, synchronously; yields after each read, with the bytes read, so that the caller may
 * let others run or stop. Never throws.
 */
export function* hashSteps(absolutePath: string, buffer: Buffer): Generator<number, FileHash> {
  let descriptor: number | null = null
  try {
    // Not blocking: a FIFO that took the place of the file must not hang the run.
    descriptor = openSync(absolutePath, constants.O_RDONLY | constants.O_NONBLOCK)
    const before = fstatSync(descriptor)
    if (!before.isFile()) return changed
    const first = readSync(descriptor, buffer, 0, buffer.length, null)
    yield first
    let bytes = first
    let digest: string
    if (first === before.size) digest = hash('sha256', buffer.subarray(0, first))
    else {
      const long = createHash('sha256').update(buffer.subarray(0, first))
      while (bytes < before.size) {
        const read = readSync(descriptor, buffer, 0, buffer.length, null)
        if (read === 0) break
        long.update(read === buffer.length ? buffer : buffer.subarray(0, read))
        bytes += read
        yield read
      }
      digest = long.digest('hex')
    }
    const isWhole = bytes === before.size && isSame(before, statSync(absolutePath))
    return isWhole ? { size: bytes, hash: digest } : changed
  } catch (error) {
    return { code: 'unreadable', why: describeError(error) }
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

const changed: FileHash = { code: 'changed', why: 'it changed while it was read' }

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
