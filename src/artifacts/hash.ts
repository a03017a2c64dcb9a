import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod/mini'
import { makeFailure, type Failure } from '../failure.ts'
import { cancelledFailure } from '../halt.ts'
import type { Progress } from '../progress.ts'
import { formatSize } from '../text/size.ts'
import type { Artifact } from './artifact.ts'
import type { FoundFile } from './files.ts'
import {
  createTask,
  digestBytes,
  hashShare,
  shared,
  type HashFault,
  type HashTask,
} from './hash-share.ts'

/** A worker thread costs about as much as hashing so much. */
const minBytesForWorkers = 64 * 1024 * 1024
const minFilesForWorkers = 2_000
const maxThreads = 8
const bytesBetweenPauses = 64 * 1024 * 1024
/** What a small file costs beside its bytes, as bytes. */
const fileOverheadBytes = 64 * 1024
const pollMs = 250

/**
 * Hashes files with SHA-256; the results stand in the order of the files. A file that cannot be read or that changes
 * meanwhile gives a failure, and the others go on. After `halt` the rest are `cancelled`. Without the worker script
 * `workerFile` all is hashed in this thread.
 */
export async function hashFiles(
  files: readonly FoundFile[],
  halt: AbortSignal,
  {
    workerFile,
    onProgress = () => undefined,
  }: { readonly workerFile?: URL; readonly onProgress?: (progress: Progress) => void } = {},
): Promise<readonly Artifact[]> {
  const paths = files.map(({ absolutePath }) => absolutePath)
  const threadOrder = workerFile === undefined ? null : orderForThreads(paths)
  const task = createTask(paths, threadOrder ?? paths.keys())
  const stop = (): void => {
    Atomics.store(task.counters, shared.stop, 1)
  }
  const timer = setInterval(() => {
    onProgress(progressOf(task))
  }, pollMs)
  halt.addEventListener('abort', stop)
  if (halt.aborted) stop()
  try {
    const shares = [hashHere(task)]
    if (workerFile !== undefined && threadOrder !== null) {
      // This thread takes its share, too.
      const count = Math.min(availableParallelism(), maxThreads, files.length) - 1
      for (let index = 0; index < count; index++) shares.push(hashInWorker(workerFile, task))
    }
    const faults = (await Promise.all(shares)).flat()
    return toArtifacts(files, task, faults)
  } finally {
    clearInterval(timer)
    halt.removeEventListener('abort', stop)
  }
}

/** The indexes of the paths in the order in which threads should take them, or null if threads do not pay. */
function orderForThreads(paths: readonly string[]): readonly number[] | null {
  if (availableParallelism() < 2 || paths.length < 2) return null
  const indexes = [...paths.keys()]
  if (paths.length >= minFilesForWorkers) return indexes
  const sizes = paths.map(sizeOf)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  // The largest first, so that no thread is left alone with it at the end.
  return total < minBytesForWorkers
    ? null
    : indexes.sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0))
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

function progressOf({ paths, counters }: HashTask): Progress {
  const bytes = Atomics.load(counters, shared.mebibytes) * 1024 * 1024
  const detail = bytes === 0 ? '' : formatSize(bytes)
  return { done: Atomics.load(counters, shared.files), total: paths.length, detail }
}

async function hashHere(task: HashTask): Promise<readonly HashFault[]> {
  const faults: HashFault[] = []
  let sincePause = 0
  for (const bytes of hashShare(task, faults)) {
    sincePause += bytes + fileOverheadBytes
    if (sincePause < bytesBetweenPauses) continue
    sincePause = 0
    await setImmediate()
  }
  return faults
}

/** What a worker sends, once; the rest it leaves in the memory of the task. */
const faultsSchema = z.array(
  z.object({ index: z.number(), code: z.enum(['unreadable', 'changed']), why: z.string() }),
)

async function hashInWorker(file: URL, workerData: HashTask): Promise<readonly HashFault[]> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  // Loaded late: most runs hash in this thread.
  const { Worker } = await import('node:worker_threads')
  const worker = new Worker(file, { workerData })
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', code => {
    reject(new Error(`a hash worker ended with ${code} before its results`))
  })
  return faultsSchema.parse(await promise)
}

function toArtifacts(
  files: readonly FoundFile[],
  { sizes, digests }: HashTask,
  faults: readonly HashFault[],
): readonly Artifact[] {
  const failures = new Map(faults.map(fault => [fault.index, failureOf(fault)]))
  const hashes = Buffer.from(digests.buffer).toString('hex')
  return files.map(({ name }, index) => {
    const size = sizes[index] ?? -1
    if (size === -1) return { source: 'path', name, failure: failures.get(index) ?? cancelled }
    const hash = hashes.slice(index * digestBytes * 2, (index + 1) * digestBytes * 2)
    return { source: 'path', name, size, hash }
  })
}

const cancelled: Failure = {
  ...cancelledFailure,
  what: 'the run was cancelled before anything was sent for it',
}

function failureOf({ code, why }: HashFault): Failure {
  const [what, remedy] =
    code === 'changed'
      ? [why, 'let every step that writes it end first, then run the job again']
      : [`it could not be read: ${why}`, 'correct that or leave it out, then run the job again']
  return makeFailure({ code, what, remedy })
}
