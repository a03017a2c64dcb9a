/** Jobs that keep their records, also when they are canceled, and the next attempt on a new machine. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { resetFault, type SeenRequest, type Simulator } from '../../simulator/index.ts'
import type { SimulatorOptions } from '../../simulator/index.ts'
import { startArtifactService, type ArtifactService } from '../support/artifact-service.ts'
import { readRecordsFile } from '../support/finished-run.ts'
import { job, runAction, type StepProcess } from '../support/runner.ts'
import { makeLine, source, toJsonLines } from '../support/samples.ts'
import { after } from '../support/script.ts'
import { until } from '../support/until.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'
import { FILE, inputsOf, makeLetters, notarize, startService } from './support.ts'

const page = 'notarization-evidence.md'

const countCalls = ({ requests }: Simulator, endpoint: string): number =>
  requests.filter(request => request.endpoint === endpoint).length

/** Returns the environment of an attempt. */
const attempt = (number: number, { env }: ArtifactService) => ({
  ...env,
  GITHUB_RUN_ATTEMPT: `${number}`,
})

it('records are kept, and the next attempt, on a new machine, registers nothing again', async () => {
  const artifacts = await startArtifactService()
  const service = await startService()
  const env = attempt(1, artifacts)
  const first = await notarize({ service, env, workspace: makeLetters('ab') })
  expect(first.visibleLog).not.toContain(artifacts.token)
  expect(first.stdout).toMatch(/^::group::[^]*^::endgroup::\n[^]*artifacts\/1$/m)
  const text = first.workspace.read(FILE)
  const kept = [FILE, page].map(file => Object.values(artifacts.kept(file)))
  expect(kept).toEqual([[text], [readFileSync(first.results['evidence-path'], 'utf8')]])

  const calls = service.requests.length
  const workspace = makeLetters('ab')
  const inputs = { 'records-path': 'below/records.jsonl' }
  const next = await notarize({ service, inputs, workspace, env: attempt(2, artifacts) })
  expect(next.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 0 })
  expect(service.requests).toHaveLength(calls)
  expect(workspace.read('below/records.jsonl')).toBe(text)

  // Another step of the job of the first attempt, which stops.
  const wrong = { concurrency: '0' }
  const step = await notarize({ service, inputs: wrong, workspace: first.workspace, env })
  expect(step.results.verdict).toBe('stopped')
  expect(step.summary).toContain('/artifacts/3"')
  expect(Object.values(artifacts.kept(FILE))).toEqual([text, text, text])
})

it('a file whose response was lost is sent once, and again by the re-run, which finds the doubt', async () => {
  const artifacts = await startArtifactService()
  const faults = ({ endpoint, nthOfEndpoint }: SeenRequest) =>
    endpoint === 'completion' && nthOfEndpoint === 1 ? resetFault : undefined
  const service = await startService({ repeat: 'accept', faults })
  const run = await notarize({ service, env: attempt(1, artifacts) })
  expect(run.exitCode).toBe(1)
  const failure = { code: 'unavailable', registered: 'unknown' }
  const charges = { 'charge-count': 0, 'charge-count-max': 1 }
  expect(run.results).toMatchObject({ verdict: 'failed', failures: [failure], ...charges })
  expect(readRecordsFile(run)).toMatchObject({ records: [], doubts: [{ artifact: 'dist/a' }] })

  const next = await notarize({ service, env: attempt(2, artifacts) })
  const record = { from: 'this-run', maybeChargedAgain: true }
  expect(next.results).toMatchObject({ verdict: 'registered', records: [record] })
  expect(next.results).toMatchObject({ 'charge-count': 1, 'charge-count-max': 1 })
  expect(countCalls(service, 'completion')).toBe(2)
})

it('a run whose log nothing reads any more still registers, and keeps its records', async () => {
  const artifacts = await startArtifactService()
  const inputs = inputsOf(await startService())
  const onStart = (child: StepProcess): void => void child.stdout.destroy()
  const options = { workspace: makeLetters('a'), inputs, env: attempt(1, artifacts), onStart }
  const { exitCode, outputs } = await runAction(options)
  expect([exitCode, outputs['verdict']]).toEqual([0, 'registered'])
  expect(Object.keys(artifacts.kept(FILE))).toHaveLength(1)
})

/** Makes the library throw, outside of its promises, now and as soon as its call has ended. */
const throwing = `const http = require('node:http')
const { request } = http
http.request = (url, options, then) => {
  if (String(url.path ?? options?.path).endsWith('/CreateArtifact')) {
    setImmediate(() => {
      setImmediate(() => { throw new Error('late') })
      throw new Error('boom')
    })
  }
  return request(url, options, then)
}
require('node:module').syncBuiltinESMExports()`

it('what the library throws outside of its promises leaves a run green, and the records in its log', async () => {
  const artifacts = await startArtifactService()
  artifacts.fail('CreateArtifact', 'silence')
  const service = await startService()
  const nodeArguments = after(throwing)
  const run = await notarize({ service, env: attempt(1, artifacts), nodeArguments })
  expect(run.results.verdict).toBe('registered')
  expect(run.annotations.warning).toEqual([
    expect.stringMatching(/could not be uploaded: boom\. .* only in the log/),
  ])
  expect(run.lines.join('\n')).toContain(run.workspace.read(FILE).trim())
})

/** What a run is doing when it is canceled. Another step of its job has registered the first of six files. */
interface Canceled {
  readonly doing: string
  /** Default: the six files. */
  readonly path?: string
  readonly latencyMs?: NonNullable<SimulatorOptions['latencyMs']>
  /** Whether the artifact service does not answer. */
  readonly isSilent?: true
  /** Whether the run does it by now. */
  readonly isReached: (services: Services, startedAt: number) => boolean
  /** The number of records in the end, and of calls without a response. */
  readonly records: number
  readonly unknown: number
}

interface Services {
  readonly service: Simulator
  readonly artifacts: ArtifactService
}

/** Makes a file that takes an hour to hash, outside of the workspaces, whose files are searched for secrets. */
function makeEndless(): string {
  const path = join(makeTemporaryFolder(), 'endless')
  writeFileSync(path, '')
  truncateSync(path, 2 ** 42)
  return path
}

/** One call is answered at once, one after the signal, one never. */
const completing = {
  latencyMs: ({ endpoint, nthOfEndpoint }: SeenRequest) => {
    return endpoint === 'completion' ? ([0, 800, 60_000][nthOfEndpoint - 1] ?? 0) : 0
  },
  isReached: ({ service }: Services) => countCalls(service, 'completion') === 3,
  records: 3,
  unknown: 1,
}

it.concurrent.each<Canceled>([
  {
    doing: 'hashes',
    path: makeEndless(),
    isReached: (_, startedAt) => performance.now() > startedAt + 1000,
    records: 1,
    unknown: 0,
  },
  {
    doing: 'logs in',
    latencyMs: ({ endpoint, nthOfEndpoint }) =>
      endpoint === 'login' && nthOfEndpoint === 1 ? 60_000 : 0,
    isReached: ({ service }) => countCalls(service, 'login') === 1,
    records: 1,
    unknown: 0,
  },
  { doing: 'completes', ...completing },
  { doing: 'completes, and cannot keep its records,', ...completing, isSilent: true },
  {
    doing: 'keeps its records',
    isSilent: true,
    isReached: ({ artifacts }) => artifacts.calls.length > 0,
    records: 6,
    unknown: 0,
  },
])(
  'a run that is canceled while it $doing ends within 9 seconds, red, and what it registered is not sent again',
  async ({ path = 'dist', latencyMs = () => 0, isSilent, isReached, ...expected }) => {
    const service = await startService({ repeat: 'accept', latencyMs })
    const artifacts = await startArtifactService()
    if (isSilent) artifacts.fail('CreateArtifact', 'silence')
    const workspace = makeLetters('abcdef')
    const ofRun = { ...source, runId: job.runId, runAttempt: '1' }
    workspace.write(FILE, toJsonLines([makeLine(service.url, 'a', { source: ofRun })]))
    const [startedAt, inputs] = [performance.now(), { concurrency: '2', path }]
    let canceledAt = 0
    const onStart = (child: StepProcess): void =>
      void until(() => isReached({ service, artifacts }, startedAt)).then(() => {
        canceledAt = performance.now()
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGINT'] as const) child.kill(signal)
      })
    const env = attempt(1, artifacts)
    const run = await notarize({ service, inputs, workspace, env, onStart, mustFail: true })
    expect((performance.now() - canceledAt) / 1000).toBeLessThan(9)
    expect(run.annotations.error).toEqual([expect.stringMatching(/cancel/)])
    const { failures } = run.results
    expect(failures.filter(({ code }) => code !== 'cancelled')).toEqual([])
    const unknown = failures.filter(({ registered }) => registered === 'unknown')
    expect(unknown).toHaveLength(expected.unknown)
    const saved = workspace.read(FILE)
    const lines = saved.split('\n').filter(line => line.includes('"record":'))
    expect(lines).toHaveLength(expected.records)
    expect(Object.values(artifacts.kept(FILE))).toEqual(isSilent ? [] : [saved])
    if (isSilent) expect(run.lines).toEqual(expect.arrayContaining(lines))

    const next = makeLetters('abcdef')
    if (isSilent) next.write(FILE, lines.map(line => `${line}\n`).join(''))
    const before = countCalls(service, 'completion')
    const again = await notarize({ service, workspace: next, env: attempt(2, artifacts) })
    expect(again.results).toMatchObject({ verdict: 'registered', 'registered-count': 6 })
    const sent = countCalls(service, 'completion') - before
    expect(sent).toBe(6 - expected.records)
  },
)
