/** What the end-to-end tests about GitHub releases share: a run for the tag of a release, and what holds for each. */
import { expect } from '@jest/globals'
import type { Simulator } from '../../simulator/index.ts'
import { formsOf } from '../support/finished-run.ts'
import { startGitHub } from '../support/github.ts'
import type { AssetSeed, FakeGitHub, GitHubOptions } from '../support/github.ts'
import { job } from '../support/runner-environment.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { notarize, secretsOf, type CheckedRun, type Scenario } from './support.ts'

/** The tag that every run is for. */
export const TAG = job.refName

/** Assets with these texts by their names. */
export function assetsOf(texts: Readonly<Record<string, string>>): readonly AssetSeed[] {
  return Object.entries(texts).map(([name, content]) => ({ name, content }))
}

/** A GitHub with one release, whose tag points to the commit of the run. */
export function startRelease(
  assets: readonly AssetSeed[],
  options: GitHubOptions = {},
): Promise<FakeGitHub> {
  const tags = { [TAG]: { commit: job.sha } }
  return startGitHub({ releases: [{ tag: TAG, assets }], tags, ...options })
}

/** A run in a new workspace, unless it says otherwise. */
export interface ReleaseScenario extends Scenario {
  readonly github: FakeGitHub
  readonly service: Simulator
}

/** Runs the action for the release, attaching unless `inputs` says otherwise, and checks what holds for every run. */
export async function notarizeRelease(scenario: ReleaseScenario): Promise<CheckedRun> {
  const { github, service, inputs, env, ...options } = scenario
  const { token, url, calls, mistakes } = github
  const forRelease = {
    path: '',
    'release-tag': TAG,
    'attach-to-release': 'true',
    'github-token': token,
  }
  const run = await notarize({
    workspace: makeWorkspace(),
    ...options,
    service,
    inputs: { ...forRelease, ...inputs },
    env: { GITHUB_API_URL: url, ...env },
    alsoSecret: [token],
  })
  expect(run.masks).toContain(token)
  expect(mistakes).toEqual([])
  // What is for the service does not go to GitHub, nor the other way.
  const seen = JSON.stringify(
    calls.map(({ path, headers, body }) => [path, headers, body.toString()]),
  )
  expect(secretsOf(service).filter(secret => seen.includes(secret))).toEqual([])
  const seenByService = JSON.stringify(service.requests)
  expect(formsOf(token).filter(form => seenByService.includes(form))).toEqual([])
  return run
}
