/** What the service accepts and refuses. A simulator that accepted more would hide bugs in the action. */
import { afterEach, expect, it } from '@jest/globals'
import { DEFAULT_API_KEY, exampleSubscription, startSimulator } from '../../simulator/index.ts'
import type { Simulator, SimulatorOptions } from '../../simulator/index.ts'

const HASH = 'ab'.repeat(32)
const OTHER_HASH = 'cd'.repeat(32)

let simulator: Simulator
afterEach(() => simulator.close())

interface Call {
  readonly method: string
  readonly path: string
  /** By default, JSON and a valid token. */
  readonly headers?: Record<string, string>
  readonly body: string | null
}

function post(path: string, body: object): Call {
  return { method: 'POST', path, body: JSON.stringify(body) }
}

const complete = (hash: string, data: object = {}): Call =>
  post(`/api/v2/registration/${hash}/forfait`, { ...exampleSubscription, ...data })

const ask = (hash: string, change: object = {}): Call => {
  const flags = { custody: 'false', signed: 'false', status: 'not_registered' }
  const body = { blockchainType: 'ALGORAND', description: 'a test', hash, ...flags, ...change }
  return post('/api/v2/registration/?subscription=true', body)
}

/** A valid call of each kind (docs/service.md). */
const good = {
  login: post('/api/v2/auth/login', { apiKey: DEFAULT_API_KEY }),
  completion: complete(HASH),
  request: ask(HASH),
  active: { method: 'GET', path: '/api/v2/payment/subscription/active', body: null },
} as const

async function send({ path, ...call }: Call) {
  const { url, tokens } = simulator
  const json = { 'content-type': 'application/json' }
  await fetch(url + good.login.path, { ...good.login, headers: json })
  const headers = { ...json, authorization: `Bearer ${tokens.at(-1) ?? ''}` }
  const answer = await fetch(url + path, { headers, ...call })
  const body: unknown = JSON.parse(await answer.text())
  return { status: answer.status, type: answer.headers.get('content-type'), body }
}

type Kind = keyof typeof good
const posts = ['login', 'completion', 'request'] as const
const all = [...posts, 'active'] as const

const asked = (change: object): Partial<Call> => ({ body: ask(HASH, change).body })
const paid = (change: object): Partial<Call> => ({ body: complete(HASH, change).body })
const typed = (type: string): Partial<Call> => ({ headers: { 'content-type': type } })
const allowed = (authorization: string): Partial<Call> => ({ headers: { authorization } })
const at = (path: string): Partial<Call> => ({ path: `/api/${path}` })

/** A status, the calls that get it, and how they differ from valid ones. */
const table: readonly (readonly [number, readonly Kind[], readonly Partial<Call>[]])[] = [
  [200, all, [{}]],
  [400, posts, [{ body: '{' }, { body: '' }]],
  [401, ['completion', 'request', 'active'], ['Bearer a.b.c', 'Basic x'].map(allowed)],
  [404, all, [at('v1/auth/login'), { path: '//api/v2/auth/login' }, { method: 'PUT' }]],
  [415, ['login'], ['text/json', 'application/jsonp', ''].map(typed)],
  [422, posts, [{ body: '[]' }, { body: '{}' }]],
  [401, ['login'], [{ body: '{"apiKey":"nope"}' }]],
  [404, ['completion'], [at(`v2/registration/${HASH}/forfait/`)]],
  [200, ['completion'], [{ id: null }, { canceledAt: false }, { surprise: [1] }].map(paid)],
  [422, ['completion'], [{ userId: '4242' }, { created: '2024-01-01' }, { planId: 7 }].map(paid)],
  [400, ['request'], ['', '?subscription=false'].map(query => at(`v2/registration/${query}`))],
  [400, ['request'], [at('v2/registration/?subscription=true&x')]],
  [200, ['request'], [{ custody: false }, { hash: HASH.toUpperCase() }].map(asked)],
  [422, ['request'], [{ custody: true }, { hash: 'ab' }, { status: 1 }, { x: 1 }].map(asked)],
  [404, ['active'], [at('v2/payment/subscription/active?x=1')]],
]

it.each(
  table.flatMap(([status, kinds, changes]) =>
    kinds.flatMap(kind => changes.map(change => [kind, status, change] as const)),
  ),
)('%s is answered %d with %j', async (kind, status, change) => {
  simulator = await startSimulator({ requested: 'any' })
  const error: unknown = { error: expect.any(String) }
  const body: unknown = status === 200 ? expect.any(Object) : error
  const answer = await send({ ...good[kind], ...change })
  expect(answer).toEqual({ status, type: 'application/json', body })
})

it('a completion returns the record in the observed form, with the changes of the option', async () => {
  const record = () => ({ txId: undefined, extra: 1 })
  simulator = await startSimulator({ requested: 'any', record })
  const { id: paymentId, userId } = exampleSubscription
  const unsigned = { custody: false, signed: false, signer: null, signature: null }
  const onChain = { status: 'registered', blockchainType: 'ALGORAND', txHash: null, assetId: null }
  const rest = { holder: null, tags: [], payload: null, extra: 1 }
  const description: unknown = expect.any(String)
  const creationDate: unknown = expect.any(Number)
  const { body } = await send(good.completion)
  const fields = { ...unsigned, ...onChain, ...rest }
  expect(body).toEqual({ hash: HASH, description, creationDate, paymentId, userId, ...fields })
})

it.each([{}, { created: '2026-01-01T00:00:00Z', userId: 'u1' }])(
  'each call returns the same subscription, which pays: %j',
  async activeSubscription => {
    simulator = await startSimulator({ activeSubscription })
    const expected = { ...exampleSubscription, ...activeSubscription }
    for (const call of [good.active, good.request]) {
      expect((await send(call)).body).toEqual(expected)
    }
    expect((await send(complete(HASH, expected))).status).toBe(200)
  },
)

const [first, second] = [complete(HASH), complete(OTHER_HASH)]
const [asksFirst, asksSecond] = [ask(HASH), ask(OTHER_HASH)]

it.each<[string, SimulatorOptions, readonly Call[], readonly number[]]>([
  ['nothing requested', {}, [first, asksFirst, first, second], [404, 200, 200, 404]],
  ['requested before', { requested: [HASH] }, [first, second, asksFirst], [200, 404, 409]],
  ['any', { requested: 'any' }, [second, asksSecond, asksFirst, asksFirst], [200, 409, 200, 409]],
  ['repeats', { requested: 'any' }, [first, first], [200, 409]],
  ['repeats accepted', { requested: 'any', repeat: 'accept' }, [first, first], [200, 200]],
  ['requests accepted', { repeat: 'accept' }, [asksFirst, asksFirst, first], [200, 200, 200]],
  ['no subscription', { activeSubscription: null }, [good.active, asksFirst], [404, 402]],
])('the state of the service decides: %s', async (_what, options, calls, statuses) => {
  simulator = await startSimulator(options)
  const seen: number[] = []
  for (const call of calls) seen.push((await send(call)).status)
  expect(seen).toEqual(statuses)
})
