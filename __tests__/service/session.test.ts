import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from '@jest/globals'
import { readToken } from '../../src/service/session.ts'
import {
  answer,
  API_KEY,
  closeAll,
  failureIn,
  goodRecord,
  hashOf,
  makeClient,
  meets,
  START_MS,
  startServer,
  startService,
  TestClock,
  until,
  wordOf,
  type Answerer,
  type Seen,
} from './support.ts'

afterEach(closeAll)

const good = answer(200, goodRecord)
const hashes = Array.from({ length: 8 }, (_, index) => hashOf(index))

/** A token with these claims, which nobody signed. */
const tokenOf = (claims: unknown): string =>
  ['{"alg":"none"}', JSON.stringify(claims), 'signature']
    .map(part => Buffer.from(part).toString('base64url'))
    .join('.')

const secondsAfterStart = (seconds: number): number => START_MS / 1000 + seconds
const tokenWithLife = (seconds: number): string => tokenOf({ exp: secondsAfterStart(seconds) })

const tokensOf = (requests: readonly Seen[]): readonly string[] =>
  requests.map(({ headers }) => (headers.authorization ?? '').replace('Bearer ', ''))

describe('the login', () => {
  it('is made once for all who begin together, and for those who follow', async () => {
    const service = await startService({ latencyMs: 20 })
    const { complete } = makeClient(service.url)
    const answers = await Promise.all(hashes.map(hash => complete(hash)))
    for (let count = 0; count < 3; count++) answers.push(await complete())
    expect(new Set(answers.map(wordOf))).toEqual(new Set(['ok']))
    expect(service.tokens).toHaveLength(1)
  })

  const odd: Readonly<Record<string, Answerer>> = {
    nothing: answer(204, ''),
    'no-token': answer(200, {}),
    array: answer(200, ['token']),
    empty: answer(200, { token: '' }),
    number: answer(200, { token: 12_345_678 }),
    null: answer(200, { token: null }),
    deep: answer(200, `{"token":"t","a":${'['.repeat(900)}${']'.repeat(900)}}`),
    large: answer(200, { token: 'x'.repeat(1_100_000) }),
    // What the service says of a key may hold the key.
    refusal: answer(401, { message: 'said-by-the-service' }),
  }
  it.each([
    ['login-refused', 1, '400 403 422 refusal'],
    [
      'invalid-response',
      1,
      '402 404 409 302 page nothing no-token array empty number null deep large',
    ],
    ['unavailable', 2, '429 503 lost'],
    ['unavailable', 1, '501'],
  ])(
    'is %s after %d tries, for all who wait for it, and is not begun again: %s',
    async (...row) => {
      const [code, tries, names] = row
      for (const name of names.split(' ')) {
        const server = await startServer(good, meets(name, odd))
        const { complete } = makeClient(server.url, { maxAttempts: 2 })
        const together = await Promise.all([complete(hashOf(1)), complete(hashOf(2))])
        for (const reply of [...together, await complete(hashOf(3))]) {
          const failure = failureIn(reply)
          expect({ name, ...failure }).toMatchObject({
            ...{ name, code, registered: 'no', endsRun: true, isOutage: false },
            isDeferrable: code === 'unavailable',
          })
          expect(failure.what).not.toContain('said-by-the-service')
          if (code === 'invalid-response') expect(failure.remedy).toContain('base-url')
        }
        expect({ name, requests: server.seen.length }).toEqual({ name, requests: tries })
      }
    },
  )

  it.each(['token\r\nX-Forged: 1', 'token\0token', 'two tokens', 'tokén-123456', 'token-漢字'])(
    'that gives a token which no header can have is refused, and it is never sent: %j',
    async token => {
      const server = await startServer(good, answer(200, { token }))
      const { complete, masks } = makeClient(server.url)
      for (const reply of [await complete(), await complete()]) {
        expect(wordOf(reply)).toBe('invalid-response/no')
        expect(failureIn(reply).what).not.toContain(token)
      }
      expect(server.seen).toHaveLength(1)
      expect(masks.at(-1)).toBe(token.split('\r\n').at(-1))
    },
  )

  it('has the token and its parts masked before the first request that carries it', async () => {
    const token = tokenWithLife(1000)
    let known: readonly string[] = []
    const server = await startServer(
      (response, seen, nth) => {
        known = [...world.masks]
        good(response, seen, nth)
      },
      answer(200, { token }),
    )
    const world = makeClient(server.url)
    await world.complete()
    expect(known).toEqual([API_KEY, token, ...token.split('.')])
  })
})

describe('a 401 on a completion', () => {
  it('makes one new login for all who see it at once, and each is repeated with the new token', async () => {
    const waiting: ServerResponse[] = []
    const server = await startServer((response, seen, nth) => {
      if (nth > hashes.length) return good(response, seen, nth)
      waiting.push(response)
      if (waiting.length === hashes.length) for (const one of waiting) answer(401)(one, seen, nth)
      return undefined
    })
    const { complete, clock } = makeClient(server.url, { maxAttempts: 1 })
    const answers = await Promise.all(hashes.map(hash => complete(hash)))
    expect(answers.map(wordOf)).toEqual(hashes.map(() => 'ok'))
    expect(server.logins()).toBe(2)
    expect(clock.waits).toEqual([])
    expect(tokensOf(server.completions())).toEqual([
      ...hashes.map(() => 'token-1'),
      ...hashes.map(() => 'token-2'),
    ])
    const repeated = server.completions().slice(8)
    expect(repeated.map(({ path }) => path.split('/')[4]).sort()).toEqual(hashes)
  })

  it('that comes after the new login is repeated with its token, without a third', async () => {
    let late: (() => unknown) | undefined
    const server = await startServer((response, seen, nth) => {
      if (nth === 1) late = () => answer(401)(response, seen, nth)
      else answer(nth === 2 ? 401 : 200, goodRecord)(response, seen, nth)
    })
    const { complete } = makeClient(server.url)
    const slow = complete(hashOf(1))
    await until(() => late !== undefined)
    expect(wordOf(await complete(hashOf(2)))).toBe('ok')
    late?.()
    expect(wordOf(await slow)).toBe('ok')
    expect(server.logins()).toBe(2)
  })

  it('to the new token ends the session for all', async () => {
    const server = await startServer(answer(401))
    const { complete } = makeClient(server.url)
    const reply = await complete()
    expect(wordOf(reply)).toBe('login-refused/no')
    expect(failureIn(reply)).toMatchObject({ endsRun: true, isOutage: false, isDeferrable: false })
    expect(wordOf(await complete())).toBe('login-refused/no')
    expect({ logins: server.logins(), completions: server.completions().length }).toEqual({
      ...{ logins: 2, completions: 2 },
    })
  })

  it.each([
    ['gets one more login', 3, 'ok', 3],
    ['ends the run in the end', Infinity, 'login-refused/no', 4],
  ])(
    'to a new token that aged by a Retry-After before it was sent %s',
    async (_, goodFrom, word, calls) => {
      const [hash, impatient] = [hashOf(1), hashOf(2)]
      const clock = new TestClock('manual')
      const waiting: (() => unknown)[] = []
      let completions = 0
      const server = await startServer(
        async (response, seen, nth) => {
          if (seen.path.includes(impatient)) {
            waiting.push(() => answer(429, {}, { 'retry-after': '5' })(response, seen, nth))
            return
          }
          await until(() => waiting.length > 0)
          completions += 1
          answer(completions >= goodFrom ? 200 : 401, goodRecord)(response, seen, nth)
        },
        async (response, seen, nth) => {
          // All are held back while this login is under way.
          waiting.pop()?.()
          await until(() => nth === 1 || clock.sleeping === 1)
          answer(200, { token: `token-${nth}` })(response, seen, nth)
        },
      )
      const { complete, halt } = makeClient(server.url, { clock, maxAttempts: 20 })
      const other = complete(impatient)
      const run = { isDone: false }
      const completing = complete(hash).finally(() => (run.isDone = true))
      while (!run.isDone) {
        await until(() => run.isDone || clock.sleeping === 2)
        clock.advance(5000)
      }
      expect(wordOf(await completing)).toBe(word)
      expect({ logins: server.logins(), completions }).toEqual({
        logins: calls,
        completions: calls,
      })
      halt.cancel()
      halt.endCalls()
      await other
    },
  )

  it('to an old token is no refusal of the new one, however often tokens are revoked', async () => {
    const service = await startService()
    const { complete } = makeClient(service.url)
    for (const hash of hashes) {
      expect(wordOf(await complete(hash))).toBe('ok')
      service.revokeTokens()
    }
    expect(service.tokens).toHaveLength(8)
  })
})

describe('a token that expires', () => {
  /** Completes after each of these seconds, and gives how often was logged in by then. */
  const loginsAt = async (lifeSeconds: number, seconds: readonly number[], setMs = 0) => {
    const clock = new TestClock('manual')
    const server = await startServer(good, (response, seen, nth) => {
      const exp = Math.floor(clock.now() / 1000) + lifeSeconds
      answer(200, { token: tokenOf({ exp, nth }) })(response, seen, nth)
    })
    const { complete } = makeClient(server.url, { clock })
    const logins: number[] = []
    for (const second of seconds) {
      clock.advance(second * 1000 - clock.passedMs)
      expect(wordOf(await complete())).toBe('ok')
      logins.push(server.logins())
      clock.set(setMs)
    }
    return logins
  }

  const tenth = [0, 89, 91, 92]
  it.each([
    ['when its end is nearer than 60 s', 3600, [0, 1, 3539, 3541], [1, 1, 1, 2], 0],
    ['when that is nearer than a tenth of its life', 100, [...tenth, 180], [1, 1, 2, 2, 2], 0],
    ['by the time that passed, though the clock steps back', 100, tenth, [1, 1, 2, 2], -40_000],
    ['by the time that passed, though the clock steps on', 100, tenth, [1, 1, 2, 2], 900_000],
  ])('is renewed before use %s', async (_, life, seconds, logins, setMs) => {
    expect(await loginsAt(life, seconds, setMs)).toEqual(logins)
  })

  it('is renewed once for all who need it', async () => {
    const clock = new TestClock('manual')
    const service = await startService({ nowMs: clock.now, tokenLifetimeSeconds: 100 })
    const { complete } = makeClient(service.url, { clock })
    await complete()
    clock.advance(95_000)
    await Promise.all(hashes.map(hash => complete(hash)))
    expect(service.tokens).toHaveLength(2)
    expect(service.requests.every(({ answeredStatus }) => answeredStatus === 200)).toBe(true)
  })

  it.each([
    ['that was past its end when it came, by a wrong clock,', -3_600_000, 60],
    ['without a word about its end', 0, null],
  ])('%s is used until a 401', async (_, offMs, tokenLifetimeSeconds) => {
    const clock = new TestClock('manual')
    const nowMs = (): number => clock.now() + offMs
    const service = await startService({ nowMs, tokenLifetimeSeconds })
    const { complete } = makeClient(service.url, { clock })
    for (const hash of hashes) expect(wordOf(await complete(hash))).toBe('ok')
    if (tokenLifetimeSeconds === null) clock.advance(10 * 365 * 86_400_000)
    expect(wordOf(await complete())).toBe('ok')
    expect(service.tokens).toHaveLength(1)
    service.revokeTokens()
    expect(wordOf(await complete())).toBe('ok')
    expect(service.tokens).toHaveLength(2)
  })

  it('is renewed before use if all were held back beyond its life while it was fetched', async () => {
    const clock = new TestClock('manual')
    let holdBack = (): unknown => undefined
    const server = await startServer(
      (response, seen, nth) => {
        if (nth > 1) return good(response, seen, nth)
        holdBack = () => answer(429, {}, { 'retry-after': '30' })(response, seen, nth)
        return undefined
      },
      async (response, seen, nth) => {
        if (nth === 2) {
          holdBack()
          await until(() => clock.sleeping === 1)
        }
        const exp = clock.now() / 1000 + 20
        answer(200, { token: tokenOf({ exp, nth }) })(response, seen, nth)
      },
    )
    const { complete } = makeClient(server.url, { clock })
    const first = complete(hashOf(1))
    await until(() => server.completions().length === 1)
    clock.advance(19_000)
    // Noted by an earlier call, so that nothing but the wait makes it look at its token again.
    const second = complete(hashOf(2), {
      artifact: 'app.zip',
      isNoted: true,
      note: () => Promise.resolve(),
    })
    await until(() => clock.sleeping === 2)
    clock.advance(30_000)
    expect((await Promise.all([first, second])).map(wordOf)).toEqual(['ok', 'ok'])
    expect(server.logins()).toBe(3)
    expect(new Set(tokensOf(server.completions().slice(1))).size).toBe(1)
  })
})

describe('reading a token', () => {
  const clock = { now: () => START_MS, monotonic: () => 700 }
  const renewsAfterSeconds = (value: string): number =>
    (readToken(value, clock).renewFromMs - 700) / 1000

  it.each([
    [10, 9],
    [100, 90],
    [599, 539.1],
    [600, 540],
    [601, 541],
    [36_000, 35_940],
  ])('with %d s to live renews it after %d s, whenever it was issued', (life, seconds) => {
    expect(renewsAfterSeconds(tokenWithLife(life))).toBeCloseTo(seconds, 3)
    const issued = tokenOf({ iat: secondsAfterStart(-3600), exp: secondsAfterStart(life) })
    expect(renewsAfterSeconds(issued)).toBeCloseTo(seconds, 3)
  })

  it.each([
    ...[tokenWithLife(-1), tokenWithLife(0), 'opaque-token', 'a.b.c', tokenOf([1])],
    ...[tokenOf({ exp: String(secondsAfterStart(100)) }), tokenOf({ exp: null })],
    ...[tokenOf({ exp: 1e308 }), tokenWithLife(100).split('.').slice(0, 1).join('.')],
    `e30.${Buffer.from([0xff, 0xfe]).toString('base64url')}.x`,
  ])('that is past its end, or names none, never renews it: %s', token => {
    const read = { value: token, receivedMs: 700, renewFromMs: Infinity }
    expect(readToken(token, clock)).toEqual(read)
  })
})
