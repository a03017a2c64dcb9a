import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from '@jest/globals'
import { statusFault } from '../../simulator/index.ts'
import { readToken } from '../../src/service/session.ts'
import {
  answer,
  API_KEY,
  breakOff,
  closeAll,
  failureIn,
  goodRecord,
  hashOf,
  inTurn,
  makeClient,
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
  it('sends the API key as specified, and no token', async () => {
    const server = await startServer()
    await makeClient(`${server.url}/notary`).complete()
    expect(server.seen[0]).toMatchObject({
      ...{ method: 'POST', path: '/notary/api/v2/auth/login' },
      body: JSON.stringify({ apiKey: API_KEY }),
    })
    expect(server.seen[0]?.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(server.seen[0]?.headers.authorization).toBeUndefined()
  })

  it('is made once for all who begin together, and for those who follow', async () => {
    const service = await startService({ latencyMs: 20 })
    const { complete } = makeClient(service.url)
    const answers = await Promise.all(hashes.map(hash => complete(hash)))
    for (let count = 0; count < 3; count++) answers.push(await complete())
    expect(new Set(answers.map(wordOf))).toEqual(new Set(['ok']))
    expect(service.tokens).toHaveLength(1)
  })

  const nested = `{"token":"t","a":${'['.repeat(900)}${']'.repeat(900)}}`
  it.each<[string, Answerer, string, number]>([
    ...[400, 401, 403, 422].map((status): [string, Answerer, string, number] => [
      `${status}`,
      answer(status, { message: 'said-by-the-service' }),
      'login-refused/no',
      1,
    ]),
    ...[404, 402, 409].map((status): [string, Answerer, string, number] => [
      `${status}`,
      answer(status),
      'invalid-response/no',
      1,
    ]),
    ['a redirect', answer(302, {}, { location: '/login' }), 'invalid-response/no', 1],
    ['a page', answer(200, '<html>Welcome</html>'), 'invalid-response/no', 1],
    ['nothing', answer(204, ''), 'invalid-response/no', 1],
    ['no token', answer(200, {}), 'invalid-response/no', 1],
    ['an array', answer(200, ['token']), 'invalid-response/no', 1],
    ['an empty token', answer(200, { token: '' }), 'invalid-response/no', 1],
    ['a token that is a number', answer(200, { token: 12_345_678 }), 'invalid-response/no', 1],
    ['a token that is null', answer(200, { token: null }), 'invalid-response/no', 1],
    ['a token nested too deep', answer(200, nested), 'invalid-response/no', 1],
    [
      'a body over the limit',
      answer(200, { token: 'x'.repeat(1_100_000) }),
      'invalid-response/no',
      1,
    ],
    ['503', answer(503), 'unavailable/no', 2],
    ['429', answer(429), 'unavailable/no', 2],
    ['no answer', breakOff, 'unavailable/no', 2],
    ['501', answer(501), 'unavailable/no', 1],
  ])(
    'that meets %s is the outcome of all who wait for it, and is not begun again',
    async (_, login, word, tries) => {
      const server = await startServer(good, login)
      const { complete } = makeClient(server.url, { maxAttempts: 2 })
      const together = await Promise.all([complete(hashOf(1)), complete(hashOf(2))])
      for (const reply of [...together, await complete(hashOf(3))]) {
        expect(wordOf(reply)).toBe(word)
        expect(failureIn(reply)).toMatchObject({
          endsRun: true,
          isOutage: false,
          isDeferrable: word.startsWith('unavailable'),
        })
        expect(failureIn(reply).what).not.toContain('said-by-the-service')
        if (word.startsWith('invalid')) expect(failureIn(reply).remedy).toContain('base-url')
      }
      expect(server.seen).toHaveLength(tries)
    },
  )

  it.each([
    ['a line break', 'token\r\nX-Forged: 1'],
    ['a null byte', 'token\0token'],
    ['a space', 'two tokens'],
    ['a letter beyond ASCII', 'tokén-123456'],
    ['a letter beyond Latin 1', 'token-漢字'],
  ])('that gives a token with %s is refused, and the token is never sent', async (_, token) => {
    const server = await startServer(good, answer(200, { token }))
    const { complete, masks } = makeClient(server.url)
    for (const reply of [await complete(), await complete()]) {
      expect(wordOf(reply)).toBe('invalid-response/no')
      expect(failureIn(reply).what).not.toContain(token)
    }
    expect(server.seen).toHaveLength(1)
    expect(masks.at(-1)).toBe(token.split('\r\n').at(-1))
  })

  it('is tried like any call, and then all goes on', async () => {
    const faults = [{ endpoint: 'login', to: 2, fault: statusFault(503) }] as const
    const { complete, clock } = makeClient((await startService({ faults })).url)
    expect(wordOf(await complete())).toBe('ok')
    expect(clock.waits).toEqual([500, 1000])
  })

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

  it('leaves all tries to what comes after it', async () => {
    const server = await startServer(inTurn(...[401, 503, 503].map(status => answer(status)), good))
    expect(wordOf(await makeClient(server.url).complete())).toBe('ok')
    expect(server.completions()).toHaveLength(4)
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

  it('whose new login is refused ends with the code of the login', async () => {
    const server = await startServer(
      answer(401),
      inTurn(answer(200, { token: 'token-1' }), answer(403)),
    )
    expect(wordOf(await makeClient(server.url).complete())).toBe('login-refused/no')
    expect(server.seen.map(({ isLogin }) => isLogin)).toEqual([true, false, true])
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

  it.each([
    ['when its end is nearer than 60 s', 3600, [0, 1, 3539, 3541], [1, 1, 1, 2], 0],
    [
      'when that is nearer than a tenth of its life',
      100,
      [0, 89, 91, 92, 180, 182],
      [1, 1, 2, 2, 2, 3],
      0,
    ],
    [
      'by the time that passed, though the clock steps back',
      100,
      [0, 89, 91, 92],
      [1, 1, 2, 2],
      -40_000,
    ],
    [
      'by the time that passed, though the clock steps on',
      100,
      [0, 89, 91, 92],
      [1, 1, 2, 2],
      900_000,
    ],
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

  it('is renewed before use if its end came near while all were held back', async () => {
    const clock = new TestClock()
    const server = await startServer(
      inTurn(answer(429, {}, { 'retry-after': '60' }), good),
      (response, seen, nth) => {
        const exp = Math.floor(clock.now() / 1000) + 20
        answer(200, { token: tokenOf({ exp, nth }) })(response, seen, nth)
      },
    )
    const { complete } = makeClient(server.url, { clock, maxAttempts: 1 })
    expect(
      (await Promise.all([complete(hashOf(1)), complete(hashOf(2))])).map(wordOf).sort(),
    ).toEqual([expect.any(String), 'unavailable/no'])
    expect(wordOf(await complete(hashOf(3)))).toBe('ok')
    const [first, last] = [tokensOf(server.completions())[0], tokensOf(server.completions()).at(-1)]
    expect(clock.passedMs).toBeGreaterThanOrEqual(60_000)
    expect(last).not.toBe(first)
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
    ['is past its end', tokenWithLife(-1)],
    ['ends now', tokenWithLife(0)],
    ['is no JWT', 'opaque-token'],
    ['has no claims', 'a.b.c'],
    ['has claims that are no object', tokenOf([1])],
    ['has an end that is text', tokenOf({ exp: String(secondsAfterStart(100)) })],
    ['has an end that is null', tokenOf({ exp: null })],
    ['has one part', tokenWithLife(100).split('.').slice(0, 1).join('.')],
    ['has claims that are no UTF-8', `e30.${Buffer.from([0xff, 0xfe]).toString('base64url')}.x`],
    ['has an end beyond all numbers', tokenOf({ exp: 1e308 })],
  ])('that %s never renews it', (_, token) => {
    expect(readToken(token, clock)).toEqual({
      value: token,
      receivedMs: 700,
      renewFromMs: Infinity,
    })
  })
})
