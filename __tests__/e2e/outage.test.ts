/**
 * What a service that is down, or that no longer takes its own tokens, may cost: few requests, bounded time, and an
 * honest word about every artifact.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { rawFault, silenceFault, statusFault } from '../../simulator/index.ts'
import type { Fault, SeenRequest, Simulator } from '../../simulator/index.ts'
import { makeTemporaryFolder, makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'
import { makeRelease, notarize, readLines, sha256, startService } from './support.ts'
import type { CheckedRun } from './support.ts'

const nameOf = (index: number): string => `${String(index).padStart(3, '0')}.bin`
const artifactOf = (index: number): string => `dist/${nameOf(index)}`
const contentOf = (index: number): string => `artifact ${index}`
const hashOf = (index: number): string => sha256(contentOf(index))

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index)

/** Artifacts whose names sort as they are numbered, from 0. */
function makeArtifacts(count: number): Workspace {
  const files = range(0, count).map(index => [nameOf(index), contentOf(index)] as const)
  return makeRelease(Object.fromEntries(files))
}

/** As {@link makeArtifacts}, but a checksums file alone, so that a thousand cost nothing. */
function makeChecksums(count: number): Workspace {
  const lines = range(0, count).map(index => `${hashOf(index)}  ${artifactOf(index)}\n`)
  return makeWorkspace({ SHA256SUMS: lines.join('') })
}

const isCompletion = ({ endpoint }: SeenRequest): boolean => endpoint === 'completion'

const completionsOf = (service: Simulator): number => service.requests.filter(isCompletion).length
const loginsOf = (service: Simulator): number => service.requests.length - completionsOf(service)
const hashesOf = (service: Simulator): ReadonlySet<string> =>
  new Set(service.requests.flatMap(({ hash }) => hash ?? []))

/** Starts a service whose nth hash, from 0, meets the nth fault; undefined is an honest answer. */
function startFaulty(faults: readonly (Fault | undefined)[]): Promise<Simulator> {
  const byHash = new Map(faults.map((fault, index) => [hashOf(index), fault]))
  return startService({
    faults: ({ endpoint, hash = '' }) => (endpoint === 'completion' ? byHash.get(hash) : undefined),
  })
}

/** Code, certainty and whether it was tried, of each failure, by artifact. */
function storyOf(run: CheckedRun): Record<string, string> {
  return Object.fromEntries(
    run.results.failures.map(({ artifact, code, registered, message }) => [
      artifact,
      `${code}, ${registered}, ${message.includes('not tried') ? 'not tried' : 'tried'}`,
    ]),
  )
}

const stories = (indexes: readonly number[], story: string): Record<string, string> =>
  Object.fromEntries(indexes.map(index => [artifactOf(index), story]))

const down = statusFault(503)
const unpaid = statusFault(402)
const forbidden = statusFault(403)
const others = [statusFault(404), rawFault('<html>'), statusFault(422)]

describe('the breaker', () => {
  // One at a time and one try each, so that the order of the outcomes is that of the names.
  it.each([
    { what: 'five without a good answer', faults: Array(12).fill(down), sent: 5 },
    { what: 'five refused with 403', faults: Array(12).fill(forbidden), sent: 5, code: 'refused' },
    {
      what: 'five in any mix, the fifth refused',
      faults: [down, unpaid, down, down, forbidden, down],
      ...{ sent: 5, code: 'refused' },
    },
    {
      what: 'five with other refusals and odd answers between them',
      faults: range(0, 20).map(index => (index % 2 === 0 ? down : others[index % 3])),
      sent: 9,
    },
    {
      what: 'no number with a registered one after every four',
      faults: range(0, 25).map(index => (index % 5 === 4 ? undefined : down)),
      sent: 25,
    },
  ])(
    'begins no further hash after $what, and gives the rest the code of the fifth',
    async ({ faults, sent, code = 'unavailable' }) => {
      const service = await startFaulty(faults)
      const inputs = { concurrency: '1', 'max-attempts': '1' }
      const count = faults.length
      const run = await notarize({ service, workspace: makeArtifacts(count), inputs })

      expect(completionsOf(service)).toBe(sent)
      const story = storyOf(run)
      const rest = range(sent, count)
      expect(story).toMatchObject(stories(rest, `${code}, no, not tried`))
      const notTried = Object.values(story).filter(text => text.endsWith('not tried'))
      expect(notTried).toHaveLength(rest.length)
      expect(run.results['registered-count']).toBe(service.registered.size)
    },
  )

  it('lets those in flight end by their own rules, their further tries included', async () => {
    const [slow, slowAndTriedAgain] = [5, 6]
    const isSlow = (hash = ''): boolean => [slow, slowAndTriedAgain].map(hashOf).includes(hash)
    const service = await startService({
      faults: ({ endpoint, hash, nthOfHash }) => {
        if (endpoint !== 'completion') return undefined
        if (!isSlow(hash)) return unpaid
        return hash === hashOf(slowAndTriedAgain) && nthOfHash === 1 ? down : undefined
      },
      latencyMs: ({ hash }) => (isSlow(hash) ? 1200 : 0),
    })
    const inputs = { concurrency: '7' }
    const run = await notarize({ service, workspace: makeArtifacts(20), inputs })

    const registered = [artifactOf(slow), artifactOf(slowAndTriedAgain)]
    expect(run.results.records?.map(({ artifact }) => artifact)).toEqual(registered)
    expect(
      readLines(run)
        .map(({ artifact }) => artifact)
        .toSorted(),
    ).toEqual(registered)
    // A worker that was through before the fifth took up one more.
    const sent = hashesOf(service)
    expect(sent.size).toBeLessThanOrEqual(7 + 4)
    const failed = range(0, 20).filter(index => !isSlow(hashOf(index)))
    expect(storyOf(run)).toEqual({
      ...stories(failed, 'refused, no, not tried'),
      ...stories(
        failed.filter(index => sent.has(hashOf(index))),
        'refused, no, tried',
      ),
    })
  })
})

/** The clock of the machine steps back by an hour each time it is read. */
const fallingClock = `
  const now = Date.now
  let hours = 0
  Date.now = () => now() - 3_600_000 * hours++
`

it('a Retry-After holds back all workers, and no longer than it says if the clock steps back', async () => {
  const service = await startService({
    faults: ({ endpoint, nthOfEndpoint }) =>
      endpoint === 'completion' && nthOfEndpoint === 1
        ? statusFault(429, { headers: { 'retry-after': '2' } })
        : undefined,
    latencyMs: ({ endpoint, nthOfEndpoint }) =>
      endpoint === 'completion' && nthOfEndpoint > 1 ? 700 : 0,
  })
  const script = join(makeTemporaryFolder(), 'clock.cjs')
  writeFileSync(script, fallingClock)
  const run = await notarize({
    ...{ service, workspace: makeArtifacts(9), inputs: { concurrency: '3' } },
    ...{ nodeArguments: ['--require', script], timeoutMs: 30_000 },
  })

  expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 9 })
  const times = service.requests.filter(isCompletion).map(({ at }) => at)
  const [first = 0] = times
  expect(times).toHaveLength(10)
  // Three were under way; nothing else was until the time was up.
  expect(times.filter(at => at < first + 1900)).toHaveLength(3)
})

describe('a service that is down costs a thousand artifacts', () => {
  interface Outage {
    readonly cost: string
    readonly fault?: Fault
    readonly isGone?: boolean
    /** At most. */
    readonly completions: number
    readonly registered?: number
    readonly inputs?: Readonly<Record<string, string>>
  }
  const silent = silenceFault({ done: true })
  it.each<Outage>([
    { cost: 'the tries of one login when nobody listens', isGone: true, completions: 0 },
    { cost: 'the tries of those in flight when it answers 503', fault: down, completions: 8 * 3 },
    {
      cost: 'a few deadlines when it never answers',
      ...{ fault: silent, completions: 12 * 2 },
      inputs: { 'max-attempts': '2', concurrency: '8', 'timeout-seconds': '1' },
    },
    {
      cost: 'no record of what it registered before',
      ...{ fault: down, registered: 40, completions: 40 + 8 * 3 },
    },
  ])('$cost', async ({ fault, isGone = false, completions, registered = 0, inputs }) => {
    const faults = range(0, 1000).map(index => (index < registered ? undefined : fault))
    const service = await startFaulty(faults)
    if (isGone) await service.close()
    const run = await notarize({
      ...{ service, workspace: makeChecksums(1000) },
      inputs: {
        ...{ path: '', checksums: 'SHA256SUMS', 'max-registrations': '1000' },
        ...{ 'max-attempts': '3', ...inputs },
      },
    })

    expect(run.results).toMatchObject({
      ...{ 'artifact-count': 1000, 'registered-count': registered },
      'failed-count': 1000 - registered,
    })
    expect(readLines(run)).toHaveLength(registered)
    expect(run.lines.length).toBeLessThan(300)
    expect(run.durationMs).toBeLessThan(30_000)
    expect(completionsOf(service)).toBeLessThanOrEqual(completions)
    expect(loginsOf(service)).toBe(isGone ? 0 : 1)
    // Only what was never sent is certainly not registered.
    const sent = hashesOf(service)
    for (const { hash, code, registered: word } of run.results.failures) {
      expect([code, word]).toEqual(['unavailable', sent.has(hash ?? '') ? 'unknown' : 'no'])
    }
  })
})

describe('a token that the service no longer takes', () => {
  it('ends the run when a fresh one is refused, too, after few requests', async () => {
    const service = await startFaulty(Array<Fault>(100).fill(statusFault(401)))

    const inputs = { concurrency: '8' }
    const run = await notarize({ service, workspace: makeArtifacts(100), inputs })

    expect(loginsOf(service)).toBe(2)
    expect(completionsOf(service)).toBeLessThanOrEqual(16)
    expect(storyOf(run)).toEqual(stories(range(0, 100), 'login-refused, no, tried'))
  })

  it('ends the run when the new login cannot be made, with nothing sent after that', async () => {
    const service: Simulator = await startService({
      faults: ({ endpoint, nthOfEndpoint }) => {
        if (endpoint === 'completion' && nthOfEndpoint === 5) service.revokeTokens()
        return endpoint === 'login' && nthOfEndpoint > 1 ? down : undefined
      },
      latencyMs: ({ endpoint }) => (endpoint === 'completion' ? 100 : 0),
    })
    const inputs = { concurrency: '4', 'max-attempts': '3' }
    const run = await notarize({ service, workspace: makeArtifacts(30), inputs })

    expect(loginsOf(service)).toBe(1 + 3)
    // Each of the four workers was refused at most once.
    const registered = service.registered.size
    expect(completionsOf(service)).toBeLessThanOrEqual(registered + 4)
    expect(run.results).toMatchObject({ verdict: 'partial', 'registered-count': registered })
    expect(run.results.failures).toHaveLength(30 - registered)
    for (const failure of run.results.failures)
      expect(failure).toMatchObject({ code: 'unavailable', registered: 'no' })
  })

  // Only renewals ahead of time are seen, and no 401: the clock of the service is 2 s behind.
  it('is renewed before it ends, and for no other reason', async () => {
    const service = await startService({
      ...{ tokenLifetimeSeconds: 5, nowMs: () => Date.now() - 2000, latencyMs: 200 },
    })
    const inputs = { concurrency: '1' }
    const run = await notarize({ service, workspace: makeArtifacts(22), inputs })

    expect(run.results).toMatchObject({ verdict: 'registered', 'registered-count': 22 })
    expect(completionsOf(service)).toBe(22)
    expect(loginsOf(service)).toBeGreaterThanOrEqual(2)
    expect(loginsOf(service)).toBeLessThanOrEqual(6)
  })
})
