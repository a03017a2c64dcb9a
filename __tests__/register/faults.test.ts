/** What faults of the service cost: files with default inputs, on a virtual clock. */
import { setImmediate } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Reply, Transmit } from '../../src/runtime/outside.ts'
import { respond, TestRun, wordsOf } from '../service/support.ts'
import { hashOf, makeRecord, readCall, subscription } from '../support/samples.ts'

const recordOf = (hash: string, changes: object = {}) =>
  respond(200, makeRecord(hash, { paymentId: subscription.id, ...changes }))

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
  ['HTML', true, () => respond(200, '<!doctype html><title>Log in</title>')],
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

it.each(faults)(
  'no file that may be registered is sent twice: %s',
  async (_, mayHaveActed, reply) => {
    for (const from of [0, 19]) {
      const clock = new VirtualClock()
      const acted: string[] = []
      const run = new TestRun('', { 'max-attempts': '7' })
      const transmit: Transmit = async request => {
        const { kind, hash } = readCall(request)
        if (kind !== 'completion') return run.send(request)
        await clock.sleep(1000)
        if (parseInt(hash, 16) < from) return recordOf(hash)
        if (mayHaveActed) acted.push(hash)
        return reply(hash)
      }
      const host = { clock, createTransport: () => transmit, random: () => 0.5 }
      const words = wordsOf(await clock.pass(run.register(60, host)))
      const { charges, inputs, lines } = run
      expect(words.filter(word => word === 'registered')).toHaveLength(from)
      expect(new Set(acted).size).toBe(acted.length)
      // Once at first, later 5 times and by what is in flight.
      expect(acted.length).toBeLessThanOrEqual(from === 0 ? 1 : 5 + inputs.concurrency)
      expect(acted.length > 0).toBe(mayHaveActed)
      const inDoubt = lines.filter(line => line.includes('"state":"unknown"'))
      expect(inDoubt.map(line => /[0-9a-f]{64}/.exec(line)?.[0]).sort()).toEqual(acted.sort())
      expect(charges).toEqual({ least: from, most: from + acted.length })
    }
  },
)
