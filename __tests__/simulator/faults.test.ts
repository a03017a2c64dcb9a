/** What goes wrong on demand, whom it hits, and what the simulator notes of it: the balance of many tests rests on that. */
import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import {
  exampleSubscription,
  hugeFault,
  rawFault,
  redirectFault,
  resetFault,
  silenceFault,
  startSimulator,
  statusFault,
  trickleFault,
} from '../../simulator/index.ts'
import type { Fault, FaultRule, SeenRequest } from '../../simulator/index.ts'
import type { Simulator, SimulatorOptions } from '../../simulator/index.ts'
import { good, HASH, logIn, OTHER_HASH, send, statusesOf, type Sending } from './client.ts'

let running: Simulator | undefined
const start = async (options: SimulatorOptions = {}): Promise<Simulator> =>
  (running = await startSimulator({ requested: 'any', ...options }))
const startWith = (fault: Fault, endpoint: FaultRule['endpoint'] = 'completion') =>
  start({ faults: [{ endpoint, fault }] })
afterEach(() => running?.close())

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise(resolve => setTimeout(resolve, 5))
}

/** Sends a completion, and reads its answer to the end, whole or not. */
async function readAnswer(simulator: Simulator) {
  const { path, token, body } = good.completion(await logIn(simulator))
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const outgoing = request(simulator.url + path, { method: 'POST', headers, agent: false })
  outgoing.end(JSON.stringify(body))
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).on('error', reject)
  })
  let bytes = 0
  message.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('error', () => undefined)
  await new Promise(resolve => message.once('close', resolve))
  return { bytes, isWhole: message.complete, length: message.headers['content-length'] }
}

describe('a fault', () => {
  const json = { 'content-type': 'application/json' }
  const [html, plain] = [{ 'content-type': 'text/html' }, { 'content-type': 'text/plain' }]
  const moved = { location: 'http://127.0.0.1:1/x' }
  const slow = { headers: { 'retry-after': '3' }, body: { error: 'slow' } }
  it.each<[Fault, number, object, string, boolean]>([
    [statusFault(429, slow), 429, { ...json, 'retry-after': '3' }, '{"error":"slow"}', false],
    [statusFault(500, { effect: 'after', body: 'oops' }), 500, plain, 'oops', true],
    [redirectFault(moved.location, { status: 302 }), 302, moved, '{"error":"moved"}', false],
    [rawFault('<html>', { contentType: 'text/html' }), 200, html, '<html>', false],
    [rawFault(Buffer.from('{"a'), { effect: 'after' }), 200, json, '{"a', true],
  ])('answers what it is to answer, registered or not: %j', async (...row) => {
    const [fault, status, headers, body, isRegistered] = row
    const simulator = await startWith(fault)
    const answer = await send(simulator, good.completion(await logIn(simulator)))
    expect(answer).toMatchObject({ status, headers, body })
    expect(simulator.registered.has(HASH)).toBe(isRegistered)
    expect(simulator.requests.at(-1)?.isAccepted === true).toBe(isRegistered)
  })

  it.each([
    ['connect-accepted', 'completion', false],
    ['request-read', 'completion', false],
    ['done', 'completion', true],
    ['mid-headers', 'completion', true],
    ['connect-accepted', 'request', false],
    ['done', 'request', true],
  ] as const)('breaks the connection: %s of a %s', async (at, endpoint, isDone) => {
    const simulator = await startWith(resetFault(at), endpoint)
    const sent = send(simulator, good[endpoint](await logIn(simulator)))
    await expect(sent).rejects.toMatchObject({ code: 'ECONNRESET' })
    await until(() => simulator.inFlight === 0)
    const seen = simulator.requests.at(-1)
    expect(seen?.isAccepted === true).toBe(isDone)
    expect([seen?.answeredStatus, seen?.isAnswered]).toEqual([undefined, undefined])
    expect(seen?.bodyText === '').toBe(at === 'connect-accepted' && endpoint === 'completion')
  })

  it.each<[Fault, number | undefined, boolean, boolean]>([
    [resetFault('mid-body'), undefined, false, true],
    [resetFault('mid-body', 'chunked'), undefined, false, true],
    [trickleFault(1), undefined, true, true],
    [hugeFault(3_000_001, { status: 201 }), 3_000_001, true, false],
    [hugeFault(3_000_001, { framing: 'chunked', effect: 'after' }), 3_000_001, true, true],
  ])('sends a body in its own way: %j', async (fault, bytes, isWhole, isRegistered) => {
    const simulator = await startWith(fault)
    const answer = await readAnswer(simulator)
    const isChunked = 'framing' in fault && fault.framing === 'chunked'
    expect(answer.length === undefined).toBe(isChunked)
    expect(answer.isWhole).toBe(isWhole)
    expect(answer.bytes).toBe(bytes ?? (isWhole ? Number(answer.length) : answer.bytes))
    expect(answer.bytes).toBeGreaterThan(0)
    expect(simulator.registered.has(HASH)).toBe(isRegistered)
  })

  it.each([true, false])('may be silence (carried out: %s), ended by the close', async done => {
    const simulator = await startWith(silenceFault({ done }))
    const idle = connect(Number(new URL(simulator.url).port), '127.0.0.1')
    const isIdleClosed = new Promise(resolve => idle.on('error', resolve).once('close', resolve))
    const waiting = expect(
      send(simulator, good.completion(await logIn(simulator))),
    ).rejects.toMatchObject({ code: 'ECONNRESET' })
    await until(() => simulator.inFlight === 1 && simulator.maxConnections >= 2)
    await until(() => simulator.registered.has(HASH) === done)
    await Promise.all([simulator.close(), simulator.close(), waiting, isIdleClosed])
    expect(simulator.inFlight).toBe(0)
  })
})

describe('the request that a fault hits', () => {
  const fault = statusFault(503)
  const [first, second] = [good.completion, (token: string) => good.completion(token, OTHER_HASH)]
  const asks = (hash: string) => (token: string) => good.request(token, hash)
  const every = [good.login, good.request, good.completion, good.active, good.subscription]
  it.each<[Omit<FaultRule, 'fault'>, readonly ((token: string) => Sending)[], readonly number[]]>([
    [
      { endpoint: 'completion', hash: HASH, to: 2 },
      [first, second, first, first],
      [503, 200, 503, 200],
    ],
    [{ endpoint: 'completion', from: 2, to: 2 }, [first, first, first], [200, 503, 200]],
    // The login before each call counts, too.
    [{ from: 6 }, [first, first, first], [200, 200, 503]],
    [
      { endpoint: 'request', hash: HASH, from: 2, to: 2 },
      [asks(HASH), asks(OTHER_HASH), asks(HASH), asks(OTHER_HASH), asks(HASH)],
      [200, 200, 503, 200, 200],
    ],
    [{ endpoint: 'login', from: 2, to: 2 }, every, [503, 200, 200, 200, 200]],
    [{ endpoint: 'active-subscription' }, every, [200, 200, 200, 503, 200]],
    [{ endpoint: 'subscription' }, every, [200, 200, 200, 200, 503]],
  ])('is picked by rule %j', async (rule, sent, statuses) => {
    const options = { repeat: 'accept', repeatRequest: 'accept' } as const
    const simulator = await start({ ...options, faults: [{ ...rule, fault }] })
    expect(await statusesOf(simulator, ...sent)).toEqual(statuses)
  })

  it('is picked by a function that sees its numbers and the body of a request', async () => {
    const simulator = await start({
      faults: ({ bodyText, endpoint, nthOfHash }) =>
        bodyText.includes(OTHER_HASH) || (endpoint === 'completion' && nthOfHash === 1)
          ? fault
          : undefined,
    })
    const statuses = await statusesOf(simulator, first, first, asks(OTHER_HASH))
    expect(statuses).toEqual([503, 200, 503])
  })
})

describe('what the simulator notes', () => {
  it('is every request in order, with its numbers', async () => {
    const finished: SeenRequest[] = []
    const simulator = await start({ onFinished: seen => finished.push(seen) })
    await statusesOf(simulator, good.request, good.completion, good.completion)
    await send(simulator, { method: 'GET', path: '/elsewhere?x=1', headers: { 'X-Odd': 'Yes' } })
    const login = { endpoint: 'login', answeredStatus: 200 }
    const completion = { endpoint: 'completion', path: good.completion('').path, hash: HASH }
    expect(simulator.requests).toMatchObject([
      { ...login, number: 1, nthOfEndpoint: 1 },
      { endpoint: 'request', hash: HASH, nthOfHash: 1, answeredStatus: 200, isAccepted: true },
      { ...login, number: 3, nthOfEndpoint: 2 },
      { ...completion, nthOfHash: 1, bodyText: JSON.stringify(exampleSubscription) },
      login,
      { ...completion, method: 'POST', nthOfEndpoint: 2, nthOfHash: 2, answeredStatus: 409 },
      { number: 7, endpoint: 'other', path: '/elsewhere?x=1', headers: { 'x-odd': 'Yes' } },
    ])
    const withHash = simulator.requests.filter(({ hash }) => hash !== undefined)
    expect(withHash.map(({ number }) => number)).toEqual([2, 4, 6])
    await until(() => finished.length === 7)
    expect(simulator.requests.every(({ isAnswered }) => isAnswered)).toBe(true)
    const once = new Map([[HASH, 1]])
    expect([simulator.requestCounts, simulator.completionCounts]).toEqual([once, once])
  })

  it('is each completion once of two that arrive together, and how many were in flight', async () => {
    const latencyMs = ({ endpoint }: SeenRequest) => (endpoint === 'login' ? 0 : 100)
    const simulator = await start({ latencyMs })
    const token = await logIn(simulator)
    const before = performance.now()
    const hashes = [HASH, HASH, OTHER_HASH]
    const answers = hashes.map(hash => send(simulator, good.completion(token, hash)))
    await until(() => simulator.inFlight === 3)
    const statuses = (await Promise.all(answers)).map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 200, 409])
    expect(performance.now() - before).toBeGreaterThan(90)
    expect(Object.fromEntries(simulator.completionCounts)).toEqual({ [HASH]: 1, [OTHER_HASH]: 1 })
    expect([simulator.inFlight, simulator.maxInFlight]).toEqual([0, 3])
    expect(simulator.maxConnections).toBeGreaterThanOrEqual(3)
  })
})

it('the simulator listens behind its prefix only, at the port that it is given', async () => {
  const { url } = await start({ prefix: '/notary' })
  const port = Number(new URL(url).port)
  expect(url).toBe(`http://127.0.0.1:${port}/notary`)
  for (const other of ['', '/others']) {
    const elsewhere = { url: new URL(url).origin + other }
    expect((await send(elsewhere, good.login())).status).toBe(404)
  }
  await expect(startSimulator({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
