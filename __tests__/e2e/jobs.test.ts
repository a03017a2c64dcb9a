/** Jobs whose main process ends well, is canceled or is killed, their post step, and the next attempt on a new machine. */
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { readZipEntry } from '../../src/keep/zip-entry.ts'
import { startArtifactService, type ArtifactService } from '../support/artifact-service.ts'
import { findUnsettled, readRecordsText } from '../support/record-lines.ts'
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

let artifacts: ArtifactService

beforeEach(async () => {
  artifacts = await startArtifactService()
})

/** Prints each module of the post step that is loaded, except its entry point. */
const showLoaded = `require('node:module').registerHooks({ load: (url, context, next) => {
  if (url.includes('/keep/') || /post.[0-9]/.test(url)) console.log('loaded ' + url)
  return next(url, context)
} })`

/** Runs the post step, and checks what must hold whatever happens. */
async function post(options: RunOptions): Promise<ActionRun> {
  const run = await runAction({ state: {}, ...options, env: { ...artifacts.env, ...options.env } })
  expect(run).toMatchObject({ exitCode: 0, stderr: '', annotations: { error: [], notice: [] } })
  expect(run.visibleLog).not.toContain(artifacts.token)
  return run
}

/** Runs the post step where it has nothing to do: it loads nothing, and says nothing but warnings. */
async function postNothing({ nodeArguments = [], ...options }: RunOptions): Promise<ActionRun> {
  const run = await post({ ...options, nodeArguments: [...after(showLoaded), ...nodeArguments] })
  expect(run.lines).toHaveLength(run.annotations.warning.length)
  return run
}

/** Returns a file of each workflow artifact, by the name of that. */
function kept(file: string): Readonly<Record<string, string>> {
  const zips = Object.entries(artifacts.artifacts)
  const read = (zip: Buffer): string => readZipEntry(zip, file, 1e6).toString()
  return Object.fromEntries(zips.map(([artifact, zip]) => [artifact, read(zip)]))
}

/** Returns the environment of an attempt. */
const attempt = (number: number) => ({ ...artifacts.env, GITHUB_RUN_ATTEMPT: `${number}` })

it('records are kept, and the next attempt, on a new machine, registers and keeps nothing again', async () => {
  const service = await startService()
  const env = attempt(1)
  const first = await notarize({ service, env, workspace: makeLetters('ab') })
  expect(first.visibleLog).not.toContain(artifacts.token)
  expect(first.stdout).toMatch(/^::group::[^]*^::endgroup::\n[^]*artifacts\/1$/m)
  const text = first.workspace.read(FILE)
  const all = [[text], [readFileSync(first.results['evidence-path'], 'utf8')]]
  const keptNow = () => [FILE, 'notarization-evidence.md'].map(file => Object.values(kept(file)))
  expect(keptNow()).toEqual(all)
  await postNothing({ workspace: first.workspace, state: first.state })

  const calls = service.requests.length
  const workspace = makeLetters('ab')
  const inputs = { 'records-path': 'below/records.jsonl' }
  const next = await notarize({ service, inputs, workspace, env: attempt(2) })
  expect(next.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 0 })
  expect(service.requests).toHaveLength(calls)
  expect(workspace.read('below/records.jsonl')).toBe(text)
  await postNothing({ workspace, state: next.state, inputs, env: attempt(2) })

  // Another step of the job of the first attempt, which stops.
  const wrong = { concurrency: '0' }
  const step = await notarize({ service, inputs: wrong, workspace: first.workspace, env })
  expect(step.results.verdict).toBe('stopped')
  expect(step.summary).toMatch(/<b>Give the records of this run to a new run.*\/artifacts\/1"/s)
  expect(step.annotations.error).toEqual([expect.stringMatching(/Give the records of this run/)])
  expect(keptNow()).toEqual(all)
})

it('a run whose log nothing reads any more still registers, and keeps its records', async () => {
  const inputs = inputsOf(await startService())
  const onStart = (child: StepProcess): void => void child.stdout.destroy()
  const options = { workspace: makeLetters('a'), inputs, env: attempt(1), onStart }
  const { exitCode, outputs } = await runAction(options)
  expect([exitCode, outputs['verdict']]).toEqual([0, 'registered'])
  expect(Object.keys(kept(FILE))).toHaveLength(1)
})

it('a canceled run uses answers that come in time, sends nothing more, and leaves keeping to the post step', async () => {
  let child: StepProcess | undefined
  const service = await startService({
    repeat: 'accept',
    faults: ({ endpoint, nthOfEndpoint }) => {
      if (endpoint !== 'completion' || nthOfEndpoint !== 4) return undefined
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGINT'] as const) child?.kill(signal)
      return undefined
    },
    latencyMs: ({ endpoint, nthOfEndpoint }) => {
      if (endpoint !== 'completion' || nthOfEndpoint > 4) return 0
      return nthOfEndpoint < 3 ? 800 : 60_000
    },
  })
  const onStart = (started: StepProcess): void => void (child = started)
  const workspace = makeLetters('abcdefgh')
  const run = await notarize({ service, workspace, env: attempt(1), onStart, mustFail: true })
  const failures = run.results.failures.map(({ code, registered }) => `${code}/${registered}`)
  const [no, unknown] = ['cancelled/no', 'cancelled/unknown']
  expect(failures.toSorted()).toEqual([no, no, no, no, unknown, unknown])
  expect(run.results.records).toHaveLength(2)
  expect(run.annotations.error).toEqual([expect.stringMatching(/canceled/)])
  expect(artifacts.calls).toEqual([])
  await post({ workspace, state: run.state })
  expect(Object.values(kept(FILE))).toEqual([workspace.read(FILE)])
  expect(Object.values(kept('notarization-evidence.md'))).toHaveLength(1)

  // Open hashes are counted separately, sent again, and may be charged more than once.
  const next = await notarize({ service, workspace: makeLetters('abcdefgh'), env: attempt(2) })
  expect(next.annotations.warning).toEqual([
    expect.stringMatching(/^2 files were sent earlier/),
    expect.stringMatching(/^2 artifacts may have been charged more than once/),
  ])
  // The summary tells what became of the first warning.
  expect(next.summary).not.toContain('sent earlier')
  expect(next.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 6 })
  const charged = next.results.records?.filter(record => record.maybeChargedAgain === true)
  expect(charged).toHaveLength(2)
})

it('what a killed run has sent is in its records file, which the post step keeps, and the next attempt accounts for', async () => {
  const workspace = makeLetters('abcdefgh')
  let child: StepProcess | undefined
  const open: boolean[] = []
  const isOpen = (hash: string): boolean =>
    findUnsettled(readRecordsText(workspace.read(FILE)), { service: service.url, hash }).length > 0
  const service = await startService({
    repeat: 'accept',
    // A completion is processed after its process was killed.
    latencyMs: ({ endpoint }) => (endpoint === 'completion' ? 25 : 0),
    faults: ({ endpoint, hash = '' }) => {
      if (endpoint === 'completion' && open.length < 6) open.push(isOpen(hash))
      if (open.length === 6) child?.kill('SIGKILL')
      return undefined
    },
  })
  const onStart = (started: StepProcess): void => void (child = started)
  const inputs = inputsOf(service)
  const { signal, state } = await runAction({ workspace, inputs, env: attempt(1), onStart })
  expect(signal).toBe('SIGKILL')
  await post({ workspace, state })
  expect(Object.values(kept(FILE))).toEqual([workspace.read(FILE)])
  expect(open).toEqual(Array(6).fill(true))

  const next = await notarize({ service, workspace: makeLetters('abcdefgh'), env: attempt(2) })
  expect(next.results).toMatchObject({ verdict: 'registered', 'registered-count': 8 })
  const twice = [...service.completionCounts].filter(([, count]) => count > 1)
  expect(twice.length).toBeGreaterThan(0)
  const charged = next.results.records?.filter(record => record.maybeChargedAgain === true)
  const hashes = new Set(charged?.map(({ hash }) => hash))
  expect(twice.filter(([hash]) => !hashes.has(hash))).toEqual([])
})

describe('the post step', () => {
  const ofThisAttempt = { source: { ...source, runId: job.runId, runAttempt: job.runAttempt } }
  const lines = [
    makeLine('https://notary.example', 'old'),
    makeStateLine('https://notary.example', 'a', ofThisAttempt),
    makeLine('https://notary.example', '::b:: ##[c]\u202e', ofThisAttempt),
  ]
  const records = toJsonLines(lines)
  const left = { records: `left ${sha256(records)} ${Buffer.byteLength(records)}` }
  const done = { records: `done ${sha256(records)}` }
  const elsewhere = {
    workspace: makeWorkspace({ 'copy/x.jsonl': records }),
    inputs: { 'records-path': ' copy/x.jsonl ' },
  }
  const ofRelease = { env: { GITHUB_RUN_ATTEMPT: '2' }, inputs: { 'release-tag': 'v1' } }
  const noService = { env: { GITHUB_SERVER_URL: 'https://ghe.example' } }
  const atError = whenListening('uncaughtException', boom.replace('boom', '50%0Aboom'))
  const gone = { workspace: makeWorkspace(), state: left }
  const killWith = (signal: NodeJS.Signals): RunOptions => ({
    onStart: child => void until(() => artifacts.calls.length > 0).then(() => child.kill(signal)),
  })

  it.each<[does: 'keeps' | 'prints' | 'does nothing', string, RunOptions, why?: RegExp | null]>([
    ['keeps', 'the default file', { inputs: { 'keep-records': '', 'records-path': '' } }],
    ['keeps', 'another file', elsewhere],
    ['keeps', 'a file that was left', { state: left }],
    ['keeps', 'records for a release', ofRelease],
    [
      'prints',
      'all without an artifact service',
      noService,
      /no artifact service.* give them to a new run, or you are charged again: /,
    ],
    ['prints', 'all at SIGINT', killWith('SIGINT'), /the job was canceled/],
    ['prints', 'all at SIGTERM', killWith('SIGTERM'), /the job was canceled/],
    ['prints', 'all at an error', { nodeArguments: atError }, /50%0Aboom/],
    ['does nothing', 'without a records file', { workspace: makeWorkspace() }],
    ['does nothing', 'with keep-records: false', { inputs: { 'keep-records': 'false' } }],
    ['does nothing', 'in a dry run', { inputs: { 'dry-run': 'TRUE' } }],
    ['does nothing', 'on Node 20', { nodeArguments: after(asNode20) }],
    ['does nothing', 'with a file that main has kept', { state: done }],
    ['does nothing', 'with a folder as the file', { inputs: { 'records-path': '.' } }],
    ['does nothing', 'but warn that a file is gone', gone, /removed/],
  ])('%s %s', async (does, _what, options, why = null) => {
    if (does === 'prints') artifacts.fail('CreateArtifact', 'silence')
    const workspace = makeWorkspace({ [FILE]: records })
    const run = does === 'does nothing' ? postNothing : post
    const { annotations, lines: log } = await run({ workspace, ...options })
    expect(annotations.warning).toEqual(why === null ? [] : [expect.stringMatching(why)])
    const number = options.env?.['GITHUB_RUN_ATTEMPT'] ?? '1'
    const name = `notarization-records-${number}-${sha256(records).slice(0, 12)}`
    expect(kept(FILE)).toEqual(does === 'keeps' ? { [name]: records } : {})
    if (does === 'keeps') expect(log.at(-1)).toContain(name)
    const printed = log.filter(line => line.startsWith('{'))
    expect(JSON.parse(`[${printed.join(',')}]`)).toEqual(does === 'prints' ? lines : [])
    expect(printed.join('')).not.toMatch(/##\[|\u202e/)
  })
})
