/** What the tests of the release room share: a GitHub on loopback, and a release that is opened there without waiting. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, expect } from '@jest/globals'
import { Halt } from '../../src/halt.ts'
import type { Evidence } from '../../src/release/attach.ts'
import { openRelease } from '../../src/release/open.ts'
import type { Attachment, ReleaseSource } from '../../src/release/open.ts'
import { Stop } from '../../src/stop.ts'
import type { Problem } from '../../src/stop.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { findDeviations } from '../support/github-description.ts'
import { startGitHub } from '../support/github.ts'
import type {
  AssetSeed,
  FakeGitHub,
  GitHubFault,
  GitHubOptions,
  ReleaseSeed,
} from '../support/github.ts'

export const TAG = 'v1.2.3'
export const RECORDS = 'notarization-records.jsonl'
export const COMMIT = '6dcb09b5b57875f334f61aebed695e2e4193db5e'

/** The name of what an interrupted upload left. */
export const leftover = (name: string, number: number): string =>
  `${name}.0f9d3c1e-5a3e-4c57-9d59-00000000000${number}.tmp`

export const status = (
  code: number,
  headers: Readonly<Record<string, string>> = {},
): GitHubFault => ({ kind: 'status', status: code, headers })

const started: FakeGitHub[] = []

/** A GitHub with one release; whatever is asked and answered there must be as GitHub describes it. */
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
  expect(all.flatMap(({ calls }) => calls.flatMap(findDeviations))).toEqual([])
})

afterAll(cleanUp)

/** A release as it was opened, and what was waited for and logged since. */
export interface Opened {
  readonly source: ReleaseSource
  /** Attaches, which must be asked for. */
  readonly attach: (evidence: Evidence) => Promise<Attachment>
  /** Milliseconds. */
  readonly waits: readonly number[]
  readonly lines: readonly string[]
  readonly halt: Halt
}

interface OpenOptions {
  readonly tag?: string
  readonly ref?: string
  readonly secret?: string
  readonly halt?: Halt
  /** Filled as it goes on, for a release that cannot be opened. */
  readonly waits?: number[]
}

/** Opens the release; the clock does not wait, but keeps what it was asked for. */
export async function open(github: FakeGitHub, options: OpenOptions = {}): Promise<Opened> {
  const { tag = TAG, ref = 'refs/heads/main', secret, waits = [], halt = new Halt() } = options
  const lines: string[] = []
  const source = await openRelease(
    { releaseTag: tag, githubToken: github.token, attachToRelease: true },
    {
      source: { repository: 'octo/app', ref, sha: COMMIT },
      apiUrl: github.url,
      proxyProblems: new Map(),
      halt,
      redact: text => (secret === undefined ? text : text.replaceAll(secret, '***')),
      clock: {
        now: () => Date.now(),
        sleep: ms => {
          waits.push(ms)
          return Promise.resolve()
        },
      },
      random: () => 1,
      makeId: randomUUID,
      log: line => {
        lines.push(line)
      },
    },
  )
  const attach = async (evidence: Evidence): Promise<Attachment> => {
    const attachment = await source.attach(evidence)
    if (attachment === null) throw new Error('nothing was to be attached')
    return attachment
  }
  return { source, attach, waits, lines, halt }
}

/** The one problem that stops the run. */
export async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Stop)) throw new Error('nothing stopped', { cause: error })
  expect(error.problems).toHaveLength(1)
  return error.problems[0] ?? { input: null, message: '' }
}
