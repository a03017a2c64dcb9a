import { afterEach, describe, expect, it } from '@jest/globals'
import { DEFAULT_API_KEY, exampleSubscription, startSimulator } from '../../simulator/index.ts'
import type { Simulator, SimulatorOptions } from '../../simulator/index.ts'
import { complete, completion, HASH, JSON_TYPE, logIn, OTHER_HASH, send } from './client.ts'

let running: Simulator | undefined
const start = async (options: SimulatorOptions = {}): Promise<Simulator> =>
  (running = await startSimulator({ requested: [HASH], ...options }))
afterEach(() => running?.close())

const LOGIN = '/api/v2/auth/login'
const goodLogin = {
  path: LOGIN,
  headers: JSON_TYPE,
  body: JSON.stringify({ apiKey: DEFAULT_API_KEY }),
}

describe('login', () => {
  it('gives a new JWT-shaped token each time', async () => {
    const simulator = await start()
    const tokens = [await logIn(simulator), await logIn(simulator)]
    expect(simulator.tokens).toEqual(tokens)
    expect(new Set(tokens).size).toBe(2)
    const [header = '', payload = '', signature] = (tokens[0] ?? '').split('.')
    expect(decode(header)).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(decode(payload)).toEqual({
      iat: expect.any(Number),
      nbf: expect.any(Number),
      exp: expect.any(Number),
    })
    expect(signature).toMatch(/^[\w-]{43}$/)
  })

  it('leaves exp out for tokens that live forever', async () => {
    const simulator = await start({ tokenLifetimeSeconds: null, nowMs: () => 5000 })
    const token = await logIn(simulator)
    expect(decode(token.split('.')[1] ?? '')).toEqual({ iat: 5, nbf: 5 })
    expect((await send(simulator, completion(token))).status).toBe(200)
  })

  it.each([
    ['an unknown key', { body: '{"apiKey":"nope"}' }, 401],
    ['a key that is no string', { body: '{"apiKey":1}' }, 422],
    ['no key', { body: '{}' }, 422],
    ['a body that is no object', { body: '[]' }, 422],
    ['a body that is not JSON', { body: '{' }, 400],
    ['no body', { body: '' }, 400],
    ['another content type', { headers: { 'content-type': 'text/plain' } }, 415],
    [
      'a content type that only begins alike',
      { headers: { 'content-type': 'application/jsonp' } },
      415,
    ],
    ['no content type', { headers: {} }, 415],
    ['another method', { method: 'PUT' }, 405],
    ['a query', { path: `${LOGIN}?x=1` }, 404],
    ['a slash too many', { path: `/${LOGIN}` }, 404],
    ['another version', { path: '/api/v1/auth/login' }, 404],
  ])('refuses %s', async (_what, change, status) => {
    const simulator = await start()
    const answer = await send(simulator, { ...goodLogin, ...change })
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toBe('application/json')
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) })
    expect(simulator.tokens).toEqual([])
  })

  it('accepts a charset in the content type, and only the configured keys', async () => {
    const simulator = await start({ apiKeys: ['one', 'two'] })
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const statuses = await Promise.all(
      ['one', 'two', DEFAULT_API_KEY].map(async apiKey => {
        const body = JSON.stringify({ apiKey })
        return (await send(simulator, { path: LOGIN, headers, body })).status
      }),
    )
    expect(statuses).toEqual([200, 200, 401])
  })
})

describe('completion', () => {
  it('returns the record of section 2.1, all 17 fields of it', async () => {
    const simulator = await start({ nowMs: () => 1_700_000_000_123 })
    const answer = await complete(simulator)
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toEqual({
      hash: HASH,
      description: expect.any(String),
      custody: false,
      signed: false,
      signer: null,
      signature: null,
      txHash: null,
      status: 'registered',
      blockchainType: 'ALGORAND',
      holder: null,
      txId: null,
      assetId: null,
      tags: [],
      paymentId: exampleSubscription.id,
      creationDate: 1_700_000_000_123,
      payload: null,
      userId: exampleSubscription.userId,
    })
    expect(simulator.registered.get(HASH)).toEqual(JSON.parse(answer.body))
  })

  it('lets the record option override and remove fields', async () => {
    const simulator = await start({ record: () => ({ status: 'odd', txId: undefined, extra: 1 }) })
    const record: unknown = JSON.parse((await complete(simulator)).body)
    expect(record).toMatchObject({ hash: HASH, status: 'odd', extra: 1 })
    expect(record).not.toHaveProperty('txId')
  })

  type Change = {
    readonly method?: string
    readonly body?: string
    readonly type?: string
    readonly scheme?: string
    readonly tail?: string
  }
  it.each<[string, Change, number]>([
    ['another method', { method: 'GET' }, 405],
    ['another content type', { type: 'text/json' }, 415],
    ['a body that is not JSON', { body: 'x' }, 400],
    ['a list', { body: '[]' }, 422],
    ['no Bearer', { scheme: '' }, 401],
    ['another scheme', { scheme: 'Basic ' }, 401],
    ['two spaces', { scheme: 'Bearer  ' }, 401],
    ['a path that goes on', { tail: '/' }, 404],
  ])('refuses %s', async (_what, change, status) => {
    const { type = 'application/json', scheme = 'Bearer ', tail = '', ...rest } = change
    const simulator = await start()
    const good = completion(await logIn(simulator))
    const authorization = scheme + (simulator.tokens[0] ?? '')
    const headers = { 'content-type': type, authorization }
    const answer = await send(simulator, { ...good, headers, ...rest, path: good.path + tail })
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) })
    expect(simulator.registered.size).toBe(0)
  })

  it('refuses unknown, revoked and expired tokens', async () => {
    let nowMs = 1_000_000
    const simulator = await start({ tokenLifetimeSeconds: 10, nowMs: () => nowMs })
    const status = async (token: string) => (await send(simulator, completion(token))).status
    expect(await status('a.b.c')).toBe(401)

    const revoked = await logIn(simulator)
    simulator.revokeTokens()
    expect(await status(revoked)).toBe(401)

    const expiring = await logIn(simulator)
    nowMs += 10_000
    expect(await status(expiring)).toBe(401)
    nowMs -= 1
    expect(await status(expiring)).toBe(200)
  })

  it('knows only the hashes that were requested', async () => {
    const simulator = await start()
    expect((await complete(simulator, OTHER_HASH)).status).toBe(404)
    simulator.request(OTHER_HASH)
    expect((await complete(simulator, OTHER_HASH)).status).toBe(200)
    expect((await complete(simulator, OTHER_HASH.toUpperCase())).status).toBe(404)
  })

  it('knows every hash when any is requested, and none by default', async () => {
    const any = await start({ requested: 'any' })
    expect((await complete(any, 'whatever')).status).toBe(200)
    await any.close()
    running = await startSimulator()
    expect((await complete(running)).status).toBe(404)
  })

  it('refuses to register twice unless repeats are accepted', async () => {
    const strict = await start()
    expect((await complete(strict)).status).toBe(200)
    expect((await complete(strict)).status).toBe(409)
    expect(strict.completionCounts).toEqual(new Map([[HASH, 1]]))
    await strict.close()

    const lenient = await start({ repeat: 'accept' })
    expect((await complete(lenient)).status).toBe(200)
    expect((await complete(lenient)).status).toBe(200)
    expect(lenient.completionCounts).toEqual(new Map([[HASH, 2]]))
    expect(lenient.registered.size).toBe(1)
  })
})

describe('subscription', () => {
  const statusFor = async (body: unknown, options: SimulatorOptions = {}): Promise<number> => {
    const simulator = await start(options)
    const good = completion(await logIn(simulator))
    return (await send(simulator, { ...good, body: JSON.stringify(body) })).status
  }

  it.each(Object.keys(exampleSubscription))('refuses %s of a wrong type', async field => {
    expect(await statusFor({ ...exampleSubscription, [field]: {} })).toBe(422)
  })

  it.each([
    'sessionId',
    'userId',
    'planId',
    'planNickname',
    'status',
    'created',
    'currentPeriodStart',
    'currentPeriodEnd',
  ])('refuses null for %s', async field => {
    expect(await statusFor({ ...exampleSubscription, [field]: null })).toBe(422)
  })

  it.each([
    { userId: '4242' },
    { userId: 1.5 },
    { created: '2024-01-01' },
    { canceledAt: 'no' },
    { canceledAt: 0.5 },
    { id: 7 },
  ])('refuses %j', async change => {
    expect(await statusFor({ ...exampleSubscription, ...change })).toBe(422)
  })

  it.each([
    { id: null },
    { customer: null },
    { latestInvoice: null },
    { defaultPaymentMethod: null },
    { defaultPaymentMethod: 'pm_1' },
    { canceledAt: 0 },
    { canceledAt: 1_700_000_000 },
    { canceledAt: false },
    { canceledAt: null },
    { surprise: [1] },
  ])('accepts %j', async change => {
    expect(await statusFor({ ...exampleSubscription, ...change })).toBe(200)
  })

  it('accepts the spelling custumer in place of customer, with the same type', async () => {
    const { customer, ...rest } = exampleSubscription
    expect(await statusFor({ ...rest, custumer: customer })).toBe(200)
    await running?.close()
    expect(await statusFor({ ...rest, custumer: 1 })).toBe(422)
  })

  it('refuses a missing field unless missing fields are accepted', async () => {
    const { planId, ...rest } = exampleSubscription
    expect(planId).toBeDefined()
    expect(await statusFor(rest)).toBe(422)
    await running?.close()
    expect(await statusFor(rest, { missingFields: 'accept' })).toBe(200)
  })

  it('leaves paymentId null when it has no id', async () => {
    expect(await statusFor({ ...exampleSubscription, id: null })).toBe(200)
    expect(running?.registered.get(HASH)).toMatchObject({ paymentId: null })
  })
})

function decode(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}
