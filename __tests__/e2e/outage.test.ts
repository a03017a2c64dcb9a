/** What a service that is down may cost: few requests, and a true word about every artifact. */
import { describe, expect, it } from '@jest/globals'
import {
  statusFault,
  type Fault,
  type SimulatorOptions,
  type Simulator,
} from '../../simulator/index.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import {
  endsOf,
  FILE,
  makeLetters,
  makeLine,
  makeStateLine,
  notarize,
  readStateLines,
  sha256,
  startService,
  trafficOf,
} from './support.ts'

const down = statusFault(503, { headers: { 'retry-after': '0' } })
const isCompletion = ({ endpoint }: Simulator['requests'][number]): boolean =>
  endpoint === 'completion'

const completions = (fault: Fault): SimulatorOptions => ({
  faults: [{ fault, endpoint: 'completion' }],
})

/** A checksums file with so many artifacts. */
function makeChecksums(count: number): Workspace {
  const names = Array.from(
    { length: count },
    (_, index) => `dist/${String(index).padStart(4, '0')}`,
  )
  return makeWorkspace({ SHA256SUMS: names.map(name => `${sha256(name)}  ${name}\n`).join('') })
}
const fromSums = { path: '', checksums: 'SHA256SUMS', 'max-registrations': '1000' }

it.each<[string, Fault, code: string, registered: string]>([
  ['without a good answer', down, 'unavailable', 'unknown'],
  ['with 402', statusFault(402), 'refused', 'no'],
])('after five hashes %s no further hash is begun', async (_, fault, code, registered) => {
  const service = await startService(completions(fault))
  const open = makeStateLine(service.url, 'h')
  const workspace = makeLetters('abcdefgh', [open])
  const inputs = { concurrency: '1', 'max-attempts': '1' }
  const run = await notarize({ service, workspace, inputs })

  expect(trafficOf(service)).toEqual(['login', ...Array.from('abcde', one => `completion ${one}`)])
  const ends = endsOf(run)
  for (const name of 'abcde') expect(ends[`dist/${name}`]).toBe(`${code}/${registered}`)
  expect(ends).toMatchObject({
    'dist/f': `${code}/no`,
    'dist/g': `${code}/no`,
    'dist/h': `${code}/unknown`,
  })
  for (const { message } of run.results.failures.slice(5)) expect(message).toMatch(/not tried/)
})

it('a Retry-After holds back all workers', async () => {
  const service = await startService({
    faults: ({ endpoint, nthOfEndpoint }) =>
      endpoint === 'completion' && nthOfEndpoint === 1
        ? statusFault(429, { headers: { 'retry-after': '2' } })
        : undefined,
    latencyMs: ({ endpoint, nthOfEndpoint }) =>
      endpoint === 'completion' && nthOfEndpoint > 1 ? 500 : 0,
  })
  const run = await notarize({
    service,
    workspace: makeLetters('abcdefghi'),
    inputs: { concurrency: '3' },
  })

  expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 9 })
  const times = service.requests.filter(isCompletion).map(({ at }) => at)
  const [first = 0] = times
  // Three were under way; nothing else was until the time was up.
  expect(times.filter(at => at < first + 1900)).toHaveLength(3)
})

describe('a service that is down costs a thousand artifacts', () => {
  it.each<[string, isGone: boolean, atMost: number]>([
    ['the attempts of one login when nobody listens', true, 0],
    ['the attempts of those in flight when it answers 503', false, 8 * 2],
  ])('%s', async (_, isGone, atMost) => {
    const service = await startService(completions(down))
    if (isGone) await service.close()
    const inputs = { ...fromSums, 'max-attempts': '2' }
    const run = await notarize({ service, workspace: makeChecksums(1000), inputs })

    expect(run.results).toMatchObject({ verdict: 'failed', 'failed-count': 1000 })
    expect(run.lines.length).toBeLessThan(200)
    expect(service.requests.filter(isCompletion).length).toBeLessThanOrEqual(atMost)
    // Only what was never sent is certainly not registered.
    const sent = new Set(service.requests.flatMap(({ hash }) => hash ?? []))
    for (const { hash, code, registered } of run.results.failures) {
      expect([code, registered]).toEqual(['unavailable', sent.has(hash ?? '') ? 'unknown' : 'no'])
    }
  })
})

describe('a token', () => {
  it('that is refused is replaced once for all workers, and ends the run if a fresh one is refused', async () => {
    const service = await startService(completions(statusFault(401)))
    const run = await notarize({
      service,
      workspace: makeChecksums(100),
      inputs: { ...fromSums, concurrency: '8' },
    })
    expect(service.requests.filter(({ endpoint }) => endpoint === 'login')).toHaveLength(2)
    expect(service.requests.filter(isCompletion).length).toBeLessThanOrEqual(16)
    expect(new Set(Object.values(endsOf(run)))).toEqual(new Set(['login-refused/no']))
  })

  it('that the service forgets is replaced without using up an attempt', async () => {
    const service: Simulator = await startService({
      latencyMs: 20,
      faults: request => {
        if (isCompletion(request) && request.nthOfEndpoint === 5) service.revokeTokens()
        return undefined
      },
    })
    const inputs = { ...fromSums, concurrency: '4', 'max-attempts': '1' }
    const run = await notarize({ service, workspace: makeChecksums(20), inputs })
    expect(run.results.verdict).toBe('registered')
    expect(service.requests.filter(({ endpoint }) => endpoint === 'login')).toHaveLength(2)
    expect(readStateLines(run)).toHaveLength(20)
  })
})

describe('if-service-unavailable: warn', () => {
  const inputs = { 'if-service-unavailable': 'warn', 'max-attempts': '1' }
  it.each<[string, SimulatorOptions, verdict: string]>([
    ['a service that is down', completions(down), 'deferred'],
    [
      'a login that meets 429',
      { faults: [{ fault: statusFault(429), endpoint: 'login' }] },
      'deferred',
    ],
    ['a refusal', completions(statusFault(404)), 'partial'],
    [
      'one refusal among outages',
      {
        faults: ({ hash }) => (hash === sha256('a') ? statusFault(404) : hash && down) || undefined,
      },
      'partial',
    ],
  ])('%s makes the run %s', async (_, options, verdict) => {
    const service = await startService(options)
    const workspace = makeLetters('abk', [makeLine(service.url, 'k')])
    const run = await notarize({ service, workspace, inputs })
    expect(run.results).toMatchObject({ verdict, 'registered-count': 1, 'failed-count': 2 })
    expect(run.annotations.warning.filter(text => /immutable release/.test(text))).toHaveLength(
      verdict === 'deferred' ? 1 : 0,
    )
  })

  it('a run that is deferred is finished by the next one', async () => {
    const service = await startService({
      faults: [{ fault: statusFault(429), endpoint: 'completion', to: 1 }],
    })
    const workspace = makeLetters('a')
    expect((await notarize({ service, workspace, inputs })).results.verdict).toBe('deferred')
    expect((await notarize({ service, workspace, inputs })).results.verdict).toBe('registered')
    expect(workspace.read(FILE).match(/"state":"(sent|not-registered)"/g)).toHaveLength(3)
  })
})
