/** A job that is cancelled or killed: what was done is kept and reported, and the next run goes on from there. */
import { readdirSync, readlinkSync, truncateSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { statusFault, type SeenRequest, type SimulatorOptions } from '../../simulator/index.ts'
import { isOpen, readRecordsText } from '../support/record-lines.ts'
import { startProxy } from '../support/proxy.ts'
import { startAction, type StepProcess } from '../support/runner.ts'
import { until } from '../support/until.ts'
import type { Workspace } from '../support/workspace.ts'
import {
  API_KEY,
  endsOf,
  FILE,
  makeRelease,
  notarize,
  readLines,
  sha256,
  startService,
  subscriptionText,
  type CheckedRun,
} from './support.ts'

const contents = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index).padStart(3, '0'))
const makeArtifacts = (count: number): Workspace =>
  makeRelease(Object.fromEntries(contents(count).map(content => [content, content])))

type Counts = Readonly<Record<'registered' | 'no' | 'unknown', number>>

/** How many are registered, and how many failures of each certainty there are. */
function countOf(run: CheckedRun): Counts {
  const ends = Object.values(endsOf(run))
  const count = (wanted: string): number => ends.filter(end => end === wanted).length
  const counts = { no: count('cancelled/no'), unknown: count('cancelled/unknown') }
  return { registered: count('registered'), ...counts }
}

interface Interruption {
  /** The request at whose arrival the signals are sent. */
  readonly at: readonly [endpoint: SeenRequest['endpoint'], nth: number]
  /** Default: SIGINT. */
  readonly signals?: readonly NodeJS.Signals[]
  readonly service?: SimulatorOptions
  readonly count?: number
  readonly inputs?: Readonly<Record<string, string>>
}

/** Runs until a request arrives, then sends signals. Each answer that was read must be kept and reported. */
async function interrupt(options: Interruption) {
  const { at, signals = ['SIGINT'], count = 12, inputs = {}, service: rules = {} } = options
  const { faults } = rules
  let child: StepProcess | undefined
  const service = await startService({
    ...rules,
    faults: request => {
      if (request.endpoint === at[0] && request.nthOfEndpoint === at[1]) {
        for (const signal of signals) child?.kill(signal)
      }
      return typeof faults === 'function' ? faults(request) : undefined
    },
  })
  const onStart = (started: StepProcess): void => {
    child = started
  }
  const workspace = makeArtifacts(count)
  const run = await notarize({ service, workspace, inputs, onStart, mustFail: true })

  expect(run.annotations.error).toEqual([expect.stringMatching(/cancelled/)])
  const answered = service.requests.filter(({ answeredStatus }) => answeredStatus === 200)
  const kept = readLines(run).map(({ hash }) => hash)
  expect(kept.toSorted()).toEqual(answered.flatMap(({ hash }) => hash ?? []).sort())
  return { run, service, counts: countOf(run) }
}

const latencyOfCompletions =
  (ms: number) =>
  ({ endpoint }: SeenRequest): number =>
    endpoint === 'completion' ? ms : 0

/** Tried again, but not soon. */
const busy = statusFault(503, { headers: { 'retry-after': '50' } })

describe('a run that gets a signal', () => {
  it.each<[string, Interruption, Counts]>([
    [
      'during the login sends nothing more',
      { at: ['login', 1], service: { latencyMs: 1000 } },
      { registered: 0, no: 12, unknown: 0 },
    ],
    [
      'keeps the records of calls that are answered in time, whatever other signals come',
      {
        at: ['completion', 4],
        signals: ['SIGTERM', 'SIGINT', 'SIGINT'],
        service: { latencyMs: latencyOfCompletions(800) },
      },
      { registered: 4, no: 8, unknown: 0 },
    ],
    [
      'leaves open what is answered too late',
      {
        at: ['completion', 4],
        service: {
          latencyMs: ({ nthOfEndpoint, endpoint }) =>
            endpoint === 'login' || nthOfEndpoint === 2 ? 0 : 60_000,
        },
      },
      { registered: 1, no: 8, unknown: 3 },
    ],
    [
      'does not wait for the next attempt after a 503',
      {
        at: ['completion', 4],
        signals: ['SIGTERM'],
        service: { faults: ({ endpoint }) => (endpoint === 'completion' ? busy : undefined) },
      },
      { registered: 0, no: 8, unknown: 4 },
    ],
    [
      'fails, and says why, even if every artifact is registered',
      { at: ['completion', 3], count: 3, service: { latencyMs: latencyOfCompletions(500) } },
      { registered: 3, no: 0, unknown: 0 },
    ],
  ])('%s', async (_, interruption, expected) => {
    const { run, counts } = await interrupt(interruption)
    expect(counts).toEqual(expected)
    const [error = ''] = run.annotations.error
    expect(/\d of them may be registered/.test(error)).toBe(expected.unknown > 0)
  })

  it('sends nothing if it comes while files are hashed', async () => {
    const service = await startService()
    const workspace = makeRelease({ 'a.bin': 'a', 'large.bin': '', 'z.bin': 'z' })
    const large = workspace.path('dist/large.bin')
    // Sparse, and large enough to be read for a while.
    truncateSync(large, 8 * 1024 ** 3)
    const run = await notarize({
      service,
      workspace,
      mustFail: true,
      onStart: child => {
        void until(() => hasOpen(child.pid, large)).then(() => child.kill('SIGTERM'))
      },
    })
    truncateSync(large, 0)
    expect(service.requests).toEqual([])
    expect(endsOf(run)['dist/large.bin']).toBe('cancelled/no')
    expect(run.results.verdict).toBe('failed')
  })

  it('ends although a proxy does not answer', async () => {
    const proxy = await startProxy({ targets: {}, manner: () => 'silence' })
    const run = await notarize({
      workspace: makeArtifacts(3),
      inputs: { 'base-url': 'https://notary.example', 'timeout-seconds': '600' },
      env: { https_proxy: `http://${proxy.host}` },
      mustFail: true,
      onStart: child => {
        void until(() => proxy.connects.length > 0).then(() => child.kill('SIGINT'))
      },
    })
    expect(countOf(run)).toEqual({ registered: 0, no: 3, unknown: 0 })
  })

  it.each([1, 9, 59])(
    'loses no record of 80 at completion %d, and the next run goes on',
    async nth => {
      const { run, service, counts } = await interrupt({
        at: ['completion', nth],
        count: 80,
        inputs: { concurrency: '8' },
        service: { latencyMs: ({ number }) => (number * 7) % 40 },
      })
      const registered = service.registered.size
      expect(registered).toBeLessThan(80)
      expect(counts).toEqual({ registered, no: 80 - registered, unknown: 0 })
      const again = await notarize({ service, workspace: run.workspace })
      expect(again.exitCode).toBe(0)
      expect([...service.completionCounts.values()]).toEqual(Array<number>(80).fill(1))
    },
  )
})

/** Whether a process has a file open. */
function hasOpen(pid: number | undefined, file: string): boolean {
  try {
    const folder = `/proc/${pid ?? 0}/fd`
    return readdirSync(folder).some(name => readlinkSync(`${folder}/${name}`) === file)
  } catch {
    // The process, or one of its files, is gone meanwhile.
    return false
  }
}

it('uses answers that came while the process was stopped, beyond their deadline', async () => {
  let child: StepProcess | undefined
  const service = await startService({
    faults: ({ endpoint, nthOfEndpoint }) => {
      if (endpoint === 'completion' && nthOfEndpoint === 4) {
        child?.kill('SIGSTOP')
        setTimeout(() => child?.kill('SIGCONT'), 2_500)
      }
      return undefined
    },
    // All four are under way when the process is stopped, and are answered after that.
    latencyMs: ({ endpoint, nthOfEndpoint }) =>
      endpoint === 'completion' && nthOfEndpoint <= 4 ? 400 : 0,
    // So long that one turn of the event loop does not read it.
    record: () => ({ description: 'x'.repeat(600_000) }),
  })
  const run = await notarize({
    service,
    workspace: makeArtifacts(8),
    inputs: { 'timeout-seconds': '2' },
    onStart: started => {
      child = started
    },
  })
  expect(run.results).toMatchObject({ verdict: 'registered' })
  expect([...service.completionCounts.values()]).toEqual(Array<number>(8).fill(1))
})

describe('a process that is killed', () => {
  it.each([2, 7, 23])(
    'at completion %d loses no line, and later runs register the rest',
    async nth => {
      let child: StepProcess | undefined
      const service = await startService({
        repeat: 'accept',
        latencyMs: ({ number }) => (number * 7) % 20,
        faults: ({ endpoint, nthOfEndpoint }) => {
          if (endpoint === 'completion' && nthOfEndpoint === nth) child?.kill('SIGKILL')
          return undefined
        },
      })
      const workspace = makeArtifacts(30)
      const inputs = {
        'api-key': API_KEY,
        'base-url': service.url,
        subscription: subscriptionText,
        path: 'dist',
      }
      const started = startAction({ workspace, inputs })
      child = started.child
      expect((await started.finished).signal).toBe('SIGKILL')

      // Every hash that was sent is open or has its record; what was answered is the service's word alone.
      const file = readRecordsText(workspace.read(FILE))
      const sent = new Set(service.requests.flatMap(({ hash }) => hash ?? []))
      const known = new Set(file.states.map(({ hash }) => hash))
      expect([...sent].filter(hash => !known.has(hash))).toEqual([])
      const open = [...known].filter(hash => isOpen(file, { service: service.url, hash }))
      expect(open.length).toBeLessThanOrEqual(4)

      const run = await notarize({ service, workspace })
      expect(run.results).toMatchObject({ verdict: 'registered', 'registered-count': 30 })
      const again = run.results.records
        ?.filter(one => one.maybeChargedAgain)
        .map(({ hash }) => hash)
      expect(again?.toSorted()).toEqual(open.toSorted())
      for (const content of contents(30)) {
        const count = service.completionCounts.get(sha256(content)) ?? 0
        expect(count).toBeGreaterThanOrEqual(1)
        expect(count).toBeLessThanOrEqual(open.includes(sha256(content)) ? 2 : 1)
      }
    },
  )
})
