/** What the service accepts and refuses. A simulator that accepted more would hide bugs in the action. */
import { afterEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { DEFAULT_API_KEY, exampleSubscription, startSimulator } from '../../simulator/index.ts'
import type { Simulator, SimulatorOptions } from '../../simulator/index.ts'

const HASH = 'ab'.repeat(32)
const OTHER_HASH = 'cd'.repeat(32)

let running: Simulator | undefined
const start = async (options: SimulatorOptions = {}): Promise<Simulator> =>
  (running = await startSimulator(options))
afterEach(() => running?.close())

interface Sending {
  readonly method?: string
  readonly path: string
  readonly token?: string
  /** Replace the headers that the call needs. */
  readonly headers?: Record<string, string>
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown
}

const requestBody = {
  blockchainType: 'ALGORAND',
  custody: 'false',
  description: 'a test',
  hash: HASH,
  signed: 'false',
  status: 'not_registered',
}

/** A valid request for each call (docs/service.md). */
const good = {
  login: (): Sending => ({ path: '/api/v2/auth/login', body: { apiKey: DEFAULT_API_KEY } }),
  completion: (token: string, hash = HASH): Sending => {
    return { path: `/api/v2/registration/${hash}/forfait`, token, body: exampleSubscription }
  },
  request: (token: string, hash = HASH): Sending => {
    const path = '/api/v2/registration/?subscription=true'
    return { path, token, body: { ...requestBody, hash } }
  },
  active: (token: string): Sending => {
    return { method: 'GET', path: '/api/v2/payment/subscription/active', token }
  },
} as const

async function send({ url }: Simulator, sending: Sending) {
  const { method = 'POST', path, token = '', body } = sending
  const defaults = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const content = method === 'GET' ? {} : { body: text }
  const answer = await fetch(url + path, {
    method,
    headers: sending.headers ?? defaults,
    ...content,
  })
  const type = answer.headers.get('content-type')
  return { status: answer.status, type, body: await answer.text() }
}

async function logIn(simulator: Simulator): Promise<string> {
  const { body } = await send(simulator, good.login())
  return z.object({ token: z.string() }).parse(JSON.parse(body)).token
}

type Call = keyof typeof good
const posts = ['login', 'completion', 'request'] as const
const withToken = ['completion', 'request', 'active'] as const
const all = [...posts, 'active'] as const

const asked = (change: object) => ({ body: { ...requestBody, ...change } })
const paid = (change: object) => ({ body: { ...exampleSubscription, ...change } })
const typed = (type: string) => ({ headers: { 'content-type': type } })
const request = (query: string) => ({ path: `/api/v2/registration/${query}` })

/** A status, the calls that get it, and how they differ from valid ones. */
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

it.each(
  table.flatMap(([status, calls, changes]) =>
    calls.flatMap(call => changes.map(change => [call, status, change] as const)),
  ),
)('%s is answered %d with %j', async (name, status, change) => {
  const simulator = await start({ requested: 'any' })
  const answer = await send(simulator, { ...good[name](await logIn(simulator)), ...change })
  expect([answer.status, answer.type]).toEqual([status, 'application/json'])
  expect(simulator.requests.at(-1)?.isAccepted).toBe(status === 200 ? true : undefined)
  if (status !== 200) expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) })
})

it('a completion returns the record in the observed form, with the changes of the option', async () => {
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

it.each([{}, { created: '2026-01-01T00:00:00Z', userId: 'u1' }])(
  'each call returns the same subscription, which pays: %j',
  async change => {
    const simulator = await start({ activeSubscription: change })
    const token = await logIn(simulator)
    const { body } = await send(simulator, good.active(token))
    expect(JSON.parse(body)).toEqual({ ...exampleSubscription, ...change })
    expect((await send(simulator, good.request(token))).body).toBe(body)
    expect((await send(simulator, { ...good.completion(token), body })).status).toBe(200)
  },
)

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
    const simulator = await start(options)
    const seen: number[] = []
    for (const call of calls) {
      seen.push((await send(simulator, call(await logIn(simulator)))).status)
    }
    expect(seen).toEqual(statuses)
  })
})
