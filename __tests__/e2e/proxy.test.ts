/** Calls through a real CONNECT proxy to a real TLS service. Other tests cover the faults of a proxy. */
import { expect, it } from '@jest/globals'
import { statusFault, type SimulatorOptions } from '../../simulator/index.ts'
import { makeCertificate } from '../support/certificate.ts'
import { startProxy } from '../support/proxy.ts'
import { API_KEY, subscription } from '../support/samples.ts'
import { endsOf, makeLetters, notarize, startService, type Scenario } from './support.ts'

const host = 'notary.example'
const names = `DNS:${host},IP:127.0.0.1`
const certificate = makeCertificate(names)
const password = 'pr0xy/c4nary pa55word'
const escaped = encodeURIComponent(password)

/** Starts a TLS service that only the proxy knows as {@link host}. */
async function startBehindProxy(options: SimulatorOptions = {}) {
  const service = await startService({ tls: certificate, ...options })
  const port = Number(new URL(service.url).port)
  const credentials = `user:${password}`
  const proxy = await startProxy({ targets: { [`${host}:443`]: port }, credentials })
  const https_proxy = `http://user:${escaped}@${proxy.host}`
  const notarizeThrough = ({ env, ...scenario }: Scenario = {}) =>
    notarize({
      service,
      workspace: makeLetters('abc'),
      inputs: { 'base-url': `https://${host}` },
      env: { NODE_EXTRA_CA_CERTS: certificate.certFile, https_proxy, ...env },
      ...scenario,
    })
  return { service, proxy, notarizeThrough }
}

it('calls pass through a proxy encrypted, and the password of the proxy is never shown', async () => {
  const echoes = [escaped, password, `user:${password}`, `user:${escaped}`]
  // The service echoes the password in a refusal and in a record.
  const fault = statusFault(404, { body: { error: echoes.join(' ') } })
  const { service, proxy, notarizeThrough } = await startBehindProxy({
    faults: ({ endpoint, nthOfEndpoint }) =>
      endpoint === 'completion' && nthOfEndpoint === 1 ? fault : undefined,
    record: () => ({ description: echoes.join(' ') }),
  })
  const run = await notarizeThrough({ alsoSecret: echoes })
  expect(run.results).toMatchObject({ verdict: 'partial', 'registered-count': 2 })
  expect(run.masks).toEqual(expect.arrayContaining([escaped, password]))
  expect(new Set(proxy.connects)).toEqual(new Set([`${host}:443`]))
  for (const text of [API_KEY, subscription.sessionId, ...service.tokens]) {
    expect(proxy.hasSeen(text)).toBe(false)
  }
  // Proves that the check above can fail: the host name does pass unencrypted.
  expect(proxy.hasSeen(host)).toBe(true)
})

it('an untrusted certificate ends the run, even if the job tells Node not to verify', async () => {
  const { service, notarizeThrough } = await startBehindProxy({ tls: makeCertificate(names) })
  const run = await notarizeThrough({ env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } })
  expect(new Set(Object.values(endsOf(run)))).toEqual(new Set(['unavailable/no']))
  expect(run.results.failures[0]?.message).toMatch(/certificate/)
  expect([service.requests, service.maxConnections]).toEqual([[], 1])
})
