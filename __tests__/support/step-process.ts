import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'
import { onCleanUp } from './clean-up.ts'
import { LineSplitter } from './commands.ts'
import type { StepLog } from './step-log.ts'

/** The process of a step, without input, both its streams piped. */
export type StepProcess = ChildProcessByStdio<null, Readable, Readable>

/** How a process ended: `exitCode` is null when a signal did it. */
export interface Ending {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

/** What a killed process has printed is read within this time. */
const DRAIN_MS = 1000

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
    child.once('error', fail)
    child.once('close', (exitCode, signal) => {
      done({ exitCode, signal })
    })
  })
}

/** Kills the process at its deadline, or when the tests are over. */
export function guardTime(
  child: StepProcess,
  deadline: AbortSignal,
): { lift: () => void; hasStruck: () => boolean } {
  let struck = false
  const kill = (): void => {
    child.kill('SIGKILL')
    // A process of its own that still holds the pipes must not keep us waiting.
    setTimeout(() => {
      child.stdout.destroy()
      child.stderr.destroy()
    }, DRAIN_MS).unref()
  }
  const strike = (): void => {
    struck = true
    kill()
  }
  deadline.addEventListener('abort', strike, { once: true })
  const forget = onCleanUp(kill)
  return {
    lift: () => {
      deadline.removeEventListener('abort', strike)
      forget()
    },
    hasStruck: () => struck,
  }
}
