/** A job that is cancelled or killed: what was done is kept and reported, and the next run goes on from there. */
import { readdirSync, readlinkSync, truncateSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { statusFault, type SeenRequest, type SimulatorOptions } from '../../simulator/index.ts'
import { isOpen, readRecordsText } from '../support/record-lines.ts'
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
  startService,
  subscriptionText,
  type CheckedRun,
} from './support.ts'

function makeArtifacts(count: number): Workspace {
  const names = Array.from({ length: count }, (_, index) => String(index).padStart(3, '0'))
  return makeRelease(Object.fromEntries(names.map(name => [name, name])))
}

/** How many are registered, and how many were cancelled with each certainty. */
function countOf(run: CheckedRun): readonly number[] {
  const ends = Object.values(endsOf(run))
  const count = (wanted: string): number => ends.filter(end => end === wanted).length
  return [count('registered'), count('cancelled/no'), count('cancelled/unknown')]
}

/** A service that has a process of the action do something at the n-th request to an endpoint. */
async function startTrap(
  at: readonly [endpoint: SeenRequest['endpoint'], nth: number],
  act: (child: StepProcess) => void,
  rules: SimulatorOptions = {},
) {
  let child: StepProcess | undefined
  const service = await startService({
    ...rules,
    faults: request => {
      const isHit = request.endpoint === at[0] && request.nthOfEndpoint === at[1]
      if (isHit && child !== undefined) act(child)
      return typeof rules.faults === 'function' ? rules.faults(request) : undefined
    },
  })
  const onStart = (started: StepProcess): void => {
    child = started
  }
  return { service, onStart }
}

const onlyCompletions =
  (ms: number) =>
  ({ endpoint }: SeenRequest): number =>
    endpoint === 'completion' ? ms : 0

/** Tried again, but not soon. */
const busy = statusFault(503, { headers: { 'retry-after': '50' } })

interface Interruption {
  readonly at: Parameters<typeof startTrap>[0]
  /** Default: SIGINT. */
  readonly signals?: readonly NodeJS.Signals[]
  readonly rules?: SimulatorOptions
  readonly count?: number
  readonly concurrency?: number
}

/** Runs until the signals come. Each answer that was read must be kept and reported. */
async function interrupt(interruption: Interruption) {
  const { at, signals = ['SIGINT'], rules = {}, count = 12, concurrency = 4 } = interruption
  const act = (child: StepProcess): void => {
    for (const signal of signals) child.kill(signal)
  }
  const { service, onStart } = await startTrap(at, act, rules)
  const inputs = { concurrency: `${concurrency}` }
  const workspace = makeArtifacts(count)
  const run = await notarize({ service, workspace, inputs, onStart, mustFail: true })
  expect(run.annotations.error).toEqual([expect.stringMatching(/cancelled/)])
  const answered = service.requests.filter(({ answeredStatus }) => answeredStatus === 200)
  const hashes = answered.flatMap(({ hash }) => hash ?? [])
  expect(
    readLines(run)
      .map(({ hash }) => hash)
      .sort(),
  ).toEqual(hashes.sort())
  return { run, service }
}

describe('a run that gets a signal', () => {
  it.each<
    [string, Interruption, counts: readonly [registered: number, no: number, unknown: number]]
  >([
    [
      'during the login sends nothing more',
      { at: ['login', 1], rules: { latencyMs: 1000 } },
      [0, 12, 0],
    ],
    [
      'keeps the records of calls that are answered in time, whatever other signals come',
      {
        at: ['completion', 4],
        signals: ['SIGTERM', 'SIGINT', 'SIGINT'],
        rules: { latencyMs: onlyCompletions(800) },
      },
      [4, 8, 0],
    ],
    [
      'leaves open what is answered too late',
      {
        at: ['completion', 4],
        rules: {
          latencyMs: ({ endpoint, nthOfEndpoint }) =>
            endpoint === 'login' || nthOfEndpoint === 2 ? 0 : 60_000,
        },
      },
      [1, 8, 3],
    ],
    [
      'does not wait for the next attempt',
      {
        at: ['completion', 4],
        signals: ['SIGTERM'],
        rules: { faults: ({ hash }) => (hash === undefined ? undefined : busy) },
      },
      [0, 8, 4],
    ],
    [
      'fails, and says why, even if every artifact is registered',
      { at: ['completion', 3], count: 3, rules: { latencyMs: onlyCompletions(500) } },
      [3, 0, 0],
    ],
  ])('%s', async (_, interruption, counts) => {
    const { run } = await interrupt(interruption)
    expect(countOf(run)).toEqual(counts)
    const [error = ''] = run.annotations.error
    expect(/\d of them may be registered/.test(error)).toBe(counts[2] > 0)
  })

  it('sends nothing if it comes while files are hashed', async () => {
    const service = await startService()
    const workspace = makeRelease({ 'a.bin': 'a', 'large.bin': '', 'z.bin': 'z' })
    const large = workspace.path('dist/large.bin')
    // Sparse, and large enough to be read for a while.
    truncateSync(large, 8 * 1024 ** 3)
    const onStart = (child: StepProcess): void => {
      void until(() => hasOpen(child.pid, large)).then(() => child.kill('SIGTERM'))
    }
    const run = await notarize({ service, workspace, onStart, mustFail: true })
    truncateSync(large, 0)
    expect(service.requests).toEqual([])
    expect(endsOf(run)['dist/large.bin']).toBe('cancelled/no')
  })

  it('loses no record of 80, and the next run goes on', async () => {
    const rules: SimulatorOptions = { latencyMs: ({ number }) => (number * 7) % 40 }
    const at = ['completion', 9] as const
    const { run, service } = await interrupt({ at, rules, count: 80, concurrency: 8 })
    const registered = service.registered.size
    expect(registered).toBeLessThan(80)
    expect(countOf(run)).toEqual([registered, 80 - registered, 0])
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

it('uses answers that came while the process was stopped, beyond their deadline', async () => {
  const pause = (child: StepProcess): void => {
    child.kill('SIGSTOP')
    setTimeout(() => child.kill('SIGCONT'), 2_500)
  }
  const { service, onStart } = await startTrap(['completion', 4], pause, {
    // All four are under way when the process is stopped, and are answered after that.
    latencyMs: ({ hash, nthOfEndpoint }) => (hash !== undefined && nthOfEndpoint <= 4 ? 400 : 0),
    // So long that one turn of the event loop does not read it.
    record: () => ({ description: 'x'.repeat(600_000) }),
  })
  const inputs = { 'timeout-seconds': '2' }
  const run = await notarize({ service, workspace: makeArtifacts(8), inputs, onStart })
  expect(run.results.verdict).toBe('registered')
  expect([...service.completionCounts.values()]).toEqual(Array<number>(8).fill(1))
})

it.each([2, 23])('a process that is killed at completion %d loses no line', async nth => {
  const kill = (child: StepProcess): void => void child.kill('SIGKILL')
  const rules: SimulatorOptions = { repeat: 'accept', latencyMs: ({ number }) => (number * 7) % 20 }
  const { service, onStart } = await startTrap(['completion', nth], kill, rules)
  const workspace = makeArtifacts(30)
  const needed = { 'api-key': API_KEY, subscription: subscriptionText, path: 'dist' }
  const started = startAction({ workspace, inputs: { ...needed, 'base-url': service.url } })
  onStart(started.child)
  expect((await started.finished).signal).toBe('SIGKILL')

  // Every hash that was sent has its line, and only those in flight are open.
  const file = readRecordsText(workspace.read(FILE))
  const known = new Set(file.states.map(({ hash }) => hash))
  const sent = service.requests.flatMap(({ hash }) => hash ?? [])
  expect(sent.filter(hash => !known.has(hash))).toEqual([])
  const open = [...known].filter(hash => isOpen(file, { service: service.url, hash }))
  expect(open.length).toBeLessThanOrEqual(4)

  const run = await notarize({ service, workspace })
  expect(run.results).toMatchObject({ verdict: 'registered', 'registered-count': 30 })
  const again = run.results.records?.filter(one => one.maybeChargedAgain).map(({ hash }) => hash)
  expect(again?.toSorted()).toEqual(open.toSorted())
  for (const [hash, count] of service.completionCounts) {
    expect(count).toBeLessThanOrEqual(open.includes(hash) ? 2 : 1)
  }
})
