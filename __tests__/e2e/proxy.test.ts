/** Calls through a real CONNECT proxy to a real TLS service, and what becomes of them when either cannot be trusted. */
import { describe, expect, it } from '@jest/globals'
import { statusFault } from '../../simulator/index.ts'
import type { SimulatorOptions } from '../../simulator/index.ts'
import { makeCertificate } from '../support/certificate.ts'
import { startProxy } from '../support/proxy.ts'
import type { Manner, ProxyOptions } from '../support/proxy.ts'
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
const names = `DNS:${host},IP:127.0.0.1`
const certificate = makeCertificate(names)
const trusted = { NODE_EXTRA_CA_CERTS: certificate.certFile }

const user = 'proxyuser'
const password = 'pr0xy-c4nary-pa55word'

interface Through {
  readonly env?: Readonly<Record<string, string>>
  readonly inputs?: Readonly<Record<string, string>>
  readonly count?: number
}

/**
 * A TLS service that has the name {@link host} for those who come through the proxy, and a run of the action there, with
 * `https_proxy` unless `env` has another way.
 */
async function startBehindProxy(
  proxyOptions: Partial<ProxyOptions> = {},
  serviceOptions: SimulatorOptions = {},
) {
  const service = await startService({ tls: certificate, ...serviceOptions })
  const port = Number(new URL(service.url).port)
  const targets = { [`${host}:443`]: port, [`${host}:8443`]: port }
  const proxy = await startProxy({ targets, ...proxyOptions })
  const notarizeThrough = ({ env, inputs, count = 3 }: Through = {}): Promise<CheckedRun> => {
    const files = Array.from({ length: count }, (_, n) => [`${n}.bin`, `content ${n}`] as const)
    return notarize({
      ...{ service, workspace: makeRelease(Object.fromEntries(files)), timeoutMs: 15_000 },
      inputs: {
        ...{ 'base-url': `https://${host}`, 'max-attempts': '2', 'timeout-seconds': '10' },
        ...inputs,
      },
      env: env ?? { ...trusted, https_proxy: `http://${proxy.host}` },
    })
  }
  return { service, proxy, notarizeThrough }
}

/** Expects every artifact to be `unavailable` with this certainty. */
function expectAll(run: CheckedRun, registered: string): void {
  expect(run.results.verdict).toBe('failed')
  const failures = run.results.failures.map(one => `${one.code}/${one.registered}`)
  expect([...new Set(failures)]).toEqual([`unavailable/${registered}`])
}

describe('a proxy that does its work', () => {
  it('takes the calls to the service, and sees nothing of them in clear', async () => {
    const { service, proxy, notarizeThrough } = await startBehindProxy()

    const run = await notarizeThrough({ count: 12 })

    expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 12 })
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

  const ofOthers = 'otary.example,.notary.example,10.0.0.1'
  it.each<[string, (at: string) => Readonly<Record<string, string>>]>([
    ['HTTPS_PROXY', at => ({ HTTPS_PROXY: `http://${at}` })],
    ['https_proxy as address and port', at => ({ https_proxy: at })],
    ['https_proxy as a name', at => ({ https_proxy: at.replace('127.0.0.1', 'localhost') })],
    ['no_proxy for others', at => ({ https_proxy: at, no_proxy: ofOthers })],
  ])('is used when the job sets %s, and asked for the port of the URL', async (_, environment) => {
    const { proxy, notarizeThrough } = await startBehindProxy()
    const env = { ...trusted, ...environment(proxy.host) }
    const inputs = { 'base-url': `https://${host}:8443` }

    const run = await notarizeThrough({ env, inputs })

    expect(run.results.verdict).toBe('registered')
    expect(new Set(proxy.connects)).toEqual(new Set([`${host}:8443`]))
  })
})

describe('a proxy address that cannot be used', () => {
  it.each([
    { what: 'socks5', https_proxy: `socks5://${user}:${password}@127.0.0.1:1080` },
    { what: 'malformed', https_proxy: `http://${user}:${password}@127.0.0.1:not-a-port` },
  ])('stops the run before anything is sent: $what', async ({ https_proxy }) => {
    const { service, proxy, notarizeThrough } = await startBehindProxy()

    const run = await notarizeThrough({ env: { ...trusted, https_proxy } })

    expect(run.results.verdict).toBe('stopped')
    expect(run.annotations.error).toEqual([expect.stringMatching(/proxy.*"https_proxy"/)])
    expect(service.maxConnections + proxy.connects.length).toBe(0)
    checkEveryRun(run, [...secretsOf(service), password])
  })

  it.each([
    { what: 'in a dry run', inputs: { 'dry-run': 'true' }, verdict: 'dry-run' },
    { what: 'for a service on loopback', inputs: {}, verdict: 'registered' },
    {
      what: 'for a host that no_proxy exempts',
      inputs: { 'base-url': `https://${host}`, 'max-attempts': '1', 'timeout-seconds': '3' },
      verdict: 'failed',
    },
  ])('is no matter $what', async ({ inputs, verdict }) => {
    const service = await startService()
    const socks = 'socks5://127.0.0.1'
    const env = { http_proxy: socks, https_proxy: socks, no_proxy: host }
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), inputs, env })

    expect(run.results.verdict).toBe(verdict)
  })
})

describe('no_proxy', () => {
  it.each([host, host.toUpperCase(), '.example', 'example', '*', `a.example, ${host}:443`])(
    'keeps calls away from the proxy when it is "%s"',
    async noProxy => {
      const { service, proxy, notarizeThrough } = await startBehindProxy()
      const env = { ...trusted, https_proxy: `http://${proxy.host}`, no_proxy: noProxy }
      // Nobody else knows the name, so that the look-up fails (or takes too long where there is no network).
      const inputs = { 'max-attempts': '1', 'timeout-seconds': '3' }

      expectAll(await notarizeThrough({ env, inputs }), 'no')
      expect([...proxy.connects, ...service.requests]).toEqual([])
    },
  )

  it('is not needed for a service on loopback', async () => {
    const service = await startService()
    const proxy = await startProxy({ targets: {} })
    const env = { https_proxy: `http://${proxy.host}`, http_proxy: `http://${proxy.host}` }
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), env })

    expect(run.results.verdict).toBe('registered')
    expect([...proxy.connects, ...proxy.others]).toEqual([])
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
    const { service, proxy, notarizeThrough } = await startBehindProxy(
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

    const run = await notarizeThrough({ env, inputs: { concurrency: '1' } })

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
    const { service, proxy, notarizeThrough } = await startBehindProxy({
      credentials: `${user}:${password}`,
    })
    const env = { ...trusted, https_proxy: address(proxy.host) }

    const run = await notarizeThrough({ env })

    expectAll(run, 'no')
    expect(proxy.connects).toHaveLength(2)
    expect(service.requests).toEqual([])
    checkEveryRun(run, [password])
  })
})

describe('a proxy that does not let calls through', () => {
  const refuse = (status: number): Manner => ({ kind: 'refuse', status })
  const manners: readonly (readonly [what: string, manner: Manner])[] = [
    ...[403, 407, 502].map(status => [`refuses with ${status}`, refuse(status)] as const),
    ['never answers', 'silence'],
    ['cuts the connection', 'cut'],
    ['speaks no TLS', 'nonsense'],
    ['cuts the handshake', 'cut-handshake'],
    ['lets the handshake wait', 'silent-handshake'],
  ]

  it.each(
    manners.flatMap(([what, manner]) => [
      { what, manner, logins: 0, connects: 2 },
      { what: `${what} after the login`, manner, logins: 1, connects: 1 + 3 * 2 },
    ]),
  )('leaves all certainly unregistered, in time, when it $what', async row => {
    const { manner, logins, connects } = row
    const relay = (nth: number): Manner => (nth <= logins ? 'relay' : manner)
    const { service, proxy, notarizeThrough } = await startBehindProxy({ manner: relay })
    const isSilent = manner === 'silence' || manner === 'silent-handshake'
    const inputs = { concurrency: '3', ...(isSilent ? { 'timeout-seconds': '2' } : {}) }

    expectAll(await notarizeThrough({ inputs }), 'no')
    expect(service.requests).toHaveLength(logins)
    expect(proxy.connects.length).toBeGreaterThanOrEqual(2)
    expect(proxy.connects.length).toBeLessThanOrEqual(connects)
  })

  it('fails the login when nobody listens there', async () => {
    const { service, proxy, notarizeThrough } = await startBehindProxy()
    proxy.close()

    expectAll(await notarizeThrough(), 'no')
    expect(service.requests).toEqual([])
  })

  it('leaves open what became of completions whose answers it cuts', async () => {
    const { service, notarizeThrough } = await startBehindProxy(
      { manner: nth => (nth === 1 ? 'relay' : { kind: 'cut-answer', afterBytes: 6000 }) },
      // Long, so that the cut comes after the handshake and within the answer.
      { repeat: 'accept', record: () => ({ description: 'x'.repeat(20_000) }) },
    )

    const run = await notarizeThrough()

    expectAll(run, 'unknown')
    expect(service.registered.size).toBe(3)
    expect(readLines(run)).toEqual([])
  })

  it('is forgiven when the second try gets through', async () => {
    const manner = (nth: number): Manner => (nth % 2 === 1 ? 'cut' : 'relay')
    const { service, notarizeThrough } = await startBehindProxy({ manner })

    const run = await notarizeThrough({ inputs: { concurrency: '1' } })

    expect(run.results.verdict).toBe('registered')
    expect(run.results.records?.flatMap(one => one.unansweredTries ?? [])).toEqual([])
    expect([...service.completionCounts.values()]).toEqual([1, 1, 1])
  })
})

describe('a certificate that is not trusted', () => {
  const untrusted = makeCertificate(names, makeCertificate('DNS:authority.example'))
  const otherName = makeCertificate('DNS:other.example')
  const ofOther = { NODE_EXTRA_CA_CERTS: otherName.certFile }
  const unverified = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }

  it.each([
    { what: 'its authority is not known', tls: untrusted, env: {} },
    { what: 'another authority is known', tls: untrusted, env: trusted },
    { what: 'it is for another name', tls: otherName, env: ofOther },
    { what: 'the job asks Node not to verify', tls: untrusted, env: unverified },
  ])('ends the matter at once, with and without a proxy, when $what', async ({ tls, env }) => {
    for (const isDirect of [false, true]) {
      const { service, proxy, notarizeThrough } = await startBehindProxy({}, { tls })
      const run = await notarizeThrough(
        isDirect
          ? { env, inputs: { 'base-url': service.url } }
          : { env: { ...env, https_proxy: `http://${proxy.host}` } },
      )

      expectAll(run, 'no')
      expect(run.results.failures[0]?.message).toMatch(/certificate.*NODE_EXTRA_CA_CERTS/)
      expect(service.requests).toEqual([])
      expect(service.maxConnections).toBe(1)
    }
  })

  it('is no matter when its authority is known', async () => {
    const service = await startService({ tls: certificate })
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), env: trusted })
    expect(run.results.verdict).toBe('registered')
  })
})
