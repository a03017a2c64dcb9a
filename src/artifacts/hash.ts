import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import * as z from 'zod/mini'
import { makeFailure, type Failure } from '../failure.ts'
import { cancelledFailure } from '../halt.ts'
import type { Progress } from '../progress.ts'
import { formatSize } from '../text/size.ts'
import type { Artifact } from './artifact.ts'
import type { FoundFile } from './files.ts'
import {
  createTask,
  hashDigits,
  hashShare,
  shared,
  type HashFault,
  type HashTask,
} from './hash-share.ts'

/** A worker thread costs about as much as hashing so much. */
const minBytesForWorkers = 64 * 1024 * 1024
const minFilesForWorkers = 2_000
const maxThreads = 8
const pollMs = 250

/**
 * Hashes files with SHA-256; the results stand in no order. A file that cannot be read or that changes meanwhile gives a
 * failure, and the others go on. After `halt` the rest are `cancelled`. Without the worker script `workerFile` all is
 * hashed in this thread.
 */
export async function hashFiles(
  files: readonly FoundFile[],
  halt: AbortSignal,
  {
    workerFile,
    onProgress = () => undefined,
  }: { readonly workerFile?: URL; readonly onProgress?: (progress: Progress) => void } = {},
): Promise<readonly Artifact[]> {
  const sorted = workerFile === undefined ? null : sortForThreads(files)
  const queue = sorted ?? files
  const task = createTask(queue.map(({ absolutePath }) => absolutePath))
  const stop = (): void => {
    Atomics.store(task.counters, shared.stop, 1)
  }
  const timer = setInterval(() => {
    onProgress(progressOf(task))
  }, pollMs)
  halt.addEventListener('abort', stop)
  if (halt.aborted) stop()
  try {
    const shares: Promise<readonly HashFault[]>[] = []
    if (workerFile !== undefined && sorted !== null) {
      // This thread takes its share, too.
      const count = Math.min(availableParallelism(), maxThreads, files.length) - 1
      for (let index = 0; index < count; index++) shares.push(hashInWorker(workerFile, task))
    }
    shares.push(hashShare(task))
    const faults = (await Promise.all(shares)).flat()
    return toArtifacts(queue, task, faults)
  } finally {
    clearInterval(timer)
    halt.removeEventListener('abort', stop)
  }
}

/** The files in the order in which threads should take them, or null if threads do not pay. */
function sortForThreads(files: readonly FoundFile[]): readonly FoundFile[] | null {
  if (availableParallelism() < 2 || files.length < 2) return null
  if (files.length >= minFilesForWorkers) return files
  const sized = files.map(file => ({ file, size: sizeOf(file.absolutePath) }))
  if (sized.reduce((sum, { size }) => sum + size, 0) < minBytesForWorkers) return null
  // The largest first, so that no thread is left alone with it at the end.
  return sized.sort((a, b) => b.size - a.size).map(({ file }) => file)
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

/** What a worker sends, once; the rest it leaves in the memory of the task. */
const faultsSchema = z.array(
  z.object({ index: z.number(), code: z.enum(['unreadable', 'changed']), why: z.string() }),
)

async function hashInWorker(file: URL, workerData: HashTask): Promise<readonly HashFault[]> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  // Loaded late: most runs hash in this thread. At once, as this thread is soon busy.
  const { Worker } = process.getBuiltinModule('node:worker_threads')
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
  { sizes, hashes }: HashTask,
  faults: readonly HashFault[],
): readonly Artifact[] {
  const failures = new Map(faults.map(fault => [fault.index, failureOf(fault)]))
  const digits = Buffer.from(hashes.buffer).toString('latin1')
  return files.map(({ name }, index) => {
    const size = sizes[index] ?? -1
    if (size === -1) return { source: 'path', name, failure: failures.get(index) ?? cancelled }
    const hash = digits.slice(index * hashDigits, (index + 1) * hashDigits)
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
