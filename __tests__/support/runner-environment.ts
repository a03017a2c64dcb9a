import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Workspace } from './workspace.ts'

/** Values by name; undefined unsets a variable. */
export type Values = Readonly<Record<string, string | undefined>>

/** The job of every step in these tests. */
export const job = {
  repository: 'octo/app',
  sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
  ref: 'refs/tags/v1.2.3',
  refName: 'v1.2.3',
  runId: '1658821493',
  runAttempt: '1',
} as const

/** The only variables of the test process that the action sees. */
const inherited = ['PATH', 'HOME', 'SystemRoot', 'USERPROFILE'] as const

let stepNumber = 0

/** Creates the files of a new step in RUNNER_TEMP and returns their paths by variable. */
export function makeStepFiles(workspace: Workspace) {
  stepNumber += 1
  const folder = join(workspace.temp, '_runner_file_commands')
  mkdirSync(folder, { recursive: true })
  const make = (name: string, content = ''): string => {
    const file = join(folder, `${name}_${stepNumber}`)
    writeFileSync(file, content)
    return file
  }
  const event = { ref: job.ref, after: job.sha, repository: { full_name: job.repository } }
  return {
    GITHUB_ENV: make('set_env'),
    GITHUB_EVENT_PATH: make('event', JSON.stringify(event)),
    GITHUB_OUTPUT: make('set_output'),
    GITHUB_PATH: make('add_path'),
    GITHUB_STATE: make('save_state'),
    GITHUB_STEP_SUMMARY: make('step_summary'),
  }
}

/** Returns the environment of every step, except its files. */
export function makeJobEnvironment(workspace: Workspace): Values {
  return {
    ...Object.fromEntries(inherited.map(name => [name, process.env[name]])),
    CI: 'true',
    GITHUB_ACTION_REF: 'v1',
    GITHUB_ACTION_REPOSITORY: 'octo/notarize-release',
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: 'https://api.github.com',
    GITHUB_EVENT_NAME: 'push',
    GITHUB_REF: job.ref,
    GITHUB_REF_NAME: job.refName,
    GITHUB_REPOSITORY: job.repository,
    GITHUB_RUN_ATTEMPT: job.runAttempt,
    GITHUB_RUN_ID: job.runId,
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_SHA: job.sha,
    GITHUB_WORKSPACE: workspace.root,
    RUNNER_TEMP: workspace.temp,
  }
}

/** Returns the INPUT_ variables, with defaults. The default token is empty. Throws for an undeclared input. */
export function makeInputEnvironment(
  declared: ReadonlyMap<string, string>,
  inputs: Values,
): Values {
  const unknown = Object.keys(inputs).find(name => !declared.has(name))
  if (unknown !== undefined) throw new Error(`The action declares no input "${unknown}"`)
  return Object.fromEntries(
    Array.from(declared, ([name, fallback]) => {
      const value = inputs[name] ?? fallback.replace('${{ github.token }}', '')
      return [`INPUT_${name.toUpperCase()}`, value]
    }),
  )
}
