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

/** Worker threads hash larger files: starting a thread takes about as long as hashing this many bytes. */
const maxSmallBytes = 16 * 1024 * 1024
const maxWorkers = 8
const filesBetweenPauses = 64

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
  const large: FoundFile[] = []
  for (const [index, file] of files.entries()) {
    if (index % filesBetweenPauses === 0) {
      // Lets signals arrive.
      await setImmediate()
      progress(results.size, files.length)
    }
    if (halt.aborted) break
    const { absolutePath } = file
    const isShared = absolutePath === files[index - 1]?.absolutePath
    const result = isShared ? unnamed : hashFile(absolutePath, maxSmallBytes)
    if (result === null) large.push(file)
    else results.set(file, result)
  }
  // The workers share the iterator: each takes the next file.
  const queue = large.values()
  const work = async (): Promise<void> => {
    const worker = new Worker(workerFile)
    try {
      for (const file of queue) {
        worker.postMessage(file.absolutePath)
        const replies: readonly unknown[] = await once(worker, 'message', { signal: halt })
        const [result] = replies
        assert(isResult(result), 'a worker thread replies with a hash or a fault')
        results.set(file, result)
        progress(results.size, files.length)
      }
    } catch (error) {
      if (!halt.aborted) throw error
    } finally {
      await worker.terminate()
    }
  }
  const count = Math.min(availableParallelism(), maxWorkers, large.length)
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
