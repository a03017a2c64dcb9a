/** Runs and measures the committed bundle and its peers. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { runAction, type RunOptions } from '../__tests__/support/runner.ts'
import type { Workspace } from '../__tests__/support/workspace.ts'

/** One run of the action. */
export interface BenchRun extends RunOptions {
  readonly workspace: Workspace
  /** The expected result, so that no failed run is measured. */
  readonly verdict: string
  readonly artifacts: number
}

/** Duration and peak memory of a process; `peakMiB` is NaN if the system does not report it. */
export interface Measured {
  readonly milliseconds: number
  readonly peakMiB: number
}

async function measure(child: ChildProcess): Promise<Measured> {
  const startedAt = performance.now()
  const status = `/proc/${child.pid}/status`
  let peakMiB = NaN
  const timer = setInterval(() => {
    const text = existsSync(status) ? readFileSync(status, 'utf8') : ''
    const [, peakKiB] = /VmHWM:\s*(\d+)/.exec(text) ?? []
    if (peakKiB !== undefined) peakMiB = Number(peakKiB) / 1024
  }, 100)
  await once(child, 'close')
  clearInterval(timer)
  return { milliseconds: performance.now() - startedAt, peakMiB }
}

/** Runs the action. Rejects if the result is not the expected one. */
export async function measureAction(run: BenchRun): Promise<Measured> {
  rmSync(run.workspace.path('notarization-records.jsonl'), { force: true })
  const measuring = Promise.withResolvers<Measured>()
  const onStart = (child: ChildProcess): void => {
    measuring.resolve(measure(child))
  }
  const { outputs, visibleLog } = await runAction({ ...run, timeoutMs: 600_000, onStart })
  const measured = await measuring.promise
  const { verdict, 'artifact-count': count } = outputs
  if (verdict === run.verdict && count === String(run.artifacts)) return measured
  throw new Error(
    `a run ended with an unexpected result; the end of its log:\n${visibleLog.slice(-2000)}`,
  )
}

/** Runs a program and returns its milliseconds. Rejects if it fails. */
export async function timeProgram(command: readonly string[], cwd: string): Promise<number> {
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.resume()
  const { milliseconds } = await measure(child)
  if (child.exitCode === 0) return milliseconds
  throw new Error(`${command.join(' ')} failed`)
}
