/** Hashes files, in this thread and in worker threads, which load this module too. */
import assert from 'node:assert'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { parentPort, Worker } from 'node:worker_threads'
import {
  canceledFailure,
  describeError,
  Failure,
  type FailureCode,
  type Reason,
} from '../failure.ts'
import { failed, planned, type Artifact } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { createProgress } from '../runtime/progress.ts'
import type { FoundFile } from './files.ts'

/** The SHA-256 of a file, 64 lower-case hex digits, with its size in bytes; or why it has none. */
type HashResult =
  | { readonly hash: string; readonly size: number }
  | { readonly code: FailureCode; readonly reason: Reason; readonly observed: string }

/** Worker threads hash larger files, and those after so many: starting a thread takes about as long as hashing either. */
const maxSmallBytes = 16 * 1024 * 1024
const maxHere = 2048
const maxWorkers = 8
/** The number of files between pauses, and in a message to a worker thread. */
const batchSize = 64

/** The result of all but the first of the files that share a path. */
const unnamed: HashResult = { code: 'unreadable', reason: 'name-not-utf8', observed: '' }

/** Hashes files with SHA-256. When the run stops, the remaining files are canceled. */
export async function hashFiles(
  files: readonly FoundFile[],
  host: Host,
): Promise<readonly Artifact[]> {
  const { clock, runner, workerFile } = host
  const halt = host.halt.signal
  const results = new Map<FoundFile, HashResult>()
  const progress = createProgress('hashing', clock, runner.info)
  /** For the worker threads: each large file, and the rest of thousands of files in parts. */
  const batches: (readonly FoundFile[])[] = []
  const named = files.filter((file, index) => {
    const isNamed = file.absolutePath !== files[index - 1]?.absolutePath
    if (!isNamed) results.set(file, unnamed)
    return isNamed
  })
  for (const [index, file] of named.slice(0, maxHere).entries()) {
    if (index % batchSize === 0) {
      // Lets signals arrive.
      await setImmediate()
      progress(results.size, files.length)
    }
    if (halt.aborted) break
    const result = hashFile(file.absolutePath, maxSmallBytes)
    if (result === null) batches.push([file])
    else results.set(file, result)
  }
  for (let at = maxHere; at < named.length && !halt.aborted; at += batchSize) {
    batches.push(named.slice(at, at + batchSize))
  }
  // The workers share the iterator: each takes the next batch.
  const queue = batches.values()
  const work = async (): Promise<void> => {
    const worker = new Worker(workerFile)
    try {
      for (const batch of queue) {
        worker.postMessage(batch.map(file => file.absolutePath))
        const message: readonly unknown[] = await once(worker, 'message', { signal: halt })
        const [replies] = message
        assert(Array.isArray(replies), 'a worker thread replies with a list')
        for (const [index, file] of batch.entries()) {
          const result: unknown = replies[index]
          assert(isResult(result), 'a worker thread replies with a hash or a fault')
          results.set(file, result)
        }
        progress(results.size, files.length)
      }
    } catch (error) {
      if (!halt.aborted) throw error
    } finally {
      await worker.terminate()
    }
  }
  const count = Math.min(availableParallelism(), maxWorkers, batches.length)
  await Promise.all(Array.from({ length: count }, work))
  return files.map(file => toArtifact(file, results.get(file)))
}

function isResult(value: unknown): value is HashResult {
  return typeof value === 'object' && value !== null && ('hash' in value || 'reason' in value)
}

function toArtifact({ name }: FoundFile, result: HashResult | undefined): Artifact {
  if (result !== undefined && 'hash' in result) {
    return { input: 'path', name, outcome: planned, ...result }
  }
  let failure = canceledFailure
  if (result !== undefined) {
    const { code, reason, observed } = result
    failure = new Failure(code, reason, { observed })
  }
  return { input: 'path', name, size: null, hash: null, outcome: failed(failure) }
}

const changed: HashResult = { code: 'changed', reason: 'file-changed', observed: '' }

const buffer = Buffer.allocUnsafeSlow(1024 * 1024)

/** Hashes a file of at most `maxBytes`; returns null if it is larger. */
function hashFile(path: string, maxBytes: number): HashResult | null {
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
  const keys = ['size', 'mtimeMs', 'ctimeMs', 'nlink'] as const
  return keys.every(key => before[key] === after[key])
}

// In a worker thread, each message is a list of the paths of files to hash.
parentPort?.on('message', (paths: readonly string[]) => {
  parentPort?.postMessage(paths.map(path => hashFile(path, Infinity)))
})
