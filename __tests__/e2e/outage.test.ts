/** What a service that is down may cost: few requests, and a true word about every artifact. */
import { describe, expect, it } from '@jest/globals'
import {
  statusFault,
  type Fault,
  type Simulator,
  type SimulatorOptions,
} from '../../simulator/index.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import {
  endsOf,
  makeLetters,
  makeLine,
  makeStateLine,
  notarize,
  sha256,
  startService,
  trafficOf,
} from './support.ts'

const down = statusFault(503, { headers: { 'retry-after': '0' } })
const fromSums = { path: '', checksums: 'SHA256SUMS', 'max-registrations': '1000' }

const completions = (fault: Fault): SimulatorOptions => ({
  faults: [{ fault, endpoint: 'completion' }],
})

/** A checksums file with so many artifacts. */
function makeChecksums(count: number): Workspace {
  const names = Array.from({ length: count }, (_, index) => String(index).padStart(4, '0'))
  return makeWorkspace({ SHA256SUMS: names.map(name => `${sha256(name)}  ${name}\n`).join('') })
}

const countOf = ({ requests }: Simulator, wanted: string): number =>
  requests.filter(({ endpoint }) => endpoint === wanted).length

it.each<[string, Fault, end: string, rest: string]>([
  ['without a good answer', down, 'unavailable/unknown', 'unavailable'],
  ['with 402', statusFault(402), 'refused/no', 'refused'],
])('after five hashes %s no further hash is begun', async (_, fault, end, rest) => {
  const service = await startService(completions(fault))
  const workspace = makeLetters('abcdefgh', [makeStateLine(service.url, 'h')])
  const inputs = { concurrency: '1', 'max-attempts': '1' }
  const run = await notarize({ service, workspace, inputs })

  expect(trafficOf(service)).toEqual(['login', ...Array.from('abcde', one => `completion ${one}`)])
  const notTried = [`${rest}/no`, `${rest}/no`, `${rest}/unknown`]
  expect(Object.values(endsOf(run))).toEqual([end, end, end, end, end, ...notTried])
  for (const { message } of run.results.failures.slice(5)) expect(message).toMatch(/not tried/)
})

it('a Retry-After holds back all workers', async () => {
  const wait = statusFault(429, { headers: { 'retry-after': '2' } })
  const service = await startService({
    faults: [{ fault: wait, endpoint: 'completion', to: 1 }],
    latencyMs: ({ hash, nthOfEndpoint }) => (hash !== undefined && nthOfEndpoint > 1 ? 500 : 0),
  })
  const inputs = { concurrency: '3' }
  const run = await notarize({ service, workspace: makeLetters('abcdefghi'), inputs })
  expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 9 })
  const times = service.requests.filter(({ hash }) => hash !== undefined).map(({ at }) => at)
  const [first = 0] = times
  // At most three were under way; nothing else was sent until the time was up.
  expect(times.filter(at => at < first + 1900).length).toBeLessThanOrEqual(3)
})

it.each<[string, isGone: boolean, atMost: number]>([
  ['the attempts of one login when nobody listens', true, 0],
  ['the attempts of those in flight when it answers 503', false, 8 * 2],
])('a service that is down costs a thousand artifacts %s', async (_, isGone, atMost) => {
  const service = await startService(completions(down))
  if (isGone) await service.close()
  const inputs = { ...fromSums, 'max-attempts': '2' }
  const run = await notarize({ service, workspace: makeChecksums(1000), inputs })
  expect(run.results).toMatchObject({ verdict: 'failed', 'failed-count': 1000 })
  expect(run.lines.length).toBeLessThan(200)
  expect(countOf(service, 'completion')).toBeLessThanOrEqual(atMost)
  // Only what was never sent is certainly not registered.
  const sent = new Set(service.requests.flatMap(({ hash }) => hash ?? []))
  for (const { hash, code, registered } of run.results.failures) {
    expect([code, registered]).toEqual(['unavailable', sent.has(hash ?? '') ? 'unknown' : 'no'])
  }
})

it('a token that is refused is replaced once for all workers, and ends the run if a fresh one is', async () => {
  const service = await startService(completions(statusFault(401)))
  const inputs = { ...fromSums, concurrency: '8' }
  const run = await notarize({ service, workspace: makeChecksums(100), inputs })
  expect(countOf(service, 'login')).toBe(2)
  expect(countOf(service, 'completion')).toBeLessThanOrEqual(16)
  expect(new Set(Object.values(endsOf(run)))).toEqual(new Set(['login-refused/no']))
})

describe('if-service-unavailable: warn', () => {
  const inputs = { 'if-service-unavailable': 'warn', 'max-attempts': '1' }
  const mixed: SimulatorOptions = {
    faults: [
      { fault: statusFault(404), hash: sha256('a') },
      { fault: down, endpoint: 'completion' },
    ],
  }
  it.each<[verdict: string, string, SimulatorOptions]>([
    ['deferred', 'a service that is down', completions(down)],
    ['deferred', 'a login that meets 429', { faults: [{ fault: statusFault(429) }] }],
    ['partial', 'a refusal', completions(statusFault(404))],
    ['partial', 'one refusal among outages', mixed],
  ])('makes a run %s after %s', async (verdict, _, options) => {
    const service = await startService(options)
    const workspace = makeLetters('abk', [makeLine(service.url, 'k')])
    const run = await notarize({ service, workspace, inputs })
    expect(run.results).toMatchObject({ verdict, 'registered-count': 1, 'failed-count': 2 })
    const warnings = run.annotations.warning.filter(text => text.includes('immutable release'))
    expect(warnings).toHaveLength(verdict === 'deferred' ? 1 : 0)
  })

  it('lets the next run finish', async () => {
    const fault = statusFault(429)
    const service = await startService({ faults: [{ fault, endpoint: 'completion', to: 1 }] })
    const workspace = makeLetters('a')
    expect((await notarize({ service, workspace, inputs })).results.verdict).toBe('deferred')
    expect((await notarize({ service, workspace, inputs })).results.verdict).toBe('registered')
  })
})
