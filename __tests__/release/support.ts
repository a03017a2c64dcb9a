/** Shared by the release tests: a GitHub on loopback, and runs that open its release without waiting. */
import { afterAll, afterEach, expect } from '@jest/globals'
import { Stop } from '../../src/failure.ts'
import type { Attachment, EvidenceInput } from '../../src/release/attach.ts'
import { openRelease, type ReleaseSource } from '../../src/release/open.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { hostIn } from '../artifacts/host.ts'
import { cleanUp } from '../support/clean-up.ts'
import { startGitHub, type FakeGitHub, type GitHubFault } from '../support/github.ts'
import type { AssetSeed, GitHubOptions, ReleaseSeed } from '../support/github.ts'
import '../support/realms.ts'
import { makeLine, sha256, toJsonLines } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

export const TAG = 'v1.2.3'
export const RECORDS = 'notarization-records.jsonl'
export const PAGE = 'notarization-evidence.md'
export const SERVICE = 'https://notary.example'
export const COMMIT = '6dcb09b5b57875f334f61aebed695e2e4193db5e'

export type Texts = Readonly<Record<string, string>>

export function status(code: number, headers: Texts = {}, body?: unknown): GitHubFault {
  return { kind: 'status', status: code, headers, body }
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

/** Assets whose content is their name. */
export const assetsOf = (names: string): readonly AssetSeed[] =>
  names.split(' ').map(name => ({ name, content: name }))

/** Record lines of contents. */
export const linesOf = (contents: string): string =>
  toJsonLines(contents.split(' ').map(content => makeLine(SERVICE, content)))

/** The evidence of a run that registered these contents; its records file has these lines, or is missing if empty. */
export function evidenceOf(registered: string, lines = linesOf(registered)): EvidenceInput {
  const workspace = makeWorkspace(lines === '' ? {} : { mine: lines })
  const hashes = new Set(registered.split(' ').map(sha256))
  return { recordsPath: workspace.path('mine'), service: SERVICE, hashes }
}

const started: FakeGitHub[] = []

/** Starts a GitHub with one release. After each test, all requests to it must have been correct. */
export async function startRelease(
  assets: readonly AssetSeed[],
  { release = {}, ...options }: GitHubOptions & { readonly release?: Partial<ReleaseSeed> } = {},
): Promise<FakeGitHub> {
  const github = await startGitHub({ releases: [{ tag: TAG, assets, ...release }], ...options })
  started.push(github)
  return github
}

afterEach(() => {
  const all = started.splice(0)
  expect(all.flatMap(({ mistakes }) => mistakes)).toEqual([])
})

afterAll(cleanUp)

/** Creates a run whose clock does not wait but keeps the waits, in milliseconds. */
export function startRun(github: FakeGitHub, env: Texts = {}, secret = 'no such secret') {
  const waits: number[] = []
  const lines: string[] = []
  const warnings: string[] = []
  const base = hostIn('/')
  base.secrets.add([secret])
  const clock = {
    now: () => Date.now(),
    monotonic: () => sum(waits),
    sleep: (ms: number) => Promise.resolve(void waits.push(ms)),
  }
  // After a signal, calls in flight never end.
  const halt = new Halt({ ...clock, sleep: () => new Promise(() => undefined) })
  const job = {
    GITHUB_API_URL: github.url,
    GITHUB_REPOSITORY: 'octo/app',
    GITHUB_REF: `refs/tags/${TAG}`,
    GITHUB_SHA: COMMIT,
  }
  const info = (text: string) => lines.push(text)
  const warning = (text: string) => warnings.push(text)
  const host = {
    ...base,
    environment: readEnvironment({ ...job, ...env }, '/'),
    runner: { ...base.runner, info, warning },
    clock,
    random: () => 1,
    halt,
    makeId: () => 'of-this-run',
  }
  const open = (attachToRelease = true): Promise<ReleaseSource> =>
    openRelease({ releaseTag: TAG, githubToken: github.token, attachToRelease }, host)
  const attach = async (evidence: EvidenceInput): Promise<Attachment> => {
    const attachment = await (await open()).attach(evidence)
    if (attachment === null) throw new Error('there was nothing to attach')
    return attachment
  }
  return { halt, waits, lines, warnings, open, attach }
}

/** Returns the message of the one problem that stops the run. */
export async function problemOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((thrown: unknown) => thrown)
  if (!(error instanceof Stop)) throw new Error('the run did not stop', { cause: error })
  expect(error.problems).toHaveLength(1)
  return error.message
}
