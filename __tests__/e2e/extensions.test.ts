/**
 * The extensions of the service: the active subscription, the request before the completion, and the links for people.
 * What becomes of each answer is tested with the client; here is what the whole run makes of it.
 */
import { describe, expect, it } from '@jest/globals'
import {
  statusFault,
  type Endpoint,
  type Simulator,
  type SimulatorOptions,
} from '../../simulator/index.ts'
import { job } from '../support/runner-environment.ts'
import {
  endsOf,
  makeLetters,
  makeLine,
  makeRelease,
  notarize as notarizeAny,
  readLines,
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

const bodiesOf = ({ requests }: Simulator, wanted: Endpoint): readonly string[] =>
  requests.filter(({ endpoint }) => endpoint === wanted).map(({ bodyText }) => bodyText)

const active = { subscription: 'active' } as const
const byRequest = { 'request-registration': 'true' } as const
const given = { subscription: subscriptionText } as const
const silent = { error: [], warning: [], notice: [] }
const down = statusFault(503, { headers: { 'retry-after': '0' } })

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
    expect(retrieval?.headers).not.toHaveProperty('content-type')
    expect(trafficOf(service).slice(0, 2)).toEqual(['login', 'active-subscription'])
    expect(bodiesOf(service, 'completion')).toEqual(Array(8).fill(subscriptionText))
  })
})

it.each([active, byRequest])(
  'paymentId is compared with the subscription that was answered, whose secrets are kept: %j',
  async inputs => {
    const { sessionId, customer } = subscription
    const record = () => ({ paymentId: 'sub_other', description: `${sessionId} ${customer}` })
    const service = await startService({ requested: 'any', record })
    const run = await notarize({ service, inputs })
    expect(endsOf(run)).toEqual({ 'dist/a': 'record-mismatch/unknown' })
    const problems = [expect.stringMatching(/paymentId/)]
    expect(readLines(run)).toMatchObject([{ record: { description: '*** ***' }, problems }])
    expect(run.masks).toEqual(expect.arrayContaining([sessionId, customer]))
  },
)

describe('request-registration', () => {
  it('needs the key alone: each distinct hash is requested as documented, then completed', async () => {
    const service = await startService()
    const lines = [makeLine(service.url, 'k')]
    const workspace = makeRelease({ 'z.bin': 'a', 'b.bin': 'a', k: 'k', n: 'n' }, lines)
    const run = await notarize({ service, workspace, inputs: byRequest })

    expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 3 })
    expect(run.annotations).toEqual(silent)
    const pairs = ['request a', 'completion a', 'request n', 'completion n']
    expect(trafficOf(service)).toEqual(['login', ...pairs])
    expect(bodiesOf(service, 'completion')).toEqual([subscriptionText, subscriptionText])
    const [, request] = service.requests
    const path = '/api/v2/registration/?subscription=true'
    expect(request).toMatchObject({ method: 'POST', path })
    expect(JSON.parse(request?.bodyText ?? '')).toEqual({
      blockchainType: 'ALGORAND',
      custody: 'false',
      description: `dist/b.bin of ${job.repository} at ${job.ref}`,
      hash: sha256('a'),
      signed: 'false',
      status: 'not_registered',
    })
  })

  it.each<[string, inputs: object, faults: Partial<Record<Endpoint, number>>, string, string]>([
    ['409: the active data', {}, {}, 'registered', ', active-subscription, completion a'],
    ['409 and 404', given, { completion: 404 }, 'request-refused/no', ', completion a'],
    ['402', given, { request: 402 }, 'request-refused/no', ''],
    ['403', {}, { request: 403 }, 'request-refused/no', ''],
  ])('that is refused ends by what follows: %s', async (_, inputs, faults, end, traffic) => {
    const service = await startService({
      // It was requested before.
      requested: [sha256('a')],
      faults: ({ endpoint }) => {
        const status = faults[endpoint]
        return status === undefined ? undefined : statusFault(status)
      },
    })
    const run = await notarize({ service, inputs: { ...byRequest, ...inputs } })
    expect(endsOf(run)).toEqual({ 'dist/a': end })
    expect(trafficOf(service).join(', ')).toBe(`login, request a${traffic}`)
  })

  it('is finished by the next run after one whose completions failed', async () => {
    const service = await startService({ faults: [{ endpoint: 'completion', fault: down, to: 2 }] })
    const workspace = makeLetters('a')
    const inputs = { ...byRequest, 'max-attempts': '2' }
    const first = await notarize({ service, workspace, inputs })
    expect(endsOf(first)).toEqual({ 'dist/a': 'unavailable/unknown' })
    expect(trafficOf(service)).toEqual(['login', 'request a', 'completion a', 'completion a'])
    const second = await notarize({ service, workspace, inputs })
    expect(second.results.records).toMatchObject([{ maybeChargedAgain: true }])
  })
})

describe('verification-url', () => {
  const template = 'https://notary.example/verification/{hash}'
  const urlOf = (content: string): string => template.replace('{hash}', sha256(content))

  it('links artifacts in summary, records and new lines, and tells where to look a hash up', async () => {
    const faults = [{ endpoint: 'completion', hash: sha256('c'), fault: down } as const]
    const service = await startService({ requested: 'any', faults })
    const workspace = makeLetters('abc', [makeLine(service.url, 'a')])
    const inputs = { ...given, 'verification-url': template, 'max-attempts': '1' }
    const run = await notarize({ service, workspace, inputs })

    const urls = run.results.records?.map(({ verificationUrl }) => verificationUrl)
    expect(urls).toEqual([urlOf('a'), urlOf('b')])
    // The file is append-only: the line of the earlier run stays as it was.
    const kept = readLines(run).map(({ verificationUrl }) => verificationUrl)
    expect(kept).toEqual([undefined, urlOf('b')])
    for (const content of 'abc') expect(run.summary).toContain(`href="${urlOf(content)}"`)
    expect(run.visibleLog).toContain(urlOf('c'))
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
