import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod/mini'
import { failed, type Failed } from '../outcome.ts'
import type { Progress } from '../progress.ts'
import { formatSize } from '../report/size.ts'
import { hashBufferBytes, hashSteps, type FileHash } from './hash-file.ts'
import { shared, type HashTask } from './hash-task.ts'
import type { FoundFile } from './sources/files.ts'

/** What became of a file; `size` is in bytes, `hash` is SHA-256 in 64 lower-case hex digits. */
export type HashedFile =
  | { readonly name: string; readonly size: number; readonly hash: string }
  | { readonly name: string; readonly failure: Failed }

/** How to hash. */
export interface HashOptions {
  /** The worker script; without it all is hashed in this thread. */
  readonly workerFile?: URL
  readonly onProgress?: (progress: Progress) => void
}

/** A worker thread costs about as much as hashing so much. */
const minBytesForWorkers = 64 * 1024 * 1024
const minFilesForWorkers = 2_000
const maxWorkers = 8
const bytesBetweenYields = 64 * 1024 * 1024
/** What a small file costs beside its bytes, as bytes. */
const fileOverheadBytes = 64 * 1024
const pollMs = 250

/**
 * Hashes files with SHA-256; the results stand in the order of the files. A file that cannot be read or that changes
 * meanwhile gives a failure, and the others go on. After `halt` the rest are `cancelled`.
 */
export async function hashFiles(
  files: readonly FoundFile[],
  halt: AbortSignal,
  { workerFile, onProgress = () => undefined }: HashOptions = {},
): Promise<readonly HashedFile[]> {
  const order = workerFile === undefined ? null : orderForWorkers(files)
  const hashes =
    workerFile === undefined || order === null
      ? await hashHere(files, halt, onProgress)
      : await hashInWorkers(order, halt, { workerFile, onProgress })
  return files.map((file, index) => toHashedFile(file, hashes.get(index)))
}

/** What a worker sends back, once. */
const shareSchema = z.array(
  z.tuple([
    z.number(),
    z.union([
      z.object({ size: z.number(), hash: z.string() }),
      z.object({ code: z.enum(['unreadable', 'changed']), why: z.string() }),
    ]),
  ]),
)

type Hashes = ReadonlyMap<number, FileHash>

interface Job {
  readonly index: number
  readonly path: string
}

/** The files in the order in which workers should take them, or null if threads do not pay. */
function orderForWorkers(files: readonly FoundFile[]): readonly Job[] | null {
  const jobs = files.map(({ absolutePath }, index) => ({ index, path: absolutePath }))
  if (availableParallelism() < 2 || files.length < 2) return null
  if (files.length >= minFilesForWorkers) return jobs
  const sized = jobs.map(job => ({ ...job, size: sizeOf(job.path) }))
  const total = sized.reduce((sum, { size }) => sum + size, 0)
  // The largest first, so that no thread is left alone with it at the end.
  return total < minBytesForWorkers ? null : sized.sort((a, b) => b.size - a.size)
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

async function hashHere(
  files: readonly FoundFile[],
  halt: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Hashes> {
  const buffer = Buffer.allocUnsafeSlow(hashBufferBytes)
  const hashes = new Map<number, FileHash>()
  let bytes = 0
  let sinceYield = 0
  for (const [index, { absolutePath }] of files.entries()) {
    const steps = hashSteps(absolutePath, buffer)
    let step = steps.next()
    while (step.done !== true) {
      bytes += step.value
      sinceYield += step.value
      if (sinceYield >= bytesBetweenYields) {
        sinceYield = 0
        await setImmediate()
        onProgress({ done: hashes.size, total: files.length, detail: formatSize(bytes) })
      }
      if (halt.aborted) return hashes
      step = steps.next()
    }
    hashes.set(index, step.value)
    sinceYield += fileOverheadBytes
  }
  return hashes
}

async function hashInWorkers(
  jobs: readonly Job[],
  halt: AbortSignal,
  { workerFile, onProgress }: Required<HashOptions>,
): Promise<Hashes> {
  const counters = new Int32Array(new SharedArrayBuffer(16))
  const paths = jobs.map(({ path }) => path)
  const stop = (): void => {
    Atomics.store(counters, shared.stop, 1)
  }
  const timer = setInterval(() => {
    const done = Atomics.load(counters, shared.files)
    const bytes = Atomics.load(counters, shared.mebibytes) * 1024 * 1024
    onProgress({ done, total: jobs.length, detail: bytes === 0 ? '' : formatSize(bytes) })
  }, pollMs)
  halt.addEventListener('abort', stop)
  if (halt.aborted) stop()
  try {
    const count = Math.min(availableParallelism(), maxWorkers, jobs.length)
    const run = (): Promise<unknown> => runWorker(workerFile, { paths, counters })
    const shares = await Promise.all(Array.from({ length: count }, run))
    const results = shares.flatMap(share => shareSchema.parse(share))
    return new Map(results.map(([at, hash]) => [jobs[at]?.index ?? -1, hash]))
  } finally {
    clearInterval(timer)
    halt.removeEventListener('abort', stop)
  }
}

async function runWorker(file: URL, workerData: HashTask): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  // Loaded late: most runs hash in this thread.
  const { Worker } = await import('node:worker_threads')
  const worker = new Worker(file, { workerData })
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', code => {
    reject(new Error(`a hash worker ended with ${code} before its results`))
  })
  return promise
}

function toHashedFile({ name }: FoundFile, hash: FileHash | undefined): HashedFile {
  if (hash === undefined) {
    const message = 'the run was cancelled before anything was sent for it; run it again'
    return { name, failure: failed('cancelled', 'no', message) }
  }
  if ('hash' in hash) return { name, size: hash.size, hash: hash.hash }
  const { code, why } = hash
  const message =
    code === 'changed'
      ? `${why}, so nothing was sent for it; let every step that writes it end first, then run again`
      : `it could not be read: ${why}; nothing was sent for it`
  return { name, failure: failed(code, 'no', message) }
}
