/** What goes wrong on demand, which request it hits, and what the simulator notes: the oracles of many tests rest on that. */
import { request, type IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from '@jest/globals'
import {
  exampleSubscription,
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
const startWith = (fault: Fault) => start({ faults: [{ endpoint: 'completion', fault }] })
afterEach(() => running?.close())

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise(resolve => setTimeout(resolve, 5))
}

/** Sends a completion, and reads its answer to the end, whole or not. */
async function readAnswer(simulator: Simulator) {
  const { path, token, body } = good.completion(await logIn(simulator))
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token ?? ''}` }
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
  const moved = { location: 'http://127.0.0.1:1/x' }
  const slow = { headers: { 'retry-after': '3' }, body: { error: 'slow' } }
  it.each<[Fault, number, object, string, boolean]>([
    [statusFault(429, slow), 429, { 'retry-after': '3' }, '{"error":"slow"}', false],
    [statusFault(500, { effect: 'after', body: 'oops' }), 500, {}, 'oops', true],
    [redirectFault(moved.location, { status: 302 }), 302, moved, '{"error":"moved"}', false],
    [rawFault(Buffer.from('{"a'), { effect: 'after' }), 200, {}, '{"a', true],
  ])('answers what it is to answer, registered or not: %j', async (...row) => {
    const [fault, status, headers, body, isRegistered] = row
    const simulator = await startWith(fault)
    const answer = await send(simulator, good.completion(await logIn(simulator)))
    expect(answer).toMatchObject({ status, headers, body })
    expect(simulator.registered.has(HASH)).toBe(isRegistered)
    expect(simulator.requests.at(-1)?.isAccepted === true).toBe(isRegistered)
  })

  it.each([
    ['request-read', false],
    ['done', true],
    ['mid-headers', true],
  ] as const)('breaks the connection: %s', async (at, isDone) => {
    const simulator = await startWith(resetFault(at))
    const sent = send(simulator, good.completion(await logIn(simulator)))
    await expect(sent).rejects.toMatchObject({ code: 'ECONNRESET' })
    await until(() => simulator.inFlight === 0)
    const seen = simulator.requests.at(-1)
    expect(seen?.isAccepted === true).toBe(isDone)
    expect([seen?.answeredStatus, seen?.isAnswered]).toEqual([undefined, undefined])
  })

  it.each<[Fault, number | undefined, boolean, boolean]>([
    [resetFault('mid-body'), undefined, false, true],
    [resetFault('mid-body', 'chunked'), undefined, false, true],
    [trickleFault(1), undefined, true, true],
    [rawFault(3_000_001, { status: 201 }), 3_000_001, true, false],
    [rawFault(3_000_001, { isChunked: true, effect: 'after' }), 3_000_001, true, true],
  ])('sends a body in its own way: %j', async (fault, bytes, isWhole, isRegistered) => {
    const simulator = await startWith(fault)
    const answer = await readAnswer(simulator)
    const isChunked = 'isChunked' in fault && fault.isChunked
    expect(answer.length === undefined).toBe(isChunked)
    expect(answer.isWhole).toBe(isWhole)
    expect(answer.bytes).toBe(bytes ?? (isWhole ? Number(answer.length) : answer.bytes))
    expect(answer.bytes).toBeGreaterThan(0)
    expect(simulator.registered.has(HASH)).toBe(isRegistered)
  })

  it.each([true, false])('may be silence (carried out: %s), ended by the close', async done => {
    const simulator = await startWith(silenceFault({ done }))
    const sent = send(simulator, good.completion(await logIn(simulator)))
    const waiting = expect(sent).rejects.toMatchObject({ code: 'ECONNRESET' })
    await until(() => simulator.inFlight === 1)
    await until(() => simulator.registered.has(HASH) === done)
    await Promise.all([simulator.close(), simulator.close(), waiting])
    expect(simulator.inFlight).toBe(0)
  })
})

describe('the request that a fault hits', () => {
  const fault = statusFault(503)
  const [first, second] = [good.completion, (token: string) => good.completion(token, OTHER_HASH)]
  const asks = (hash: string) => (token: string) => good.request(token, hash)
  const every = [good.login, good.request, good.completion, good.active]
  it.each<[object, readonly ((token: string) => Sending)[], readonly number[]]>([
    [{ endpoint: 'completion', hash: HASH, to: 1 }, [first, second, first], [503, 200, 200]],
    [{ endpoint: 'completion', from: 2, to: 2 }, [first, first, first], [200, 503, 200]],
    // The login before each call counts, too.
    [{ from: 6 }, [first, first, first], [200, 200, 503]],
    [
      { endpoint: 'request', hash: HASH, from: 2 },
      [asks(HASH), asks(OTHER_HASH), asks(HASH)],
      [200, 200, 503],
    ],
    [{ endpoint: 'login', from: 2, to: 2 }, every, [503, 200, 200, 200]],
    [{ endpoint: 'active-subscription' }, every, [200, 200, 200, 503]],
  ])('is picked by rule %j', async (rule: Partial<FaultRule>, sent, statuses) => {
    const faults = [{ ...rule, fault }]
    const simulator = await start({ repeat: 'accept', repeatRequest: 'accept', faults })
    expect(await statusesOf(simulator, ...sent)).toEqual(statuses)
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
    const bodyText = JSON.stringify(exampleSubscription)
    expect(simulator.requests).toMatchObject([
      { ...login, number: 1, nthOfEndpoint: 1 },
      { endpoint: 'request', hash: HASH, nthOfHash: 1, answeredStatus: 200, isAccepted: true },
      { ...login, number: 3, nthOfEndpoint: 2 },
      { ...completion, nthOfHash: 1, bodyText },
      login,
      { ...completion, method: 'POST', nthOfEndpoint: 2, nthOfHash: 2, answeredStatus: 409 },
      { number: 7, endpoint: 'other', path: '/elsewhere?x=1', headers: { 'x-odd': 'Yes' } },
    ])
    await until(() => finished.length === 7)
    expect(simulator.requests.every(({ isAnswered }) => isAnswered)).toBe(true)
    expect(simulator.completionCounts).toEqual(new Map([[HASH, 1]]))
  })

  it('is each completion once of two that arrive together, and how many were in flight', async () => {
    const latencyMs = ({ endpoint }: SeenRequest) => (endpoint === 'login' ? 0 : 100)
    const simulator = await start({ latencyMs })
    const token = await logIn(simulator)
    const hashes = [HASH, HASH, OTHER_HASH]
    const answers = hashes.map(hash => send(simulator, good.completion(token, hash)))
    await until(() => simulator.inFlight === 3)
    const statuses = (await Promise.all(answers)).map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 200, 409])
    expect([simulator.inFlight, simulator.maxInFlight]).toEqual([0, 3])
    expect(simulator.maxConnections).toBeGreaterThanOrEqual(3)
  })
})

it('the simulator listens behind its prefix only, at the port that it is given', async () => {
  const { url } = await start({ prefix: '/notary' })
  const port = Number(new URL(url).port)
  expect(url).toBe(`http://127.0.0.1:${port}/notary`)
  expect((await send({ url: new URL(url).origin }, good.login())).status).toBe(404)
  await expect(startSimulator({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
