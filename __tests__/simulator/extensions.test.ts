import { afterEach, describe, expect, it } from '@jest/globals'
import {
  exampleFreeSubscription,
  exampleSubscription,
  resetFault,
  silenceFault,
  startSimulator,
  statusFault,
} from '../../simulator/index.ts'
import type { Simulator, SimulatorOptions } from '../../simulator/index.ts'
import {
  completion,
  HASH,
  logIn,
  OTHER_HASH,
  question,
  registrationRequest,
  requestBody,
  send,
} from './client.ts'

const ACTIVE = '/api/v2/payment/subscription/active'
const subscriptionPath = (sessionId: string): string => `/api/v2/subscription/${sessionId}`

let running: Simulator | undefined
const start = async (options: SimulatorOptions = {}): Promise<Simulator> =>
  (running = await startSimulator(options))
afterEach(() => running?.close())

const withoutKey = (key: keyof ReturnType<typeof requestBody>): unknown =>
  Object.fromEntries(Object.entries(requestBody()).filter(([name]) => name !== key))

/** Requests a registration for each body with its own token, one after the other. */
async function requestAll(simulator: Simulator, ...bodies: unknown[]): Promise<readonly number[]> {
  const statuses: number[] = []
  for (const body of bodies) {
    const sending = registrationRequest(await logIn(simulator), body)
    statuses.push((await send(simulator, sending)).status)
  }
  return statuses
}

describe('a request for a registration', () => {
  it('is answered with subscription data that completes the registration as it is', async () => {
    const simulator = await start()
    const token = await logIn(simulator)
    expect((await send(simulator, completion(token))).status).toBe(404)

    const answer = await send(simulator, registrationRequest(token))
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json')
    expect(JSON.parse(answer.body)).toEqual(exampleSubscription)
    expect(simulator.registered.size).toBe(0)

    const completed = await send(simulator, { ...completion(token), body: answer.body })
    expect(completed.status).toBe(200)
    expect(JSON.parse(completed.body)).toMatchObject({
      hash: HASH,
      paymentId: exampleSubscription.id,
    })
    expect((await send(simulator, completion(token, OTHER_HASH))).status).toBe(404)
  })

  it.each([
    { custody: false, signed: false },
    { custody: false },
    { description: '' },
    { hash: HASH.toUpperCase() },
  ])('may say %j', async change => {
    const simulator = await start()
    expect(await requestAll(simulator, { ...requestBody(), ...change })).toEqual([200])
    expect(simulator.requestCounts.size).toBe(1)
  })

  it.each([
    ...Object.keys(requestBody()).map(field => ({ [field]: null })),
    { blockchainType: 'algorand' },
    { custody: true },
    { custody: 'true' },
    { custody: 0 },
    { signed: true },
    { signed: 'False' },
    { description: 7 },
    { status: 'registered' },
    { hash: 'ab'.repeat(31) },
    { hash: 'ab'.repeat(33) },
    { hash: 'zz'.repeat(32) },
    { hash: `${HASH}\n` },
    { surprise: 1 },
  ])('must not say %j', async change => {
    const simulator = await start()
    expect(await requestAll(simulator, { ...requestBody(), ...change })).toEqual([422])
    expect(simulator.requestCounts.size).toBe(0)
  })

  it.each(['blockchainType', 'custody', 'description', 'hash', 'signed', 'status'] as const)(
    'must not lack %s',
    async key => {
      expect(await requestAll(await start(), withoutKey(key))).toEqual([422])
    },
  )

  type Change = { readonly method?: string; readonly body?: string; readonly path?: string }
  it.each<[string, Change, number]>([
    ['no query', { path: '/api/v2/registration/' }, 400],
    ['an empty query', { path: '/api/v2/registration/?' }, 400],
    ['another value', { path: '/api/v2/registration/?subscription=false' }, 400],
    ['another query too', { path: '/api/v2/registration/?subscription=true&x=1' }, 400],
    ['two question marks', { path: '/api/v2/registration/?subscription=true?' }, 400],
    ['no slash', { path: '/api/v2/registration?subscription=true' }, 404],
    ['a path that goes on', { path: '/api/v2/registration/x?subscription=true' }, 404],
    ['another method', { method: 'GET' }, 405],
    ['a body that is not JSON', { body: '{' }, 400],
    ['a list', { body: '[]' }, 422],
  ])('is refused with %s', async (_what, change, status) => {
    const simulator = await start()
    const good = registrationRequest(await logIn(simulator))
    const answer = await send(simulator, { ...good, ...change })
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) })
    expect(simulator.requestCounts.size).toBe(0)
  })

  it('needs a valid token and a JSON content type', async () => {
    const simulator = await start()
    expect((await send(simulator, registrationRequest('a.b.c'))).status).toBe(401)
    const { headers, ...good } = registrationRequest(await logIn(simulator))
    const plain = { ...good, headers: { ...headers, 'content-type': 'text/plain' } }
    expect((await send(simulator, plain)).status).toBe(415)
    simulator.revokeTokens()
    expect((await send(simulator, { ...good, ...(headers && { headers }) })).status).toBe(401)
    expect(simulator.requestCounts.size).toBe(0)
  })

  it('is refused for a hash requested or registered already, each hash by itself', async () => {
    const simulator = await start()
    const [first, other] = [requestBody(), requestBody(OTHER_HASH)]
    expect(await requestAll(simulator, first, first, other)).toEqual([200, 409, 200])
    await send(simulator, completion(await logIn(simulator)))
    expect(await requestAll(simulator, first)).toEqual([409])
    expect(simulator.requestCounts).toEqual(
      new Map([
        [HASH, 1],
        [OTHER_HASH, 1],
      ]),
    )
  })

  it('is refused for a hash that was requested before the simulator started', async () => {
    const simulator = await start({ requested: [HASH] })
    simulator.request(OTHER_HASH)
    const bodies = [requestBody(), requestBody(OTHER_HASH)]
    expect(await requestAll(simulator, ...bodies)).toEqual([409, 409])
    expect(simulator.requestCounts.size).toBe(0)
  })

  it('is new for every hash when any may be completed, until it is registered', async () => {
    const simulator = await start({ requested: 'any' })
    await send(simulator, completion(await logIn(simulator), OTHER_HASH))
    const [first, other] = [requestBody(), requestBody(OTHER_HASH)]
    expect(await requestAll(simulator, first, first, other)).toEqual([200, 409, 409])
  })

  it('is answered as the first time when repeated requests are accepted', async () => {
    const simulator = await start({ repeatRequest: 'accept' })
    const token = await logIn(simulator)
    const bodies: string[] = []
    for (const sending of [
      registrationRequest(token),
      registrationRequest(token),
      completion(token),
      registrationRequest(token),
    ]) {
      const answer = await send(simulator, sending)
      expect(answer.status).toBe(200)
      bodies.push(answer.body)
    }
    expect([bodies[1], bodies[3]]).toEqual([bodies[0], bodies[0]])
    expect(simulator.requestCounts).toEqual(new Map([[HASH, 3]]))
    expect((await send(simulator, completion(token))).status).toBe(409)
  })

  it('is carried out once when two for a hash arrive together', async () => {
    const simulator = await start({ latencyMs: ({ endpoint }) => (endpoint === 'login' ? 0 : 50) })
    const token = await logIn(simulator)
    const answers = await Promise.all([1, 2].map(() => send(simulator, registrationRequest(token))))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409])
    expect(simulator.requestCounts.get(HASH)).toBe(1)
  })

  it('is refused without an active subscription', async () => {
    const simulator = await start({ activeSubscription: null })
    expect(await requestAll(simulator, requestBody())).toEqual([402])
    expect((await send(simulator, completion(await logIn(simulator)))).status).toBe(404)
  })
})

describe('the active subscription', () => {
  it('is the example, as for a request, behind a prefix too', async () => {
    const simulator = await start({ prefix: '/notary' })
    const answer = await send(simulator, question(await logIn(simulator), ACTIVE))
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toEqual(exampleSubscription)
  })

  it('is what the option says, for every call, and may lack fields', async () => {
    const change = { id: 'sub_other', sessionId: 'cs/other', planId: undefined, extra: [1] }
    const simulator = await start({ activeSubscription: change })
    const token = await logIn(simulator)
    const { planId, ...rest } = exampleSubscription
    expect(planId).toBeDefined()
    const path = subscriptionPath('cs%2Fother')
    for (const sending of [
      question(token, ACTIVE),
      question(token, path),
      registrationRequest(token),
    ]) {
      const answer = await send(simulator, sending)
      expect(JSON.parse(answer.body)).toEqual({
        ...rest,
        id: 'sub_other',
        sessionId: 'cs/other',
        extra: [1],
      })
    }
  })

  it('is nowhere to be found when there is none', async () => {
    const simulator = await start({ activeSubscription: null })
    const token = await logIn(simulator)
    for (const path of [ACTIVE, subscriptionPath(exampleSubscription.sessionId)]) {
      const answer = await send(simulator, question(token, path))
      expect(answer.status).toBe(404)
      expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) })
    }
  })
})

describe('a specific subscription', () => {
  it('is found by its session only', async () => {
    const simulator = await start()
    const token = await logIn(simulator)
    const known = await send(
      simulator,
      question(token, subscriptionPath(exampleSubscription.sessionId)),
    )
    expect(known.status).toBe(200)
    expect(JSON.parse(known.body)).toEqual(exampleSubscription)
    for (const sessionId of [exampleSubscription.id ?? '', 'other', '%', '']) {
      const unknown = await send(simulator, question(token, subscriptionPath(sessionId)))
      expect(unknown.status).toBe(404)
    }
  })

  it('is found by no session when its session is no text', async () => {
    const simulator = await start({ activeSubscription: { sessionId: null } })
    const token = await logIn(simulator)
    for (const sessionId of ['null', exampleSubscription.sessionId]) {
      const answer = await send(simulator, question(token, subscriptionPath(sessionId)))
      expect(answer.status).toBe(404)
    }
  })
})

it.each([ACTIVE, subscriptionPath(exampleSubscription.sessionId)])(
  'GET %s is for those with a token, and takes no other method and no query',
  async path => {
    const simulator = await start()
    const good = question(await logIn(simulator), path)
    expect((await send(simulator, good)).status).toBe(200)
    expect((await send(simulator, question('a.b.c', path))).status).toBe(401)
    expect((await send(simulator, { ...good, headers: {} })).status).toBe(401)
    expect(await send(simulator, { ...good, method: 'POST' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET' },
    })
    expect((await send(simulator, { ...good, path: `${path}?x=1` })).status).toBe(404)
    expect((await send(simulator, { ...good, path: `${path}/` })).status).toBe(404)
  },
)

describe('a free plan', () => {
  it('has nulls in place of payment data, and digits for a session', async () => {
    const simulator = await start({ plan: 'free' })
    const token = await logIn(simulator)
    const path = subscriptionPath(exampleFreeSubscription.sessionId)
    for (const sending of [
      question(token, ACTIVE),
      question(token, path),
      registrationRequest(token),
    ]) {
      const answer = await send(simulator, sending)
      expect(answer.status).toBe(200)
      expect(JSON.parse(answer.body)).toEqual({
        ...exampleSubscription,
        id: null,
        customer: null,
        defaultPaymentMethod: null,
        latestInvoice: null,
        sessionId: expect.stringMatching(/^\d+$/),
        planId: expect.any(String),
        planNickname: expect.any(String),
      })
    }
  })

  it('leaves paymentId null', async () => {
    const simulator = await start({ plan: 'free' })
    const token = await logIn(simulator)
    const { body } = await send(simulator, registrationRequest(token))
    expect((await send(simulator, { ...completion(token), body })).status).toBe(200)
    expect(simulator.registered.get(HASH)).toMatchObject({ paymentId: null })
  })

  it('may be changed by the option activeSubscription', async () => {
    const simulator = await start({ plan: 'free', activeSubscription: { userId: 7 } })
    const { body } = await send(simulator, question(await logIn(simulator), ACTIVE))
    expect(JSON.parse(body)).toEqual({ ...exampleFreeSubscription, userId: 7 })
  })
})

describe('what is noted of the further calls', () => {
  it('names their endpoints, and the hash that stands in a body', async () => {
    const simulator = await start({ repeatRequest: 'accept' })
    const token = await logIn(simulator)
    const bodies = [requestBody(), requestBody(OTHER_HASH), requestBody(), { hash: 7 }]
    const sendings = bodies.map(body => registrationRequest(token, body))
    const notJson = { ...registrationRequest(token), body: '{' }
    const questions = [ACTIVE, subscriptionPath('x')].map(path => question(token, path))
    for (const sending of [...sendings, notJson, ...questions]) await send(simulator, sending)

    expect(simulator.requests.slice(1)).toMatchObject([
      {
        endpoint: 'request',
        method: 'POST',
        path: '/api/v2/registration/?subscription=true',
        nthOfEndpoint: 1,
        hash: HASH,
        nthOfHash: 1,
        bodyText: JSON.stringify(requestBody()),
        answeredStatus: 200,
      },
      { endpoint: 'request', nthOfEndpoint: 2, hash: OTHER_HASH, nthOfHash: 1 },
      { endpoint: 'request', nthOfEndpoint: 3, hash: HASH, nthOfHash: 2 },
      { endpoint: 'request', nthOfEndpoint: 4, answeredStatus: 422 },
      { endpoint: 'request', nthOfEndpoint: 5, answeredStatus: 400 },
      { endpoint: 'active-subscription', method: 'GET', nthOfEndpoint: 1, answeredStatus: 200 },
      { endpoint: 'subscription', method: 'GET', nthOfEndpoint: 1, answeredStatus: 404 },
    ])
    const named = simulator.requests.map(seen => 'hash' in seen || 'nthOfHash' in seen)
    expect(named).toEqual([false, true, true, true, false, false, false, false])
  })

  it('counts a request and a completion of one hash apart', async () => {
    const simulator = await start()
    const token = await logIn(simulator)
    await send(simulator, registrationRequest(token))
    await send(simulator, completion(token))
    expect(simulator.requests.slice(1)).toMatchObject([
      { endpoint: 'request', hash: HASH, nthOfHash: 1 },
      { endpoint: 'completion', hash: HASH, nthOfHash: 1 },
    ])
  })
})

describe('faults of the further calls', () => {
  it('hit a request by the hash in its body', async () => {
    const fault = statusFault(503)
    const simulator = await start({
      faults: [{ endpoint: 'request', hash: HASH, from: 2, to: 2, fault }],
      repeatRequest: 'accept',
    })
    const [first, other] = [requestBody(), requestBody(OTHER_HASH)]
    const statuses = await requestAll(simulator, first, other, first, other, first)
    expect(statuses).toEqual([200, 200, 503, 200, 200])
    expect(simulator.requestCounts.get(HASH)).toBe(2)
  })

  it('are chosen by a function that sees the body of a request', async () => {
    const simulator = await start({
      faults: ({ bodyText }) => (bodyText.includes(OTHER_HASH) ? statusFault(418) : undefined),
    })
    const bodies = [requestBody(), requestBody(OTHER_HASH)]
    expect(await requestAll(simulator, ...bodies)).toEqual([200, 418])
  })

  it.each([
    [resetFault('connect-accepted'), 0],
    [resetFault('request-read'), 0],
    [resetFault('done'), 1],
  ])('break a request off (%j)', async (fault, count) => {
    const simulator = await start({ faults: [{ endpoint: 'request', to: 1, fault }] })
    await expect(requestAll(simulator, requestBody())).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(simulator.requestCounts.get(HASH) ?? 0).toBe(count)
    expect(await requestAll(simulator, requestBody())).toEqual([count === 0 ? 200 : 409])
  })

  it('leave a request unanswered that was carried out', async () => {
    const fault = silenceFault({ done: true })
    const simulator = await start({ faults: [{ endpoint: 'request', fault }] })
    const token = await logIn(simulator)
    const sending = { ...registrationRequest(token), signal: AbortSignal.timeout(150) }
    await expect(send(simulator, sending)).rejects.toThrow()
    expect(simulator.requestCounts.get(HASH)).toBe(1)
    expect((await send(simulator, completion(token))).status).toBe(200)
  })

  it.each([
    ['active-subscription', ACTIVE],
    ['subscription', subscriptionPath(exampleSubscription.sessionId)],
  ] as const)('hit the endpoint %s, and no other', async (endpoint, path) => {
    const simulator = await start({ faults: [{ endpoint, to: 1, fault: statusFault(503) }] })
    const token = await logIn(simulator)
    const statuses: number[] = []
    for (const sending of [registrationRequest(token), question(token, path)]) {
      statuses.push((await send(simulator, sending)).status)
    }
    statuses.push((await send(simulator, question(token, path))).status)
    expect(statuses).toEqual([200, 503, 200])
  })
})
