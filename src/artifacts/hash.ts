import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { describeError } from '../errors.ts'
import { failed, type Failed } from '../outcome.ts'
import type { FoundFile } from './sources/files.ts'

/** What became of a file; `size` is in bytes, `hash` is SHA-256 in 64 lower-case hex digits. */
export type HashedFile =
  | { readonly name: string; readonly size: number; readonly hash: string }
  | { readonly name: string; readonly failure: Failed }

const bufferBytes = 1024 * 1024
const bytesBetweenYields = 64 * bufferBytes

/**
 * Hashes files with SHA-256, in their order, through one buffer. A file that cannot be read or that changes meanwhile
 * gives a failure, and the others go on. After `halt` the rest are `cancelled`.
 */
export async function hashFiles(
  files: readonly FoundFile[],
  halt: AbortSignal,
): Promise<readonly HashedFile[]> {
  const buffer = Buffer.allocUnsafe(bufferBytes)
  const hashed: HashedFile[] = []
  let bytesSinceYield = 0
  for (const file of files) {
    if (bytesSinceYield >= bytesBetweenYields) bytesSinceYield = await breathe()
    const steps = hashSteps(file, buffer)
    let step = steps.next()
    while (step.done !== true) {
      bytesSinceYield += step.value
      if (bytesSinceYield >= bytesBetweenYields) bytesSinceYield = await breathe()
      step = halt.aborted ? steps.return(cancelled(file)) : steps.next()
    }
    hashed.push(halt.aborted ? cancelled(file) : step.value)
    bytesSinceYield += 16 * 1024
  }
  return hashed
}

/** Lets signals and timers have their turn. */
async function breathe(): Promise<number> {
  await setImmediate()
  return 0
}

function cancelled({ name }: FoundFile): HashedFile {
  const message = 'the run was cancelled before anything was sent for it; run it again'
  return { name, failure: failed('cancelled', 'no', message) }
}

function* hashSteps(file: FoundFile, buffer: Buffer): Generator<number, HashedFile> {
  let descriptor: number | null = null
  try {
    // Not blocking: a FIFO that took the place of the file must not hang the run.
    descriptor = openSync(file.absolutePath, constants.O_RDONLY | constants.O_NONBLOCK)
    const before = fstatSync(descriptor)
    if (!before.isFile()) return changed(file)
    const hash = createHash('sha256')
    let bytes = 0
    while (bytes <= before.size) {
      const read = readSync(descriptor, buffer, 0, buffer.length, null)
      if (read === 0) break
      hash.update(read === buffer.length ? buffer : buffer.subarray(0, read))
      bytes += read
      yield read
    }
    if (bytes !== before.size || !isSame(before, statSync(file.absolutePath))) return changed(file)
    return { name: file.name, size: bytes, hash: hash.digest('hex') }
  } catch (error) {
    const message = `it could not be read: ${describeError(error)}; nothing was sent for it`
    return { name: file.name, failure: failed('unreadable', 'no', message) }
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

function changed({ name }: FoundFile): HashedFile {
  const message =
    'it changed while it was read, so nothing was sent for it; let every step that writes it end first, then run again'
  return { name, failure: failed('changed', 'no', message) }
}

function isSame(before: Stats, after: Stats): boolean {
  return (
    before.ino === after.ino &&
    before.dev === after.dev &&
    before.size === after.size &&
    before.mtimeMs === after.mtimeMs
  )
}
