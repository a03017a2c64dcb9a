/** Runs the main action for end-to-end tests: the committed bundle as a step of a job, and the simulator as the service. */
import { expect } from '@jest/globals'
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/index.ts'
import { onCleanUp } from '../support/clean-up.ts'
import { checkFinishedRun } from '../support/finished-run.ts'
import { outputsSchema } from '../support/outputs.ts'
import { runAction, type RunOptions } from '../support/runner.ts'
import { API_KEY, subscriptionSecrets, subscriptionText } from '../support/samples.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'

/** The default of `records-path`. */
export const FILE = 'notarization-records.jsonl'

/** Starts a service for the tests of a file. By default any hash may be completed without a request. */
export async function startService(options: SimulatorOptions = {}): Promise<Simulator> {
  const service = await startSimulator({ requested: 'any', apiKeys: [API_KEY], ...options })
  onCleanUp(() => void service.close())
  return service
}

/** Creates a workspace with these files below `dist`. */
export function makeRelease(files: Readonly<Record<string, string>>): Workspace {
  const below = Object.entries(files).map(([name, content]) => [`dist/${name}`, content] as const)
  return makeWorkspace(Object.fromEntries(below))
}

/** Calls {@link makeRelease} with a file for each letter, whose name and content are the letter. */
export function makeLetters(letters: string): Workspace {
  return makeRelease(Object.fromEntries(Array.from(letters, letter => [letter, letter])))
}

interface Scenario extends RunOptions {
  /** Sets `base-url`, unless `inputs` does. */
  readonly service?: Simulator
  /** The run fails regardless of its counts: it was canceled, or has a bug. */
  readonly mustFail?: boolean
  /** In addition to the secrets of the samples and of the service. */
  readonly alsoSecret?: readonly string[]
}

/**
 * Runs the main action and checks what must hold for every run. By default it registers `dist` at the service, keeps records
 * if there is an artifact service, and has one file, `dist/a`.
 */
export async function notarize(scenario: Scenario = {}) {
  const { service, mustFail = false, alsoSecret = [], ...options } = scenario
  const keepRecords = String(options.env?.['ACTIONS_RESULTS_URL'] !== undefined)
  const secret = { 'api-key': API_KEY, subscription: subscriptionText }
  const usual = { ...secret, 'base-url': service?.url, path: 'dist', 'keep-records': keepRecords }
  const inputs = { ...usual, ...options.inputs }
  const tokensBefore = service?.tokens.length ?? 0
  const run = await runAction({ workspace: makeLetters('a'), ...options, inputs })
  checkFinishedRun(run, [...secretsOf(service), ...alsoSecret], mustFail)
  const newTokens = service?.tokens.slice(tokensBefore) ?? []
  expect(run.masks).toEqual(expect.arrayContaining(newTokens))
  return { ...run, results: outputsSchema.parse(run.outputs) }
}

/** Returns all secrets of runs against this service. */
export function secretsOf(service?: Simulator): readonly string[] {
  return [API_KEY].concat(subscriptionSecrets, service?.tokens ?? [])
}
