/**
 * An imitation of the runner: one run of the committed bundle as a step of a job, in a process of its own with a clean
 * environment. End-to-end tests and the demo use it.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { readActionFile } from './action-file.ts'
import { onCleanUp } from './clean-up.ts'
import { parseKeyValues } from './command-files.ts'
import { readLog, type StepLog } from './commands.ts'
import {
  makeInputEnvironment,
  makeJobEnvironment,
  makeStepFiles,
  type Values,
} from './runner-environment.ts'
import { makeTemporaryFolder, makeWorkspace, type Workspace } from './workspace.ts'

const repository = resolve(import.meta.dirname, '../..')

/** How an action runs. */
export interface RunOptions {
  /** Default: a new, empty one. A second run in the same one is a later step of the same job. */
  readonly workspace?: Workspace
  /** By their names in `action.yml`; an input that is missing or undefined has its default. */
  readonly inputs?: Values
  /** Set over everything else; undefined takes a variable away. */
  readonly env?: Values
  /** What the workflow has in `secrets.*`: masked from the start. */
  readonly secrets?: readonly string[]
  /** Default: `action.yml`. */
  readonly actionFile?: string
  /** For Node, before the script. */
  readonly nodeArguments?: readonly string[]
  /** After this the process is killed. Default: 60 s. */
  readonly timeoutMs?: number
}

/** What became of a run, and all it left behind; the log is that of both streams. */
export interface ActionRun extends StepLog {
  /** Null when a signal ended the process. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** True when it was killed at its deadline. */
  readonly timedOut: boolean
  readonly stdout: string
  readonly stderr: string
  readonly outputs: Readonly<Record<string, string>>
  /** The whole text, also when the platform would refuse its size. */
  readonly summary: string
  /** Contents of the files behind GITHUB_ENV, GITHUB_PATH and GITHUB_STATE. */
  readonly otherCommands: string
  readonly workspace: Workspace
  /** The text of the file that the output `checksums-path` names; empty without one. */
  readonly checksums: string
}

/** The process of a step, without input; both its streams give strings. */
export type StepProcess = ChildProcessByStdio<null, Readable, Readable>

/** An action that runs. */
export interface StartedAction {
  /** For signals. */
  readonly child: StepProcess
  /** Rejects when the process cannot be started, or when the runner would refuse its output file. */
  readonly finished: Promise<ActionRun>
}

let committedAction: string | undefined

/** Copies what a workflow gets of this repository to an empty folder, once per test file. */
function copyCommittedAction(): string {
  if (committedAction === undefined || !existsSync(committedAction)) {
    if (!existsSync(join(repository, 'dist'))) throw new Error('dist is missing: npm run build')
    committedAction = makeTemporaryFolder()
    for (const name of ['dist', 'action.yml']) {
      cpSync(join(repository, name), join(committedAction, name), { recursive: true })
    }
  }
  return committedAction
}

/** Starts the action and gives its process, so that a test can send signals. */
export function startAction(options: RunOptions = {}): StartedAction {
  const { workspace = makeWorkspace(), inputs = {}, secrets = [], nodeArguments = [] } = options
  const { actionFile = 'action.yml', timeoutMs = 60_000 } = options
  const action = readActionFile(join(repository, actionFile))
  const script = join(copyCommittedAction(), dirname(actionFile), action.main)

  const files = makeStepFiles(workspace)
  const jobValues = makeJobEnvironment(workspace)
  const inputValues = makeInputEnvironment(action, inputs)
  const env = { ...jobValues, ...files, ...inputValues, ...options.env }

  const deadline = AbortSignal.timeout(timeoutMs)
  const child = spawn(process.execPath, [...nodeArguments, script], {
    cwd: workspace.root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: deadline,
    killSignal: 'SIGKILL',
  })
  const forget = onCleanUp(() => child.kill('SIGKILL'))
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const finished = waitForEnd(child)
    .finally(forget)
    .then((ending): ActionRun => {
      const read = (file: string): string => (file === '' ? '' : readFileSync(file, 'utf8'))
      const outputs = parseKeyValues(read(files.GITHUB_OUTPUT))
      return {
        ...ending,
        timedOut: deadline.aborted && ending.signal === 'SIGKILL',
        stdout: stdout.join(''),
        stderr: stderr.join(''),
        ...readLog([...stdout, ...stderr].join(''), secrets),
        outputs,
        summary: read(files.GITHUB_STEP_SUMMARY),
        otherCommands: read(files.GITHUB_ENV) + read(files.GITHUB_PATH) + read(files.GITHUB_STATE),
        workspace,
        checksums: read(outputs['checksums-path'] ?? ''),
      }
    })
  // A test may be busy elsewhere when this rejects; it gets the error when it awaits.
  finished.catch(() => undefined)
  return { child, finished }
}

/** Gives all that a stream brings, until then and from now on. */
function collect(stream: Readable): readonly string[] {
  const parts: string[] = []
  stream.setEncoding('utf8').on('data', (part: string) => parts.push(part))
  return parts
}

/** Runs the action to its end. */
export function runAction(options: RunOptions = {}): Promise<ActionRun> {
  return startAction(options).finished
}

/** Waits until the process has ended and both streams are read; rejects when it could not be started. */
function waitForEnd(child: StepProcess): Promise<Pick<ActionRun, 'exitCode' | 'signal'>> {
  return new Promise((resolveWith, reject) => {
    child.on('error', error => {
      // Of a process that is killed at its deadline.
      if (error.name !== 'AbortError') reject(error)
    })
    child.once('close', (exitCode, signal) => {
      resolveWith({ exitCode, signal })
    })
  })
}
