/** Runs the committed bundle, and the programs it is compared with, and measures them. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startAction, type RunOptions } from '../__tests__/support/runner.ts'
import type { Workspace } from '../__tests__/support/workspace.ts'

/** One run of the action. */
export interface BenchRun extends RunOptions {
  readonly workspace: Workspace
  /** What must come out of it, so that nobody measures how fast it fails. */
  readonly verdict: string
  readonly artifacts: number
}

async function timeChild(child: ChildProcess): Promise<number> {
  const startedAt = performance.now()
  await once(child, 'close')
  return performance.now() - startedAt
}

/** Runs the action to its end; resolves to its milliseconds. Rejects if it did not do its work. */
export async function timeAction(run: BenchRun): Promise<number> {
  if (run.workspace.exists('notarization-records.jsonl')) {
    run.workspace.write('notarization-records.jsonl', '')
  }
  const { child, finished } = startAction({ ...run, timeoutMs: 600_000 })
  const milliseconds = await timeChild(child)
  const { outputs, visibleLog } = await finished
  const { verdict, 'artifact-count': count } = outputs
  if (verdict === run.verdict && count === String(run.artifacts)) return milliseconds
  throw new Error(`a run did not do its work; the end of its log:\n${visibleLog.slice(-2000)}`)
}

/** Runs a program to its end; resolves to its milliseconds. Rejects if it fails. */
export async function timeProgram(command: readonly string[], cwd: string): Promise<number> {
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.resume()
  const milliseconds = await timeChild(child)
  if (child.exitCode === 0) return milliseconds
  throw new Error(`${command.join(' ')} failed`)
}

/** Writes the most memory that its process ever had, in KiB, to a file; the kernel counts. */
const measureMemory = `
import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
const peak = () => /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]
if (isMainThread) process.on('exit', () => writeFileSync(FILE, peak()))
`

/** Runs the action; resolves to its peak memory in MiB. Linux only. */
export async function measurePeakMiB(run: BenchRun): Promise<number> {
  const file = join(run.workspace.temp, 'peak')
  const script = measureMemory.replace('FILE', JSON.stringify(file))
  const url = `data:text/javascript,${encodeURIComponent(script)}`
  await timeAction({ ...run, nodeArguments: ['--import', url] })
  return Number(readFileSync(file, 'utf8')) / 1024
}
