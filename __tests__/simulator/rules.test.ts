/** What the service takes and refuses: a simulator that took more would hide mistakes of the action. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import {
  exampleFreeSubscription,
  exampleSubscription,
  startSimulator,
} from '../../simulator/index.ts'
import type { Simulator, SimulatorOptions } from '../../simulator/index.ts'
import { good, HASH, logIn, OTHER_HASH, requestBody, send, statusesOf } from './client.ts'
import type { Sending } from './client.ts'

let running: Simulator | undefined
const start = async (options: SimulatorOptions = {}): Promise<Simulator> =>
  (running = await startSimulator(options))
afterEach(() => running?.close())

type Call = keyof typeof good
/** What differs from the call as it should be. */
type Change = Partial<Sending> | ((token: string) => Partial<Sending>)

const [login, completion, request] = [['login'], ['completion'], ['request']] as const
const posts: readonly Call[] = [...login, ...completion, ...request]
const gets = ['active', 'subscription'] as const
const all = [...posts, ...gets]

const json = 'application/json'
const withHeaders =
  (type: string, scheme = 'Bearer ') =>
  (token: string) => ({ headers: { 'content-type': type, authorization: scheme + token } })
const at = (path: string): Change => ({ path: `/api/v2/${path}` })
const asked = (change: object): Change => ({ body: { ...requestBody(), ...change } })
const paid = (change: object): Change => ({ body: { ...exampleSubscription, ...change } })

const requestFields = Object.keys(requestBody())
const required = [
  ...['sessionId', 'userId', 'planId', 'planNickname', 'status', 'created'],
  ...['currentPeriodStart', 'currentPeriodEnd'],
]
const badRequests = [
  ...requestFields.flatMap(name => [{ [name]: undefined }, { [name]: null }]),
  ...[{ blockchainType: 'algorand' }, { custody: true }, { custody: 0 }, { signed: 'False' }],
  ...[{ description: 7 }, { status: 'registered' }, { surprise: 1 }],
  ...['ab'.repeat(31), 'ab'.repeat(33), 'zz'.repeat(32), `${HASH}\n`].map(hash => ({ hash })),
]
const goodRequests = [
  ...[{ custody: false, signed: false }, { description: '' }, { hash: HASH.toUpperCase() }],
]
const badSubscriptions = [
  ...Object.keys(exampleSubscription).map(name => ({ [name]: {} })),
  ...required.map(name => ({ [name]: null })),
  ...[{ userId: '4242' }, { userId: 1.5 }, { created: '2024-01-01' }, { canceledAt: 'no' }],
  ...[{ canceledAt: 0.5 }, { id: 7 }, { planId: undefined }],
  ...[{ customer: undefined, custumer: 1 }],
]
const goodSubscriptions = [
  ...[{ id: null }, { customer: null }, { latestInvoice: null }, { defaultPaymentMethod: 'pm' }],
  ...[{ canceledAt: 1_700_000_000 }, { canceledAt: false }, { canceledAt: null }],
  ...[{ surprise: [1] }, { customer: undefined, custumer: 'cus_1' }],
]

const table: readonly (readonly [number, readonly Call[], readonly Change[]])[] = [
  [200, all, [{}]],
  [200, posts, [withHeaders(`${json}; charset=utf-8`)]],
  [400, posts, [{ body: '{' }, { body: '' }]],
  [401, all.slice(1), [{ token: 'a.b.c' }]],
  [401, all.slice(1), ['', 'Basic ', 'Bearer  '].map(scheme => withHeaders(json, scheme))],
  [404, all, [{ path: '/api/v1/auth/login' }, { path: '//api/v2/auth/login' }]],
  [405, all, [{ method: 'PUT' }]],
  [415, posts, ['', 'text/json', `${json}p`].map(type => withHeaders(type))],
  [422, posts, [{ body: [] }, { body: {} }]],
  [401, login, [{ body: { apiKey: 'nope' } }]],
  [422, login, [{ body: { apiKey: 1 } }]],
  [404, login, [at('auth/login?x=1')]],
  [404, completion, [at(`registration/${HASH}/forfait/`), at('registration//forfait')]],
  [200, completion, goodSubscriptions.map(paid)],
  [422, completion, badSubscriptions.map(paid)],
  [404, request, [at('registration?subscription=true')]],
  ...['', '?', '?subscription=false', '?subscription=true&x=1', '?subscription=true?'].map(
    query => [400, request, [at(`registration/${query}`)]] as const,
  ),
  [200, request, goodRequests.map(asked)],
  [422, request, badRequests.map(asked)],
  [404, gets, [at('payment/subscription/active?x=1')]],
  [404, gets, ['other', '%', ''].map(id => at(`subscription/${id}`))],
]

describe('a call', () => {
  let simulator: Simulator
  beforeAll(async () => {
    const accepting = { repeat: 'accept', repeatRequest: 'accept' } as const
    simulator = await startSimulator({ requested: 'any', ...accepting })
  })
  afterAll(() => simulator.close())

  it.each(
    table.flatMap(([status, calls, changes]) =>
      calls.flatMap(call => changes.map(change => [call, status, change] as const)),
    ),
  )('%s is answered %d with %j', async (name, status, change) => {
    const token = await logIn(simulator)
    const changed = typeof change === 'function' ? change(token) : change
    const answer = await send(simulator, { ...good[name](token), ...changed })
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toBe(json)
    if (status === 200) return
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) })
    expect(simulator.requests.at(-1)?.isAccepted).toBeUndefined()
    const method = posts.includes(name) ? 'POST' : 'GET'
    expect(answer.headers.allow).toBe(status === 405 ? method : undefined)
  })
})

const bodyOf = async (simulator: Simulator, call: Sending): Promise<unknown> =>
  JSON.parse((await send(simulator, call)).body)

describe('an answer', () => {
  const decode = (part = ''): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())

  it.each([
    [{}, { iat: 5, nbf: 5, exp: 36_005 }],
    [{ tokenLifetimeSeconds: null }, { iat: 5, nbf: 5 }],
  ])('to a login is a new JWT (%j)', async (options, claims) => {
    const simulator = await start({ ...options, nowMs: () => 5000 })
    const tokens = [await logIn(simulator), await logIn(simulator)]
    expect([...new Set(tokens)]).toEqual(simulator.tokens)
    const [header, payload, signature] = (tokens[0] ?? '').split('.')
    expect([decode(header), decode(payload)]).toEqual([{ alg: 'HS256', typ: 'JWT' }, claims])
    expect(signature).toMatch(/^[\w-]{43}$/)
  })

  it('to a completion is the record of section 2.1, with what the option lays over it', async () => {
    const simulator = await start({
      ...{ requested: 'any', nowMs: () => 1_700_000_000_123 },
      record: () => ({ txId: undefined, extra: 1 }),
    })
    const record = await bodyOf(simulator, good.completion(await logIn(simulator)))
    expect(record).toEqual({
      ...{ hash: HASH, description: expect.any(String), custody: false, signed: false },
      ...{ signer: null, signature: null, txHash: null, status: 'registered' },
      ...{ blockchainType: 'ALGORAND', holder: null, assetId: null, tags: [], payload: null },
      ...{ paymentId: exampleSubscription.id, creationDate: 1_700_000_000_123, extra: 1 },
      userId: exampleSubscription.userId,
    })
    expect(simulator.registered.get(HASH)).toMatchObject({ extra: 1, txId: undefined })
  })

  const other = { planId: undefined, extra: 1 }
  it.each<[SimulatorOptions, Readonly<Record<string, unknown>>]>([
    [{ prefix: '/notary' }, exampleSubscription],
    [{ activeSubscription: other }, { ...exampleSubscription, ...other }],
    [{ activeSubscription: exampleFreeSubscription }, exampleFreeSubscription],
  ])('about the subscription is the same from each call, and pays (%j)', async (...row) => {
    const [options, body] = row
    const simulator = await start({ ...options, missingFields: 'accept' })
    const token = await logIn(simulator)
    const specific = { path: `/api/v2/subscription/${String(body['sessionId'])}` }
    const active = good.active(token)
    for (const call of [active, { ...active, ...specific }, good.request(token)]) {
      expect(await bodyOf(simulator, call)).toEqual(body)
    }
    const record = await bodyOf(simulator, { ...good.completion(token), body })
    expect(record).toMatchObject({ paymentId: body['id'] })
  })
})

const completes = (hash: string) => (token: string) => good.completion(token, hash)
const asks = (hash: string) => (token: string) => good.request(token, hash)
const [first, second] = [completes(HASH), completes(OTHER_HASH)]
const capitals = completes(HASH.toUpperCase())
const [asksFirst, asksSecond] = [asks(HASH), asks(OTHER_HASH)]

describe('the state of the service', () => {
  type Calls = readonly ((token: string) => Sending)[]
  it.each<[string, SimulatorOptions, Calls, readonly number[]]>([
    ['nothing requested', {}, [first, asksFirst, first, second], [404, 200, 200, 404]],
    ['requested before', { requested: [HASH] }, [first, capitals, second], [200, 404, 404]],
    ['requested before, again', { requested: [HASH] }, [asksFirst, asksSecond], [409, 200]],
    ['any', { requested: 'any' }, [second, asksSecond, asksFirst, asksFirst], [200, 409, 200, 409]],
    ['repeats', { requested: 'any' }, [first, first], [200, 409]],
    ['repeats accepted', { requested: 'any', repeat: 'accept' }, [first, first], [200, 200]],
    ['repeated requests', {}, [asksFirst, asksFirst, first, asksFirst], [200, 409, 200, 409]],
    [
      'repeated requests accepted',
      { repeatRequest: 'accept' },
      [asksFirst, asksFirst, first, asksFirst, first],
      [200, 200, 200, 200, 409],
    ],
    [
      'no subscription',
      { activeSubscription: null },
      [good.active, good.subscription, asksFirst, first],
      [404, 404, 402, 404],
    ],
    [
      'missing fields accepted',
      { requested: 'any', missingFields: 'accept' },
      [token => ({ ...good.completion(token), body: {} })],
      [200],
    ],
    [
      'keys',
      { apiKeys: ['one', 'sim-api-key-0123456789'] },
      ['one', 'two'].map(apiKey => () => ({ ...good.login(), body: { apiKey } })),
      [200, 401],
    ],
  ])('decides: %s', async (_what, options, calls, statuses) => {
    expect(await statusesOf(await start(options), ...calls)).toEqual(statuses)
  })

  it('lets tokens end, by time and when they are revoked', async () => {
    let nowMs = 1_000_000
    const simulator = await start({ tokenLifetimeSeconds: 10, nowMs: () => nowMs })
    const status = async (token: string) => (await send(simulator, good.active(token))).status
    const revoked = await logIn(simulator)
    simulator.revokeTokens()
    const expiring = await logIn(simulator)
    nowMs += 10_000
    expect([await status(revoked), await status(expiring)]).toEqual([401, 401])
    nowMs -= 1
    expect(await status(expiring)).toBe(200)
  })
})
