/**
 * The extensions of the service: the active subscription, the request before the completion, the text of the request and
 * the links for people. Everything is off unless asked for. What becomes of each answer is tested with the client.
 */
import { describe, expect, it } from '@jest/globals'
import {
  exampleFreeSubscription,
  rawFault,
  statusFault,
  type Endpoint,
  type Simulator,
  type SimulatorOptions,
} from '../../simulator/index.ts'
import { job } from '../support/runner-environment.ts'
import type { StepProcess } from '../support/runner.ts'
import {
  endsOf,
  makeLetters,
  makeLine,
  makeRelease,
  notarize as notarizeAny,
  readLines,
  readSummary,
  sha256,
  startService as startAnyService,
  subscription,
  subscriptionText,
  trafficOf,
  type Scenario,
} from './support.ts'

/** A service that knows nothing before it is asked, with the subscription of the samples as the active one. */
function startService(options: SimulatorOptions = {}): Promise<Simulator> {
  return startAnyService({ requested: [], activeSubscription: subscription, ...options })
}

/** Without subscription data, and with one worker, unless `inputs` says otherwise. */
const notarize = ({ inputs, ...scenario }: Scenario) =>
  notarizeAny({ ...scenario, inputs: { subscription: '', concurrency: '1', ...inputs } })

const pairs = (letters: string): readonly string[] =>
  Array.from(letters, letter => [`request ${letter}`, `completion ${letter}`]).flat()

const bodiesOf = ({ requests }: Simulator, wanted: Endpoint): readonly string[] =>
  requests.filter(({ endpoint }) => endpoint === wanted).map(({ bodyText }) => bodyText)

const active = { subscription: 'active' } as const
const byRequest = { 'request-registration': 'true' } as const
const given = { subscription: subscriptionText } as const
const silent = { error: [], warning: [], notice: [] }

describe('subscription: active', () => {
  it('is retrieved once for all workers, by the token alone, and pays for every registration', async () => {
    const service = await startService({ requested: 'any', latencyMs: 30 })
    const inputs = { ...active, concurrency: '4' }
    const run = await notarize({ service, workspace: makeLetters('abcdefgh'), inputs })

    expect(run.results.verdict).toBe('registered')
    expect(run.annotations).toEqual(silent)
    const [, retrieval] = service.requests
    const path = '/api/v2/payment/subscription/active'
    expect(retrieval).toMatchObject({ method: 'GET', path, bodyText: '' })
    expect({ ...retrieval?.headers }).toEqual({
      accept: 'application/json',
      authorization: `Bearer ${service.tokens[0] ?? ''}`,
      'accept-encoding': 'identity',
      connection: 'keep-alive',
      host: new URL(service.url).host,
      'user-agent': 'notarize-release',
    })
    expect(trafficOf(service).slice(0, 2)).toEqual(['login', 'active-subscription'])
    expect(new Set(bodiesOf(service, 'completion'))).toEqual(new Set([subscriptionText]))
    expect(service.requests).toHaveLength(2 + 8)
  })

  it('gives every artifact left its failure if it cannot be retrieved', async () => {
    const service = await startService({ activeSubscription: null })
    const run = await notarize({ service, workspace: makeLetters('ab'), inputs: active })
    expect(endsOf(run)).toEqual({ 'dist/a': 'refused/no', 'dist/b': 'refused/no' })
    expect(trafficOf(service)).toEqual(['login', 'active-subscription'])
  })
})

describe.each([
  ['subscription: active', active],
  ['request-registration', byRequest],
])('%s', (_, inputs) => {
  it('works on a free plan, whose paymentId is null', async () => {
    const service = await startService({
      requested: 'any',
      activeSubscription: exampleFreeSubscription,
    })
    const alsoSecret = [exampleFreeSubscription.sessionId]
    const run = await notarize({ service, inputs, alsoSecret })
    expect(run.results.records).toMatchObject([{ record: { paymentId: null } }])
    expect(run.masks).toEqual(expect.arrayContaining(alsoSecret))
  })

  it('has paymentId compared with the answered subscription, and its secrets kept', async () => {
    const { sessionId, customer } = subscription
    const record = () => ({ paymentId: 'sub_other', description: `${sessionId} ${customer}` })
    const service = await startService({ requested: 'any', record })
    const run = await notarize({ service, inputs })
    expect(endsOf(run)).toEqual({ 'dist/a': 'record-mismatch/unknown' })
    expect(readLines(run)).toMatchObject([
      {
        record: { description: '*** ***' },
        redacted: ['/description'],
        problems: [expect.stringMatching(/paymentId/)],
      },
    ])
    expect(run.masks).toEqual(expect.arrayContaining([sessionId, customer]))
  })

  it('sends nothing in a dry run, beyond the limit, and when nothing is left', async () => {
    const service = await startService()
    const workspace = makeLetters('a')
    for (const more of [{ 'dry-run': 'true' }, { 'max-registrations': '0' }]) {
      await notarize({ service, workspace, inputs: { ...inputs, ...more } })
    }
    const known = makeLetters('a', [makeLine(service.url, 'a')])
    const run = await notarize({ service, workspace: known, inputs })
    expect(run.results.verdict).toBe('registered')
    expect(service.requests).toEqual([])
  })
})

it.each<[string, endpoint: Endpoint, inputs: object, ends: readonly string[], traffic: string]>([
  [
    'a registration is requested',
    'request',
    byRequest,
    ['cancelled/no', 'cancelled/no'],
    'request a',
  ],
  [
    'a registration is completed, whose record is kept',
    'completion',
    byRequest,
    ['registered', 'cancelled/no'],
    'request a, completion a',
  ],
  [
    'the active subscription is retrieved',
    'active-subscription',
    active,
    ['cancelled/no', 'cancelled/no'],
    'active-subscription',
  ],
])('a signal while %s lets nothing more be sent', async (_, endpoint, inputs, ends, traffic) => {
  let child: StepProcess | undefined
  const service = await startService({
    requested: [],
    latencyMs: request => {
      if (request.endpoint !== endpoint) return 0
      child?.kill('SIGINT')
      return 500
    },
  })
  const onStart = (started: StepProcess): void => {
    child = started
  }
  const run = await notarize({
    service,
    workspace: makeLetters('ab'),
    inputs: { ...inputs },
    mustFail: true,
    onStart,
  })
  expect(Object.values(endsOf(run))).toEqual(ends)
  expect(trafficOf(service).join(', ')).toBe(`login, ${traffic}`)
})

describe('request-registration', () => {
  it('needs the key alone: each distinct hash is requested as documented, and completed with the answer', async () => {
    const service = await startService()
    const workspace = makeRelease({ 'z.bin': 'a', 'b.bin': 'a', k: 'k', n: 'n' }, [
      makeLine(service.url, 'k'),
    ])
    const run = await notarize({ service, workspace, inputs: byRequest })

    expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 3 })
    expect(run.annotations).toEqual(silent)
    expect(trafficOf(service)).toEqual(['login', ...pairs('an')])
    expect(bodiesOf(service, 'completion')).toEqual([subscriptionText, subscriptionText])
    const [, request] = service.requests
    expect(request).toMatchObject({
      method: 'POST',
      path: '/api/v2/registration/?subscription=true',
    })
    expect(JSON.parse(request?.bodyText ?? '')).toEqual({
      blockchainType: 'ALGORAND',
      custody: 'false',
      description: `dist/b.bin of ${job.repository} at ${job.ref}`,
      hash: sha256('a'),
      signed: 'false',
      status: 'not_registered',
    })
  })

  it('completes each registration with the data of its own answer, unless data is given', async () => {
    const sessionOf = (hash: string): string => `cs_of_${hash.slice(0, 16)}`
    for (const inputs of [byRequest, { ...byRequest, ...given }]) {
      const service = await startService({
        latencyMs: 20,
        faults: ({ endpoint, hash = '' }) => {
          const text = JSON.stringify({ ...subscription, sessionId: sessionOf(hash) })
          return endpoint === 'request' ? rawFault(text, { effect: 'after' }) : undefined
        },
        record: hash => ({ payload: sessionOf(hash) }),
      })
      const alsoSecret = Array.from('abcdef', letter => sessionOf(sha256(letter)))
      const workspace = makeLetters('abcdef')
      const run = await notarize({
        service,
        workspace,
        alsoSecret,
        inputs: { ...inputs, concurrency: '3' },
      })
      expect(run.results.records?.map(({ redacted }) => redacted)).toEqual(
        Array(6).fill(['/payload']),
      )
      for (const { endpoint, bodyText, hash = '' } of service.requests) {
        const sessionId = inputs === byRequest ? sessionOf(hash) : subscription.sessionId
        if (endpoint === 'completion') expect(JSON.parse(bodyText)).toMatchObject({ sessionId })
      }
      expect(service.maxConnections).toBeLessThanOrEqual(4)
    }
  })

  it.each<[string, inputs: object, completion: number | null, ends: string, traffic: string]>([
    ['given data', given, null, 'registered', 'request a, completion a'],
    [
      'the active subscription',
      {},
      null,
      'registered',
      'request a, active-subscription, completion a',
    ],
    ['given data that is refused', given, 404, 'request-refused/no', 'request a, completion a'],
  ])('that is refused is completed with %s', async (_, inputs, status, end, traffic) => {
    const service = await startService({
      // It was requested before.
      requested: [sha256('a')],
      faults: ({ endpoint }) =>
        endpoint === 'completion' && status !== null
          ? statusFault(status, { body: { error: 'never seen' } })
          : undefined,
    })
    const run = await notarize({ service, inputs: { ...byRequest, ...inputs } })
    expect(endsOf(run)).toEqual({ 'dist/a': end })
    expect(trafficOf(service).join(', ')).toBe(`login, ${traffic}`)
    if (status !== null)
      expect(run.results.failures[0]?.message).toMatch(/409.*requested.*404.*never seen/)
  })

  it.each([402, 403])('that is refused with HTTP %d is not completed', async status => {
    const service = await startService({
      faults: [{ endpoint: 'request', fault: statusFault(status) }],
    })
    const run = await notarize({ service, inputs: { ...byRequest, ...given } })
    expect(endsOf(run)).toEqual({ 'dist/a': 'request-refused/no' })
    expect(trafficOf(service)).toEqual(['login', 'request a'])
  })

  it('is finished by the next run after one whose completions failed', async () => {
    const down = statusFault(503, { headers: { 'retry-after': '0' } })
    const service = await startService({ faults: [{ endpoint: 'completion', fault: down, to: 2 }] })
    const workspace = makeLetters('a')
    const first = await notarize({
      service,
      workspace,
      inputs: { ...byRequest, 'max-attempts': '2' },
    })
    expect(endsOf(first)).toEqual({ 'dist/a': 'unavailable/unknown' })
    expect(trafficOf(service)).toEqual(['login', 'request a', 'completion a', 'completion a'])
    const second = await notarize({ service, workspace, inputs: byRequest })
    expect(second.results.records).toMatchObject([{ maybeChargedAgain: true }])
  })
})

describe('verification-url', () => {
  const template = 'https://notary.example/verification/{hash}'
  const urlOf = (content: string): string => template.replace('{hash}', sha256(content))

  it('links registered artifacts in summary, records and new lines, and says where to look a hash up', async () => {
    const lost = statusFault(502, { headers: { 'retry-after': '0' } })
    const service = await startService({
      requested: 'any',
      faults: [{ endpoint: 'completion', hash: sha256('c'), fault: lost }],
    })
    const workspace = makeLetters('abc', [makeLine(service.url, 'a')])
    const inputs = { ...given, 'verification-url': template }
    const run = await notarize({ service, workspace, inputs })

    expect(run.results.records).toMatchObject([
      { from: 'records-file', verificationUrl: urlOf('a') },
      { from: 'this-run', verificationUrl: urlOf('b') },
    ])
    // The file is append-only: the line of the earlier run stays as it was.
    expect(readLines(run).map(({ verificationUrl }) => verificationUrl)).toEqual([
      undefined,
      urlOf('b'),
    ])
    for (const content of ['a', 'b', 'c']) expect(run.summary).toContain(`href="${urlOf(content)}"`)
    expect(run.visibleLog).toContain(urlOf('c'))
    expect(readSummary(run.summary).rows).toHaveLength(3)
    const without = await notarize({ service, workspace, inputs: given })
    expect(without.summary).not.toContain('verification/')
  })

  it('with {txId} is there for records that have one, and stays what the author wrote', async () => {
    const hostile = '"><img src=x>\r\n::error::x ../{hash}$&\u202e'
    const ids = ['TX_A', null, '', hostile]
    const service = await startService({
      requested: 'any',
      record: hash => ({ txId: ids[Array.from('abcd', sha256).indexOf(hash)] ?? null }),
    })
    const inputs = { ...given, 'verification-url': 'https://notary.example/{txId}?h={hash}' }
    const run = await notarize({ service, workspace: makeLetters('abcd'), inputs })
    expect(run.results.records?.map(({ verificationUrl }) => verificationUrl)).toEqual([
      `https://notary.example/TX_A?h=${sha256('a')}`,
      undefined,
      undefined,
      expect.stringMatching(/^https:\/\/notary\.example\/[^/?#"<>\\\s]+\?h=[0-9a-f]{64}$/),
    ])
  })
})
