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
const posts = ['login', 'completion', 'request'] as const
const withToken = ['completion', 'request', 'active'] as const
const all = [...posts, 'active'] as const

const asked = (change: object) => ({ body: { ...requestBody(), ...change } })
const paid = (change: object) => ({ body: { ...exampleSubscription, ...change } })
const typed = (type: string) => ({ headers: { 'content-type': type } })
const request = (query: string) => ({ path: `/api/v2/registration/${query}` })

/** A status, the calls that get it, and how they differ from calls as they should be. */
const table: readonly (readonly [number, readonly Call[], readonly Partial<Sending>[]])[] = [
  [200, all, [{}]],
  [400, posts, [{ body: '{' }, { body: '' }]],
  [401, withToken, [{ token: 'a.b.c' }, { headers: { authorization: 'Basic x' } }]],
  [404, all, [{ path: '/api/v1/auth/login' }, { path: '//api/v2/auth/login' }]],
  [405, all, [{ method: 'PUT' }]],
  [415, ['login'], [typed('text/json'), typed('application/jsonp'), typed('')]],
  [422, posts, [{ body: [] }, { body: {} }]],
  [401, ['login'], [{ body: { apiKey: 'nope' } }]],
  [404, ['completion'], [{ path: `/api/v2/registration/${HASH}/forfait/` }]],
  [200, ['completion'], [{ id: null }, { canceledAt: false }, { surprise: [1] }].map(paid)],
  [422, ['completion'], [{ userId: '4242' }, { created: '2024-01-01' }, { planId: 7 }].map(paid)],
  [
    400,
    ['request'],
    [request(''), request('?subscription=false'), request('?subscription=true&x')],
  ],
  [200, ['request'], [{ custody: false }, { hash: HASH.toUpperCase() }].map(asked)],
  [
    422,
    ['request'],
    [{ custody: true }, { hash: 'ab' }, { surprise: 1 }, { status: 1 }].map(asked),
  ],
  [404, ['active'], [{ path: '/api/v2/payment/subscription/active?x=1' }]],
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

  it.each(
    table.flatMap(([status, calls, changes]) =>
      calls.flatMap(call => changes.map(change => [call, status, change] as const)),
    ),
  )('%s is answered %d with %j', async (name, status, change) => {
    const answer = await send(simulator, { ...good[name](await logIn(simulator)), ...change })
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toBe('application/json')
    expect(simulator.requests.at(-1)?.isAccepted).toBe(status === 200 ? true : undefined)
    if (status !== 200) expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) })
  })
})

describe('an answer', () => {
  it('to a completion is the record in the observed shape, with what the option lays over it', async () => {
    const simulator = await start({
      requested: 'any',
      nowMs: () => 1_700_000_000_123,
      record: () => ({ txId: undefined, extra: 1 }),
    })
    const answer = await send(simulator, good.completion(await logIn(simulator)))
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
      assetId: null,
      tags: [],
      paymentId: exampleSubscription.id,
      creationDate: 1_700_000_000_123,
      payload: null,
      userId: exampleSubscription.userId,
      extra: 1,
    })
  })

  it.each([
    ['the example', {}],
    ['a free plan', exampleFreeSubscription],
    ['other types than the listed ones', { created: '2026-01-01T00:00:00Z', userId: 'u1' }],
  ])('about the subscription is the same from each call, and pays: %s', async (_what, change) => {
    const simulator = await start({ activeSubscription: change })
    const token = await logIn(simulator)
    const active = await send(simulator, good.active(token))
    expect(JSON.parse(active.body)).toEqual({ ...exampleSubscription, ...change })
    const { body } = await send(simulator, good.request(token))
    expect(body).toBe(active.body)
    const record = await send(simulator, { ...good.completion(token), body })
    expect(record.status).toBe(200)
  })
})

const completes = (hash: string) => (token: string) => good.completion(token, hash)
const asks = (hash: string) => (token: string) => good.request(token, hash)
const [first, second] = [completes(HASH), completes(OTHER_HASH)]
const [asksFirst, asksSecond] = [asks(HASH), asks(OTHER_HASH)]

describe('the state of the service', () => {
  type Calls = readonly ((token: string) => Sending)[]
  it.each<[string, SimulatorOptions, Calls, readonly number[]]>([
    ['nothing requested', {}, [first, asksFirst, first, second], [404, 200, 200, 404]],
    ['requested before', { requested: [HASH] }, [first, second, asksFirst], [200, 404, 409]],
    ['any', { requested: 'any' }, [second, asksSecond, asksFirst, asksFirst], [200, 409, 200, 409]],
    ['repeats', { requested: 'any' }, [first, first], [200, 409]],
    ['repeats accepted', { requested: 'any', repeat: 'accept' }, [first, first], [200, 200]],
    [
      'repeated requests accepted',
      { repeatRequest: 'accept' },
      [asksFirst, asksFirst, first, asksFirst, first],
      [200, 200, 200, 200, 409],
    ],
    ['no subscription', { activeSubscription: null }, [good.active, asksFirst], [404, 402]],
  ])('decides: %s', async (_what, options, calls, statuses) => {
    expect(await statusesOf(await start(options), ...calls)).toEqual(statuses)
  })

  it('lets tokens end when they are revoked', async () => {
    const simulator = await start()
    const token = await logIn(simulator)
    simulator.revokeTokens()
    expect((await send(simulator, good.active(token))).status).toBe(401)
    expect(simulator.tokens).toEqual([token])
  })
})
