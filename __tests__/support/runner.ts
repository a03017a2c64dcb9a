/**
 * A look-alike of the runner: one run of the committed bundle as a step of a job, in a child process of its own.
 * End-to-end tests, the demo and the benchmark share it.
 */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { readActionFile } from './action-file.ts'
import { onCleanUp } from './clean-up.ts'
import { parseKeyValues, passOnOutputs } from './command-files.ts'
import type { Command } from './commands.ts'
import { makeInputEnvironment, makeJobEnvironment, makeStepFiles } from './runner-environment.ts'
import type { StepFiles, Values } from './runner-environment.ts'
import { collect, waitForEnd } from './step-process.ts'
import type { StepProcess } from './step-process.ts'
import { StepLog } from './step-log.ts'
import type { Annotations } from './step-log.ts'
import { makeTemporaryFolder, makeWorkspace } from './workspace.ts'
import type { Workspace } from './workspace.ts'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const DEFAULT_TIMEOUT_MS = 60_000

export interface RunOptions {
  /** Default: a new, empty one. A second run in the same one is a later step of the same job. */
  readonly workspace?: Workspace
  /** By their names in `action.yml`; an input that is missing or undefined has its default. */
  readonly inputs?: Values
  /** Set over everything else; undefined takes a variable away. */
  readonly env?: Values
  /** What the workflow holds in `secrets.*`: masked from the start. */
  readonly secrets?: readonly string[]
  /** Folder of the action. Default: a copy of the committed `dist` and `action.yml`, alone. */
  readonly actionFolder?: string
  /** Relative to the folder. Default: `action.yml`. */
  readonly actionFile?: string
  /** The script, relative to the folder. Default: `runs.main` of the action file. */
  readonly entry?: string
  /** For Node, before the script. */
  readonly nodeArguments?: readonly string[]
  /** After this the process is killed. Default: 60 s. */
  readonly timeoutMs?: number
  /** In place of `timeoutMs`: the process is killed when it aborts. */
  readonly deadline?: AbortSignal
}

/** What became of a run, and all it left behind. */
export interface ActionRun {
  /** Null when a signal ended the process. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** True when it was killed at its deadline. */
  readonly timedOut: boolean
  /** From the start of the process to the end of its output. */
  readonly durationMs: number
  readonly stdout: string
  readonly stderr: string
  /** Both streams as lines, in the order of their arrival. */
  readonly lines: readonly string[]
  /** The workflow commands among the lines: the runner minds both streams. */
  readonly commands: readonly Command[]
  readonly masks: readonly string[]
  readonly annotations: Annotations
  /** The log as the runner shows it, masked. */
  readonly visibleLog: string
  readonly outputs: Readonly<Record<string, string>>
  /** The outputs that would reach other jobs. */
  readonly jobOutputs: Readonly<Record<string, string>>
  /** The whole text, also when the platform would refuse its size. */
  readonly summary: string
  readonly summaryBytes: number
  /** Contents of the files behind GITHUB_ENV, GITHUB_PATH and GITHUB_STATE. */
  readonly env: string
  readonly path: string
  readonly state: string
  readonly workspace: Workspace
  readonly files: {
    /** The parsed lines of the file that the output `records-path` names; empty without the file. */
    readRecords(): unknown[]
    /** The text of the file that the output `checksums-path` names; undefined when that is empty. */
    readChecksums(): string | undefined
  }
}

export interface StartedAction {
  /** For signals. Both streams give strings. */
  readonly child: StepProcess
  /** Rejects when the process cannot be started, or when the runner would refuse its output file. */
  readonly finished: Promise<ActionRun>
  readonly workspace: Workspace
}

let committedAction: string | undefined

/** Copies what a workflow gets of this repository to an empty folder, once per process (or test file). */
function copyCommittedAction(): string {
  if (committedAction === undefined || !existsSync(committedAction)) {
    if (!existsSync(join(REPOSITORY, 'dist'))) {
      throw new Error('dist is missing; run "npm run build" first')
    }
    committedAction = makeTemporaryFolder()
    for (const name of ['dist', 'action.yml']) {
      cpSync(join(REPOSITORY, name), join(committedAction, name), { recursive: true })
    }
  }
  return committedAction
}

/** Starts the action and gives its process, so that a test can send signals. */
export function startAction(options: RunOptions = {}): StartedAction {
  const { workspace = makeWorkspace(), inputs = {}, secrets = [], nodeArguments = [] } = options
  const folder = options.actionFolder ?? copyCommittedAction()
  const actionFile = join(options.actionFolder ?? REPOSITORY, options.actionFile ?? 'action.yml')
  const action = readActionFile(actionFile)
  const main = join(relative(options.actionFolder ?? REPOSITORY, dirname(actionFile)), action.main)

  const files = makeStepFiles(workspace)
  const jobValues = makeJobEnvironment(workspace, files)
  const env: Values = {
    ...jobValues,
    ...makeInputEnvironment(action, inputs, jobValues),
    ...options.env,
  }

  const deadline = options.deadline ?? AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...nodeArguments, join(folder, options.entry ?? main)], {
    cwd: workspace.root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: deadline,
    killSignal: 'SIGKILL',
  })
  const forget = onCleanUp(() => child.kill('SIGKILL'))
  const log = new StepLog(secrets, env['RUNNER_DEBUG'] === '1')
  const stdout = collect(child.stdout, log)
  const stderr = collect(child.stderr, log)
  const finished = waitForEnd(child)
    .finally(forget)
    .then((ending): ActionRun => {
      const durationMs = performance.now() - startedAt
      const outputs = parseKeyValues(readFileSync(files.output, 'utf8'))
      return {
        ...ending,
        timedOut: deadline.aborted && ending.signal === 'SIGKILL',
        durationMs,
        stdout: stdout(),
        stderr: stderr(),
        lines: log.lines,
        commands: log.commands,
        masks: log.masks,
        annotations: log.annotations,
        visibleLog: log.visible,
        outputs,
        jobOutputs: passOnOutputs(outputs, log.masks),
        ...readStepFiles(files),
        workspace,
        files: {
          readRecords: () => readRecords(workspace, outputs['records-path'] ?? ''),
          readChecksums: () => {
            const file = outputs['checksums-path'] ?? ''
            return file === '' ? undefined : workspace.read(file)
          },
        },
      }
    })
  // A test may be busy elsewhere when this rejects; it gets the error when it awaits.
  finished.catch(() => undefined)
  return { child, finished, workspace }
}

/** Runs the action to its end. */
export function runAction(options: RunOptions = {}): Promise<ActionRun> {
  return startAction(options).finished
}

function readStepFiles(
  files: StepFiles,
): Pick<ActionRun, 'summary' | 'summaryBytes' | 'env' | 'path' | 'state'> {
  const summary = readFileSync(files.summary)
  return {
    summary: summary.toString(),
    summaryBytes: summary.length,
    env: readFileSync(files.env, 'utf8'),
    path: readFileSync(files.path, 'utf8'),
    state: readFileSync(files.state, 'utf8'),
  }
}

function readRecords(workspace: Workspace, file: string): unknown[] {
  if (file === '' || !workspace.exists(file)) return []
  const lines = workspace.read(file).split('\n')
  return lines.filter(line => line !== '').map((line): unknown => JSON.parse(line))
}
