/** A job that is cancelled: what is done is kept and reported, what is not is reported as well, and the process goes in time. */
import { readdirSync, readlinkSync, truncateSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { statusFault } from '../../simulator/index.ts'
import type { SeenRequest, Simulator, SimulatorOptions } from '../../simulator/index.ts'
import { startProxy } from '../support/proxy.ts'
import { startAction } from '../support/runner.ts'
import type { ActionRun, RunOptions } from '../support/runner.ts'
import type { Workspace } from '../support/workspace.ts'
import {
  API_KEY,
  checkEveryRun,
  makeRelease,
  notarize,
  readLines,
  readOutputs,
  secretsOf,
  startService,
  subscriptionText,
} from './support.ts'
import type { CheckedRun } from './support.ts'

/** Calls in flight get 5 s; the rest is for a slow machine. */
const inTimeMs = 5_000 + 4_000

type Signals = readonly (readonly [signal: NodeJS.Signals, afterMs: number])[]
const either = ['SIGINT', 'SIGTERM'] as const

function makeArtifacts(count: number): Workspace {
  const names = Array.from({ length: count }, (_, index) => `${String(index).padStart(3, '0')}.bin`)
  return makeRelease(Object.fromEntries(names.map(name => [name, `to be cancelled ${name}`])))
}

const inputsFor = (url: string): Record<string, string> => ({
  ...{ 'api-key': API_KEY, 'base-url': url, subscription: subscriptionText, path: 'dist' },
})

/** Starts the action and gives a function that sends it the signals, once. */
function startWith(options: RunOptions, signals: Signals) {
  const { child, finished } = startAction(options)
  let sentAt = Infinity
  const interrupt = (): void => {
    if (sentAt !== Infinity) return
    sentAt = performance.now()
    for (const [signal, afterMs] of signals) {
      if (afterMs === 0) child.kill(signal)
      else setTimeout(() => child.kill(signal), afterMs).unref()
    }
  }
  const ended = finished.then(run => {
    const tookMs = performance.now() - sentAt
    expect(tookMs).toBeGreaterThan(0)
    expect(tookMs).toBeLessThan(inTimeMs)
    return { run, tookMs }
  })
  return { child, interrupt, ended }
}

/** Sends the signals as soon as it is so. */
function interruptWhen(isSo: () => boolean, { interrupt, ended }: ReturnType<typeof startWith>) {
  const timer = setInterval(() => {
    if (isSo()) interrupt()
  }, 5)
  return ended.finally(() => {
    clearInterval(timer)
  })
}

/** Checks what every run that was cancelled has in common. */
function checkCancelled(run: ActionRun, service: Simulator): CheckedRun {
  const results = readOutputs(run)
  expect(run.annotations.error).toEqual([expect.stringContaining('cancelled by a signal')])
  checkEveryRun(run, secretsOf(service), { mustFail: true })

  const hashes = (from: readonly { readonly hash?: string | null }[]): string[] =>
    [...new Set(from.map(({ hash }) => hash ?? ''))].sort()
  const completions = service.requests.filter(({ hash }) => hash !== undefined)
  const kept = hashes(readLines(run))
  expect(kept).toEqual(hashes(completions.filter(({ answeredStatus }) => answeredStatus === 200)))
  expect(hashes(results.records ?? [])).toEqual(kept)
  for (const failure of results.failures) {
    expect(failure.code).toBe('cancelled')
    const isSent = completions.some(({ hash }) => hash === failure.hash)
    if (!isSent) expect(failure.registered).toBe('no')
  }
  return { ...run, results }
}

/** How many are registered, and how many failures of each certainty there are. */
function countOf({ results }: CheckedRun): Record<string, number> {
  const counts = { registered: results['newly-registered-count'], no: 0, unknown: 0 }
  for (const { registered } of results.failures) counts[registered] += 1
  return counts
}

const nthOf =
  (wanted: SeenRequest['endpoint'], nth: number) =>
  ({ endpoint, nthOfEndpoint }: SeenRequest): boolean =>
    endpoint === wanted && nthOfEndpoint === nth

const fourth = nthOf('completion', 4)

const latencyOfCompletions =
  (ms: number) =>
  ({ endpoint }: SeenRequest): number =>
    endpoint === 'completion' ? ms : 0

const answerCompletions = (status: number, retryAfter: string): SimulatorOptions => ({
  faults: ({ endpoint }) =>
    endpoint === 'completion'
      ? statusFault(status, { headers: { 'retry-after': retryAfter } })
      : undefined,
})

interface Interruption {
  readonly what: string
  /** The request at whose arrival the first signal is sent. */
  readonly when: (request: SeenRequest) => boolean
  /** Default: each of the two alone, at once. */
  readonly signals?: readonly Signals[]
  readonly service?: SimulatorOptions
  readonly inputs?: Readonly<Record<string, string>>
  /** Artifacts; by default 12. */
  readonly count?: number
  readonly counts: Readonly<Partial<Record<'registered' | 'no' | 'unknown', number>>>
  /** Hashes that were sent, where that is certain. */
  readonly sent?: number
  /** Coarse bounds in milliseconds. */
  readonly took?: { readonly atLeast?: number; readonly atMost?: number }
}

const delayed = either.map((signal): Signals => [[signal, 300]])

const interruptions: readonly Interruption[] = [
  {
    what: 'sends nothing more when it comes during the login',
    ...{ when: nthOf('login', 1), service: { latencyMs: 4000 } },
    ...{ counts: { no: 12 }, sent: 0 },
  },
  {
    what: 'keeps the records of completions that are answered in time',
    ...{ when: fourth, service: { latencyMs: latencyOfCompletions(1000) } },
    ...{ counts: { registered: 4, no: 8 }, sent: 4 },
  },
  {
    what: 'leaves open what became of completions that are answered too late',
    when: fourth,
    service: {
      latencyMs: ({ endpoint, nthOfEndpoint }) =>
        endpoint === 'login' ? 0 : nthOfEndpoint === 2 ? 500 : 60_000,
    },
    ...{ counts: { registered: 1, no: 8, unknown: 3 }, sent: 4, took: { atLeast: 4_500 } },
  },
  ...(
    [
      [503, { no: 8, unknown: 4 }],
      [429, { no: 12 }],
    ] as const
  ).map(([status, counts]) => ({
    what: `does not wait for the next try after a ${status} with a Retry-After`,
    ...{ when: fourth, signals: delayed, service: answerCompletions(status, '50') },
    ...{ counts, sent: 4, took: { atMost: 4_000 } },
  })),
  {
    what: 'does not wait for a new login',
    when: nthOf('login', 2),
    service: {
      faults: nth => (nth.endpoint === 'completion' ? statusFault(401) : undefined),
      latencyMs: seen => (nthOf('login', 2)(seen) ? 60_000 : 0),
    },
    counts: { no: 12 },
  },
  {
    what: 'ends with exit code 1 and says why even if every artifact is registered',
    ...{ when: nthOf('completion', 3), service: { latencyMs: latencyOfCompletions(700) } },
    ...{ count: 3, counts: { registered: 3 }, sent: 3 },
  },
  {
    what: 'takes no notice of further signals',
    ...{ when: fourth, service: { latencyMs: latencyOfCompletions(1500) } },
    signals: [
      [
        ['SIGINT', 0],
        ['SIGTERM', 300],
      ],
      [
        ['SIGTERM', 0],
        ['SIGINT', 1],
        ['SIGINT', 100],
        ['SIGTERM', 900],
      ],
    ],
    ...{ counts: { registered: 4, no: 8 }, sent: 4 },
  },
]

async function interruptAt(options: Interruption, signals: Signals) {
  const { when, count = 12, inputs, service: rules = {} } = options
  let interrupt = (): void => undefined
  const { faults } = rules
  const service = await startService({
    ...rules,
    faults: request => {
      if (when(request)) interrupt()
      return typeof faults === 'function' ? faults(request) : undefined
    },
  })
  const workspace = makeArtifacts(count)
  const started = startWith(
    { workspace, inputs: { ...inputsFor(service.url), ...inputs } },
    signals,
  )
  interrupt = started.interrupt
  const { run, tookMs } = await started.ended
  return { run: checkCancelled(run, service), service, tookMs }
}

const eitherAtOnce = either.map((signal): Signals => [[signal, 0]])

describe('a run that gets SIGINT or SIGTERM', () => {
  it.each(interruptions)('$what', async row => {
    const { signals: all = eitherAtOnce, counts, sent, took = {} } = row
    await Promise.all(
      all.map(async signals => {
        const { run, service, tookMs } = await interruptAt(row, signals)
        expect(countOf(run)).toEqual({ registered: 0, no: 0, unknown: 0, ...counts })
        const hashes = service.requests.flatMap(({ hash }) => hash ?? [])
        if (sent !== undefined) expect(new Set(hashes).size).toBe(sent)
        expect(tookMs).toBeGreaterThan(took.atLeast ?? 0)
        expect(tookMs).toBeLessThan(took.atMost ?? Infinity)
        const { unknown = 0 } = counts
        const [error = ''] = run.annotations.error
        expect(error.includes(`${unknown} of them may be registered`)).toBe(unknown > 0)
      }),
    )
  })

  it.each(either)('sends nothing when it comes while files are hashed: %s', async signal => {
    const service = await startService()
    const workspace = makeRelease({ 'a.bin': 'a', 'large.bin': '', 'z.bin': 'z' })
    // A hole in the disk, large enough to be read for a while.
    truncateSync(workspace.path('dist/large.bin'), 4 * 1024 ** 3)
    const started = startWith({ workspace, inputs: inputsFor(service.url) }, [[signal, 0]])
    const { run } = await interruptWhen(
      () => hasOpen(started.child.pid, workspace.path('dist/large.bin')),
      started,
    )

    truncateSync(workspace.path('dist/large.bin'), 0)
    const checked = checkCancelled(run, service)
    expect(service.requests).toEqual([])
    expect(checked.results.verdict).toBe('failed')
    expect(countOf(checked)).toEqual({ registered: 0, no: 3, unknown: 0 })
  })

  it.each(either)('goes in time, and reports, when a proxy does not answer: %s', async signal => {
    const proxy = await startProxy({ targets: {}, manner: () => 'silence' })
    const service = await startService()
    const inputs = inputsFor('https://notary.example')
    const env = { https_proxy: `http://${proxy.host}` }
    const started = startWith({ workspace: makeArtifacts(3), inputs, env }, [[signal, 0]])
    const { run } = await interruptWhen(() => proxy.connects.length > 0, started)

    const counts = countOf(checkCancelled(run, service))
    expect(counts).toEqual({ registered: 0, no: 3, unknown: 0 })
  })

  it.each([
    { nth: 1, signal: 'SIGINT' },
    { nth: 9, signal: 'SIGTERM' },
    { nth: 30, signal: 'SIGINT' },
    { nth: 59, signal: 'SIGTERM' },
  ] as const)('loses no record of 80 at completion $nth', async ({ nth, signal }) => {
    const row = {
      ...{ what: '', when: nthOf('completion', nth), count: 80, inputs: { concurrency: '8' } },
      service: { latencyMs: ({ number }: SeenRequest) => (number * 7) % 40 },
      counts: {},
    }
    const { run, service } = await interruptAt(row, [[signal, 0]])

    const registered = service.registered.size
    expect(registered).toBeLessThan(80)
    expect(countOf(run)).toEqual({ registered, no: 80 - registered, unknown: 0 })

    // And the next run takes up where this one ended.
    const again = await notarize({ service, workspace: run.workspace })
    expect(again.exitCode).toBe(0)
    expect([...service.completionCounts.values()]).toEqual(Array<number>(80).fill(1))
  })
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

it('uses the answers that came while the process stood still, beyond their deadline', async () => {
  let pause = (): void => undefined
  const service = await startService({
    faults: request => {
      if (fourth(request)) pause()
      return undefined
    },
    // All four are under way when the process is stopped, and are answered after that.
    latencyMs: ({ endpoint, nthOfEndpoint }) =>
      endpoint === 'completion' && nthOfEndpoint <= 4 ? 400 : 0,
    // So long that one turn of the event loop does not read it.
    record: () => ({ description: 'x'.repeat(600_000) }),
  })
  const workspace = makeArtifacts(8)
  const inputs = { ...inputsFor(service.url), 'timeout-seconds': '1' }
  const { child, finished } = startAction({ workspace, inputs })
  pause = () => {
    child.kill('SIGSTOP')
    setTimeout(() => child.kill('SIGCONT'), 2_500)
  }
  const run = await finished

  checkEveryRun(run, secretsOf(service))
  expect(readOutputs(run).verdict).toBe('registered')
  expect(service.requests.filter(({ endpoint }) => endpoint === 'completion')).toHaveLength(8)
  expect(readLines(run).flatMap(({ unansweredTries }) => unansweredTries ?? [])).toEqual([])
})
