/** Places in the shared counters: the next file to take, whether to stop, the MiB and the files done by all. */
export const shared = { next: 0, stop: 1, mebibytes: 2, files: 3 } as const

/** What each worker gets; all share the counters. */
export interface HashTask {
  readonly paths: readonly string[]
  readonly counters: Int32Array<SharedArrayBuffer>
}

/** Whether the data of a worker is a task. By hand: a worker starts several times faster without zod. */
export function isHashTask(data: unknown): data is HashTask {
  return (
    typeof data === 'object' &&
    data !== null &&
    'paths' in data &&
    Array.isArray(data.paths) &&
    'counters' in data &&
    data.counters instanceof Int32Array
  )
}
