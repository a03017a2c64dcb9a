/** What faults of the service cost: files with default inputs, on a virtual clock. */
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Reply, Transmit } from '../../src/runtime/outside.ts'
import { respond, TestRun, wordsOf } from '../service/support.ts'
import { hashOf, makeRecord, readCall, subscription } from '../support/samples.ts'

const recordOf = (hash: string, changes: object = {}) =>
  respond(200, makeRecord(hash, { paymentId: subscription.id, ...changes }))
const page = '<!doctype html><title>Log in</title>'

/** The reply to a completion, and whether the service may have acted on it. */
const faults: [string, mayHaveActed: boolean, (hash: string) => Reply][] = [
  ['no connection', false, () => ({ kind: 'unreachable', detail: 'connection refused' })],
  ['lost', true, () => ({ kind: 'lost', detail: 'socket hang up' })],
  ['HTTP 503', true, () => respond(503, '')],
  ['503 with Retry-After', false, () => respond(503, '', 30_000)],
  ['HTTP 429', false, () => respond(429, '')],
  ['429 with Retry-After: 90', false, () => respond(429, '', 90_000)],
  ['pending', true, hash => recordOf(hash, { status: 'pending' })],
  ['another hash', true, () => recordOf(hashOf(999))],
  ['200 with an error', true, () => respond(200, { error: 'quota exceeded' })],
  ['HTML', true, () => respond(200, page)],
  ['a redirect', true, () => respond(302, '')],
  ['HTTP 402', false, () => respond(402, {})],
  ['HTTP 409', false, () => respond(409, {})],
  ['HTTP 422', false, () => respond(422, {})],
]

/** A clock that advances when nothing else happens, to the next of the times that are waited for. */
class VirtualClock implements Clock {
  readonly #timers: { readonly dueMs: number; readonly ring: () => void }[] = []
  #nowMs = 0

  now = (): number => this.#nowMs
  monotonic = (): number => this.#nowMs

  sleep = (ms: number): Promise<void> =>
    new Promise(ring => void this.#timers.push({ dueMs: this.#nowMs + ms, ring }))

  /** Returns what is waited for; meanwhile, time passes. */
  async pass<T>(waited: Promise<T>): Promise<T> {
    const over = new AbortController()
    const end = (): void => {
      over.abort()
    }
    waited.then(end, end)
    for (;;) {
      await setImmediate()
      if (over.signal.aborted) return waited
      const next = this.#timers.sort((a, b) => a.dueMs - b.dueMs).shift()
      if (next === undefined) continue
      this.#nowMs = next.dueMs
      next.ring()
    }
  }
}

/** Registers so many files; `complete` gets the hash of each completion, and the time limit of a call. */
async function play(
  count: number,
  complete: (hash: string, timeoutMs: number) => Promise<Reply>,
  clock: VirtualClock,
) {
  const run = new TestRun('', { 'max-attempts': '7' })
  const createTransport =
    (timeoutMs: number): Transmit =>
    request => {
      const { kind, hash } = readCall(request)
      return kind === 'completion' ? complete(hash, timeoutMs) : run.send(request)
    }
  const host = { clock, createTransport, random: () => 0.5 }
  const words = wordsOf(await clock.pass(run.register(count, host)))
  const registered = words.filter(word => word === 'registered').length
  return { registered, charges: run.charges, inputs: run.inputs, lines: run.lines }
}

describe('a fault never makes a step send a file twice that may be registered, and is met', () => {
  it.each(faults)('once, or later 5 times and by what is in flight: %s', async (...fault) => {
    const [, mayHaveActed, reply] = fault
    for (const from of [0, 19]) {
      const clock = new VirtualClock()
      const acted: string[] = []
      const complete = async (hash: string): Promise<Reply> => {
        await clock.sleep(1000)
        if (parseInt(hash, 16) < from) return recordOf(hash)
        if (mayHaveActed) acted.push(hash)
        return reply(hash)
      }
      const { registered, charges, inputs, lines } = await play(60, complete, clock)
      expect(registered).toBe(from)
      expect(new Set(acted).size).toBe(acted.length)
      expect(acted.length).toBeLessThanOrEqual(from === 0 ? 1 : 5 + inputs.concurrency)
      expect(acted.length > 0).toBe(mayHaveActed)
      const inDoubt = lines.filter(line => line.includes('"state":"unknown"'))
      expect(inDoubt.map(line => /[0-9a-f]{64}/.exec(line)?.[0]).sort()).toEqual(acted.sort())
      expect(charges).toEqual({ least: from, most: from + acted.length })
    }
  })
})

it('a service that takes 40 s for each completion charges each file once', async () => {
  const clock = new VirtualClock()
  let charged = 0
  const complete = async (hash: string, timeoutMs: number): Promise<Reply> => {
    charged += 1
    await clock.sleep(Math.min(40_000, timeoutMs))
    return timeoutMs < 40_000 ? { kind: 'lost', detail: 'timeout' } : recordOf(hash)
  }
  const { registered, charges } = await play(2, complete, clock)
  expect([registered, charged, charges]).toEqual([2, 2, { least: 2, most: 2 }])
})

it.each([0, 6])(
  'a router that answers 503 after 30 s to what is registered after 35 s costs what is said, from file %d on',
  async from => {
    const clock = new VirtualClock()
    let charged = 0
    const complete = async (hash: string): Promise<Reply> => {
      const isSlow = parseInt(hash, 16) >= from
      void clock.sleep(isSlow ? 35_000 : 1000).then(() => (charged += 1))
      await clock.sleep(isSlow ? 30_000 : 2000)
      return isSlow ? respond(503, page) : recordOf(hash)
    }
    const { registered, charges } = await play(20, complete, clock)
    await clock.pass(clock.sleep(10_000))
    expect(registered).toBe(from)
    expect(charged).toBeGreaterThan(from)
    expect(charges.least).toBeLessThanOrEqual(charged)
    expect(charges.most).toBeGreaterThanOrEqual(charged)
  },
)
