/**
 * The extensions of the service: the active subscription, the request before the completion, and the links for people.
 * What becomes of each answer is tested with the client; here is what the whole run makes of it.
 */
import { expect, it } from '@jest/globals'
import { statusFault, type Endpoint, type Simulator } from '../../simulator/index.ts'
import {
  makeLetters,
  makeLine,
  makeRelease,
  notarize,
  readLines,
  sha256,
  startService,
  subscription,
  subscriptionText,
  trafficOf,
} from './support.ts'

const bodiesOf = ({ requests }: Simulator, wanted: Endpoint): readonly string[] =>
  requests.filter(({ endpoint }) => endpoint === wanted).map(({ bodyText }) => bodyText)

const silent = { error: [], warning: [], notice: [] }

it('the active subscription is retrieved once for all workers, and pays for every registration', async () => {
  const service = await startService({ activeSubscription: subscription, latencyMs: 30 })
  const inputs = { subscription: 'active' }
  const run = await notarize({ service, workspace: makeLetters('abcdefgh'), inputs })
  expect(run.results.verdict).toBe('registered')
  expect(run.annotations).toEqual(silent)
  expect(trafficOf(service).slice(0, 2)).toEqual(['login', 'active-subscription'])
  expect(service.requests[1]?.headers).not.toHaveProperty('content-type')
  expect(bodiesOf(service, 'completion')).toEqual(Array(8).fill(subscriptionText))
})

it('request-registration needs the key alone: each distinct hash is requested, then completed', async () => {
  const service = await startService({ requested: [], activeSubscription: subscription })
  const files = { 'z.bin': 'a', 'b.bin': 'a', k: 'k', n: 'n' }
  const workspace = makeRelease(files, [makeLine(service.url, 'k')])
  const inputs = { subscription: '', concurrency: '1', 'request-registration': 'true' }
  const run = await notarize({ service, workspace, inputs })
  expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 3 })
  expect(run.annotations).toEqual(silent)
  const pairs = ['request a', 'completion a', 'request n', 'completion n']
  expect(trafficOf(service)).toEqual(['login', ...pairs])
  expect(bodiesOf(service, 'completion')).toEqual([subscriptionText, subscriptionText])
})

it('verification-url links artifacts in summary, records and new lines, and tells where to look a hash up', async () => {
  const fault = statusFault(503)
  const service = await startService({ faults: [{ hash: sha256('c'), fault }] })
  const workspace = makeLetters('abc', [makeLine(service.url, 'a')])
  const template = 'https://notary.example/verification/{hash}'
  const inputs = { 'verification-url': template, 'max-attempts': '1' }
  const run = await notarize({ service, workspace, inputs })
  const urlOf = (content: string): string => template.replace('{hash}', sha256(content))
  const urls = run.results.records?.map(({ verificationUrl }) => verificationUrl)
  expect(urls).toEqual([urlOf('a'), urlOf('b')])
  // The file is append-only: the line of the earlier run stays as it was.
  const kept = readLines(run).map(({ verificationUrl }) => verificationUrl)
  expect(kept).toEqual([undefined, urlOf('b')])
  for (const content of 'abc') expect(run.summary).toContain(`href="${urlOf(content)}"`)
  expect(run.visibleLog).toContain(urlOf('c'))
})
