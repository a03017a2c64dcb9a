import assert from 'node:assert'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { canceledFailure, Failure } from '../failure.ts'
import { failed, planned, type Artifact } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { createProgress } from '../runtime/progress.ts'
import type { FoundFile } from './files.ts'
import { hashFile, type HashResult } from './hash-worker.ts'

/** Worker threads hash larger files, and further files: starting a thread takes about as long as hashing so much. */
const maxSmallBytes = 16 * 1024 * 1024
const maxSmallFiles = 2048
const maxWorkers = 8
/** The number of files between pauses, and in a message to a worker thread. */
const batchSize = 64

/** The result of all but the first of the files that share a path. */
const unnamed: HashResult = { code: 'unreadable', reason: 'name-not-utf8', observed: '' }

/** Hashes files with SHA-256. When the run stops, the remaining files are `cancelled`. */
export async function hashFiles(
  files: readonly FoundFile[],
  host: Host,
): Promise<readonly Artifact[]> {
  const { clock, runner, workerFile } = host
  const halt = host.halt.signal
  const results = new Map<FoundFile, HashResult>()
  const progress = createProgress('hashing', clock, runner.info)
  /** For the worker threads: a large file each, or several of the further files. */
  const batches: FoundFile[][] = []
  for (const [index, file] of files.entries()) {
    if (index % batchSize === 0) {
      // Lets signals arrive.
      await setImmediate()
      progress(results.size, files.length)
    }
    if (halt.aborted) break
    const { absolutePath } = file
    let result: HashResult | null = null
    if (absolutePath === files[index - 1]?.absolutePath) result = unnamed
    else if (index < maxSmallFiles) result = hashFile(absolutePath, maxSmallBytes)
    const last = batches.at(-1)
    if (result !== null) results.set(file, result)
    else if (last === undefined || index <= maxSmallFiles || last.length === batchSize) {
      batches.push([file])
    } else last.push(file)
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
