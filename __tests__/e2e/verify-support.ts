/** Runs the verify action for end-to-end tests and checks what holds for every run. */
import { statSync } from 'node:fs'
import { expect } from '@jest/globals'
import { checkFinishedRun, filesBelow } from '../support/finished-run.ts'
import { readVerifyOutputs, type VerifyOutputs } from '../support/outputs.ts'
import { runAction, type ActionRun, type RunOptions } from '../support/runner.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'

/** A run that has passed all checks, with its outputs read. */
export type VerifyRun = ActionRun & { readonly outcome: VerifyOutputs }

export interface VerifyScenario extends RunOptions {
  /** The run fails even if everything matches, for example after a signal. */
  readonly mustFail?: boolean
}

/** Runs the verify action, with `path: dist` unless `inputs` says otherwise. */
export async function verify(scenario: VerifyScenario): Promise<VerifyRun> {
  const { workspace = makeWorkspace(), mustFail = false, ...options } = scenario
  const before = filesOf(workspace)
  const inputs = { path: 'dist', ...options.inputs }
  const run = await runAction({ actionFile: 'verify/action.yml', workspace, ...options, inputs })
  checkFinishedRun(run, { secrets: run.masks, mustFail })
  // The action only reads.
  expect(filesOf(workspace)).toEqual(before)
  return { ...run, outcome: readVerifyOutputs(run) }
}

/** Lists the files of a workspace, except the runner's own, with size and time. */
function filesOf({ root, temp }: Workspace): readonly string[] {
  const files = [root, temp].flatMap(filesBelow).filter(file => !file.includes('_runner_file_'))
  return files.map(file => {
    const { size, mtimeMs } = statSync(file)
    return `${file} ${size} ${mtimeMs}`
  })
}

/** Returns each artifact with its state, in the order of the output, then each missing record. */
export function statesOf({ outcome }: VerifyRun): readonly string[] {
  return (outcome.results ?? []).map(({ artifact, state }) => `${artifact} ${state}`)
}
