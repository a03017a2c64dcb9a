import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ActionFile } from './action-file.ts'
import type { Workspace } from './workspace.ts'

/** Values by name; undefined takes a variable away. */
export type Values = Readonly<Record<string, string | undefined>>

/** The files through which a step talks to the runner, absolute. */
export interface StepFiles {
  readonly output: string
  readonly summary: string
  readonly state: string
  readonly env: string
  readonly path: string
  readonly event: string
}

/** The job that every step of these tests belongs to. */
export const job = {
  repository: 'octo/app',
  owner: 'octo',
  actor: 'octocat',
  sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
  ref: 'refs/tags/v1.2.3',
  refName: 'v1.2.3',
  runId: '1658821493',
  runNumber: '17',
  runAttempt: '1',
} as const

const pushEvent = {
  ref: job.ref,
  before: '0000000000000000000000000000000000000000',
  after: job.sha,
  repository: { name: 'app', full_name: job.repository, owner: { login: job.owner } },
  sender: { login: job.actor },
} as const

const systems: Values = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }
const architectures: Values = { x64: 'X64', arm64: 'ARM64', arm: 'ARM', ia32: 'X86' }

/** What a process needs of the machine itself; everything else of ours stays away from the action. */
const KEPT = ['PATH', 'HOME', 'SystemRoot', 'USERPROFILE'] as const

let stepNumber = 0

/** Makes the empty files of one more step in RUNNER_TEMP, where the runner has them. */
export function makeStepFiles(workspace: Workspace): StepFiles {
  stepNumber += 1
  const folder = join(workspace.temp, '_runner_file_commands')
  const make = (name: string, content = ''): string => {
    const file = join(folder, `${name}_${stepNumber}`)
    writeFileSync(file, content)
    return file
  }
  mkdirSync(folder, { recursive: true })
  return {
    output: make('set_output'),
    summary: make('step_summary'),
    state: make('save_state'),
    env: make('set_env'),
    path: make('add_path'),
    event: make('event', JSON.stringify(pushEvent)),
  }
}

/** The environment that the runner gives to every step. */
export function makeJobEnvironment(workspace: Workspace, files: StepFiles): Values {
  return {
    ...Object.fromEntries(KEPT.map(name => [name, process.env[name]])),
    CI: 'true',
    GITHUB_ACTION: '__octo_notarize-release',
    GITHUB_ACTION_REF: 'v1',
    GITHUB_ACTION_REPOSITORY: 'octo/notarize-release',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTOR: job.actor,
    GITHUB_API_URL: 'https://api.github.com',
    GITHUB_ENV: files.env,
    GITHUB_EVENT_NAME: 'push',
    GITHUB_EVENT_PATH: files.event,
    GITHUB_JOB: 'release',
    GITHUB_OUTPUT: files.output,
    GITHUB_PATH: files.path,
    GITHUB_REF: job.ref,
    GITHUB_REF_NAME: job.refName,
    GITHUB_REF_TYPE: 'tag',
    GITHUB_REPOSITORY: job.repository,
    GITHUB_REPOSITORY_OWNER: job.owner,
    GITHUB_RUN_ATTEMPT: job.runAttempt,
    GITHUB_RUN_ID: job.runId,
    GITHUB_RUN_NUMBER: job.runNumber,
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_SHA: job.sha,
    GITHUB_STATE: files.state,
    GITHUB_STEP_SUMMARY: files.summary,
    GITHUB_WORKFLOW: 'release',
    GITHUB_WORKSPACE: workspace.root,
    RUNNER_ARCH: architectures[process.arch] ?? process.arch,
    RUNNER_NAME: 'runner of the tests',
    RUNNER_OS: systems[process.platform] ?? process.platform,
    RUNNER_TEMP: workspace.temp,
    RUNNER_TOOL_CACHE: join(workspace.temp, '_tool'),
  }
}

/**
 * Gives every declared input its INPUT_ variable, hyphens kept, with its default where none is given.
 * Throws for an input that is not declared, and for a default with an expression that is not known here.
 */
export function makeInputEnvironment(
  action: ActionFile,
  inputs: Values,
  jobValues: Values,
): Values {
  const unknown = Object.keys(inputs).find(name => !action.inputs.has(name))
  if (unknown !== undefined) throw new Error(`The action declares no input "${unknown}"`)
  return Object.fromEntries(
    [...action.inputs].map(([name, fallback]) => [
      `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
      inputs[name] ?? evaluate(fallback, jobValues),
    ]),
  )
}

/** Evaluates `${{ github.name }}` with the variable of that name; the token is empty. */
function evaluate(text: string, jobValues: Values): string {
  return text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (all, expression: string) => {
    const [, name] = /^github\.(\w+)$/.exec(expression) ?? []
    const value = name === 'token' ? '' : jobValues[`GITHUB_${(name ?? '').toUpperCase()}`]
    if (value === undefined) throw new Error(`The default ${all} is not known; give the input`)
    return value
  })
}
