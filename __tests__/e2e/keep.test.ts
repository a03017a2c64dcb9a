/** The post step keeps the records, and the next attempt finds them: real processes, and a stand-in for the artifact service. */
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { readZipEntry } from '../../src/keep/zip-entry.ts'
import { startArtifactService, type ArtifactService } from '../support/artifact-service.ts'
import { job, type Values } from '../support/runner-environment.ts'
import { runAction, type ActionRun, type RunOptions, type StepProcess } from '../support/runner.ts'
import {
  API_KEY,
  makeLine,
  makeStateLine,
  sha256,
  source,
  toJsonLines,
} from '../support/samples.ts'
import { until } from '../support/until.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { after, FILE, makeLetters, notarize, startService } from './support.ts'

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

/** Returns the records in each kept artifact. */
function kept(): Readonly<Record<string, string>> {
  const zips = Object.entries(artifacts.artifacts)
  const read = (zip: Buffer): string => readZipEntry(zip, FILE, 1e6).toString()
  return Object.fromEntries(zips.map(([artifact, zip]) => [artifact, read(zip)]))
}

/** Checks that the whole file is in the log, below one warning. */
function checkPrinted({ annotations, lines: log }: ActionRun, why: RegExp): void {
  expect(annotations.warning).toEqual([expect.stringMatching(why)])
  const printed = log.filter(line => line.startsWith('{'))
  expect(JSON.parse(`[${printed.join(',')}]`)).toEqual(lines)
  expect(printed.join('')).not.toMatch(/##\[|\u202e/)
}

describe('the next attempt, on a new machine', () => {
  it('registers nothing that was kept, and keeps nothing without a new line', async () => {
    const service = await startService()
    const { env } = artifacts
    const first = await notarize({ service, env, workspace: makeLetters('ab') })
    await post({ workspace: first.workspace, state: first.state })
    const text = first.workspace.read(FILE)
    expect(Object.values(kept())).toEqual([text])
    const [zip = Buffer.alloc(0)] = Object.values(artifacts.artifacts)
    const page = readFileSync(first.results['evidence-path'])
    expect(readZipEntry(zip, 'notarization-evidence.md', 1e6)).toEqual(page)

    const calls = service.requests.length
    const workspace = makeLetters('ab')
    const inputs = { 'records-path': 'below/records.jsonl' }
    const next = await notarize({ service, inputs, workspace, env: { ...env, ...again } })
    expect(next.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 0 })
    expect(service.requests).toHaveLength(calls)
    expect(workspace.read('below/records.jsonl')).toBe(text)
    await post({ workspace, inputs, env: again, state: next.state })
    expect(Object.values(kept())).toHaveLength(1)
  })

  it('knows what was open when the main process was killed', async () => {
    let child: StepProcess | undefined
    const service = await startService({
      faults: ({ endpoint }) => {
        if (endpoint === 'completion') child?.kill('SIGKILL')
        return undefined
      },
    })
    const workspace = makeLetters('a')
    const inputs = { path: 'dist', 'api-key': API_KEY, 'base-url': service.url }
    const onStart = (started: StepProcess): void => {
      child = started
    }
    expect(await runAction({ workspace, inputs, onStart })).toMatchObject({ signal: 'SIGKILL' })
    await post({ workspace })
    expect(Object.values(kept())).toEqual([workspace.read(FILE)])
    const next = await notarize({ service, env: { ...artifacts.env, ...again } })
    expect(next.visibleLog).toMatch(/1 hash is open/)
  })
})

describe('the post step', () => {
  it('keeps what is in the file under one name for the same bytes, from whatever step', async () => {
    const workspace = makeWorkspace({ [FILE]: records, 'copy/x.jsonl': records })
    await post({ workspace })
    const run = await post({ workspace, inputs: { 'records-path': 'copy/x.jsonl' } })
    expect(kept()).toEqual({ [name]: records })
    expect(run.annotations.warning).toEqual([])
  })

  it('tries a second name if an upload that broke off blocks the first, its own too', async () => {
    artifacts.block(name)
    await post()
    expect(kept()).toEqual({ [`${name}-1`]: records })

    artifacts = await startArtifactService()
    artifacts.fail('FinalizeArtifact', 403)
    const run = await post()
    expect(kept()).toEqual({ [`${name}-1`]: records })
    expect(run.annotations.warning).toEqual([])
  })

  const script = `require('node:module').registerHooks({ load: (url, context, next) => {
    if (url.includes('/keep/')) console.log('loaded ' + url)
    return next(url, context)
  } })`
  const onNode20 = `Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })`

  it.each<[string, PostOptions]>([
    ['without a records file', { workspace: makeWorkspace() }],
    ['without a line of this attempt', { env: again }],
    ['with keep-records: false', { inputs: { 'keep-records': 'false' } }],
    ['on Node 20', { nodeArguments: after(onNode20) }],
  ])('does nothing and loads nothing %s', async (_when, options) => {
    const run = await post({ nodeArguments: after(script), ...options })
    expect([run.stdout, artifacts.calls]).toEqual(['', []])
  })
})

describe('records that cannot be kept', () => {
  it.each<[string, Values, RegExp]>([
    ['on another server', { GITHUB_SERVER_URL: 'https://ghe.example' }, /no artifact service/],
    ['without a folder for the copy', { RUNNER_TEMP: '/nowhere' }, /no such file/],
  ])('are printed %s', async (_when, env, why) => {
    checkPrinted(await post({ env }), why)
    expect(artifacts.calls).toEqual([])
  })

  it('are printed if the service refuses them', async () => {
    artifacts.fail('CreateArtifact', 403, 2)
    checkPrinted(await post(), /403/)
    expect(kept()).toEqual({})
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
    const nodeArguments = after(`process.once('newListener', () => {
      setTimeout(() => { throw new Error('boom') }, 100)
    })`)
    checkPrinted(await post({ nodeArguments }), /boom/)
  })

  it('are not printed if the release has them', async () => {
    const env = { ACTIONS_RUNTIME_TOKEN: '' }
    const run = await post({ env, state: { attached: sha256(records) } })
    expect(run.annotations.warning).toEqual([])
    expect(run.stdout).toMatch(/^[^\n]*the release has all of them\n$/)
    checkPrinted(await post({ env, state: { attached: sha256('older') } }), /no artifact service/)
  })
})
