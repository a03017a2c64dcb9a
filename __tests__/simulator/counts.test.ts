import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from '@jest/globals'
import { resetFault, silenceFault, startSimulator } from '../../simulator/index.ts'
import type { SeenRequest, Simulator, SimulatorOptions } from '../../simulator/index.ts'
import { complete, completion, HASH, logIn, OTHER_HASH, send, subscriptionText } from './client.ts'

let running: Simulator | undefined
const start = async (options: SimulatorOptions = {}): Promise<Simulator> =>
  (running = await startSimulator({ requested: 'any', ...options }))
afterEach(() => running?.close())

describe('what the simulator remembers', () => {
  it('notes every request in order', async () => {
    const simulator = await start()
    await complete(simulator)
    await complete(simulator)
    await send(simulator, { method: 'GET', path: '/elsewhere?x=1', headers: { 'X-Odd': 'Yes' } })
    expect(simulator.requests).toMatchObject([
      { number: 1, endpoint: 'login', nthOfEndpoint: 1, answeredStatus: 200 },
      {
        number: 2,
        endpoint: 'completion',
        nthOfEndpoint: 1,
        nthOfHash: 1,
        hash: HASH,
        method: 'POST',
        path: `/api/v2/registration/${HASH}/forfait`,
        headers: { 'content-type': 'application/json' },
        bodyText: subscriptionText,
        at: expect.any(Number),
        answeredStatus: 200,
      },
      { number: 3, endpoint: 'login', nthOfEndpoint: 2 },
      { number: 4, endpoint: 'completion', nthOfEndpoint: 2, nthOfHash: 2, answeredStatus: 409 },
      { number: 5, endpoint: 'other', path: '/elsewhere?x=1', headers: { 'x-odd': 'Yes' } },
    ])
    expect(simulator.requests[4]).not.toHaveProperty('hash')
  })

  it('keeps registrations in order', async () => {
    const simulator = await start()
    await complete(simulator, OTHER_HASH)
    await complete(simulator, HASH)
    expect([...simulator.registered.keys()]).toEqual([OTHER_HASH, HASH])
  })

  it('registers only once when two completions of a hash arrive together', async () => {
    const simulator = await start({ latencyMs: 50 })
    const token = await logIn(simulator)
    const answers = await Promise.all([1, 2].map(() => send(simulator, completion(token))))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409])
    expect(simulator.completionCounts.get(HASH)).toBe(1)
  })

  it('carries out what it has read even when the client does not wait for the answer', async () => {
    const simulator = await start({ latencyMs: 150 })
    const token = await logIn(simulator)
    const impatient = { ...completion(token), signal: AbortSignal.timeout(50) }
    await expect(send(simulator, impatient)).rejects.toThrow()
    await waitUntil(() => simulator.registered.has(HASH))
    expect(simulator.requests.at(-1)?.answeredStatus).toBeUndefined()
    expect(simulator.inFlight).toBe(0)
  })

  it('counts completions in flight and open connections', async () => {
    const simulator = await start({ latencyMs: ({ endpoint }) => (endpoint === 'login' ? 0 : 200) })
    const token = await logIn(simulator)
    const hashes = ['1', '2', '3']
    const answers = hashes.map(hash => send(simulator, completion(token, hash)))
    await waitUntil(() => simulator.inFlight === 3)
    expect(simulator.connections).toBeGreaterThanOrEqual(3)
    await Promise.all(answers)
    expect(simulator.inFlight).toBe(0)
    expect(simulator.maxInFlight).toBe(3)
    expect(simulator.maxConnections).toBeGreaterThanOrEqual(3)
    await send(simulator, completion(token, '4'))
    expect(simulator.maxInFlight).toBe(3)
    await waitUntil(() => simulator.connections === 0)
  })

  it('tells of each request when it is over, answered or not', async () => {
    const finished: SeenRequest[] = []
    const simulator = await start({
      onFinished: seen => finished.push(seen),
      faults: [{ endpoint: 'completion', fault: resetFault('done') }],
    })
    await expect(complete(simulator)).rejects.toThrow()
    await waitUntil(() => finished.length === 2)
    expect(finished.map(seen => seen.answeredStatus)).toEqual([200, undefined])
  })
})

describe('where the simulator listens', () => {
  it('serves behind a prefix only', async () => {
    const simulator = await start({ prefix: '/notary' })
    expect(simulator.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/notary$/)
    expect((await complete(simulator)).status).toBe(200)
    expect(
      (await send({ ...simulator, url: new URL(simulator.url).origin }, completion('x'))).status,
    ).toBe(404)
  })

  it('takes the port it is given', async () => {
    const port = Number(new URL((await start()).url).port)
    await running?.close()
    expect((await start({ port })).url).toBe(`http://127.0.0.1:${port}`)
    await expect(startSimulator({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('speaks HTTPS, faults included', async () => {
    const tls = makeCertificate()
    const simulator = await start({
      tls,
      faults: [{ hash: HASH, fault: resetFault('request-read') }],
    })
    expect(simulator.url).toMatch(/^https:/)
    await expect(send(simulator, completion('x'))).rejects.toThrow(/self-signed/)
    const secure = { ...completion('x', OTHER_HASH), ca: tls.cert }
    expect((await send(simulator, secure)).status).toBe(401)
    const broken = { ...completion('x'), ca: tls.cert }
    await expect(send(simulator, broken)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })
})

describe('close', () => {
  it('breaks open connections, and may be called twice', async () => {
    const simulator = await start({ faults: [{ endpoint: 'completion', fault: silenceFault() }] })
    const idle = connect(Number(new URL(simulator.url).port), '127.0.0.1').on(
      'error',
      () => undefined,
    )
    const waiting = expect(complete(simulator)).rejects.toThrow()
    await waitUntil(() => simulator.inFlight === 1 && simulator.connections >= 2)
    await Promise.all([simulator.close(), simulator.close()])
    await simulator.close()
    await waiting
    expect(simulator.connections).toBe(0)
    expect(simulator.inFlight).toBe(0)
    idle.destroy()
  })
})

async function waitUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(resolve => setTimeout(resolve, 5))
}

function makeCertificate(): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'simulator-tls-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
    const kind = ['-newkey', 'rsa:2048', '-nodes', '-days', '2']
    execFileSync('openssl', ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
