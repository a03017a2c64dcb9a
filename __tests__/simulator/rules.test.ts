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
type Change = Partial<Sending> | ((token: string) => Partial<Sending>)
type Row = readonly [Call, number, Change]

const rows = (status: number, calls: readonly Call[], changes: readonly Change[]): readonly Row[] =>
  calls.flatMap(call => changes.map((change): Row => [call, status, change]))
const withHeaders =
  (type: string, scheme = 'Bearer ') =>
  (token: string) => ({ headers: { 'content-type': type, authorization: scheme + token } })
const json = 'application/json'

const posts = ['login', 'completion', 'request'] as const
const gets = ['active', 'subscription'] as const
const withToken = ['completion', 'request', ...gets] as const

const asked = (change: object): Change => ({ body: { ...requestBody(), ...change } })
const paid = (change: object): Change => ({ body: { ...exampleSubscription, ...change } })
const required = [
  ...['sessionId', 'userId', 'planId', 'planNickname', 'status', 'created'],
  ...['currentPeriodStart', 'currentPeriodEnd'],
]

describe('a call', () => {
  let simulator: Simulator
  beforeAll(async () => {
    simulator = await startSimulator({
      requested: 'any',
      repeat: 'accept',
      repeatRequest: 'accept',
    })
  })
  afterAll(() => simulator.close())

  it.each<Row>([
    ...rows(200, [...posts, ...gets], [{}]),
    ...rows(200, posts, [withHeaders(`${json}; charset=utf-8`)]),
    ...rows(400, posts, [{ body: '{' }, { body: '' }]),
    ...rows(401, withToken, [
      { token: 'a.b.c' },
      ...['', 'Basic ', 'Bearer  '].map(scheme => withHeaders(json, scheme)),
    ]),
    ...rows(
      404,
      [...posts, ...gets],
      [{ path: '/api/v1/auth/login' }, { path: '//api/v2/auth/login' }],
    ),
    ...rows(405, [...posts, ...gets], [{ method: 'PUT' }]),
    ...rows(
      415,
      posts,
      ['', 'text/json', `${json}p`].map(type => withHeaders(type)),
    ),
    ...rows(422, posts, [{ body: [] }, { body: {} }]),
    ...rows(401, ['login'], [{ body: { apiKey: 'nope' } }]),
    ...rows(422, ['login'], [{ body: { apiKey: 1 } }]),
    ...rows(404, ['login'], [{ path: '/api/v2/auth/login?x=1' }]),
    ...rows(404, ['completion'], [{ path: `/api/v2/registration/${HASH}/forfait/` }]),
    ...rows(404, ['active'], [{ path: '/api/v2/payment/subscription/active?x=1' }]),
    ...rows(
      404,
      ['subscription'],
      ['other', '%', ''].map(id => ({ path: `/api/v2/subscription/${id}` })),
    ),
    ...rows(
      ...([400, ['request']] as const),
      ['', '?', '?subscription=false', '?subscription=true&x=1', '?subscription=true?'].map(
        query => ({
          path: `/api/v2/registration/${query}`,
        }),
      ),
    ),
    ...rows(404, ['request'], [{ path: '/api/v2/registration?subscription=true' }]),
    ...rows(
      422,
      ['request'],
      Object.keys(requestBody()).map(name => asked({ [name]: undefined })),
    ),
    ...rows(
      422,
      ['request'],
      Object.keys(requestBody()).map(name => asked({ [name]: null })),
    ),
    ...rows(
      422,
      ['request'],
      [
        ...[{ blockchainType: 'algorand' }, { custody: true }, { custody: 0 }, { signed: 'False' }],
        ...[{ description: 7 }, { status: 'registered' }, { surprise: 1 }],
        ...['ab'.repeat(31), 'ab'.repeat(33), 'zz'.repeat(32), `${HASH}\n`].map(hash => ({ hash })),
      ].map(asked),
    ),
    ...rows(
      200,
      ['request'],
      [
        ...[{ custody: false, signed: false }, { description: '' }, { hash: HASH.toUpperCase() }],
      ].map(asked),
    ),
    ...rows(
      422,
      ['completion'],
      Object.keys(exampleSubscription).map(name => paid({ [name]: {} })),
    ),
    ...rows(
      422,
      ['completion'],
      required.map(name => paid({ [name]: null })),
    ),
    ...rows(
      422,
      ['completion'],
      [
        ...[{ userId: '4242' }, { userId: 1.5 }, { created: '2024-01-01' }, { canceledAt: 'no' }],
        ...[{ canceledAt: 0.5 }, { id: 7 }, { planId: undefined }],
        ...[{ customer: undefined, custumer: 1 }],
      ].map(paid),
    ),
    ...rows(
      200,
      ['completion'],
      [
        ...[
          { id: null },
          { customer: null },
          { latestInvoice: null },
          { defaultPaymentMethod: 'pm_1' },
        ],
        ...[{ canceledAt: 1_700_000_000 }, { canceledAt: false }, { canceledAt: null }],
        ...[{ surprise: [1] }, { customer: undefined, custumer: 'cus_1' }],
      ].map(paid),
    ),
  ])('%s is answered %d with %j', async (name, status, change) => {
    const token = await logIn(simulator)
    const changed = typeof change === 'function' ? change(token) : change
    const answer = await send(simulator, { ...good[name](token), ...changed })
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toBe(json)
    if (status === 200) return
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) })
    expect(simulator.requests.at(-1)?.isAccepted).toBeUndefined()
    if (status === 405)
      expect(answer.headers.allow).toBe(posts.some(post => post === name) ? 'POST' : 'GET')
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
    const change = { txId: undefined, extra: 1 }
    const options = {
      requested: 'any',
      nowMs: () => 1_700_000_000_123,
      record: () => change,
    } as const
    const simulator = await start(options)
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

  const other = { id: 'sub_other', planId: undefined, extra: [1] }
  const { planId, ...others } = { ...exampleSubscription, ...other }
  it.each<[SimulatorOptions, unknown]>([
    [{ prefix: '/notary' }, exampleSubscription],
    [{ activeSubscription: other }, others],
    [{ plan: 'free' }, exampleFreeSubscription],
    [
      { plan: 'free', activeSubscription: { userId: 7 } },
      { ...exampleFreeSubscription, userId: 7 },
    ],
  ])('about the subscription is the same from each call (%j)', async (options, expected) => {
    expect(planId).toBeUndefined()
    const simulator = await start(options)
    const token = await logIn(simulator)
    const { sessionId } = options.plan === 'free' ? exampleFreeSubscription : exampleSubscription
    const subscription = { ...good.subscription(token), path: `/api/v2/subscription/${sessionId}` }
    for (const call of [good.active(token), subscription, good.request(token)]) {
      expect(await bodyOf(simulator, call)).toEqual(expected)
    }
  })

  it('on a free plan has nulls and digits, and completes with paymentId null', async () => {
    const simulator = await start({ plan: 'free' })
    const token = await logIn(simulator)
    const body = await bodyOf(simulator, good.request(token))
    expect(body).toMatchObject({
      ...{ id: null, customer: null, defaultPaymentMethod: null, latestInvoice: null },
      sessionId: expect.stringMatching(/^\d+$/),
    })
    expect(await bodyOf(simulator, { ...good.completion(token), body })).toMatchObject({
      paymentId: null,
    })
  })
})

const completion = (hash: string) => (token: string) => good.completion(token, hash)
const request = (hash: string) => (token: string) => good.request(token, hash)
const [first, second] = [completion(HASH), completion(OTHER_HASH)]
const [asksFirst, asksSecond] = [request(HASH), request(OTHER_HASH)]
const capitals = HASH.toUpperCase()

describe('the state of the service', () => {
  type Calls = readonly ((token: string) => Sending)[]
  it.each<[string, SimulatorOptions, Calls, readonly number[]]>([
    ['nothing requested', {}, [first, asksFirst, first, second], [404, 200, 200, 404]],
    [
      'requested before',
      { requested: [HASH] },
      [first, completion(capitals), second],
      [200, 404, 404],
    ],
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
    ['no session', { activeSubscription: { sessionId: null } }, [good.subscription], [404]],
    [
      'missing fields accepted',
      { requested: 'any', missingFields: 'accept' },
      [token => ({ ...first(token), body: {} })],
      [200],
    ],
  ])('decides: %s', async (_what, options, calls, statuses) => {
    expect(await statusesOf(await start(options), ...calls)).toEqual(statuses)
  })

  it('has the keys that it is given', async () => {
    const simulator = await start({ apiKeys: ['one', 'two'] })
    const statuses = ['one', 'two', 'three'].map(async apiKey => {
      return (await send(simulator, { ...good.login(), body: { apiKey } })).status
    })
    expect(await Promise.all(statuses)).toEqual([200, 200, 401])
  })

  it.each([{ tokenLifetimeSeconds: 10 }, { tokensAcceptedSeconds: 10 }])(
    'lets tokens end, by time and when they are revoked (%j)',
    async options => {
      let nowMs = 1_000_000
      const simulator = await start({ ...options, requested: 'any', nowMs: () => nowMs })
      const status = async (token: string) => (await send(simulator, good.active(token))).status
      const revoked = await logIn(simulator)
      simulator.revokeTokens()
      const expiring = await logIn(simulator)
      nowMs += 10_000
      expect([await status(revoked), await status(expiring)]).toEqual([401, 401])
      nowMs -= 1
      expect(await status(expiring)).toBe(200)
    },
  )
})
