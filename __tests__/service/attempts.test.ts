/** When calls are repeated, how long they wait, and what a halt or a new login does to them. */
import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from '@jest/globals'
import { notSavedFailure } from '../../src/runtime/halt.ts'
import { API_KEY, hashOf } from '../support/samples.ts'
import { until } from '../support/until.ts'
import {
  answer,
  closeAll,
  failureIn,
  goodRecord,
  inTurn,
  makeRun,
  makeSubject,
  START_MS,
  startServer,
  TestClock,
  wordOf,
  type Answerer,
} from './support.ts'

afterEach(closeAll)

const good = answer(200, goodRecord)
const hashes = Array.from({ length: 8 }, (_, index) => hashOf(index))

describe('attempts', () => {
  it('wait longer each time, log each retry, and repeat the same request', async () => {
    const server = await startServer({ complete: '503 lost good' })
    const { notarize, clock, messages } = makeRun(server.url)
    const subject = makeSubject()
    expect(wordOf(await notarize(subject))).toBe('registered')
    expect(clock.waits).toEqual([500, 1000])
    expect(messages.logged).toEqual([
      'the registration of "app.zip": attempt 1 of 3 failed (HTTP 503: "no"); next in 500 ms',
      expect.stringMatching(/attempt 2 of 3 failed \(.*ECONNRESET.*next in 1 s$/),
    ])
    const [first, ...others] = server.seen
      .slice(1)
      .map(({ path, body, headers }) => [path, body, headers['authorization']])
    expect(others).toEqual([first, first])
    expect(subject.saved()).toBe(1)
  })
})

describe('Retry-After', () => {
  const wait = (seconds: string): Answerer => answer(429, {}, { 'retry-after': seconds })

  it('of two is the longer one', async () => {
    const server = await startServer({ complete: inTurn(wait('20'), wait('5'), good) })
    const clock = new TestClock('manual')
    const { notarize } = makeRun(server.url, { clock })
    const both = Promise.all([notarize(), notarize()])
    await until(() => clock.sleeping === 2)
    clock.advance(5000)
    await until(() => clock.sleeping === 2)
    expect(server.count('complete')).toBe(2)
    clock.advance(15_000)
    expect((await both).map(wordOf)).toEqual(['registered', 'registered'])
  })

  const date = (ms: number): string => new Date(START_MS + ms).toUTCString()
  const failed = ['unavailable/no', 'registered']
  it.each<[string, Answerer, maxAttempts: string, words: readonly string[], passedMs: number]>([
    ['of the last attempt still holds back the others', wait('30'), '1', failed, 30_000],
    ['of more than 60 s ends the attempts of that artifact alone', wait('61'), '3', failed, 0],
    [
      'as a date is compared with the date of the answer',
      answer(429, {}, { 'retry-after': date(12_000), date: date(5000) }),
      '3',
      ['registered', 'registered'],
      7000,
    ],
    ['that is nonsense is none', wait('soon'), '3', ['registered', 'registered'], 500],
  ])('%s', async (_, first, maxAttempts, words, passedMs) => {
    const server = await startServer({ complete: inTurn(first, good) })
    const { notarize, clock } = makeRun(server.url, { 'max-attempts': maxAttempts })
    expect([wordOf(await notarize()), wordOf(await notarize())]).toEqual(words)
    expect(clock.passedMs).toBe(passedMs)
  })

  it('holds back a new login, too', async () => {
    const loginTimes: number[] = []
    let refuseFirst: (() => unknown) | undefined
    const server = await startServer({
      login: (response, nth) => {
        loginTimes.push(run.clock.passedMs)
        answer(200, { token: `token-${nth}` })(response, nth)
      },
      complete: (response, nth) => {
        if (nth === 1) refuseFirst = () => answer(401)(response, nth)
        else inTurn(wait('30'), good)(response, nth - 1)
      },
    })
    const run = makeRun(server.url, { 'max-attempts': '1' })
    const first = run.notarize()
    await until(() => refuseFirst !== undefined)
    expect(wordOf(await run.notarize())).toBe('unavailable/no')
    refuseFirst?.()
    expect(wordOf(await first)).toBe('registered')
    expect(loginTimes).toEqual([0, 30_000])
  })

  it('or a halt that comes while an intent is saved is respected', async () => {
    const server = await startServer({ complete: inTurn(wait('9'), good) })
    const { notarize, clock, host } = makeRun(server.url, { 'max-attempts': '1' })
    const slow = makeSubject({}, async () => wordOf(await notarize()) === 'unavailable/no')
    expect(wordOf(await notarize(slow))).toBe('registered')
    expect(clock.waits).toEqual([9000])
    const halted = makeSubject({}, () => {
      host.halt.cancel()
      return true
    })
    expect(wordOf(await notarize(halted))).toBe('cancelled/no')
    expect(server.count('complete')).toBe(2)
  })
})

describe('when the run is halted', () => {
  it.each([
    ['a call in flight may still end well', 'good', 'registered'],
    ['a call in flight that fails is not repeated', '503', 'cancelled/unknown'],
    ['a refusal to wait for is not repeated', '429', 'cancelled/no'],
    ['a refusal for good keeps its own reason', '404', 'refused/no'],
    ['a 401 is followed by no login', '401', 'cancelled/no'],
  ])('%s', async (_, names, word) => {
    const server = await startServer({
      complete: (...given) => {
        run.host.halt.cancel()
        return others.complete(...given)
      },
    })
    const others = { complete: names === 'good' ? good : answer(Number(names)) }
    const run = makeRun(server.url)
    expect(wordOf(await run.notarize())).toBe(word)
    expect(server.seen).toHaveLength(2)
  })

  it('a call in flight that is ended may be registered', async () => {
    const server = await startServer({
      complete: () => {
        run.host.halt.cancel()
        run.endCalls()
      },
    })
    const run = makeRun(server.url, { 'max-attempts': '1' })
    expect(wordOf(await run.notarize())).toBe('cancelled/unknown')
  })

  it('a login in flight ends at once', async () => {
    const server = await startServer({
      login: () => {
        run.host.halt.cancel()
      },
    })
    const run = makeRun(server.url)
    expect(wordOf(await run.notarize())).toBe('cancelled/no')
  })

  it('before, nothing is sent, and a hash has the code of the reason', async () => {
    const server = await startServer()
    const { notarize, host } = makeRun(server.url)
    host.halt.stop(notSavedFailure)
    expect(wordOf(await notarize())).toBe('not-saved/no')
    expect(server.seen).toEqual([])
  })
})

describe('the token', () => {
  it('is fetched once for all who begin together, and for those who follow', async () => {
    const server = await startServer()
    const { notarize, messages } = makeRun(server.url)
    await Promise.all(hashes.map(hash => notarize(makeSubject({ hash }))))
    expect(wordOf(await notarize())).toBe('registered')
    expect(server.count('login')).toBe(1)
    expect(messages.masked).toEqual([API_KEY, 'token-1'])
  })

  it('is masked with its parts before the first request that carries it', async () => {
    let masked: readonly string[] = []
    const token = 'header-0.payload-0.signature-0'
    const server = await startServer({
      login: answer(200, { token }),
      complete: (...given) => {
        masked = [...run.messages.masked]
        good(...given)
      },
    })
    const run = makeRun(server.url)
    await run.notarize()
    expect(masked).toEqual([API_KEY, token, ...token.split('.')])
  })

  it.each(['a\r\nb', 'a\0b', 'two tokens', 'tokén', '', 7])(
    'that no header can have is refused, and never sent: %j',
    async token => {
      const server = await startServer({ login: answer(200, { token }) })
      const { notarize } = makeRun(server.url)
      const failure = { code: 'invalid-response', registered: 'no', endsRun: true }
      expect(failureIn(await notarize())).toMatchObject(failure)
      expect(server.seen).toHaveLength(1)
    },
  )

  it('is renewed once for all who are answered with 401, and each call is repeated with the new one', async () => {
    const waiting: ServerResponse[] = []
    const server = await startServer({
      complete: (response, nth) => {
        if (nth > hashes.length) return good(response, nth)
        waiting.push(response)
        if (waiting.length === hashes.length) for (const one of waiting) answer(401)(one, nth)
        return undefined
      },
    })
    const { notarize, clock } = makeRun(server.url, { 'max-attempts': '1' })
    const ends = await Promise.all(hashes.map(hash => notarize(makeSubject({ hash }))))
    expect(ends.map(wordOf)).toEqual(hashes.map(() => 'registered'))
    expect([server.count('login'), clock.waits]).toEqual([2, []])
    const repeated = server.seen.filter(
      ({ headers }) => headers['authorization'] === 'Bearer token-2',
    )
    expect(repeated.map(({ path }) => path.split('/')[4]).sort()).toEqual(hashes)
  })

  it('that was accepted before is renewed as often as it is refused', async () => {
    const server = await startServer({
      complete: (response, nth) => {
        answer(nth % 2 === 0 ? 401 : 200, goodRecord)(response, nth)
      },
    })
    const { notarize } = makeRun(server.url)
    for (const hash of hashes)
      expect(wordOf(await notarize(makeSubject({ hash })))).toBe('registered')
    expect(server.count('login')).toBe(8)
  })

  it('of a new login that is refused ends the run for all', async () => {
    const server = await startServer({ complete: '401' })
    const { notarize } = makeRun(server.url)
    for (const ended of [await notarize(), await notarize()]) {
      expect(wordOf(ended)).toBe('login-refused/no')
      expect(failureIn(ended)).toMatchObject({ endsRun: true, isDeferrable: false })
    }
    expect(server.count('login')).toBe(2)
  })
})
