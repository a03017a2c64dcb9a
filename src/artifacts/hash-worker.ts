import { parentPort, workerData } from 'node:worker_threads'
import { hashShare, isHashTask, type HashFault } from './hash-share.ts'

const task: unknown = workerData
if (parentPort !== null && isHashTask(task)) {
  const faults: HashFault[] = []
  for (const share = hashShare(task, faults); share.next().done !== true;);
  parentPort.postMessage(faults)
}
