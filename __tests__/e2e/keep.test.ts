/** Main or the post step keeps the records, and the next attempt finds them: real processes, and a stand-in for the artifact service. */
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { readZipEntry } from '../../src/keep/zip-entry.ts'
import type { SeenRequest } from '../../simulator/index.ts'
import { startArtifactService, type ArtifactService } from '../support/artifact-service.ts'
import {
  job,
  runAction,
  type ActionRun,
  type RunOptions,
  type StepProcess,
} from '../support/runner.ts'
import { makeLine, makeStateLine, sha256, source, toJsonLines } from '../support/samples.ts'
import { after, asNode20, boom, whenListening } from '../support/script.ts'
import { until } from '../support/until.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { FILE, inputsOf, makeLetters, notarize, startService } from './support.ts'

const ofThisAttempt = { source: { ...source, runId: job.runId, runAttempt: job.runAttempt } }
const lines = [
  makeLine('https://notary.example', 'old'),
  makeStateLine('https://notary.example', 'a', ofThisAttempt),
  makeLine('https://notary.example', '::b:: ##[c]\u202e', ofThisAttempt),
]
const records = toJsonLines(lines)
const name = `notarization-records-1-${sha256(records).slice(0, 12)}`
const again = { GITHUB_RUN_ATTEMPT: '2' }

let artifacts: ArtifactService

beforeEach(async () => {
  artifacts = await startArtifactService()
})

interface PostOptions extends RunOptions {
  /** What the main process saved. */
  readonly state?: Readonly<Record<string, string>>
}

/** Runs the post step, by default with `records`, and checks what must hold whatever happens. */
async function post({ state = {}, ...options }: PostOptions = {}): Promise<ActionRun> {
  const workspace = makeWorkspace({ [FILE]: records })
  const env = { ...artifacts.env, ...options.env }
  const run = await runAction({ workspace, ...options, env, postAfter: { state } })
  expect(run).toMatchObject({ exitCode: 0, stderr: '', annotations: { error: [], notice: [] } })
  expect(run.visibleLog).not.toContain(artifacts.token)
  return run
}

/** Runs the post step where it has nothing to do, and loads nothing. */
async function postNothing(options: PostOptions): Promise<void> {
  const { stdout } = await post({ nodeArguments: after(showLoaded), ...options })
  expect(stdout).toBe('')
}

const showLoaded = `require('node:module').registerHooks({ load: (url, context, next) => {
  if (url.includes('/keep/') || /post.[0-9]/.test(url)) console.log('loaded ' + url)
  return next(url, context)
} })`

/** Returns a file of each kept artifact. */
function kept(file: string): Readonly<Record<string, string>> {
  const zips = Object.entries(artifacts.artifacts)
  const read = (zip: Buffer): string => readZipEntry(zip, file, 1e6).toString()
  return Object.fromEntries(zips.map(([artifact, zip]) => [artifact, read(zip)]))
}

/** Sends a signal as soon as something holds. */
function killWhen(holds: () => boolean, signal: NodeJS.Signals) {
  return (child: StepProcess): void => {
    void until(holds).then(() => child.kill(signal))
  }
}

const isAsked = (): boolean => artifacts.calls.length > 0

describe('main', () => {
  it('keeps its records, and the next attempt, on a new machine, registers and keeps nothing again', async () => {
    const service = await startService()
    const { env } = artifacts
    const first = await notarize({ service, env, workspace: makeLetters('ab') })
    expect(first.visibleLog).not.toContain(artifacts.token)
    expect(first.stdout).toMatch(/^::group::[^]*^::endgroup::\n[^]*artifacts\/1$/m)
    const text = first.workspace.read(FILE)
    expect(Object.values(kept(FILE))).toEqual([text])
    const page = readFileSync(first.results['evidence-path'], 'utf8')
    expect(Object.values(kept('notarization-evidence.md'))).toEqual([page])
    await postNothing({ workspace: first.workspace, state: first.state })

    const calls = service.requests.length
    const workspace = makeLetters('ab')
    const inputs = { 'records-path': 'below/records.jsonl' }
    const next = await notarize({ service, inputs, workspace, env: { ...env, ...again } })
    expect(next.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 0 })
    expect(service.requests).toHaveLength(calls)
    expect(workspace.read('below/records.jsonl')).toBe(text)
    await postNothing({ workspace, inputs, env: again, state: next.state })
    expect(Object.values(kept(FILE))).toHaveLength(1)

    // Another step of the job of the first attempt, which stops.
    const wrong = { concurrency: '0' }
    const step = await notarize({ service, inputs: wrong, workspace: first.workspace, env })
    expect(step.results.verdict).toBe('stopped')
    expect(step.summary).toMatch(/<b>Give the records of this run to a new run.*\/artifacts\/1"/s)
    expect(step.annotations.error).toEqual([expect.stringMatching(/Give the records of this run/)])
    expect(Object.values(kept(FILE))).toHaveLength(1)
  })

  it('leaves keeping to the post step at a signal', async () => {
    const service = await startService()
    artifacts.fail('CreateArtifact', 'silence')
    const onStart = killWhen(isAsked, 'SIGINT')
    const { env } = artifacts
    const { workspace, state } = await notarize({ service, env, onStart, mustFail: true })
    await post({ workspace, state })
    expect(Object.values(kept(FILE))).toEqual([workspace.read(FILE)])
    expect(Object.values(kept('notarization-evidence.md'))).toHaveLength(1)
  })

  it('leaves keeping to the post step if it is killed', async () => {
    const latencyMs = ({ endpoint }: SeenRequest) => (endpoint === 'completion' ? 60_000 : 0)
    const inputs = inputsOf(await startService({ latencyMs }))
    const workspace = makeLetters('a')
    const hasLine = (): boolean => workspace.exists(FILE) && workspace.read(FILE) !== ''
    const onStart = killWhen(hasLine, 'SIGKILL')
    const { state } = await runAction({ workspace, inputs, env: artifacts.env, onStart })
    await post({ workspace, state })
    expect(Object.values(kept(FILE))).toEqual([workspace.read(FILE)])
  })
})

describe('the post step', () => {
  it('keeps what is in the file under one name for the same bytes, from whatever step', async () => {
    const workspace = makeWorkspace({ 'copy/x.jsonl': records })
    const inputs = { 'records-path': 'copy/x.jsonl' }
    const empty = { 'keep-records': '', 'records-path': '' }
    for (const options of [{ workspace, inputs }, { inputs: empty }]) {
      const run = await post(options)
      expect(run.lines.at(-1)).toContain(name)
      expect(run.annotations.warning).toEqual([])
      expect(kept(FILE)).toEqual({ [name]: records })
    }
  })

  it('keeps any record for a release', async () => {
    await post({ env: again, inputs: { 'release-tag': 'v1' } })
    expect(Object.values(kept(FILE))).toEqual([records])
  })

  it.each<[string, PostOptions]>([
    ['without a records file', { workspace: makeWorkspace() }],
    ['with keep-records: false', { inputs: { 'keep-records': 'false' } }],
    ['in a dry run', { inputs: { 'dry-run': 'true' } }],
    ['on Node 20', { nodeArguments: after(asNode20) }],
    ['with a file that main has kept', { state: { records: `done ${sha256(records)}` } }],
    ['with a folder in place of the file', { inputs: { 'records-path': '.' } }],
  ])('does nothing and loads nothing %s', async (_when, options) => {
    await postNothing(options)
    expect(artifacts.calls).toEqual([])
  })

  const noService = { env: { GITHUB_SERVER_URL: 'https://ghe.example' } }
  it.each<[string, PostOptions, why: RegExp, calls: number]>([
    ['without an artifact service', noService, /no artifact service/, 0],
    ['at a signal', { onStart: killWhen(isAsked, 'SIGINT') }, /the job was canceled/, 1],
    ['at an error', { nodeArguments: whenListening('uncaughtException', boom) }, /boom/, 1],
  ])('prints the whole file below one warning %s', async (_when, options, why, calls) => {
    artifacts.fail('CreateArtifact', 'silence')
    const { annotations, lines: log } = await post(options)
    expect(annotations.warning).toEqual([expect.stringMatching(why)])
    const printed = log.filter(line => line.startsWith('{'))
    expect(JSON.parse(`[${printed.join(',')}]`)).toEqual(lines)
    expect(printed.join('')).not.toMatch(/##\[|\u202e/)
    expect(artifacts.calls.length).toBeLessThanOrEqual(calls)
  })

  it('warns if the file lacks what main left', async () => {
    const workspace = makeWorkspace()
    const state = { records: `left ${sha256(records)} ${Buffer.byteLength(records)}` }
    const run = await post({ workspace, state })
    expect(run.annotations.warning).toEqual([expect.stringContaining(workspace.path(FILE))])
  })
})
