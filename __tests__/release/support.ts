/** Shared by the release tests: a GitHub on loopback, and runs that open its release with the real octokit. */
import { afterAll, afterEach, beforeAll, expect, jest } from '@jest/globals'
import { Stop } from '../../src/failure.ts'
import { Release } from '../../src/release/release.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { hostIn } from '../artifacts/host.ts'
import { cleanUp } from '../support/clean-up.ts'
import { startGitHub, type AssetSeed, type FakeGitHub } from '../support/github.ts'
import type { GitHubFault, GitHubOptions, ReleaseSeed, Route } from '../support/github.ts'
import '../support/realms.ts'
import { makeLine, sha256, toJsonLines } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

export const TAG = 'v1.2.3'
export const RECORDS = 'notarization-records.jsonl'
export const PAGE = 'notarization-evidence.md'
export const SERVICE = 'https://notary.example'
export const COMMIT = '6dcb09b5b57875f334f61aebed695e2e4193db5e'

export type Texts = Readonly<Record<string, string>>
export type FaultOf = NonNullable<GitHubOptions['faultOf']>

const started: FakeGitHub[] = []
const every = setInterval
let hurry: NodeJS.Timeout

// The plug-ins wait for seconds: time passes hundreds of times as fast, and never goes back.
beforeAll(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] })
  hurry = every(() => {
    jest.advanceTimersByTime(250)
  }, 1)
})

afterEach(() => {
  const mistakes = started.splice(0).flatMap(github => github.mistakes)
  expect(mistakes).toEqual([])
})

afterAll(() => {
  clearInterval(hurry)
  jest.useRealTimers()
  cleanUp()
})

export const status = (code: number, headers: Texts = {}, body?: unknown): GitHubFault => {
  return { kind: 'status', status: code, headers, body }
}

/** The calls of a route, by their numbers, that have a fault. */
export function faultAt(route: Route, fault: GitHubFault, from = 1, to = Infinity): FaultOf {
  return call => (call.route === route && call.nth >= from && call.nth <= to ? fault : undefined)
}

/** Assets whose content is their name. */
export const assetsOf = (names: string): readonly AssetSeed[] =>
  names.split(' ').map(name => ({ name, content: name }))

/** Record lines of contents. */
export const linesOf = (contents: string): string =>
  toJsonLines(contents.split(' ').map(content => makeLine(SERVICE, content)))

/** The evidence of a run that registered these contents; its records file has these lines, or is missing if empty. */
export function evidenceOf(registered: string, lines = linesOf(registered)) {
  const workspace = makeWorkspace(lines === '' ? {} : { mine: lines })
  const hashes = new Set(registered.split(' ').filter(Boolean).map(sha256))
  const recordsPath = workspace.path('mine')
  return { recordsPath, service: SERVICE, hashes, attachToRelease: true }
}

/** Starts a GitHub with one release. After each test, all requests to it must have been correct. */
export async function startRelease(
  assets: readonly AssetSeed[],
  { release = {}, ...options }: GitHubOptions & { readonly release?: Partial<ReleaseSeed> } = {},
): Promise<FakeGitHub> {
  const github = await startGitHub({ releases: [{ tag: TAG, assets, ...release }], ...options })
  started.push(github)
  return github
}

/** Creates a run of the action for the tag. */
export function startRun(github: FakeGitHub, env: Texts = {}) {
  const lines: string[] = []
  const base = hostIn('/')
  const job = {
    GITHUB_API_URL: github.url,
    GITHUB_REPOSITORY: 'octo/app',
    GITHUB_REF: `refs/tags/${TAG}`,
    GITHUB_SHA: COMMIT,
  }
  const host = {
    ...base,
    environment: readEnvironment({ ...job, ...env }, '/'),
    runner: { ...base.runner, info: (text: string) => lines.push(text) },
    // The waits of this action itself.
    clock: { ...base.clock, sleep: () => Promise.resolve() },
    halt: new Halt({ ...base.clock, sleep: () => new Promise(() => undefined) }),
  }
  const open = async (): Promise<Release> => {
    const inputs = { releaseTag: TAG, githubToken: github.token }
    const release = await Release.open(inputs, host)
    if (release === null) throw new Error('there is no release')
    return release
  }
  return { ...host, lines, open }
}

/** Returns the message of the one problem that stops the run. */
export async function problemOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((thrown: unknown) => thrown)
  if (!(error instanceof Stop)) throw new Error('the run did not stop', { cause: error })
  expect(error.problems).toHaveLength(1)
  return error.message
}
