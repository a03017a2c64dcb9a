import { afterAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { failureCodes } from '../../src/failure.ts'
import { createClient } from '../../src/service/client.ts'
import { isRetryable } from '../../src/service/operation.ts'
import { decideNextStep, parseRetryAfter } from '../../src/service/retry.ts'
import { readToken } from '../../src/service/session.ts'
import type { Reply } from '../../src/service/exchange.ts'
import { isJsonObject } from '../../src/text/json.ts'
import {
  closeAll,
  ending,
  goodRecord,
  HASH,
  makeClient,
  makeIntent,
  startServer,
  START_MS,
  SUBSCRIPTION,
  TestClock,
  type Ended,
} from '../service/support.ts'

afterAll(closeAll)

const anyDate = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(8.64e15) })

/** A moment in the three forms of RFC 9110, 5.6.7. */
function formsOf(date: Date): readonly string[] {
  const text = date.toUTCString()
  const [, day = '', month = '', year = '', time = ''] = text.split(' ')
  const weekday = date.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
  return [
    text,
    `${weekday}, ${day}-${month}-${year.slice(-2)} ${time} GMT`,
    `${text.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`,
  ]
}

const retryAfter = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.integer().map(String),
  fc.bigInt({ min: 0n }).map(String),
  fc.double().map(String),
  anyDate.chain(date => fc.constantFrom(date.toISOString(), ...formsOf(date))),
  fc.constantFrom('Sun, 99 Nov 1994 08:49:37 GMT', 'Sun, 06 Nov 1994 99:99:99 GMT'),
)

describe('any Retry-After', () => {
  it('is nothing, or a wait that is finite and not negative', () => {
    fc.assert(
      fc.property(retryAfter, fc.integer({ min: 0, max: 8.64e15 }), (value, nowMs) => {
        const ms = parseRetryAfter(value, nowMs) ?? 0
        expect(Number.isFinite(ms)).toBe(true)
        expect(ms).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 3000, seed: 31 },
    )
  })

  it('of a date from now on is the time until then, in whole seconds, in each of its forms', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_500_000_000 }),
        fc.integer({ min: 0, max: 100_000 }),
        (second, ahead) => {
          for (const form of formsOf(new Date((second + ahead) * 1000)))
            expect(parseRetryAfter(form, second * 1000)).toBe(ahead * 1000)
        },
      ),
      { numRuns: 500, seed: 32 },
    )
  })
})

const reply: fc.Arbitrary<Reply> = fc.oneof(
  fc.record({
    kind: fc.constant('answer' as const),
    status: fc.oneof(
      fc.integer({ min: 100, max: 999 }),
      fc.constantFrom(408, 425, 429, 500, 502, 503, 504),
    ),
    retryAfter: fc.option(retryAfter),
    body: fc.string(),
  }),
  fc.record({
    kind: fc.constant('lost' as const),
    ...{ wasSent: fc.boolean(), reason: fc.string(), isUnknownHost: fc.boolean() },
    isAborted: fc.constant(false),
  }),
  fc.record({
    kind: fc.constant('too-large' as const),
    status: fc.integer({ min: 100, max: 999 }),
  }),
  fc.record({ kind: fc.constant('untrusted' as const), reason: fc.string() }),
)

describe('any reply', () => {
  it('is followed by no wait above the limits, and by no try above their number', () => {
    fc.assert(
      fc.property(
        reply,
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 1, max: 20 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (given, tries, maxAttempts, random) => {
          const askedMs =
            given.kind === 'answer' ? parseRetryAfter(given.retryAfter, START_MS) : null
          const result = { isRetryable: isRetryable(given), retryAfterMs: askedMs }
          const next = decideNextStep(result, { tries, maxAttempts, random })
          expect(next.holdMs).toBeGreaterThanOrEqual(0)
          expect(next.holdMs).toBeLessThanOrEqual(60_000)
          if (next.action === 'done') return
          expect(tries).toBeLessThan(maxAttempts)
          expect(['answer', 'lost']).toContain(given.kind)
          if (askedMs === null) {
            expect(next.waitMs).toBeLessThanOrEqual(Math.min(30_000, 500 * 2 ** (tries - 1)))
            expect(next.holdMs).toBe(0)
          } else {
            expect([next.waitMs, next.holdMs]).toEqual([askedMs, askedMs])
            expect(askedMs).toBeLessThanOrEqual(60_000)
          }
          expect(next.waitMs).toBeGreaterThanOrEqual(0)
        },
      ),
      { numRuns: 3000, seed: 33 },
    )
  })
})

describe('any token', () => {
  const clock = { now: () => START_MS, monotonic: () => START_MS }

  it('is renewed within its life and never more than 60 s before its end, or not at all', () => {
    const claims = fc.oneof(
      fc.jsonValue(),
      fc.record({ exp: fc.oneof(fc.integer(), fc.double(), fc.string(), fc.constant(null)) }),
      fc.record({
        exp: fc.integer({ min: -100, max: 100_000 }).map(life => START_MS / 1000 + life),
      }),
    )
    const value = fc.oneof(
      fc.string(),
      claims.map(json => `x.${Buffer.from(JSON.stringify(json)).toString('base64url')}.y`),
    )
    fc.assert(
      fc.property(value, token => {
        const { renewFromMs, value: kept } = readToken(token, clock)
        expect(kept).toBe(token)
        expect(renewFromMs).toBeGreaterThanOrEqual(START_MS)
        const parsed: unknown = renewFromMs === Infinity ? {} : readClaims(token)
        const exp =
          isJsonObject(parsed) && typeof parsed['exp'] === 'number' ? parsed['exp'] * 1000 : null
        if (exp === null || renewFromMs === Infinity) return
        expect(exp - renewFromMs).toBeLessThanOrEqual(60_001)
        expect(exp - renewFromMs).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 2000, seed: 34 },
    )
  })
})

function readClaims(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

/** One answer of a service, or a connection that breaks. */
interface Answered {
  readonly status: number | 'breaks'
  readonly body: string | Uint8Array
  readonly retryAfter: string | null
}

describe('any sequence of answers of the service', () => {
  const body = fc.oneof(
    fc.constant(JSON.stringify(goodRecord)),
    fc.jsonValue().map(value => JSON.stringify(value)),
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 50 }),
    fc.constantFrom('', '{', '[]', '{}', '<html>', '{"message":"no"}', '{"error":{"a":1}}'),
  )
  const answered: fc.Arbitrary<Answered> = fc.record({
    status: fc.oneof(
      fc.constantFrom<Answered['status'][]>(
        ...[200, 201, 400, 401, 401, 403, 408, 429, 500, 503, 503],
        'breaks',
      ),
      fc.integer({ min: 200, max: 999 }),
    ),
    body,
    retryAfter: fc.option(fc.constantFrom('0', '1', '60', '61', 'soon', ''), { freq: 3 }),
  })

  it('ends in a record or an honest failure, within the number of tries and the waits', async () => {
    let script: readonly Answered[] = []
    let served: Answered[] = []
    const server = await startServer(response => {
      const next = script[served.length] ?? script.at(-1)
      if (next === undefined) throw new Error('no answer')
      served.push(next)
      if (next.status === 'breaks') response.socket?.resetAndDestroy()
      else {
        const headers = next.retryAfter === null ? {} : { 'retry-after': next.retryAfter }
        response.writeHead(next.status, headers)
        response.end(next.status === 304 || next.status === 204 ? undefined : next.body)
      }
    })
    const { options } = makeClient(server.url, { maxConnections: 4 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(answered, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        async (answers, maxAttempts, retryUnanswered) => {
          script = answers
          served = []
          const clock = new TestClock()
          const client = createClient({ ...options, clock, maxAttempts, retryUnanswered })
          const intent = makeIntent()
          const complete = client.completeWith({ id: null, json: SUBSCRIPTION })
          const answer = await ending(complete({ hash: HASH, name: 'app.zip' }, intent))
          check(answer, { served, maxAttempts, retryUnanswered, notes: intent.notes.length })
          expect(clock.waits.every(ms => ms >= 0 && ms <= 60_000)).toBe(true)
        },
      ),
      { numRuns: 400, seed: 35 },
    )
  })
})

interface Run {
  readonly served: readonly Answered[]
  readonly maxAttempts: number
  readonly retryUnanswered: boolean
  /** How often the intent was noted. */
  readonly notes: number
}

const again: readonly Answered['status'][] = [408, 425, 429, 500, 502, 503, 504, 'breaks']

/** Whether an answer leaves open that the request was carried out. */
const isUnsure = ({ status }: Answered): boolean =>
  typeof status !== 'number' || status < 400 || status > 499

function check(answer: Ended, { served, maxAttempts, retryUnanswered, notes }: Run): void {
  const last = served.at(-1)
  const before = served.slice(0, -1)
  const tries = served.filter(({ status }) => status !== 401).length
  expect(served.length).toBeGreaterThan(0)
  // A token is refused once for each try, and the new one once more.
  expect(tries).toBeLessThanOrEqual(maxAttempts)
  expect(served.length - tries).toBeLessThanOrEqual(maxAttempts + 1)
  for (const { status } of before) expect([401, ...again]).toContain(status)
  if (!retryUnanswered) expect(before.filter(isUnsure)).toEqual([])
  // Noted before the first request, and anew before each that follows one that was lost.
  expect(notes).toBe(1 + before.filter(isUnsure).length)
  if (!('failure' in answer)) {
    expect(typeof last?.status === 'number' && last.status >= 200 && last.status <= 299).toBe(true)
    expect(answer.unansweredTries).toBe(before.filter(isUnsure).length)
    return
  }
  const { failure } = answer
  expect(failureCodes).toContain(failure.code)
  expect(failure.registered).toBe(served.some(isUnsure) ? 'unknown' : 'no')
  expect(failure.what).toMatch(/\S/)
  expect(failure.remedy).toMatch(/\S/)
  expect(failure.what + failure.remedy).not.toMatch(/\p{Cc}|undefined|\[object/u)
  expect(failure.endsRun).toBe(failure.code === 'login-refused')
  if (failure.endsRun) expect([before.at(-1)?.status, last?.status]).toEqual([401, 401])
  if (last?.status === 'breaks') expect(failure.code).toBe('unavailable')
  if (failure.registered === 'unknown' && !retryUnanswered) expect(failure.isDeferrable).toBe(false)
  if (last === undefined || !again.includes(last.status)) return
  expect(failure.isDeferrable).toBe(retryUnanswered || failure.registered === 'no')
  // What is tried again is tried as often as it may be.
  const isLast = last.retryAfter === '61' || (isUnsure(last) && !retryUnanswered)
  if (!isLast) expect(tries).toBe(maxAttempts)
}
