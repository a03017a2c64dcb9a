import { parentPort, workerData } from 'node:worker_threads'
import { hashBufferBytes, hashSteps, type FileHash } from './hash-file.ts'
import { isHashTask, shared, type HashTask } from './hash-task.ts'

const task: unknown = workerData
if (parentPort !== null && isHashTask(task)) parentPort.postMessage(hashShare(task))

/** Takes one file after the other until all are taken or the stop is set; each result has the index of its file. */
function hashShare({ paths, counters }: HashTask): readonly (readonly [number, FileHash])[] {
  const buffer = Buffer.allocUnsafeSlow(hashBufferBytes)
  const results: (readonly [number, FileHash])[] = []
  for (;;) {
    const index = Atomics.add(counters, shared.next, 1)
    const path = paths[index]
    if (path === undefined) return results
    const steps = hashSteps(path, buffer)
    let step = steps.next()
    while (step.done !== true) {
      if (step.value === buffer.length) Atomics.add(counters, shared.mebibytes, 1)
      if (Atomics.load(counters, shared.stop) !== 0) return results
      step = steps.next()
    }
    Atomics.add(counters, shared.files, 1)
    results.push([index, step.value])
  }
}
