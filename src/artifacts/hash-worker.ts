import { parentPort, workerData } from 'node:worker_threads'
import { hashShare, isHashTask } from './hash-share.ts'

const task: unknown = workerData
if (isHashTask(task)) parentPort?.postMessage(await hashShare(task))
