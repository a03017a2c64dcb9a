/**
 * What a service that is down, or that no longer takes its own tokens, may cost: few requests, bounded time, and an
 * honest word about every artifact.
 */
import { describe, expect, it } from '@jest/globals'
import { rawFault, silenceFault, statusFault } from '../../simulator/index.ts'
import type { Fault, SeenRequest, Simulator } from '../../simulator/index.ts'
import { makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'
import { makeRelease, notarize, readLines, sha256, startService } from './support.ts'
import type { CheckedRun } from './support.ts'

const nameOf = (index: number): string => `${String(index).padStart(3, '0')}.bin`
const artifactOf = (index: number): string => `dist/${nameOf(index)}`
const contentOf = (index: number): string => `artifact ${index}`
const hashOf = (index: number): string => sha256(contentOf(index))

/** Artifacts whose names sort as they are numbered, from 0. */
function makeArtifacts(count: number): Workspace {
  return makeRelease(
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [nameOf(index), contentOf(index)]),
    ),
  )
}

/** As {@link makeArtifacts}, but a checksums file alone, so that a thousand cost nothing. */
function makeChecksums(count: number): Workspace {
  const lines = Array.from(
    { length: count },
    (_, index) => `${hashOf(index)}  ${artifactOf(index)}`,
  )
  return makeWorkspace({ SHA256SUMS: `${lines.join('\n')}\n` })
}

const isCompletion = ({ endpoint }: SeenRequest): boolean => endpoint === 'completion'

const completionsOf = (service: Simulator): number => service.requests.filter(isCompletion).length
const loginsOf = (service: Simulator): number => service.requests.length - completionsOf(service)

/** Starts a service whose nth hash, from 0, meets the nth fault; undefined is an honest answer. */
function startFaulty(faults: readonly (Fault | undefined)[]): Promise<Simulator> {
  const byHash = new Map(faults.map((fault, index) => [hashOf(index), fault]))
  return startService({
    faults: ({ endpoint, hash = '' }) => (endpoint === 'completion' ? byHash.get(hash) : undefined),
  })
}

/** Code and certainty of each failure by artifact, with `tried` telling whether the message says that it was. */
function storyOf(run: CheckedRun): Record<string, string> {
  return Object.fromEntries(
    run.results.failures.map(({ artifact, code, registered, message }) => [
      artifact,
      `${code}, ${registered}, ${message.includes('not tried') ? 'not tried' : 'tried'}`,
    ]),
  )
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index)

const stories = (indexes: readonly number[], story: string): Record<string, string> =>
  Object.fromEntries(indexes.map(index => [artifactOf(index), story]))

/** Starts what does little but wait before its test is reached. */
function startEarly<T>(job: () => Promise<T>): Promise<T> {
  const run = job()
  run.catch(() => undefined)
  return run
}

const down = statusFault(503)
const unpaid = statusFault(402)
const forbidden = statusFault(403)
const unknownHash = statusFault(404)

/** One at a time and one try each, so that the order of the outcomes is that of the names. */
const inOrder = { concurrency: '1', 'max-attempts': '1' }

describe('the breaker', () => {
  it.each([
    { what: 'five without a good answer', faults: Array(12).fill(down), fifth: 'unavailable' },
    { what: 'five refused with 402', faults: Array(12).fill(unpaid), fifth: 'refused' },
    { what: 'five refused with 403', faults: Array(12).fill(forbidden), fifth: 'refused' },
    {
      what: 'five in any mix, the fifth without a good answer',
      faults: [unpaid, down, forbidden, unpaid, down],
      fifth: 'unavailable',
    },
    {
      what: 'five in any mix, the fifth refused',
      faults: [down, unpaid, down, down, forbidden],
      fifth: 'refused',
    },
  ])('begins no further hash after $what, and gives the rest the code of the fifth', async row => {
    const service = await startFaulty(row.faults)
    const run = await notarize({ service, workspace: makeArtifacts(12), inputs: inOrder })

    expect(completionsOf(service)).toBe(5)
    const rest = Object.entries(storyOf(run)).slice(5)
    expect(Object.fromEntries(rest)).toEqual(stories(range(5, 12), `${row.fifth}, no, not tried`))
    expect(Object.values(storyOf(run)).slice(0, 5).join()).not.toContain('not tried')
    expect(run.results.failures).toHaveLength(12)
    expect(run.exitCode).toBe(1)
  })

  it('counts from the last hash that was registered', async () => {
    const faults = range(0, 25).map(index => (index % 5 === 4 ? undefined : down))
    const service = await startFaulty(faults)

    const run = await notarize({ service, workspace: makeArtifacts(25), inputs: inOrder })

    expect(completionsOf(service)).toBe(25)
    expect(run.results).toMatchObject({ verdict: 'partial', 'registered-count': 5 })
    expect(JSON.stringify(run.results.failures)).not.toContain('not tried')
  })

  it('neither counts other refusals and odd answers, nor starts anew after them', async () => {
    const others = [unknownHash, rawFault('<html>'), statusFault(422)]
    const faults = range(0, 20).map(index => (index % 2 === 0 ? down : others[index % 3]))
    const service = await startFaulty(faults)

    const run = await notarize({ service, workspace: makeArtifacts(20), inputs: inOrder })

    // The outages are 0, 2, 4, 6 and 8.
    expect(completionsOf(service)).toBe(9)
    const rest = Object.entries(storyOf(run)).slice(9)
    expect(Object.fromEntries(rest)).toEqual(stories(range(9, 20), 'unavailable, no, not tried'))
  })

  it('stays closed however many refusals of other kinds there are', async () => {
    const service = await startFaulty(Array<Fault>(12).fill(unknownHash))

    const run = await notarize({ service, workspace: makeArtifacts(12), inputs: inOrder })

    expect(completionsOf(service)).toBe(12)
    expect(storyOf(run)).toEqual(stories(range(0, 12), 'refused, no, tried'))
  })

  it('lets those in flight end by their own rules, their further tries included', async () => {
    const slow = 5
    const slowAndTriedAgain = 6
    const service = await startService({
      faults: ({ endpoint, hash, nthOfHash }) => {
        if (endpoint !== 'completion' || hash === hashOf(slow)) return undefined
        if (hash === hashOf(slowAndTriedAgain)) return nthOfHash === 1 ? down : undefined
        return unpaid
      },
      latencyMs: ({ hash }) =>
        hash === hashOf(slow) || hash === hashOf(slowAndTriedAgain) ? 1200 : 0,
    })

    const run = await notarize({
      service,
      workspace: makeArtifacts(20),
      inputs: { concurrency: '7' },
    })

    const registered = [artifactOf(slow), artifactOf(slowAndTriedAgain)]
    expect(run.results.records?.map(({ artifact }) => artifact)).toEqual(registered)
    const kept = readLines(run).map(({ artifact }) => artifact)
    expect(kept.toSorted()).toEqual(registered)
    // A worker that was through before the fifth took up one more.
    const sent = new Set(service.requests.filter(isCompletion).map(({ hash }) => hash))
    expect(sent.size).toBeLessThanOrEqual(7 + 4)
    const isSent = (index: number): boolean => sent.has(hashOf(index))
    const refused = range(0, 20).filter(index => isSent(index) && index !== 5 && index !== 6)
    const rest = range(0, 20).filter(index => !isSent(index))
    expect(storyOf(run)).toEqual({
      ...stories(refused, 'refused, no, tried'),
      ...stories(rest, 'refused, no, not tried'),
    })
  })
})

describe('a service that is down', () => {
  const many = { path: '', checksums: 'SHA256SUMS', 'max-registrations': '1000' }

  /** What all thousand of them must have in common. */
  function expectAllFailed(run: CheckedRun): void {
    expect(run.results).toMatchObject({
      verdict: 'failed',
      'artifact-count': 1000,
      'failed-count': 1000,
    })
    expect(new Set(run.results.failures.map(({ code }) => code))).toEqual(new Set(['unavailable']))
    expect(run.summary).toContain('0 of 1000 artifacts registered')
    expect(run.lines.length).toBeLessThan(300)
    expect(readLines(run)).toEqual([])
  }

  it('costs a thousand artifacts the tries of one login when nobody listens', async () => {
    const service = await startService()
    await service.close()

    const run = await notarize({
      service,
      workspace: makeChecksums(1000),
      inputs: { ...many, 'max-attempts': '3' },
    })

    expectAllFailed(run)
    expect(new Set(run.results.failures.map(({ registered }) => registered))).toEqual(
      new Set(['no']),
    )
  })

  it('costs a thousand artifacts the tries of the few in flight when it answers 503', async () => {
    const service = await startFaulty(Array<Fault>(1000).fill(down))

    const run = await notarize({
      service,
      workspace: makeChecksums(1000),
      inputs: { ...many, 'max-attempts': '3', concurrency: '4' },
    })

    expectAllFailed(run)
    // The five of the breaker and three more in flight, three tries each.
    expect(completionsOf(service)).toBeLessThanOrEqual(8 * 3)
    expect(loginsOf(service)).toBe(1)
    expect(run.durationMs).toBeLessThan(30_000)
  })

  const neverAnswered = startEarly(async () => {
    const service = await startFaulty(Array<Fault>(1000).fill(silenceFault({ done: true })))
    const inputs = { ...many, 'max-attempts': '2', concurrency: '8', 'timeout-seconds': '1' }
    return { service, run: await notarize({ service, workspace: makeChecksums(1000), inputs }) }
  })

  it('costs a thousand artifacts a few deadlines when it never answers', async () => {
    const { service, run } = await neverAnswered

    expectAllFailed(run)
    expect(completionsOf(service)).toBeLessThanOrEqual(12 * 2)
    expect(run.durationMs).toBeLessThan(30_000)
    const sent = new Set(service.requests.filter(isCompletion).map(({ hash }) => hash))
    // Only what was never sent is certainly not registered.
    for (const { hash, registered } of run.results.failures) {
      expect(registered).toBe(sent.has(hash ?? '') ? 'unknown' : 'no')
    }
  })

  it('keeps what it registered before it went down', async () => {
    const faults = range(0, 1000).map(index => (index < 40 ? undefined : down))
    const service = await startFaulty(faults)

    const run = await notarize({
      service,
      workspace: makeChecksums(1000),
      inputs: { ...many, 'max-attempts': '2' },
    })

    expect(run.results).toMatchObject({ verdict: 'partial', 'registered-count': 40 })
    expect(readLines(run)).toHaveLength(40)
    expect(completionsOf(service)).toBeLessThanOrEqual(40 + 8 * 2)
  })
})

describe('a token that the service no longer takes', () => {
  it('costs one more login, however many workers see a 401 at once or late', async () => {
    const late = hashOf(8)
    const service: Simulator = await startService({
      faults: ({ endpoint, nthOfEndpoint, hash, nthOfHash }) => {
        if (endpoint !== 'completion') return undefined
        if (nthOfEndpoint === 9) service.revokeTokens()
        return hash === late && nthOfHash === 1 ? statusFault(401) : undefined
      },
      // All eight workers have a request under way when the token dies; one hears of it long after the new login.
      latencyMs: ({ endpoint, hash, nthOfHash }) =>
        endpoint === 'login' ? 100 : hash === late && nthOfHash === 1 ? 1500 : 150,
    })

    const run = await notarize({
      service,
      workspace: makeArtifacts(40),
      inputs: { concurrency: '8' },
    })

    expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 40 })
    expect(loginsOf(service)).toBe(2)
    const refused = service.requests.filter(({ answeredStatus }) => answeredStatus === 401)
    expect(refused.length).toBeGreaterThanOrEqual(2)
    expect(completionsOf(service)).toBe(40 + refused.length)
    expect([...service.completionCounts.values()]).toEqual(Array<number>(40).fill(1))
    expect(service.maxConnections).toBeLessThanOrEqual(9)
    expect(service.maxInFlight).toBeLessThanOrEqual(8)
  })

  it('ends the run when a fresh one is refused, too, after few requests', async () => {
    const service = await startFaulty(Array<Fault>(100).fill(statusFault(401)))

    const run = await notarize({
      service,
      workspace: makeArtifacts(100),
      inputs: { concurrency: '8' },
    })

    expect(loginsOf(service)).toBe(2)
    expect(completionsOf(service)).toBeLessThanOrEqual(16)
    const story = storyOf(run)
    expect(Object.keys(story)).toHaveLength(100)
    expect(new Set(Object.values(story))).toEqual(new Set(['login-refused, no, tried']))
  })

  it.each([
    { what: 'is refused', fault: statusFault(403), code: 'login-refused', logins: 2 },
    { what: 'cannot be made', fault: statusFault(503), code: 'unavailable', logins: 4 },
    { what: 'is not understood', fault: rawFault('{}'), code: 'invalid-response', logins: 2 },
  ])('ends the run when the new login $what', async ({ fault, code, logins }) => {
    const service: Simulator = await startService({
      faults: ({ endpoint, nthOfEndpoint }) => {
        if (endpoint === 'completion' && nthOfEndpoint === 5) service.revokeTokens()
        return endpoint === 'login' && nthOfEndpoint > 1 ? fault : undefined
      },
      latencyMs: ({ endpoint }) => (endpoint === 'completion' ? 100 : 0),
    })

    const run = await notarize({
      service,
      workspace: makeArtifacts(30),
      inputs: { concurrency: '4', 'max-attempts': '3' },
    })

    expect(loginsOf(service)).toBe(logins)
    // Each of the four workers was refused at most once; nothing was sent after that.
    const registered = service.registered.size
    expect(completionsOf(service)).toBeLessThanOrEqual(registered + 4)
    expect(run.results).toMatchObject({ verdict: 'partial', 'registered-count': registered })
    expect(run.results.failures).toHaveLength(30 - registered)
    for (const failure of run.results.failures) {
      expect(failure).toMatchObject({ code, registered: 'no' })
    }
  })
})

describe('the life of a token', () => {
  /** A run that takes longer than a token lives; the clock of the service is wrong by `shiftMs`. */
  async function outlive(count: number, rules: { lifetime: number; shiftMs: number }) {
    const service = await startService({
      tokenLifetimeSeconds: rules.lifetime,
      nowMs: () => Date.now() + rules.shiftMs,
      latencyMs: 200,
    })
    const inputs = { concurrency: '1' }
    return { service, run: await notarize({ service, workspace: makeArtifacts(count), inputs }) }
  }

  // With a clock that is 2 s behind, only renewals ahead of time are seen, and no 401.
  const renewed = startEarly(() => outlive(22, { lifetime: 5, shiftMs: -2000 }))
  const foundOut = startEarly(() => outlive(18, { lifetime: 2, shiftMs: -86_400_000 }))

  it('ends for the action before it ends for the service', async () => {
    const { service, run } = await renewed

    expect(run.results).toMatchObject({ verdict: 'registered', 'registered-count': 22 })
    expect(completionsOf(service)).toBe(22)
    expect(loginsOf(service)).toBeGreaterThanOrEqual(2)
    expect(loginsOf(service)).toBeLessThanOrEqual(5)
  })

  it.each([
    { clock: 'a day behind', shiftMs: -86_400_000, lifetime: 3600 },
    { clock: 'a day ahead', shiftMs: 86_400_000, lifetime: 3600 },
    { clock: 'right, and the token names no end', shiftMs: 0, lifetime: null },
  ])(
    'makes no login per call when the clock of the service is $clock',
    async ({ shiftMs, lifetime }) => {
      const service = await startService({
        tokenLifetimeSeconds: lifetime,
        nowMs: () => Date.now() + shiftMs,
      })

      const run = await notarize({ service, workspace: makeArtifacts(30) })

      expect(run.results).toMatchObject({ verdict: 'registered', 'registered-count': 30 })
      expect(loginsOf(service)).toBe(1)
      expect(completionsOf(service)).toBe(30)
    },
  )

  it('is found out by a 401, once each time, when the clock of the service is wrong', async () => {
    const { service, run } = await foundOut

    expect(run.results).toMatchObject({ verdict: 'registered', 'registered-count': 18 })
    const refused = service.requests.filter(({ answeredStatus }) => answeredStatus === 401)
    expect(refused.length).toBeGreaterThanOrEqual(1)
    expect(loginsOf(service)).toBe(1 + refused.length)
    expect(loginsOf(service)).toBeLessThanOrEqual(6)
    expect(completionsOf(service)).toBe(18 + refused.length)
  })
})
