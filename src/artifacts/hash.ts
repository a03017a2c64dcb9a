/** Hashes files, in this thread and in worker threads, which load this module too. */
import assert from 'node:assert'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { parentPort, Worker } from 'node:worker_threads'
import { canceledFailure, describeError, Failure } from '../failure.ts'
import { failed, planned, type Artifact } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import type { FoundFile } from './files.ts'

/** The SHA-256 of a file, 64 lower-case hex digits, with its size in bytes; or why it has none. */
type HashResult =
  | { readonly hash: string; readonly size: number }
  | { readonly code: 'changed' | 'unreadable'; readonly observed: string }

/** Worker threads hash larger files: starting a thread takes about as long as hashing one of this size. */
const maxSmallBytes = 16 * 1024 * 1024

/** Returns an artifact for each file, with its SHA-256 or why it has none. When the run stops, the remaining files are canceled. */
export async function hashFiles(
  files: readonly FoundFile[],
  { halt, workerFile }: Host,
): Promise<readonly Artifact[]> {
  const results = new Map<FoundFile, HashResult>()
  const large: FoundFile[] = []
  for (const file of files) {
    // Lets signals arrive.
    await setImmediate()
    if (halt.ended.aborted) break
    const result = hashFile(file.path, maxSmallBytes)
    if (result === null) large.push(file)
    else results.set(file, result)
  }
  // The workers share the iterator: each takes the next file.
  const queue = large.values()
  const work = async (): Promise<void> => {
    const worker = new Worker(workerFile)
    try {
      for (const file of queue) {
        worker.postMessage(file.path)
        const message: readonly unknown[] = await once(worker, 'message', { signal: halt.ended })
        const [result] = message
        assert(isResult(result), 'a worker thread replies with a hash or a fault')
        results.set(file, result)
      }
    } catch (error) {
      if (!halt.ended.aborted) throw error
    } finally {
      await worker.terminate()
    }
  }
  const count = Math.min(availableParallelism(), large.length)
  await Promise.all(Array.from({ length: count }, work))
  return files.map(file => toArtifact(file, results.get(file)))
}

function isResult(value: unknown): value is HashResult {
  return typeof value === 'object' && value !== null && ('hash' in value || 'code' in value)
}

function toArtifact({ name }: FoundFile, result: HashResult | undefined): Artifact {
  const unread = { input: 'path', name, size: null, hash: null } as const
  if (result === undefined) return { ...unread, outcome: failed(canceledFailure) }
  if ('hash' in result) return { ...unread, ...result, outcome: planned }
  const { code, observed } = result
  const failure = new Failure(code, `file-${code}`, { observed })
  return { ...unread, outcome: failed(failure) }
}

const buffer = Buffer.allocUnsafeSlow(1024 * 1024)

/** Hashes a file of at most `maxBytes`; returns null if it is larger. */
function hashFile(path: string, maxBytes: number): HashResult | null {
  let descriptor: number | null = null
  try {
    descriptor = openSync(path, 'r')
    const before = fstatSync(descriptor)
    if (before.size >= maxBytes) return null
    const digest = createHash('sha256')
    let size = 0
    let read: number
    do {
      read = readSync(descriptor, buffer)
      digest.update(buffer.subarray(0, read))
      size += read
    } while (read > 0 && size < before.size)
    // Also of a file that was replaced: it lost its name.
    const isTouched = fstatSync(descriptor).ctimeMs !== before.ctimeMs
    if (size !== before.size || isTouched) return { code: 'changed', observed: '' }
    return { hash: digest.digest('hex'), size }
  } catch (error) {
    return { code: 'unreadable', observed: describeError(error) }
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

// In a worker thread, each message is the path of a file to hash.
parentPort?.on('message', (path: string) => {
  parentPort?.postMessage(hashFile(path, Infinity))
})
