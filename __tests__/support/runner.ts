/** Runs the committed bundle as a step of a job: in separate processes with a clean environment, as the runner does. */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { assertFreshDist } from '../../scripts/stamp.ts'
import { readActionFile } from './action-file.ts'
import { onCleanUp } from './clean-up.ts'
import { parseKeyValues, readLog, type StepLog } from './commands.ts'
import { makeTemporaryFolder, makeWorkspace, type Workspace } from './workspace.ts'

const repository = resolve(import.meta.dirname, '../..')

/** Values by name; undefined unsets a variable. */
type Values = Readonly<Record<string, string | undefined>>

/** The job of every step in these tests. */
export const job = {
  sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
  ref: 'refs/tags/v1.2.3',
  refName: 'v1.2.3',
  runId: '1658821493',
} as const

/** The only variables of the test process that the action sees. */
const inherited = ['PATH', 'HOME', 'SystemRoot', 'USERPROFILE'].map(
  name => [name, process.env[name]] as const,
)

/** The environment of every step, except its folders and files. */
const jobEnvironment: Values = {
  ...Object.fromEntries(inherited),
  CI: 'true',
  GITHUB_ACTION_REF: 'v1',
  GITHUB_ACTION_REPOSITORY: 'octo/notarize-release',
  GITHUB_ACTIONS: 'true',
  GITHUB_API_URL: 'https://api.github.com',
  GITHUB_REF: job.ref,
  GITHUB_REPOSITORY: 'octo/app',
  GITHUB_RUN_ATTEMPT: '1',
  GITHUB_RUN_ID: job.runId,
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_SHA: job.sha,
}

/** Returns the INPUT_ variables, with defaults. The default token is empty. Throws for an undeclared input. */
function makeInputEnvironment(declared: ReadonlyMap<string, string>, inputs: Values = {}): Values {
  const unknown = Object.keys(inputs).find(name => !declared.has(name))
  if (unknown !== undefined) throw new Error(`The action declares no input "${unknown}"`)
  const all = Array.from(declared, ([name, fallback]) => {
    const value = inputs[name] ?? fallback.replace('${{ github.token }}', '')
    return [`INPUT_${name.toUpperCase()}`, value] as const
  })
  return Object.fromEntries(all)
}

export interface RunOptions {
  /** Default: a new, empty one. A second run in the same workspace is a later step of the same job. */
  readonly workspace?: Workspace
  /** By name; a missing or undefined input has its default in the action file. */
  readonly inputs?: Values
  /** Overrides everything else; undefined unsets a variable. */
  readonly env?: Values
  /** Default: `action.yml`. */
  readonly actionFile?: string
  /** For Node, before the script. */
  readonly nodeArguments?: readonly string[]
  /** When the process is killed. Default: 60 s. */
  readonly timeoutMs?: number
  /** Called with the process, for example to send signals. */
  readonly onStart?: (child: StepProcess) => void
}

/** A finished run and everything that it left behind. */
export interface ActionRun extends StepLog {
  readonly workspace: Workspace
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
  /** Contents of the files behind GITHUB_ENV and GITHUB_PATH. */
  readonly otherCommands: string
}

/** The process of a step. It has no input, and its streams emit strings. */
export type StepProcess = ChildProcessByStdio<null, Readable, Readable>

let committedAction: string | undefined

/** Copies `dist` and `action.yml` to an empty folder, once per test file. Throws if `dist` is not what `src` builds. */
function copyCommittedAction(): string {
  if (committedAction === undefined || !existsSync(committedAction)) {
    assertFreshDist()
    committedAction = makeTemporaryFolder()
    for (const name of ['dist', 'action.yml']) {
      cpSync(join(repository, name), join(committedAction, name), { recursive: true })
    }
  }
  return committedAction
}

/**
 * Runs the action until its process has exited. Rejects if the process cannot be started or if the runner would reject its
 * output file.
 */
export async function runAction(options: RunOptions = {}): Promise<ActionRun> {
  const { nodeArguments = [], workspace = makeWorkspace(), actionFile = 'action.yml' } = options
  const { main, inputs } = readActionFile(join(repository, actionFile))
  const script = join(copyCommittedAction(), dirname(actionFile), main)
  const folder = mkdtempSync(join(workspace.temp, '_runner_file_commands'))
  const files = {
    GITHUB_ENV: join(folder, 'set_env'),
    GITHUB_OUTPUT: join(folder, 'set_output'),
    GITHUB_PATH: join(folder, 'add_path'),
    GITHUB_STEP_SUMMARY: join(folder, 'step_summary'),
  }
  for (const file of Object.values(files)) writeFileSync(file, '')
  const env = {
    ...jobEnvironment,
    GITHUB_WORKSPACE: workspace.root,
    RUNNER_TEMP: workspace.temp,
    ...files,
    ...makeInputEnvironment(inputs, options.inputs),
    ...options.env,
  }
  const child = spawn(process.execPath, [...nodeArguments, script], {
    cwd: workspace.root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.timeoutMs ?? 60_000,
    killSignal: 'SIGKILL',
  })
  onCleanUp(() => child.kill('SIGKILL'))
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part))
  options.onStart?.(child)
  await once(child, 'close')
  const read = (file: string): string => readFileSync(file, 'utf8')
  return {
    ...readLog(stdout + stderr),
    workspace,
    exitCode: child.exitCode,
    signal: child.signalCode,
    stdout,
    stderr,
    outputs: parseKeyValues(read(files.GITHUB_OUTPUT)),
    summary: read(files.GITHUB_STEP_SUMMARY),
    otherCommands: read(files.GITHUB_ENV) + read(files.GITHUB_PATH),
  }
}
