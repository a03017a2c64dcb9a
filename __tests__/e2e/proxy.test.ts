/** Calls through a real CONNECT proxy to a real TLS service. What each fault of a proxy means is tested with the transport. */
import { expect, it } from '@jest/globals'
import { statusFault, type SimulatorOptions } from '../../simulator/index.ts'
import { makeCertificate } from '../support/certificate.ts'
import { startProxy, type ProxyOptions } from '../support/proxy.ts'
import {
  API_KEY,
  endsOf,
  makeLetters,
  notarize,
  startService,
  subscription,
  type Scenario,
} from './support.ts'

const host = 'notary.example'
const names = `DNS:${host},IP:127.0.0.1`
const certificate = makeCertificate(names)
const password = 'pr0xy/c4nary pa55word'

/** A TLS service that has the name {@link host} for those who come through the proxy, and a run of the action there. */
async function startBehindProxy(
  proxyOptions: Partial<ProxyOptions> = {},
  serviceOptions: SimulatorOptions = {},
) {
  const service = await startService({ tls: certificate, ...serviceOptions })
  const port = Number(new URL(service.url).port)
  const proxy = await startProxy({ targets: { [`${host}:443`]: port }, ...proxyOptions })
  const notarizeThrough = ({ env, inputs, ...scenario }: Scenario = {}) => {
    const tries = { 'max-attempts': '2', 'timeout-seconds': '5' }
    return notarize({
      service,
      workspace: makeLetters('abc'),
      inputs: { 'base-url': `https://${host}`, ...tries, ...inputs },
      env: {
        NODE_EXTRA_CA_CERTS: certificate.certFile,
        https_proxy: `http://${proxy.host}`,
        ...env,
      },
      ...scenario,
    })
  }
  return { service, proxy, notarizeThrough }
}

it('a proxy takes the calls to the service, and sees nothing of them in clear', async () => {
  const { service, proxy, notarizeThrough } = await startBehindProxy()
  const run = await notarizeThrough()
  expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 3 })
  expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
  expect([new Set(proxy.connects), proxy.others]).toEqual([new Set([`${host}:443`]), []])
  for (const text of [API_KEY, subscription.sessionId, ...service.tokens]) {
    expect(proxy.hasSeen(text)).toBe(false)
  }
  // So that the line above can fail: this does go through in clear.
  expect(proxy.hasSeen(host)).toBe(true)
})

it('the password of a proxy is sent to it and shown nowhere', async () => {
  const given = encodeURIComponent(password)
  const echoes = [given, password, `user:${password}`, `user:${given}`]
  const { proxy, notarizeThrough } = await startBehindProxy(
    { credentials: `user:${password}` },
    {
      // The service knows it and gives it away, in a refusal and in a record.
      faults: ({ endpoint, nthOfEndpoint }) =>
        endpoint === 'completion' && nthOfEndpoint === 1
          ? statusFault(404, { body: { error: echoes.join(' ') } })
          : undefined,
      record: () => ({ description: echoes.join(' ') }),
    },
  )
  const https_proxy = `http://user:${given}@${proxy.host}`
  const run = await notarizeThrough({ env: { https_proxy }, alsoSecret: echoes })
  expect(run.results).toMatchObject({ verdict: 'partial', 'registered-count': 2 })
  expect(run.results.records?.[0]?.redacted).toEqual(['/description'])
  expect(run.masks).toEqual(expect.arrayContaining([given, password]))
})

it('a proxy address that cannot be used stops the run if a call would go through it', async () => {
  const { proxy, service, notarizeThrough } = await startBehindProxy()
  const https_proxy = 'socks5://user:pr0xy-c4nary@127.0.0.1:1080'
  const run = await notarizeThrough({ env: { https_proxy }, alsoSecret: ['pr0xy-c4nary'] })
  expect(run.results.verdict).toBe('stopped')
  expect(run.annotations.error).toEqual([expect.stringMatching(/proxy/)])
  expect(service.maxConnections + proxy.connects.length).toBe(0)

  const release = { path: '', 'release-tag': 'v1.2.3', 'github-token': 'ghs_token' }
  const GITHUB_API_URL = 'https://github.example'
  const stopped = await notarize({
    inputs: { ...release, 'base-url': service.url },
    env: { https_proxy, GITHUB_API_URL },
  })
  expect(stopped.annotations.error).toEqual([
    expect.stringMatching(/"https_proxy".*github.example/),
  ])

  const env = { http_proxy: https_proxy, https_proxy }
  const onLoopback = await notarize({ service: await startService(), env })
  expect(onLoopback.results.verdict).toBe('registered')
  const dryRun = await notarizeThrough({ env, inputs: { 'dry-run': 'true' } })
  expect(dryRun.results.verdict).toBe('dry-run')
})

it('no_proxy keeps calls away from the proxy', async () => {
  const { proxy, notarizeThrough } = await startBehindProxy()
  // Nobody else knows the name, so that the look-up fails (or takes too long where there is no network).
  const inputs = { 'max-attempts': '1', 'timeout-seconds': '3' }
  const run = await notarizeThrough({ env: { no_proxy: `a.example,${host}` }, inputs })
  expect(run.results.verdict).toBe('failed')
  expect(proxy.connects).toEqual([])
})

it('a certificate that is not trusted ends the run, although the job asks Node not to verify', async () => {
  const tls = makeCertificate(names, makeCertificate('DNS:authority.example'))
  const { service, notarizeThrough } = await startBehindProxy({}, { tls })
  const run = await notarizeThrough({ env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } })
  expect(new Set(Object.values(endsOf(run)))).toEqual(new Set(['unavailable/no']))
  expect(run.results.failures[0]?.message).toMatch(/certificate/)
  expect([service.requests, service.maxConnections]).toEqual([[], 1])
})
