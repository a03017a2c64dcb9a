/** Calls through a real CONNECT proxy to a real TLS service, and what becomes of them when either cannot be trusted. */
import { describe, expect, it } from '@jest/globals'
import { statusFault } from '../../simulator/index.ts'
import type { Simulator, SimulatorOptions } from '../../simulator/index.ts'
import { makeCertificate, startProxy } from '../support/proxy.ts'
import type { Manner, Proxy, ProxyOptions } from '../support/proxy.ts'
import {
  API_KEY,
  checkEveryRun,
  makeRelease,
  notarize,
  readLines,
  secretsOf,
  startService,
  subscription,
} from './support.ts'
import type { CheckedRun } from './support.ts'

const host = 'notary.example'
const certificate = makeCertificate(`DNS:${host}`, 'IP:127.0.0.1')
const trusted = { NODE_EXTRA_CA_CERTS: certificate.authorityFile }

const user = 'proxyuser'
const password = 'pr0xy-c4nary-pa55word'

/** A TLS service that has the name {@link host} for those who come through the proxy. */
async function startBehindProxy(
  proxyOptions: Partial<ProxyOptions> = {},
  serviceOptions: SimulatorOptions = {},
): Promise<{ readonly service: Simulator; readonly proxy: Proxy }> {
  const service = await startService({ tls: certificate, ...serviceOptions })
  const port = Number(new URL(service.url).port)
  const targets = { [`${host}:443`]: port, [`${host}:8443`]: port }
  return { service, proxy: await startProxy({ targets, ...proxyOptions }) }
}

interface Through {
  readonly service: Simulator
  readonly proxy: Proxy
  readonly env?: Readonly<Record<string, string>>
  readonly inputs?: Readonly<Record<string, string>>
  readonly count?: number
}

/** Runs with `https_proxy` unless `env` has another way. */
function notarizeThrough({ service, proxy, env, inputs, count = 3 }: Through): Promise<CheckedRun> {
  const files = Array.from(
    { length: count },
    (_, n) => [`${n}.bin`, `through the proxy ${n}`] as const,
  )
  return notarize({
    service,
    workspace: makeRelease(Object.fromEntries(files)),
    inputs: {
      'base-url': `https://${host}`,
      'max-attempts': '2',
      'timeout-seconds': '10',
      ...inputs,
    },
    env: env ?? { ...trusted, https_proxy: `http://${proxy.host}` },
    timeoutMs: 15_000,
  })
}

function expectAll(run: CheckedRun, code: string, registered: string): void {
  expect(run.results.failures.length).toBe(run.results['artifact-count'])
  for (const failure of run.results.failures) expect(failure).toMatchObject({ code, registered })
  expect(run.exitCode).toBe(1)
  expect(run.results.verdict).toBe('failed')
}

describe('a proxy that does its work', () => {
  it('takes the calls to the service, and sees nothing of them in clear', async () => {
    const { service, proxy } = await startBehindProxy()

    const run = await notarizeThrough({ service, proxy, count: 12 })

    expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 12 })
    expect(run.exitCode).toBe(0)
    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
    expect(new Set(proxy.connects)).toEqual(new Set([`${host}:443`]))
    expect(proxy.others).toEqual([])
    expect(service.requests).toHaveLength(13)
    expect(new Set(service.requests.map(({ headers }) => headers.host))).toEqual(new Set([host]))
    expect(service.maxConnections).toBeLessThanOrEqual(5)
    const [hash = ''] = service.registered.keys()
    for (const text of [API_KEY, subscription.sessionId, hash, ...service.tokens]) {
      expect(proxy.hasSeen(text)).toBe(false)
    }
    // So that the line above can fail: this does go through in clear.
    expect(proxy.hasSeen(host)).toBe(true)
  })

  it.each([
    ['HTTPS_PROXY', (address: string) => ({ HTTPS_PROXY: `http://${address}` })],
    ['https_proxy as address and port', (address: string) => ({ https_proxy: address })],
    [
      'https_proxy as name and port',
      (address: string) => ({ https_proxy: address.replace('127.0.0.1', 'localhost') }),
    ],
    [
      'https_proxy beside a no_proxy for others',
      (address: string) => ({
        https_proxy: `http://${address}`,
        no_proxy: 'example.org,otary.example,.notary.example,10.0.0.1',
      }),
    ],
  ])('is used when the job sets %s', async (_, environment) => {
    const { service, proxy } = await startBehindProxy()
    const env = { ...trusted, ...environment(proxy.host) }

    const run = await notarizeThrough({ service, proxy, env })

    expect(run.results.verdict).toBe('registered')
    expect(proxy.connects.length).toBeGreaterThanOrEqual(1)
  })

  it('is asked for the port of the URL', async () => {
    const { service, proxy } = await startBehindProxy()

    const run = await notarizeThrough({
      service,
      proxy,
      inputs: { 'base-url': `https://${host}:8443` },
    })

    expect(run.results.verdict).toBe('registered')
    expect(new Set(proxy.connects)).toEqual(new Set([`${host}:8443`]))
    expect(readLines(run)[0]?.service).toBe(`https://${host}:8443`)
  })
})

describe('no_proxy', () => {
  it.each([host, host.toUpperCase(), '.example', 'example', '*', `a.example, ${host}:443`])(
    'keeps calls away from the proxy when it is "%s"',
    async noProxy => {
      const { service, proxy } = await startBehindProxy()
      const env = { ...trusted, https_proxy: `http://${proxy.host}`, no_proxy: noProxy }

      // Nobody else knows the name, so that the look-up fails (or takes too long where there is no network).
      const run = await notarizeThrough({
        service,
        proxy,
        env,
        inputs: { 'max-attempts': '1', 'timeout-seconds': '3' },
      })

      expectAll(run, 'unavailable', 'no')
      expect(proxy.connects).toEqual([])
      expect(service.requests).toEqual([])
    },
  )

  it('is not needed for a service on loopback', async () => {
    const service = await startService()
    const dead = await startProxy({ targets: {} })

    const run = await notarizeThrough({
      service,
      proxy: dead,
      inputs: { 'base-url': service.url },
      env: { https_proxy: `http://${dead.host}`, http_proxy: `http://${dead.host}` },
    })

    expect(run.results.verdict).toBe('registered')
    expect([...dead.connects, ...dead.others]).toEqual([])
  })
})

/** A password that needs encoding in a URL, as it is and as it stands there. */
const oddPassword = 'p@ss:w/rd c4nary %41'

describe('the password of a proxy', () => {
  it.each([
    { what: 'plain', given: password, sent: password },
    { what: 'encoded', given: encodeURIComponent(oddPassword), sent: oddPassword },
  ])('is sent to the proxy and shown nowhere when it is $what', async ({ given, sent }) => {
    const credentials = `${user}:${sent}`
    const echoes = [given, sent, credentials, `${user}:${given}`]
    const encoded = echoes.map(text => Buffer.from(text).toString('base64'))
    const [first = ''] = echoes
    const { service, proxy } = await startBehindProxy(
      { credentials },
      {
        // The service knows it and gives it away, in a refusal and in a record.
        faults: ({ endpoint, nthOfEndpoint }) =>
          endpoint === 'completion' && nthOfEndpoint === 1
            ? statusFault(404, { body: { error: [...echoes, ...encoded].join(' ') } })
            : undefined,
        record: () => ({ description: echoes.join(' '), payload: { [first]: encoded } }),
      },
    )
    const env = { ...trusted, https_proxy: `http://${user}:${given}@${proxy.host}` }

    const run = await notarizeThrough({ service, proxy, env, inputs: { concurrency: '1' } })

    expect(run.results).toMatchObject({ verdict: 'partial', 'registered-count': 2 })
    expect(run.results.failures).toMatchObject([{ code: 'refused', registered: 'no' }])
    for (const { redacted = [] } of run.results.records ?? []) {
      expect(redacted).toContain('/description')
      expect(redacted.some(place => place.startsWith('/payload/'))).toBe(true)
    }
    expect(run.masks).toEqual(expect.arrayContaining([given, sent]))
    checkEveryRun(run, [...secretsOf(service), ...echoes, ...encoded])
  })

  it.each([
    { what: 'is wrong', address: (at: string) => `http://${user}:not-${password}@${at}` },
    { what: 'is missing', address: (at: string) => `http://${at}` },
  ])('is not guessed at when it $what', async ({ address }) => {
    const { service, proxy } = await startBehindProxy({ credentials: `${user}:${password}` })
    const env = { ...trusted, https_proxy: address(proxy.host) }

    const run = await notarizeThrough({ service, proxy, env })

    expectAll(run, 'unavailable', 'no')
    expect(proxy.connects).toHaveLength(2)
    expect(service.requests).toEqual([])
    checkEveryRun(run, [password])
  })
})

describe('a proxy that does not let calls through', () => {
  const manners: readonly { readonly what: string; readonly manner: Manner }[] = [
    { what: 'refuses with 407', manner: { kind: 'refuse', status: 407 } },
    { what: 'refuses with 403', manner: { kind: 'refuse', status: 403 } },
    { what: 'refuses with 502', manner: { kind: 'refuse', status: 502 } },
    { what: 'never answers', manner: 'silence' },
    { what: 'cuts the connection', manner: 'cut' },
    { what: 'speaks no TLS', manner: 'nonsense' },
    { what: 'cuts the handshake', manner: 'cut-handshake' },
    { what: 'lets the handshake wait', manner: 'silent-handshake' },
  ]

  const isSilent = (manner: Manner): boolean =>
    manner === 'silence' || manner === 'silent-handshake'

  it.each(manners)('fails the login in time when it $what', async ({ manner }) => {
    const { service, proxy } = await startBehindProxy({ manner: () => manner })

    const run = await notarizeThrough({
      service,
      proxy,
      inputs: isSilent(manner) ? { 'timeout-seconds': '1' } : {},
    })

    expectAll(run, 'unavailable', 'no')
    expect(proxy.connects).toHaveLength(2)
    expect(service.requests).toEqual([])
  })

  it.each(manners)(
    'leaves completions certainly unregistered when it $what after the login',
    async ({ manner }) => {
      const { service, proxy } = await startBehindProxy({
        manner: nth => (nth === 1 ? 'relay' : manner),
      })

      const run = await notarizeThrough({
        service,
        proxy,
        inputs: { concurrency: '3', ...(isSilent(manner) ? { 'timeout-seconds': '2' } : {}) },
      })

      expectAll(run, 'unavailable', 'no')
      expect(service.requests).toHaveLength(1)
      expect(proxy.connects.length).toBeLessThanOrEqual(1 + 3 * 2)
    },
  )

  it('fails the login when nobody listens there', async () => {
    const { service, proxy } = await startBehindProxy()
    proxy.close()

    const run = await notarizeThrough({ service, proxy })

    expectAll(run, 'unavailable', 'no')
    expect(service.requests).toEqual([])
  })

  it('leaves open what became of completions whose answers it cuts', async () => {
    const { service, proxy } = await startBehindProxy(
      { manner: nth => (nth === 1 ? 'relay' : { kind: 'cut-answer', afterBytes: 6000 }) },
      // Long, so that the cut comes after the handshake and within the answer.
      { repeat: 'accept', record: () => ({ description: 'x'.repeat(20_000) }) },
    )

    const run = await notarizeThrough({ service, proxy })

    expectAll(run, 'unavailable', 'unknown')
    expect(service.registered.size).toBe(3)
    expect(readLines(run)).toEqual([])
  })

  it('is forgiven when the second try gets through', async () => {
    const { service, proxy } = await startBehindProxy({
      manner: nth => (nth % 2 === 1 ? 'cut' : 'relay'),
    })

    const run = await notarizeThrough({ service, proxy, inputs: { concurrency: '1' } })

    expect(run.results.verdict).toBe('registered')
    expect([...service.completionCounts.values()]).toEqual([1, 1, 1])
  })
})

describe('a certificate that is not trusted', () => {
  const untrusted = makeCertificate(`DNS:${host}`, 'IP:127.0.0.1')
  const otherName = makeCertificate('DNS:other.example')
  const cases = [
    { what: 'its authority is not known', tls: untrusted, env: {} },
    {
      what: 'another authority is known',
      tls: untrusted,
      env: { NODE_EXTRA_CA_CERTS: certificate.authorityFile },
    },
    {
      what: 'it is for another name',
      tls: otherName,
      env: { NODE_EXTRA_CA_CERTS: otherName.authorityFile },
    },
    {
      what: 'the job asks Node not to verify',
      tls: untrusted,
      env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    },
  ]

  function expectUntrusted(run: CheckedRun, service: Simulator): void {
    expectAll(run, 'unavailable', 'no')
    expect(run.results.failures[0]?.message).toContain('certificate')
    expect(run.results.failures[0]?.message).toContain('NODE_EXTRA_CA_CERTS')
    expect(service.requests).toEqual([])
  }

  it.each(cases)('ends the matter at once through a proxy when $what', async ({ tls, env }) => {
    const { service, proxy } = await startBehindProxy({}, { tls })

    const run = await notarizeThrough({
      service,
      proxy,
      env: { ...env, https_proxy: `http://${proxy.host}` },
    })

    expectUntrusted(run, service)
    expect(proxy.connects).toHaveLength(1)
  })

  it.each(cases)('ends the matter at once without a proxy when $what', async ({ tls, env }) => {
    const service = await startService({ tls })

    const run = await notarize({ service, workspace: makeRelease({ 'a.bin': 'a' }), env })

    expectUntrusted(run, service)
    expect(service.maxConnections).toBe(1)
  })

  it('is no matter when its authority is known', async () => {
    const service = await startService({ tls: certificate })

    const run = await notarize({ service, workspace: makeRelease({ 'a.bin': 'a' }), env: trusted })

    expect(run.results.verdict).toBe('registered')
  })
})
