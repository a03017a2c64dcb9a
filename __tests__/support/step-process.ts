import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'
import { LineSplitter } from './commands.ts'
import type { StepLog } from './step-log.ts'

/** The process of a step, without input, both its streams piped. */
export type StepProcess = ChildProcessByStdio<null, Readable, Readable>

/** How a process ended: `exitCode` is null when a signal did it. */
export interface Ending {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

/** Feeds a stream to the log line by line; gives a function for all of its text so far. */
export function collect(stream: Readable, log: StepLog): () => string {
  const splitter = new LineSplitter()
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    text += chunk
    for (const line of splitter.push(chunk)) log.add(line)
  })
  stream.once('close', () => {
    for (const line of splitter.flush()) log.add(line)
  })
  return () => text
}

/** Waits until the process is gone and both streams are read; rejects when it could not be started. */
export function waitForEnd(child: StepProcess): Promise<Ending> {
  return new Promise((done, fail) => {
    child.on('error', error => {
      // Of a process that is killed at its deadline.
      if (error.name !== 'AbortError') fail(error)
    })
    child.once('close', (exitCode, signal) => {
      done({ exitCode, signal })
    })
  })
}
