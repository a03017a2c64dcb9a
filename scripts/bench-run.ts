/**
 * Runs the committed bundle, and the programs it is compared with, as child processes: with the environment of the
 * runner, and with nothing else that takes time.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { devNull } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { readActionFile } from '../__tests__/support/action-file.ts'
import { parseKeyValues } from '../__tests__/support/command-files.ts'
import {
  makeInputEnvironment,
  makeJobEnvironment,
  makeStepFiles,
} from '../__tests__/support/runner-environment.ts'
import type { Values } from '../__tests__/support/runner-environment.ts'
import type { Workspace } from '../__tests__/support/workspace.ts'
import { onCleanUp } from '../__tests__/support/clean-up.ts'

const REPOSITORY = resolve(import.meta.dirname, '..')
const ENTRY = join(REPOSITORY, 'dist', 'index.js')
const action = readActionFile(join(REPOSITORY, 'action.yml'))

/** One run of the action. */
export interface ActionRun {
  readonly workspace: Workspace
  readonly inputs: Values
  /** What must come out of it, so that nobody measures how fast it fails. */
  readonly expected: { readonly verdict: string; readonly artifacts: number }
  /** For Node, before the script. */
  readonly nodeArguments?: readonly string[]
}

/** Runs the action to its end and gives the milliseconds from start to end. Throws if it did not do its work. */
export function timeAction({ workspace, inputs, expected, nodeArguments = [] }: ActionRun): number {
  rmSync(workspace.path('notarization-records.jsonl'), { force: true })
  const files = makeStepFiles(workspace)
  const job = makeJobEnvironment(workspace, files)
  const env = { ...job, ...makeInputEnvironment(action, inputs, job) }
  const log = join(workspace.temp, 'log')
  const command = [process.execPath, ...nodeArguments, ENTRY]
  const milliseconds = time(command, { cwd: workspace.root, env, log })
  const outputs = parseKeyValues(readFileSync(files.output, 'utf8'))
  const { verdict, 'artifact-count': count } = outputs
  if (verdict !== expected.verdict || count !== String(expected.artifacts)) {
    throw new Error(`a run did not do its work; the end of its log:\n${readEnd(log)}`)
  }
  return milliseconds
}

/** How a program is run. */
interface ProgramOptions {
  readonly cwd: string
  readonly env?: Values
  /** File for what it prints; none by default. */
  readonly log?: string
}

/** Runs a program to its end and gives the milliseconds from start to end. Throws if it fails or is not there. */
export function time(
  [program = '', ...args]: readonly string[],
  { cwd, env = pickEnvironment(), log = devNull }: ProgramOptions,
): number {
  const output = openSync(log, 'w')
  const startedAt = performance.now()
  const { status, error } = spawnSync(program, args, {
    ...{ cwd, env, stdio: ['ignore', output, output] },
  })
  const milliseconds = performance.now() - startedAt
  closeSync(output)
  if (status === 0) return milliseconds
  const why = error?.message ?? `exit code ${status ?? 'none'}`
  throw new Error(`${program} failed (${why}); the end of its log:\n${readEnd(log)}`)
}

function pickEnvironment(): Values {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'] }
}

function readEnd(file: string): string {
  return readFileSync(file, 'utf8').slice(-2000)
}

/** Prints the most memory that its process ever had, in KiB; the kernel counts, where it can be asked for it. */
const measureMemory = `
import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
const read = () => {
  try {
    return /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]
  } catch {
    return String(process.resourceUsage().maxRSS)
  }
}
if (isMainThread) process.on('exit', () => writeFileSync(FILE, read()))
`

/** Runs the action and gives its peak memory in MiB. */
export function measurePeakMiB(run: ActionRun): number {
  const file = join(run.workspace.temp, 'peak')
  const script = measureMemory.replace('FILE', JSON.stringify(file))
  const url = `data:text/javascript,${encodeURIComponent(script)}`
  timeAction({ ...run, nodeArguments: ['--import', url] })
  return Number(readFileSync(file, 'utf8')) / 1024
}

/** Gives the work the URL of a simulator in a process of its own. */
export async function withSimulator<T>(latencyMs: number, work: (url: string) => T): Promise<T> {
  const script = join(import.meta.dirname, 'bench-simulator.ts')
  const args = ['--disable-warning=ExperimentalWarning', script, String(latencyMs)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const forget = onCleanUp(() => child.kill())
  const ended = once(child, 'exit')
  const url = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  if (url.done === true) throw new Error('the simulator did not start')
  const result = work(url.value)
  child.stdin.end()
  await ended
  forget()
  return result
}
