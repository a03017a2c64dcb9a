/** Main or the post step keeps the records, and the next attempt finds them: real processes, and a stand-in for the artifact service. */
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { readZipEntry } from '../../src/keep/zip-entry.ts'
import { startArtifactService, type ArtifactService } from '../support/artifact-service.ts'
import { job } from '../support/runner-environment.ts'
import { runAction, type ActionRun, type RunOptions, type StepProcess } from '../support/runner.ts'
import {
  API_KEY,
  makeLine,
  makeStateLine,
  sha256,
  subscriptionText,
  source,
  toJsonLines,
} from '../support/samples.ts'
import { until } from '../support/until.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { after, asNode20, boom, FILE, makeLetters, notarize } from './support.ts'
import { startService, whenListening } from './support.ts'

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

/** Checks that the whole file is in the log, below one warning. */
function checkPrinted({ annotations, lines: log }: ActionRun, why: RegExp): void {
  expect(annotations.warning).toEqual([expect.stringMatching(why)])
  const printed = log.filter(line => line.startsWith('{'))
  expect(JSON.parse(`[${printed.join(',')}]`)).toEqual(lines)
  expect(printed.join('')).not.toMatch(/##\[|\u202e/)
}

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
  })

  it('finds through the GitHub API what the artifact service does not hand out', async () => {
    const service = await startService()
    const { env, githubToken } = artifacts
    await notarize({ service, env })
    artifacts.fail('GetSignedArtifactURL', 404)
    const inputs = { 'github-token': githubToken }
    const alsoSecret = [githubToken]
    const next = await notarize({ service, inputs, env: { ...env, ...again }, alsoSecret })
    expect(next.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 0 })
  })

  it('leaves keeping to the post step at a signal', async () => {
    const service = await startService()
    artifacts.fail('CreateArtifact', 'silence')
    const { env } = artifacts
    const onStart = (child: StepProcess): void => {
      void until(() => artifacts.calls.length > 0).then(() => child.kill('SIGINT'))
    }
    const { workspace, state } = await notarize({ service, env, onStart, mustFail: true })
    await post({ workspace, state })
    expect(Object.values(kept(FILE))).toEqual([workspace.read(FILE)])
    expect(Object.values(kept('notarization-evidence.md'))).toHaveLength(1)
  })

  it('leaves keeping to the post step if it is killed', async () => {
    const service = await startService({
      latencyMs: ({ endpoint }) => (endpoint === 'completion' ? 60_000 : 0),
    })
    const { env } = artifacts
    const workspace = makeLetters('a')
    const onStart = (child: StepProcess): void => {
      void until(() => workspace.exists(FILE) && workspace.read(FILE) !== '').then(() =>
        child.kill('SIGKILL'),
      )
    }
    const inputs = {
      'api-key': API_KEY,
      'base-url': service.url,
      subscription: subscriptionText,
      path: 'dist',
    }
    const { state } = await runAction({ workspace, inputs, env, onStart })
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

  it.each<[string, PostOptions]>([
    ['without a records file', { workspace: makeWorkspace() }],
    ['with keep-records: false', { inputs: { 'keep-records': 'false' } }],
    ['on Node 20', { nodeArguments: after(asNode20) }],
    ['with a file that main has kept', { state: { records: `kept ${sha256(records)}` } }],
    ['with a folder in place of the file', { inputs: { 'records-path': '.' } }],
  ])('does nothing and loads nothing %s', async (_when, options) => {
    await postNothing(options)
    expect(artifacts.calls).toEqual([])
  })

  it('keeps any record for a release', async () => {
    await post({ env: again, inputs: { 'release-tag': 'v1' } })
    expect(Object.values(kept(FILE))).toEqual([records])
  })
})

describe('records that cannot be kept', () => {
  it('are printed on a server without an artifact service', async () => {
    const run = await post({ env: { GITHUB_SERVER_URL: 'https://ghe.example' } })
    checkPrinted(run, /no artifact service/)
    expect(artifacts.calls).toEqual([])
  })

  it('are printed at a signal while the service is silent', async () => {
    artifacts.fail('CreateArtifact', 'silence')
    const onStart = (child: StepProcess): void => {
      void until(() => artifacts.calls.length > 0).then(() => child.kill('SIGINT'))
    }
    checkPrinted(await post({ onStart }), /the job was canceled/)
  })

  it('are printed after an error that nothing caught', async () => {
    artifacts.fail('CreateArtifact', 'silence')
    const nodeArguments = whenListening('uncaughtException', boom)
    checkPrinted(await post({ nodeArguments }), /boom/)
  })

  it('are reported if the file lacks what main left', async () => {
    const workspace = makeWorkspace()
    const state = { records: `left ${sha256(records)} ${Buffer.byteLength(records)}` }
    const run = await post({ workspace, state })
    expect(run.annotations.warning).toEqual([expect.stringContaining(workspace.path(FILE))])
  })
})
