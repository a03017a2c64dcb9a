/** Runs the main action for end-to-end tests: the committed bundle as a step of a job, and the simulator as the service. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect } from '@jest/globals'
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/index.ts'
import { cleanUp, onCleanUp } from '../support/clean-up.ts'
import { checkFinishedRun } from '../support/finished-run.ts'
import { outputsSchema, type Outputs } from '../support/outputs.ts'
import { runAction, type ActionRun, type RunOptions } from '../support/runner.ts'
import { API_KEY, subscriptionSecrets, subscriptionText } from '../support/samples.ts'
import { makeTemporaryFolder, makeWorkspace, type Workspace } from '../support/workspace.ts'

/** The default of `records-path`. */
export const FILE = 'notarization-records.jsonl'

afterAll(cleanUp)

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

export interface Scenario extends RunOptions {
  /** Sets `base-url`, unless `inputs` does. */
  readonly service?: Simulator
  /** The run fails regardless of its counts: it was canceled, or has a bug. */
  readonly mustFail?: boolean
  /** In addition to the secrets of the samples and of the service. */
  readonly alsoSecret?: readonly string[]
}

/** A run that passed all checks, with its outputs. */
export type CheckedRun = ActionRun & { readonly results: Outputs }

/**
 * Runs the main action and checks what must hold for every run. By default `api-key`, `base-url`, `subscription`,
 * `path: dist` are set, and `keep-records` if there is an artifact service, and the workspace has one file, `dist/a`.
 */
export async function notarize(scenario: Scenario = {}): Promise<CheckedRun> {
  const { service, mustFail = false, alsoSecret = [], ...options } = scenario
  const inputs = {
    'api-key': API_KEY,
    'base-url': service?.url ?? '',
    subscription: subscriptionText,
    path: 'dist',
    'keep-records': String(options.env?.['ACTIONS_RESULTS_URL'] !== undefined),
    ...options.inputs,
  }
  const tokensBefore = service?.tokens.length ?? 0
  const run = await runAction({ workspace: makeLetters('a'), ...options, inputs })
  checkFinishedRun(run, [...secretsOf(service), ...alsoSecret], mustFail)
  const newTokens = service?.tokens.slice(tokensBefore) ?? []
  expect(run.masks).toEqual(expect.arrayContaining(newTokens))
  return { ...run, results: outputsSchema.parse(run.outputs) }
}

/** Returns arguments for Node that run a script before the action, in the same process. */
export function after(script: string): readonly string[] {
  const file = join(makeTemporaryFolder(), 'first.cjs')
  writeFileSync(file, script)
  return ['--require', file]
}

/** Calls {@link after} with code that runs as soon as the process listens for an event. */
export function whenListening(event: string, code: string): readonly string[] {
  return after(`process.on('newListener', event => { if (event === '${event}') ${code} })`)
}

/** Throws an error that nothing catches. */
export const boom = 'setImmediate(() => { throw new Error("boom") })'

/** Makes Node look like an old version. */
export const asNode20 = `Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })`

/** Returns all secrets of runs against this service. */
export function secretsOf(service?: Simulator): readonly string[] {
  return [API_KEY].concat(subscriptionSecrets, service?.tokens ?? [])
}

/** Returns the end of each artifact: `registered`, or the code and certainty of its failure. */
export function endsOf({ results }: CheckedRun): Readonly<Record<string, string>> {
  const ends = (results.records ?? []).map(({ artifact }) => [artifact, 'registered'] as const)
  const failures = results.failures.map(
    ({ artifact, code, registered }) => [artifact, `${code}/${registered}`] as const,
  )
  return Object.fromEntries([...ends, ...failures])
}
