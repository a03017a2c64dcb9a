/** What the end-to-end tests about GitHub releases share: a run for the tag of a release, and what holds for each. */
import { readFileSync } from 'node:fs'
import { expect } from '@jest/globals'
import type { Simulator } from '../../simulator/index.ts'
import { filesBelow } from '../support/finished-run.ts'
import { startGitHub } from '../support/github.ts'
import type { AssetSeed, FakeGitHub, GitHubOptions, ReleaseSeed } from '../support/github.ts'
import { runAction } from '../support/runner.ts'
import type { ActionRun, RunOptions } from '../support/runner.ts'
import { job } from '../support/runner-environment.ts'
import {
  API_KEY,
  checkEveryRun,
  makeLine,
  readOutputs,
  secretsOf,
  sha256,
  startService,
  subscriptionText,
  toJsonLines,
} from './support.ts'
import type { CheckedRun } from './support.ts'

/** The tag that the run of every test is for, unless it says otherwise. */
export const TAG = job.refName

/** The names under which records, checksums and evidence page are attached. */
export const RECORDS = 'notarization-records.jsonl'
export const CHECKSUMS = 'notarization-checksums.txt'
export const EVIDENCE = 'notarization-evidence.md'

/** A GitHub with one release, whose tag points to the commit of the run. */
export function startRelease(
  assets: readonly AssetSeed[],
  { release = {}, ...options }: GitHubOptions & { readonly release?: Partial<ReleaseSeed> } = {},
): Promise<FakeGitHub> {
  return startGitHub({
    releases: [{ tag: TAG, assets, ...release }],
    tags: { [TAG]: { commit: job.sha } },
    ...options,
  })
}

/** Assets with these texts by their names. */
export function assetsOf(texts: Readonly<Record<string, string>>): readonly AssetSeed[] {
  return Object.entries(texts).map(([name, content]) => ({ name, content }))
}

/** One scenario; the inputs have what a run for {@link TAG} needs, but for `path` and `checksums`. */
export interface Scenario extends RunOptions {
  readonly github: FakeGitHub
  readonly service: Simulator
  /** The run must fail although every artifact is registered. */
  readonly failsToAttach?: boolean
}

/** Runs the action for a release and applies what holds for every run. */
export async function notarizeRelease(scenario: Scenario): Promise<CheckedRun> {
  return checkRun(await runAction(optionsOf(scenario)), scenario)
}

/** The options for `runAction` or `startAction`. */
export function optionsOf({ github, service, inputs, env, ...options }: Scenario): RunOptions {
  return {
    ...options,
    inputs: {
      'api-key': API_KEY,
      'base-url': service.url,
      subscription: subscriptionText,
      'release-tag': TAG,
      'github-token': github.token,
      ...inputs,
    },
    env: { GITHUB_API_URL: github.url, ...env },
  }
}

/** Applies what holds for every run. */
export function checkRun(
  run: ActionRun,
  {
    github,
    service,
    failsToAttach = false,
  }: Pick<Scenario, 'github' | 'service' | 'failsToAttach'>,
): CheckedRun {
  checkToken(run, github, service)
  expect(github.mistakes).toEqual([])
  checkEveryRun(run, secretsOf(service), { mustFail: failsToAttach })
  return { ...run, results: readOutputs(run) }
}

/** The token goes to the API of GitHub in its header, and nowhere else; nothing that is for the service goes to GitHub. */
function checkToken(run: ActionRun, { token, calls }: FakeGitHub, service: Simulator): void {
  expect(run.masks).toContain(token)
  const said = run.lines.filter(line => !line.startsWith('::add-mask::'))
  const files = [run.workspace.root, run.workspace.temp].flatMap(filesBelow)
  const seenByGitHub = calls.map(({ origin, path, headers, body }) =>
    JSON.stringify([
      ...[path, body.toString()],
      origin === 'api' ? { ...headers, authorization: '' } : headers,
    ]),
  )
  const texts = [
    ...[said.join('\n'), run.stderr, run.summary, JSON.stringify(run.outputs)],
    ...files.map(file => readFileSync(file, 'utf8')),
    ...service.requests.map(request => JSON.stringify(request)),
    ...seenByGitHub,
  ]
  const forms = [token, Buffer.from(token).toString('base64').replace(/=+$/, '')]
  expect(texts.filter(text => forms.some(form => text.includes(form)))).toEqual([])
  const seen = seenByGitHub.join('\n')
  expect(secretsOf(service).filter(secret => seen.includes(secret))).toEqual([])
}

/** The lines of a text that ends with a newline. */
export function linesOf(text: string | undefined): string[] {
  return (text ?? '').split('\n').slice(0, -1)
}

/** How often each hash was completed, for a service that takes repetitions. */
export function completions(service: Simulator): Readonly<Record<string, number>> {
  return Object.fromEntries(service.completionCounts)
}

/** The inputs that attach. */
export const attach = { 'attach-to-release': 'true' } as const

/** A service that takes repetitions, so that a second payment would be seen. */
export const startPatientService = (): Promise<Simulator> => startService({ repeat: 'accept' })

/** The names of the assets that the release has. */
export function namesOf(github: FakeGitHub): string[] {
  return Object.keys(github.texts(TAG))
}

/** The lines of all versions of the records that the release holds, whatever their names. */
export function heldLines(github: FakeGitHub): string[] {
  return Object.entries(github.texts(TAG))
    .filter(([name]) => name.startsWith(RECORDS))
    .flatMap(([, text]) => linesOf(text))
}

/** The hashes of record lines, sorted; state lines are none. */
export function hashesOf(lines: readonly string[]): string[] {
  const records = lines.filter(line => line.includes('"record":'))
  return records.map(line => /"hash":"([0-9a-f]{64})"/.exec(line)?.[1] ?? '').toSorted()
}

/** The hashes of contents, sorted. */
export const hashesFor = (...contents: readonly string[]): string[] =>
  contents.map(sha256).toSorted()

/** An asset with the records of these contents, as an earlier run attached it. */
export function attached(service: Simulator, ...contents: readonly string[]): AssetSeed {
  const lines = contents.map(content => makeLine(service.url, content))
  return { name: RECORDS, content: toJsonLines(lines) }
}
