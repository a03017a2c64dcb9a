/** Shared by the release tests: a GitHub on loopback, and runs that read its release with the real octokit. */
import assert from 'node:assert'
import { afterAll, afterEach, beforeAll, expect, jest } from '@jest/globals'
import { Stop } from '../../src/failure.ts'
import { readRelease, type Release } from '../../src/release/release.ts'
import { connectToGitHub } from '../../src/release/octokit.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { completeProblem } from '../../src/report/judge.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { hostIn } from '../artifacts/host.ts'
import { cleanUp } from '../support/clean-up.ts'
import { startGitHub, type AssetSeed, type FakeGitHub } from '../support/github.ts'
import type { GitHubFault, GitHubOptions, ReleaseSeed, Route } from '../support/github.ts'
import '../support/realms.ts'

export const TAG = 'v1.2.3'
export const RECORDS = 'notarization-records.jsonl'
export const COMMIT = '6dcb09b5b57875f334f61aebed695e2e4193db5e'

export type Texts = Readonly<Record<string, string>>
export type FaultOf = NonNullable<GitHubOptions['faultOf']>

const started: FakeGitHub[] = []
const every = setInterval
let hurry: NodeJS.Timeout

// Retries and rate limits wait for seconds: time passes hundreds of times as fast, and never goes back.
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
    clock: { ...base.clock, sleep: (ms: number) => new Promise<void>(end => setTimeout(end, ms)) },
    halt: new Halt({ ...base.clock, sleep: () => new Promise(() => undefined) }),
    connectToGitHub,
  }
  const read = async (): Promise<Release> => {
    const release = await readRelease({ releaseTag: TAG, githubToken: github.token }, host)
    assert(release !== null)
    return release
  }
  return { ...host, lines, read }
}

/** Returns what the one problem that stops the run needs, and its message. */
export async function problemOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((thrown: unknown) => thrown)
  if (!(error instanceof Stop)) throw new Error('the run did not stop', { cause: error })
  expect(error.problems).toEqual([expect.objectContaining({ input: 'release-tag' })])
  const [problem] = error.problems.map(completeProblem)
  return `${problem?.needs}: ${problem?.message}`
}
