/** What the end-to-end tests of the verify action share: the committed bundle, and what holds for each run. */
import { statSync } from 'node:fs'
import { expect } from '@jest/globals'
import { checkFinishedRun, filesBelow } from '../support/finished-run.ts'
import { readVerifyOutputs, type VerifyOutputs } from '../support/outputs.ts'
import {
  startAction,
  type ActionRun,
  type RunOptions,
  type StepProcess,
} from '../support/runner.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'

/** A run that has passed all checks, with its outputs read. */
export type VerifyRun = ActionRun & { readonly outcome: VerifyOutputs }

/** One scenario; an input that is missing has its default in `verify/action.yml`, but for `path: dist`. */
export interface VerifyScenario extends RunOptions {
  /** It fails whatever it finds, as after a signal. */
  readonly mustFail?: boolean
  /** Called with the process once it is started, for signals. */
  readonly onStart?: (child: StepProcess) => void
}

/** Runs the verify action and checks what holds for every run. */
export async function verify(scenario: VerifyScenario): Promise<VerifyRun> {
  const { workspace = makeWorkspace(), mustFail = false, onStart, ...options } = scenario
  const before = filesOf(workspace)
  const inputs = { path: 'dist', ...options.inputs }
  const started = startAction({ actionFile: 'verify/action.yml', workspace, ...options, inputs })
  onStart?.(started.child)
  const run = await started.finished
  checkFinishedRun(run, { secrets: run.masks, mustFail })
  // Nothing is written but the files of the runner.
  expect(filesOf(workspace)).toEqual(before)
  return { ...run, outcome: readVerifyOutputs(run) }
}

/** The files of a workspace but those of the runner, each with what shows a change. */
function filesOf({ root, temp }: Workspace): readonly string[] {
  const files = [root, temp].flatMap(filesBelow).filter(file => !file.includes('_runner_file_'))
  return files.map(file => {
    const { size, mtimeMs } = statSync(file)
    return `${file} ${size} ${mtimeMs}`
  })
}

/** Each artifact with its state, in the order of the output; then each missing record. */
export function statesOf({ outcome }: VerifyRun): readonly string[] {
  return (outcome.results ?? []).map(({ artifact, state }) => `${artifact} ${state}`)
}
