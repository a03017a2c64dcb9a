/** A job that is cancelled: what is done is kept and told, what is not is told as well, and the process goes in time. */
import { truncateSync } from 'node:fs'
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
  readLines,
  readOutputs,
  readSummary,
  secretsOf,
  sha256,
  startService,
  subscriptionText,
} from './support.ts'
import type { CheckedRun } from './support.ts'

/** Calls in flight get 5 s; the rest is for a slow machine. */
const inTimeMs = 5_000 + 4_000

type Signals = readonly (readonly [signal: NodeJS.Signals, afterMs: number])[]

interface Interruption {
  /** The request at whose arrival the first signal is sent. */
  readonly when: (request: SeenRequest) => boolean
  readonly signals?: Signals
  readonly count?: number
  readonly inputs?: Readonly<Record<string, string>>
  readonly service?: SimulatorOptions
}

interface Interrupted {
  readonly run: CheckedRun
  readonly service: Simulator
  /** From the first signal to the end. */
  readonly tookMs: number
}

const contentOf = (index: number): string => `to be cancelled ${index}`
const artifactOf = (index: number): string => `dist/${String(index).padStart(3, '0')}.bin`

function makeArtifacts(count: number): Workspace {
  const files = Array.from(
    { length: count },
    (_, index) => [artifactOf(index).slice(5), contentOf(index)] as const,
  )
  return makeRelease(Object.fromEntries(files))
}

const inputsFor = (url: string): Record<string, string> => ({
  'api-key': API_KEY,
  'base-url': url,
  subscription: subscriptionText,
  path: 'dist',
})

/** Starts the action and gives a function that sends it the signals, once. */
function startWith(options: RunOptions, signals: Signals) {
  const { child, finished } = startAction(options)
  let sentAt: number | undefined
  const interrupt = (): void => {
    if (sentAt !== undefined) return
    sentAt = performance.now()
    for (const [signal, afterMs] of signals) {
      if (afterMs === 0) child.kill(signal)
      else setTimeout(() => child.kill(signal), afterMs).unref()
    }
  }
  const ended = finished.then(run => ({
    run,
    tookMs: performance.now() - (sentAt ?? Number.NEGATIVE_INFINITY),
  }))
  return { child, interrupt, ended }
}

async function interruptAt(interruption: Interruption): Promise<Interrupted> {
  const { when, signals = [['SIGINT', 0]], count = 12, inputs, service: rules = {} } = interruption
  let interrupt = (): void => undefined
  const { faults } = rules
  const service = await startService({
    ...rules,
    faults: request => {
      if (when(request)) interrupt()
      return typeof faults === 'function' ? faults(request) : undefined
    },
  })
  const options = {
    workspace: makeArtifacts(count),
    inputs: { ...inputsFor(service.url), ...inputs },
  }
  const started = startWith(options, signals)
  interrupt = started.interrupt
  const { run, tookMs } = await started.ended
  expect(tookMs).toBeLessThan(inTimeMs)
  return { run: checkCancelled(run, service), service, tookMs }
}

/** What every run that was cancelled has in common. */
function checkCancelled(run: ActionRun, service: Simulator): CheckedRun {
  const results = readOutputs(run)
  expect({ exitCode: run.exitCode, signal: run.signal }).toEqual({ exitCode: 1, signal: null })
  expect(run.annotations.error).toHaveLength(1)
  expect(run.annotations.error[0]).toContain('cancelled by a signal')
  if (results['failed-count'] > 0) checkEveryRun(run, secretsOf(service))
  expect(readSummary(run.summary).rows).toHaveLength(results['artifact-count'])

  const hashes = (from: readonly { readonly hash: string | null }[]): string[] =>
    [...new Set(from.map(({ hash }) => hash ?? ''))].sort()
  const answered = service.requests.flatMap(({ hash, answeredStatus }) =>
    hash !== undefined && answeredStatus === 200 ? [{ hash }] : [],
  )
  const kept = hashes(readLines(run))
  expect(kept).toEqual(hashes(answered))
  expect(hashes(results.records ?? [])).toEqual(kept)
  for (const failure of results.failures) {
    expect(failure.code).toBe('cancelled')
    const sent = service.requests.some(({ hash }) => hash !== undefined && hash === failure.hash)
    if (!sent) expect(failure.registered).toBe('no')
  }
  return { ...run, results }
}

const nthCompletion =
  (nth: number) =>
  ({ endpoint, nthOfEndpoint }: SeenRequest): boolean =>
    endpoint === 'completion' && nthOfEndpoint === nth

const completionsOf = (service: Simulator): number =>
  service.requests.filter(({ endpoint }) => endpoint === 'completion').length

const latencyOfCompletions =
  (ms: number) =>
  ({ endpoint }: SeenRequest): number =>
    endpoint === 'completion' ? ms : 0

/** How many failures of each certainty there are. */
function countFailures({ results }: CheckedRun): Record<string, number> {
  const counts = { no: 0, unknown: 0 }
  for (const { registered } of results.failures) counts[registered] += 1
  return counts
}

/** Does the same with either signal, side by side. */
async function withEither(
  check: (signals: Signals, signal: NodeJS.Signals) => Promise<void>,
): Promise<void> {
  const either = ['SIGINT', 'SIGTERM'] as const
  await Promise.all(either.map(signal => check([[signal, 0]], signal)))
}

describe('a run that gets SIGINT or SIGTERM', () => {
  it('sends nothing when it comes before the login', () =>
    withEither(async signals => {
      const service = await startService()
      const workspace = makeRelease({ 'a.bin': 'a', 'large.bin': '', 'z.bin': 'z' })
      // A hole in the disk, large enough to be read for a while.
      truncateSync(workspace.path('dist/large.bin'), 512 * 1024 ** 2)

      const { child, interrupt, ended } = startWith(
        { workspace, inputs: inputsFor(service.url) },
        signals,
      )
      child.stdout.once('data', interrupt)
      const { run, tookMs } = await ended

      expect(tookMs).toBeLessThan(inTimeMs)
      truncateSync(workspace.path('dist/large.bin'), 0)
      const checked = checkCancelled(run, service)
      expect(service.requests).toEqual([])
      expect(checked.results).toMatchObject({ verdict: 'failed', 'failed-count': 3 })
      expect(countFailures(checked)).toEqual({ no: 3, unknown: 0 })
    }))

  it('sends nothing more when it comes during the login', () =>
    withEither(async signals => {
      const { run, service, tookMs } = await interruptAt({
        signals,
        when: ({ endpoint }) => endpoint === 'login',
        service: { latencyMs: 4000 },
      })

      expect(service.requests).toHaveLength(1)
      expect(countFailures(run)).toEqual({ no: 12, unknown: 0 })
      expect(tookMs).toBeLessThan(inTimeMs)
    }))

  it('keeps the records of completions that are answered in time', () =>
    withEither(async signals => {
      const { run, service } = await interruptAt({
        signals,
        when: nthCompletion(4),
        service: { latencyMs: latencyOfCompletions(1000) },
      })

      expect(completionsOf(service)).toBe(4)
      expect(run.results).toMatchObject({ verdict: 'partial', 'newly-registered-count': 4 })
      expect(countFailures(run)).toEqual({ no: 8, unknown: 0 })
    }))

  it('leaves open what became of completions that are answered too late', () =>
    withEither(async signals => {
      const { run, service, tookMs } = await interruptAt({
        signals,
        when: nthCompletion(4),
        service: {
          latencyMs: ({ endpoint, nthOfEndpoint }) =>
            endpoint === 'login' ? 0 : nthOfEndpoint === 2 ? 500 : 60_000,
        },
      })

      expect(completionsOf(service)).toBe(4)
      expect(run.results).toMatchObject({ verdict: 'partial', 'newly-registered-count': 1 })
      expect(countFailures(run)).toEqual({ no: 8, unknown: 3 })
      expect(run.annotations.error[0]).toContain('3 of them may be registered')
      // They had their 5 s.
      expect(tookMs).toBeGreaterThan(4_500)
    }))

  it.each([
    { status: 503, retryAfter: '50', certainty: { no: 8, unknown: 4 } },
    { status: 429, retryAfter: '50', certainty: { no: 12, unknown: 0 } },
    { status: 503, retryAfter: 'soon', certainty: { no: 8, unknown: 4 } },
  ])(
    'does not wait for the next try after HTTP $status with Retry-After: $retryAfter',
    ({ status, retryAfter, certainty }) =>
      withEither(async (_, signal) => {
        const { run, service, tookMs } = await interruptAt({
          signals: [[signal, 300]],
          when: nthCompletion(retryAfter === 'soon' ? 12 : 4),
          inputs: { 'max-attempts': '20' },
          service: {
            faults: ({ endpoint }) =>
              endpoint === 'completion'
                ? statusFault(status, { headers: { 'retry-after': retryAfter } })
                : undefined,
          },
        })

        expect(tookMs).toBeLessThan(4_000)
        expect(new Set(service.requests.map(({ hash }) => hash)).size).toBe(1 + 4)
        expect(countFailures(run)).toEqual(certainty)
      }),
  )

  it('does not wait for a new login', () =>
    withEither(async signals => {
      const { run, service, tookMs } = await interruptAt({
        signals,
        when: ({ endpoint, nthOfEndpoint }) => endpoint === 'login' && nthOfEndpoint === 2,
        service: {
          faults: ({ endpoint }) => (endpoint === 'completion' ? statusFault(401) : undefined),
          latencyMs: ({ endpoint, nthOfEndpoint }) =>
            endpoint === 'login' && nthOfEndpoint === 2 ? 60_000 : 0,
        },
      })

      expect(tookMs).toBeLessThan(inTimeMs)
      expect(completionsOf(service)).toBeLessThanOrEqual(4)
      expect(countFailures(run)).toEqual({ no: 12, unknown: 0 })
    }))

  it('ends with exit code 1 and says why even if every artifact is registered', () =>
    withEither(async signals => {
      const { run } = await interruptAt({
        signals,
        count: 3,
        when: nthCompletion(3),
        service: { latencyMs: latencyOfCompletions(700) },
      })

      expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 3 })
      expect(run.results.failures).toEqual([])
    }))

  it('goes in time, and reports, when a proxy does not answer', () =>
    withEither(async signals => {
      const proxy = await startProxy({ targets: {}, manner: () => 'silence' })
      const service = await startService()
      const started = startWith(
        {
          workspace: makeArtifacts(3),
          inputs: inputsFor('https://notary.example'),
          env: { https_proxy: `http://${proxy.host}` },
          timeoutMs: 15_000,
        },
        signals,
      )
      const asked = setInterval(() => {
        if (proxy.connects.length > 0) started.interrupt()
      }, 20)
      const { run, tookMs } = await started.ended
      clearInterval(asked)

      expect({ timedOut: run.timedOut, exitCode: run.exitCode }).toEqual({
        timedOut: false,
        exitCode: 1,
      })
      expect(tookMs).toBeLessThan(inTimeMs)
      expect(countFailures(checkCancelled(run, service))).toEqual({ no: 3, unknown: 0 })
    }))
})

describe('a second signal', () => {
  it.each([
    {
      what: 'SIGTERM after SIGINT',
      signals: [
        ['SIGINT', 0],
        ['SIGTERM', 300],
      ],
    },
    {
      what: 'SIGINT after SIGTERM',
      signals: [
        ['SIGTERM', 0],
        ['SIGINT', 300],
      ],
    },
    {
      what: 'many of both',
      signals: [
        ['SIGINT', 0],
        ['SIGINT', 1],
        ['SIGTERM', 100],
        ['SIGINT', 400],
        ['SIGTERM', 900],
      ],
    },
  ] as const)('changes nothing: $what', async ({ signals }) => {
    const { run, service } = await interruptAt({
      signals,
      when: nthCompletion(4),
      service: { latencyMs: latencyOfCompletions(1500) },
    })

    expect(completionsOf(service)).toBe(4)
    expect(run.results).toMatchObject({ verdict: 'partial', 'newly-registered-count': 4 })
    expect(countFailures(run)).toEqual({ no: 8, unknown: 0 })
  })
})

describe('a signal in the middle of many quick completions', () => {
  it.each([
    { nth: 1, signal: 'SIGINT' },
    { nth: 9, signal: 'SIGTERM' },
    { nth: 30, signal: 'SIGINT' },
    { nth: 59, signal: 'SIGTERM' },
  ] as const)('loses no record at completion $nth', async ({ nth, signal }) => {
    const { run, service } = await interruptAt({
      signals: [[signal, 0]],
      count: 80,
      when: nthCompletion(nth),
      inputs: { concurrency: '8' },
      service: { latencyMs: ({ number }) => (number * 7) % 40 },
    })

    const registered = run.results['registered-count']
    expect(registered).toBe(service.registered.size)
    expect(registered).toBeLessThan(80)
    expect(countFailures(run)).toEqual({ no: 80 - registered, unknown: 0 })

    // And the next run takes up where this one ended.
    const inputs = inputsFor(service.url)
    const again = await startAction({ workspace: run.workspace, inputs }).finished
    expect(again.exitCode).toBe(0)
    expect([...service.completionCounts.values()]).toEqual(Array<number>(80).fill(1))
    expect(service.registered.has(sha256(contentOf(79)))).toBe(true)
  })
})
