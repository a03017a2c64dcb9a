/** Secrets that the service gives away, or that the job has in odd places: none comes out but in `::add-mask::` lines. */
import { describe, expect, it } from '@jest/globals'
import {
  rawFault,
  redirectFault,
  statusFault,
  type Fault,
  type Simulator,
} from '../../simulator/index.ts'
import { formsOf } from '../support/finished-run.ts'
import {
  API_KEY,
  makeRelease,
  notarize,
  readLines,
  secretsOf,
  sha256,
  startService,
  subscription,
  type CheckedRun,
} from './support.ts'

const debugging = { RUNNER_DEBUG: '1', ACTIONS_STEP_DEBUG: 'true' }

/** Each secret in each form, within other text. */
const echoesOf = (secrets: readonly string[]): string =>
  secrets.flatMap(secret => [...formsOf(secret), btoa(`{"key":"${secret}"}`)]).join(' ')

/** No part of a secret that is long enough to be of use may be seen; whole ones are looked for in every run. */
function expectNoPart(run: CheckedRun, secrets: readonly string[]): void {
  const parts = secrets.flatMap(secret =>
    Array.from({ length: Math.max(0, secret.length - 11) }, (_, at) => secret.slice(at, at + 12)),
  )
  const said = run.lines.filter(line => !line.startsWith('::add-mask::'))
  const text = [...said, run.summary, ...Object.values(run.outputs)].join('\n')
  expect(parts.filter(part => text.includes(part))).toEqual([])
}

const makeCounted = (count: number) =>
  makeRelease(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`, `${at}`])))

describe('a secret that the service echoes', () => {
  const answers: readonly ((text: string) => Fault)[] = [
    text => statusFault(404, { body: { error: text, [text]: text } }),
    text => statusFault(400, { body: text }),
    text => statusFault(403, { body: `<p>${text}` }),
    text => statusFault(501, { body: { message: text } }),
    text => rawFault(JSON.stringify([text])),
    text => redirectFault(`https://evil.example/?${encodeURIComponent(text)}`),
    text =>
      statusFault(503, { headers: { 'retry-after': encodeURIComponent(text.slice(0, 2000)) } }),
  ]

  it('is not shown, whatever the answer', async () => {
    const service: Simulator = await startService({
      faults: ({ endpoint, nthOfEndpoint }) =>
        endpoint === 'completion'
          ? answers[nthOfEndpoint % answers.length]?.(echoesOf(secretsOf(service)))
          : undefined,
    })
    const inputs = { 'max-attempts': '1' }
    const run = await notarize({ service, workspace: makeCounted(18), env: debugging, inputs })
    expect(run.results.verdict).toBe('failed')
    expectNoPart(run, secretsOf(service))
  })

  it.each([401, 404, 501])('is not shown in the answer to a login: HTTP %d', async status => {
    const error = echoesOf([API_KEY, subscription.sessionId])
    const fault = statusFault(status, { body: { error, message: 'nothing of a login' } })
    const service = await startService({ faults: [{ endpoint: 'login', fault }] })
    const run = await notarize({ service, env: debugging })
    expect(run.results.verdict).toBe('failed')
    expectNoPart(run, [...secretsOf(service), 'nothing of a login'])
  })

  it('is not shown in part where a text is cut', async () => {
    const paddings = [0, 40, 80, 150, 170, 180, 185, 190, 195, 199, 240, 380, 980]
    const textFor = (hash = ''): string => {
      const at = paddings.findIndex((_, index) => sha256(`${index}`) === hash)
      const secrets = secretsOf(service)
      return `${'x '.repeat((paddings[at] ?? 0) / 2)}${secrets[at % secrets.length] ?? ''}`
    }
    const service: Simulator = await startService({
      faults: ({ endpoint, hash, nthOfEndpoint }) =>
        endpoint === 'completion' && nthOfEndpoint % 2 === 0
          ? statusFault(404, { body: { error: textFor(hash) } })
          : undefined,
      record: hash => ({ status: textFor(hash), hash: textFor(hash) }),
    })
    const run = await notarize({ service, workspace: makeCounted(paddings.length) })
    expect(run.results.failures).toHaveLength(paddings.length)
    expectNoPart(run, secretsOf(service))
  })

  it('in a record is replaced in values, names and depths, and each place is listed', async () => {
    const forms = formsOf(subscription.sessionId)
    const service: Simulator = await startService({
      record: () => ({
        description: `by ${subscription.customer} with ${API_KEY}`,
        signer: `a ${service.tokens.at(-1) ?? ''} b`,
        tags: ['fine', subscription.latestInvoice, { deep: [subscription.defaultPaymentMethod] }],
        payload: {
          [`key/${subscription.customer}~`]: 'fine',
          forms,
          spared: [subscription.id, subscription.planId, subscription.userId],
        },
        [subscription.sessionId]: { [API_KEY]: subscription.customer },
      }),
    })
    const workspace = makeRelease({ a: 'a' })
    const pointers = ['/description', '/signer', '/tags/1', '/tags/2/deep/0']
    pointers.push('/payload/key~1***~0', '/***', '/***/***')
    pointers.push(...forms.map((_, index) => `/payload/forms/${index}`))

    for (const from of ['this-run', 'records-file']) {
      const run = await notarize({ service, workspace, env: debugging })
      const [entry] = run.results.records ?? []
      expect(entry).toMatchObject({
        from,
        record: {
          description: 'by *** with ***',
          signer: 'a *** b',
          tags: ['fine', '***', { deep: ['***'] }],
          payload: {
            'key/***~': 'fine',
            spared: [subscription.id, subscription.planId, subscription.userId],
          },
          '***': { '***': '***' },
        },
      })
      expect(new Set(entry?.redacted)).toEqual(new Set(pointers))
      const { record, redacted } = entry ?? {}
      expect(readLines(run)).toMatchObject([{ record, redacted }])
      expectNoPart(run, secretsOf(service))
    }
  })
})

it('words of a refusal that look like keys are not shown, whoever they belong to', async () => {
  const error = 'no plan for 4f9d2c7b1a6e or abcdefghijklmnopqrstuvwxyz, sorry'
  const service = await startService({
    faults: [{ endpoint: 'completion', fault: statusFault(404, { body: { error } }) }],
  })
  const run = await notarize({ service })
  expect(run.results.failures[0]?.message).toContain('no plan for *** or ***')
})

it.each(['description', 'verification-url', 'name of a file'])(
  'a secret in the %s is not shown',
  async place => {
    const service = await startService({ requested: [], activeSubscription: subscription })
    const inputs: Record<string, string> = { 'request-registration': 'true' }
    const name = place === 'name of a file' ? `a-${subscription.customer}` : 'a'
    if (place === 'description') inputs['description'] = `for ${API_KEY}`
    if (place === 'verification-url') inputs[place] = `https://x.example/{hash}?key=${API_KEY}`
    const run = await notarize({
      service,
      workspace: makeRelease({ [name]: 'a' }),
      inputs,
      mustFail: false,
    })
    expectNoPart(run, secretsOf(service))
  },
)

it('a secret that equals what belongs to the record stays readable there', async () => {
  const service = await startService()
  const data = { ...subscription, customer: subscription.id }
  const startedWith = { 'base-url': service.url, subscription: JSON.stringify(data) }
  const run = await notarize({ service, inputs: startedWith })
  expect(run.results.records?.[0]?.record['paymentId']).toBe(subscription.id)
})
