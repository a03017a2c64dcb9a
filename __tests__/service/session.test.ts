import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from '@jest/globals'
import { statusFault } from '../../simulator/index.ts'
import { readToken } from '../../src/service/core/session.ts'
import {
  answer,
  API_KEY,
  closeAll,
  goodRecord,
  HASH,
  hashOf,
  makeClient,
  START_MS,
  startServer,
  startService,
  TestClock,
  told,
  until,
  type Answerer,
  type Seen,
} from './support.ts'

afterEach(closeAll)

const good = answer(200, goodRecord)

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
    expect(server.seen[0]).toMatchObject({ method: 'POST', path: '/notary/api/v2/auth/login' })
    expect(server.seen[0]?.headers['content-type']).toBe('application/json')
    expect(server.seen[0]?.headers.authorization).toBeUndefined()
    expect(server.seen[0]?.body).toBe(JSON.stringify({ apiKey: API_KEY }))
  })

  it('is made once for all who begin together', async () => {
    const service = await startService({ latencyMs: 20 })
    const { complete } = makeClient(service.url)
    const hashes = Array.from({ length: 10 }, (_, index) => hashOf(index))
    const completions = await Promise.all(hashes.map(complete))
    expect(completions.map(({ kind }) => kind)).toEqual(hashes.map(() => 'record'))
    expect(service.tokens).toHaveLength(1)
    expect([...service.registered.keys()].sort()).toEqual(hashes)
  })

  it('is made once for completions that follow each other', async () => {
    const server = await startServer()
    const { complete } = makeClient(server.url)
    for (let count = 0; count < 5; count++) await complete()
    expect(server.logins()).toBe(1)
    expect(server.completions()).toHaveLength(5)
  })

  it.each([400, 401, 403, 422])(
    'that is answered %d is refused, and not repeated',
    async status => {
      const server = await startServer(good, answer(status))
      const { complete } = makeClient(server.url)
      const together = await Promise.all([complete(hashOf(1)), complete(hashOf(2))])
      for (const completion of [...together, await complete(hashOf(3))]) {
        expect(told(completion)).toMatchObject({ code: 'login-refused', registered: 'no' })
        expect(completion).toMatchObject({ endsRun: { code: 'login-refused' }, isOutage: false })
      }
      expect(server.seen).toHaveLength(1)
    },
  )

  it.each([
    ['another refusal', answer(404)],
    ['another refusal', answer(402)],
    ['another refusal', answer(409)],
    ['a redirect', answer(302, {}, { location: '/login' })],
    ['a page', answer(200, '<html>Welcome</html>')],
    ['nothing', answer(204, '')],
    ['no token', answer(200, {})],
    ['an array', answer(200, ['token'])],
    ['an empty token', answer(200, { token: '' })],
    ['a token that is a number', answer(200, { token: 12_345_678 })],
    ['a token that is null', answer(200, { token: null })],
    [
      'a token nested too deep',
      answer(200, `{"token":"t","a":${'['.repeat(900)}${']'.repeat(900)}}`),
    ],
    ['a body over the limit', answer(200, { token: 'x'.repeat(1_100_000) })],
  ])('that is answered with %s cannot be understood', async (_, login) => {
    const server = await startServer(good, login)
    const completion = await makeClient(server.url).complete()
    expect(told(completion)).toMatchObject({ code: 'invalid-response', registered: 'no' })
    expect(told(completion).message).toContain('base-url')
    expect(completion).toMatchObject({ endsRun: { code: 'invalid-response' } })
    expect(server.seen).toHaveLength(1)
  })

  it.each([
    ['a line break', 'token\r\nX-Forged: 1'],
    ['a null byte', 'token\0token'],
    ['a space', 'two tokens'],
    ['a letter beyond ASCII', 'tokén-123456'],
    ['a letter beyond Latin 1', 'token-漢字'],
  ])('that gives a token with %s is refused, and the token is never sent', async (_, token) => {
    const server = await startServer(good, answer(200, { token }))
    const { complete, masks } = makeClient(server.url)
    for (const completion of [await complete(), await complete()]) {
      expect(told(completion)).toMatchObject({ code: 'invalid-response', registered: 'no' })
      expect(told(completion).message).not.toContain(token)
    }
    expect(server.seen).toHaveLength(1)
    expect(masks.at(-1)).toBe(token.split('\r\n').at(-1))
  })

  it('is tried like any call, and then all goes on', async () => {
    const service = await startService({
      faults: [{ endpoint: 'login', to: 2, fault: statusFault(503) }],
    })
    const { complete, clock } = makeClient(service.url, { maxAttempts: 3 })
    expect((await complete()).kind).toBe('record')
    expect(clock.waits).toEqual([500, 1000])
  })

  it('that cannot be made is the outcome of all who wait for it, and is not begun again', async () => {
    const server = await startServer(good, answer(503))
    const { complete } = makeClient(server.url, { maxAttempts: 2 })
    const together = await Promise.all([complete(hashOf(1)), complete(hashOf(2))])
    for (const completion of [...together, await complete(hashOf(3))]) {
      expect(told(completion)).toMatchObject({ code: 'unavailable', registered: 'no' })
      expect(completion).toMatchObject({ endsRun: { code: 'unavailable' } })
    }
    expect(server.seen).toHaveLength(2)
  })

  it.each([501, 505, 599])('that is answered %d is not tried again', async status => {
    const server = await startServer(good, answer(status))
    expect(told(await makeClient(server.url).complete())).toMatchObject({ code: 'unavailable' })
    expect(server.seen).toHaveLength(1)
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
  /** Answers the first so many completions with 401, all of them only when all are there. */
  const refuseTogether = (count: number): Answerer => {
    const waiting: ServerResponse[] = []
    return (response, seen, nth) => {
      if (nth > count) return good(response, seen, nth)
      waiting.push(response)
      if (waiting.length === count) for (const one of waiting) answer(401)(one, seen, nth)
      return undefined
    }
  }

  it('makes one new login for all who see it at once, and each is repeated with the new token', async () => {
    const server = await startServer(refuseTogether(8))
    const { complete } = makeClient(server.url, { maxAttempts: 1 })
    const hashes = Array.from({ length: 8 }, (_, index) => hashOf(index))
    const completions = await Promise.all(hashes.map(complete))
    expect(completions.map(({ kind }) => kind)).toEqual(hashes.map(() => 'record'))
    expect(server.logins()).toBe(2)
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
      else if (nth === 2) answer(401)(response, seen, nth)
      else good(response, seen, nth)
    })
    const { complete } = makeClient(server.url)
    const slow = complete(hashOf(1))
    await until(() => late !== undefined)
    expect((await complete(hashOf(2))).kind).toBe('record')
    late?.()
    expect((await slow).kind).toBe('record')
    expect(server.logins()).toBe(2)
  })

  it('does not use up a try', async () => {
    const server = await startServer((response, seen, nth) =>
      (nth === 1 ? answer(401) : good)(response, seen, nth),
    )
    const { complete, clock } = makeClient(server.url, { maxAttempts: 1 })
    expect((await complete()).kind).toBe('record')
    expect(clock.waits).toEqual([])
  })

  it('leaves all tries to what comes after it', async () => {
    const statuses = [401, 503, 503]
    const server = await startServer((response, seen, nth) =>
      answer(statuses[nth - 1] ?? 200, goodRecord)(response, seen, nth),
    )
    const { complete } = makeClient(server.url, { maxAttempts: 3 })
    expect((await complete()).kind).toBe('record')
    expect(server.completions()).toHaveLength(4)
  })

  it('to the new token ends the session for all', async () => {
    const server = await startServer(answer(401))
    const { complete } = makeClient(server.url)
    const completion = await complete()
    expect(told(completion)).toMatchObject({ code: 'login-refused', registered: 'no' })
    expect(completion).toMatchObject({ endsRun: { code: 'login-refused' }, isOutage: false })
    expect(server.logins()).toBe(2)
    expect(server.completions()).toHaveLength(2)
    expect(told(await complete())).toMatchObject({ code: 'login-refused', registered: 'no' })
    expect(server.seen).toHaveLength(4)
  })

  it('to an old token is no refusal of the new one, however often tokens are revoked', async () => {
    const service = await startService()
    const { complete } = makeClient(service.url)
    for (let count = 1; count <= 4; count++) {
      expect((await complete(hashOf(count))).kind).toBe('record')
      service.revokeTokens()
    }
    expect(service.tokens).toHaveLength(4)
  })

  it('whose new login is refused ends with the code of the login', async () => {
    const server = await startServer(answer(401), (response, seen, nth) =>
      answer(nth === 1 ? 200 : 403, { token: 'token-1' })(response, seen, nth),
    )
    const { complete } = makeClient(server.url)
    expect(told(await complete())).toMatchObject({ code: 'login-refused', registered: 'no' })
    expect(server.seen.map(({ isLogin }) => isLogin)).toEqual([true, false, true])
  })
})

describe('a token that expires', () => {
  /** Completes after each of these seconds on the clock, and gives how often was logged in by then. */
  const loginsAt = async (lifeSeconds: number, seconds: readonly number[]): Promise<number[]> => {
    const clock = new TestClock('manual')
    const server = await startServer(good, (response, seen, nth) => {
      const exp = Math.floor(clock.now() / 1000) + lifeSeconds
      answer(200, { token: tokenOf({ exp, nth }) })(response, seen, nth)
    })
    const { complete } = makeClient(server.url, { clock })
    const logins: number[] = []
    for (const second of seconds) {
      clock.advance(START_MS + second * 1000 - clock.now())
      expect((await complete()).kind).toBe('record')
      logins.push(server.logins())
    }
    return logins
  }

  it('is renewed before use when its end is nearer than 60 s', async () => {
    expect(await loginsAt(3600, [0, 1, 3539, 3541])).toEqual([1, 1, 1, 2])
  })

  it('that lives shortly is renewed when its end is nearer than a tenth of its life', async () => {
    expect(await loginsAt(100, [0, 89, 91, 92, 180, 182])).toEqual([1, 1, 2, 2, 2, 3])
  })

  it('is renewed once for all who need it', async () => {
    const service = await startService({ nowMs: () => clock.now(), tokenLifetimeSeconds: 100 })
    const clock = new TestClock('manual')
    const { complete } = makeClient(service.url, { clock })
    await complete()
    clock.advance(95_000)
    await Promise.all(Array.from({ length: 6 }, (_, index) => complete(hashOf(index))))
    expect(service.tokens).toHaveLength(2)
    expect(service.requests.every(({ answeredStatus }) => answeredStatus === 200)).toBe(true)
  })

  it('that was past its end when it came, by a wrong clock, is used until a 401', async () => {
    const service = await startService({
      nowMs: () => clock.now() - 3_600_000,
      tokenLifetimeSeconds: 60,
    })
    const clock = new TestClock('manual')
    const { complete } = makeClient(service.url, { clock })
    for (let count = 0; count < 5; count++)
      expect((await complete(hashOf(count))).kind).toBe('record')
    expect(service.tokens).toHaveLength(1)
    service.revokeTokens()
    expect((await complete()).kind).toBe('record')
    expect(service.tokens).toHaveLength(2)
  })

  it('without a word about its end is used until a 401', async () => {
    const service = await startService({ nowMs: () => clock.now(), tokenLifetimeSeconds: null })
    const clock = new TestClock('manual')
    const { complete } = makeClient(service.url, { clock })
    await complete()
    clock.advance(10 * 365 * 86_400_000)
    expect((await complete()).kind).toBe('record')
    expect(service.tokens).toHaveLength(1)
  })

  describe('while a Retry-After of another worker holds all back', () => {
    /** A service whose tokens live 20 s; the n-th login is under way when another worker must wait for a minute. */
    const startImpatient = async (heldLogin: number) => {
      const clock = new TestClock()
      const ends = new Map<string, number>()
      const server = await startServer(
        (response, seen, nth) => {
          const [token = ''] = tokensOf([seen])
          const isRevoked = heldLogin === 2 && nth === 1
          const isGood = !isRevoked && clock.now() < (ends.get(token) ?? 0)
          answer(isGood ? 200 : 401, goodRecord)(response, seen, nth)
        },
        (response, seen, nth) => {
          if (nth === heldLogin) world.gate.holdUntil(clock.now() + 60_000)
          const exp = Math.floor(clock.now() / 1000) + 20
          const token = tokenOf({ exp, nth })
          ends.set(token, exp * 1000)
          answer(200, { token })(response, seen, nth)
        },
      )
      const world = makeClient(server.url, { clock })
      return { ...world, server, ends }
    }

    it('is renewed before use if its end came near meanwhile', async () => {
      const { complete, server, ends, clock } = await startImpatient(1)
      expect((await complete()).kind).toBe('record')
      expect(clock.now()).toBeGreaterThanOrEqual(START_MS + 60_000)
      for (const token of tokensOf(server.completions()))
        expect(ends.get(token)).toBeGreaterThan(START_MS + 60_000)
    })

    it('does not end the run if that was the token after a 401', async () => {
      const { complete } = await startImpatient(2)
      expect(told(await complete())).toMatchObject({ code: 'ok' })
    })
  })
})

describe('reading a token', () => {
  const renewsAfterSeconds = (value: string): number =>
    (readToken(value, START_MS).renewFromMs - START_MS) / 1000

  it.each([
    [10, 9],
    [100, 90],
    [599, 539.1],
    [600, 540],
    [601, 541],
    [36_000, 35_940],
  ])('with %d s to live renews it after %d s', (life, seconds) => {
    expect(renewsAfterSeconds(tokenWithLife(life))).toBeCloseTo(seconds, 3)
  })

  it('counts the life that it has at receipt, not from its issue', () => {
    const token = tokenOf({ iat: secondsAfterStart(-3600), exp: secondsAfterStart(100) })
    expect(renewsAfterSeconds(token)).toBe(90)
  })

  it.each([
    ['is past its end', tokenWithLife(-1)],
    ['ends now', tokenWithLife(0)],
    ['is no JWT', 'opaque-token'],
    ['has no claims', 'a.b.c'],
    ['has claims that are no object', tokenOf([1])],
    ['has an end that is text', tokenOf({ exp: String(secondsAfterStart(100)) })],
    ['has an end that is null', tokenOf({ exp: null })],
    ['has two parts', tokenWithLife(100).split('.').slice(0, 1).join('.')],
    ['has claims that are no UTF-8', `e30.${Buffer.from([0xff, 0xfe]).toString('base64url')}.x`],
  ])('that %s never renews it', (_, token) => {
    expect(readToken(token, START_MS)).toEqual({ value: token, renewFromMs: Infinity })
  })

  it('takes an end beyond all times', () => {
    expect(readToken(tokenOf({ exp: 1e300 }), START_MS).renewFromMs).toBeGreaterThan(1e300)
    expect(readToken(tokenOf({ exp: 1e308 }), START_MS).renewFromMs).toBe(Infinity)
  })
})

it('a token goes out in the one header that is specified', async () => {
  const server = await startServer()
  await makeClient(server.url).complete(HASH)
  expect(server.completions()[0]?.headers.authorization).toBe('Bearer token-1')
})
