import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from '@jest/globals'
import {
  hugeFault,
  rawFault,
  redirectFault,
  resetFault,
  silenceFault,
  startSimulator,
  statusFault,
  trickleFault,
} from '../../simulator/index.ts'
import type { BreakPoint, Fault, Simulator, SimulatorOptions } from '../../simulator/index.ts'
import { complete, completion, HASH, logIn, OTHER_HASH, send } from './client.ts'

let running: Simulator | undefined
const start = async (options: SimulatorOptions = {}): Promise<Simulator> =>
  (running = await startSimulator({ requested: [HASH, OTHER_HASH], ...options }))
const startWith = async (fault: Fault): Promise<Simulator> =>
  start({ faults: [{ endpoint: 'completion', fault }] })
afterEach(() => running?.close())

/** Sends a completion and hands over the answer as soon as its head is there. */
async function headOfCompletion(simulator: Simulator): Promise<IncomingMessage> {
  const { path, headers, body } = completion(await logIn(simulator))
  const outgoing = request(simulator.url + path, { method: 'POST', ...(headers && { headers }) })
  outgoing.on('error', () => undefined)
  outgoing.end(body)
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject)
  })
}

async function read(
  message: IncomingMessage,
): Promise<{ readonly bytes: number; readonly whole: boolean }> {
  let bytes = 0
  message.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('error', () => undefined)
  await new Promise(resolve => message.once('close', resolve))
  return { bytes, whole: message.complete }
}

describe('status fault', () => {
  it('answers the status, headers and JSON body without registering', async () => {
    const simulator = await startWith(
      statusFault(429, { headers: { 'retry-after': '3' }, body: { error: 'slow down' } }),
    )
    const answer = await complete(simulator)
    expect(answer).toMatchObject({
      status: 429,
      headers: { 'retry-after': '3', 'content-type': 'application/json' },
      body: '{"error":"slow down"}',
    })
    expect(simulator.registered.size).toBe(0)
    expect(simulator.requests.at(-1)?.answeredStatus).toBe(429)
  })

  it('registers and lies about it, with a text body', async () => {
    const simulator = await startWith(statusFault(500, { effect: 'after', body: 'oops' }))
    const answer = await complete(simulator)
    expect(answer).toMatchObject({
      status: 500,
      headers: { 'content-type': 'text/plain' },
      body: 'oops',
    })
    expect(simulator.completionCounts.get(HASH)).toBe(1)
  })
})

describe('reset fault', () => {
  it.each<[BreakPoint, number]>([
    ['connect-accepted', 0],
    ['request-read', 0],
    ['done', 1],
    ['mid-headers', 1],
  ])('at %s breaks the connection before an answer', async (at, registered) => {
    const simulator = await startWith(resetFault(at))
    await expect(complete(simulator)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(simulator.registered.size).toBe(registered)
    const seen = simulator.requests.at(-1)
    expect(seen?.answeredStatus).toBeUndefined()
    expect(seen?.bodyText === '').toBe(at === 'connect-accepted')
  })

  it.each(['content-length', 'chunked'] as const)('at mid-body cuts a %s body', async framing => {
    const simulator = await startWith(resetFault('mid-body', framing))
    const message = await headOfCompletion(simulator)
    expect(message.statusCode).toBe(200)
    expect(message.headers['content-length'] === undefined).toBe(framing === 'chunked')
    const { bytes, whole } = await read(message)
    expect(bytes).toBeGreaterThan(0)
    expect(whole).toBe(false)
    expect(simulator.completionCounts.get(HASH)).toBe(1)
  })
})

describe('silence fault', () => {
  it.each([true, false])('never answers (done: %s)', async done => {
    const simulator = await startWith(silenceFault({ done }))
    const token = await logIn(simulator)
    const sending = { ...completion(token), signal: AbortSignal.timeout(150) }
    await expect(send(simulator, sending)).rejects.toThrow()
    expect(simulator.registered.has(HASH)).toBe(done)
    expect(simulator.requests.at(-1)?.bodyText).not.toBe('')
    expect(simulator.maxInFlight).toBe(1)
  })
})

describe('trickle fault', () => {
  it('sends a valid answer in single bytes', async () => {
    const simulator = await startWith(trickleFault(1))
    const before = Date.now()
    const answer = await complete(simulator)
    expect(JSON.parse(answer.body)).toEqual(simulator.registered.get(HASH))
    expect(Date.now() - before).toBeGreaterThan(100)
  })

  it('sends its head at once and stops when the simulator closes', async () => {
    const simulator = await startWith(trickleFault(60_000))
    const message = await headOfCompletion(simulator)
    expect(message.statusCode).toBe(200)
    const reading = read(message)
    await simulator.close()
    expect(await reading).toEqual({ bytes: 0, whole: false })
  })
})

describe('redirect fault', () => {
  it('points elsewhere without registering', async () => {
    const simulator = await startWith(redirectFault('http://127.0.0.1:1/x', { status: 302 }))
    const answer = await complete(simulator)
    expect(answer).toMatchObject({ status: 302, headers: { location: 'http://127.0.0.1:1/x' } })
    expect(simulator.registered.size).toBe(0)
  })
})

describe('huge fault', () => {
  it.each(['content-length', 'chunked'] as const)('streams that many bytes (%s)', async framing => {
    const simulator = await startWith(hugeFault(3_000_001, { framing, status: 201 }))
    const message = await headOfCompletion(simulator)
    expect(message.statusCode).toBe(201)
    expect(message.headers['content-length']).toBe(framing === 'chunked' ? undefined : '3000001')
    expect(await read(message)).toEqual({ bytes: 3_000_001, whole: true })
  })

  it('waits for a client that does not read, instead of filling the memory', async () => {
    const simulator = await startWith(hugeFault(8e9))
    const before = process.memoryUsage().rss
    const message = await headOfCompletion(simulator)
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(process.memoryUsage().rss - before).toBeLessThan(500e6)
    message.destroy()
    await simulator.close()
  })
})

describe('raw fault', () => {
  it.each<[string, string | Buffer]>([
    ['text', '<html>'],
    ['bytes', Buffer.from('{"a')],
  ])('answers exactly this %s', async (_what, body) => {
    const simulator = await startWith(rawFault(body, { contentType: 'text/html', effect: 'after' }))
    expect(await complete(simulator)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/html', 'content-length': String(body.length) },
      body: body.toString(),
    })
    expect(simulator.registered.has(HASH)).toBe(true)
  })
})

describe('choosing a fault', () => {
  it('hits the first two completions of a hash, and no other', async () => {
    const simulator = await start({
      faults: [{ endpoint: 'completion', hash: HASH, to: 2, fault: statusFault(503) }],
    })
    const statuses: number[] = []
    for (const hash of [HASH, OTHER_HASH, HASH, HASH]) {
      statuses.push((await complete(simulator, hash)).status)
    }
    expect(statuses).toEqual([503, 200, 503, 200])
  })

  it('counts by endpoint, and by all requests where a rule names neither', async () => {
    const simulator = await start({
      repeat: 'accept',
      faults: [
        { endpoint: 'completion', from: 2, to: 2, fault: statusFault(502) },
        { from: 7, fault: statusFault(504) },
      ],
    })
    const token = await logIn(simulator)
    const statuses: number[] = []
    for (let count = 2; count <= 8; count++) {
      statuses.push((await send(simulator, completion(token))).status)
    }
    expect(statuses).toEqual([200, 502, 200, 200, 200, 504, 504])
  })

  it('asks a function, with the numbers of the request', async () => {
    const simulator = await start({
      faults: ({ endpoint, nthOfHash }) =>
        endpoint === 'completion' && nthOfHash === 1 ? resetFault('done') : undefined,
    })
    await expect(complete(simulator)).rejects.toThrow()
    expect((await complete(simulator)).status).toBe(409)
    await expect(complete(simulator, OTHER_HASH)).rejects.toThrow()
  })

  it('tells the client when the function itself fails', async () => {
    const simulator = await start({
      faults: () => {
        throw new Error('mistake in the test')
      },
    })
    const answer = await send(simulator, completion('x'))
    expect(answer.status).toBe(500)
    expect(answer.body).toContain('mistake in the test')
  })

  it('also hits the login', async () => {
    const simulator = await start({ faults: [{ endpoint: 'login', to: 1, fault: rawFault('{}') }] })
    await expect(logIn(simulator)).rejects.toThrow()
    expect(simulator.tokens).toEqual([])
    expect(await logIn(simulator)).toBe(simulator.tokens[0])
  })
})

it('keeps a latency that depends on the request', async () => {
  const simulator = await start({ latencyMs: seen => (seen.endpoint === 'login' ? 0 : 120) })
  const token = await logIn(simulator)
  const before = Date.now()
  expect((await send(simulator, completion(token))).status).toBe(200)
  expect(Date.now() - before).toBeGreaterThanOrEqual(100)
})
