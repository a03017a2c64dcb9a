/**
 * The extensions of the service: the active subscription, the request before the completion, the text of the request and
 * the links for people. Everything is off unless asked for. What becomes of each answer is tested beside the ways; here
 * is what the whole run makes of them.
 */
import { describe, expect, it } from '@jest/globals'
import { exampleFreeSubscription, rawFault, statusFault } from '../../simulator/index.ts'
import type {
  Endpoint,
  Fault,
  FaultRule,
  SeenRequest,
  Simulator,
  SimulatorOptions,
} from '../../simulator/index.ts'
import { runAction, startAction } from '../support/runner.ts'
import type { ActionRun, RunOptions } from '../support/runner.ts'
import { job } from '../support/runner-environment.ts'
import {
  API_KEY,
  checkEveryRun,
  makeLine,
  makeRelease,
  readLines,
  readOutputs,
  secretsOf,
  sha256,
  startService as startAnyService,
  subscription,
  subscriptionText,
  toJsonLines,
} from './support.ts'
import type { Outputs, RecordLine } from './support.ts'

/** A run that has passed the checks of every run. */
type Run = ActionRun & {
  readonly results: Outputs & { readonly records: NonNullable<Outputs['records']> }
  readonly recordLines: readonly RecordLine[]
}

/** Starts a service that knows nothing before it is asked, with the shared subscription as the active one. */
function startService(options: SimulatorOptions = {}): Promise<Simulator> {
  return startAnyService({ requested: [], activeSubscription: subscription, ...options })
}

/** One scenario: `path: dist`, the key, the service, one worker; everything else has its default. */
interface Scenario extends RunOptions {
  readonly service: Simulator
  /** Letters; each is the content of a file `dist/<letter>.bin`. Default: `a`. */
  readonly files?: string
  /** Beside those of the shared subscription. */
  readonly alsoSecret?: readonly string[]
}

function makeFiles(letters: string) {
  return makeRelease(Object.fromEntries(Array.from(letters, letter => [`${letter}.bin`, letter])))
}

function optionsOf({ service, files = 'a', inputs, ...options }: Scenario) {
  const { workspace = makeFiles(files) } = options
  const given = { 'api-key': API_KEY, 'base-url': service.url, path: 'dist', concurrency: '1' }
  return { ...options, workspace, inputs: { ...given, ...inputs } }
}

/** Runs the action and applies what holds for every run. */
async function notarize(scenario: Scenario): Promise<Run> {
  return check(await runAction(optionsOf(scenario)), scenario)
}

function check(run: ActionRun, { service, alsoSecret = [] }: Scenario): Run {
  checkEveryRun(run, secretsOf(service, alsoSecret))
  const results = readOutputs(run)
  const recordLines = readLines(run)
  return { ...run, results: { ...results, records: results.records ?? [] }, recordLines }
}

/** What the service saw, such as `completion a`, in order; a hash is shown by the content it belongs to. */
function trafficOf({ requests }: Pick<Simulator, 'requests'>): string[] {
  const names = new Map(Array.from('abcdefghij', letter => [sha256(letter), letter]))
  return requests.map(({ endpoint, hash }) =>
    hash === undefined ? endpoint : `${endpoint} ${names.get(hash) ?? hash}`,
  )
}

/** The traffic of registrations that are each requested, then completed. */
const pairs = (letters: string): string[] =>
  Array.from(letters, letter => [`request ${letter}`, `completion ${letter}`]).flat()

function seenBy(
  { requests }: Pick<Simulator, 'requests'>,
  endpoint: Endpoint,
): readonly SeenRequest[] {
  return requests.filter(request => request.endpoint === endpoint)
}

const bodiesOf = (service: Simulator, endpoint: Endpoint): string[] =>
  seenBy(service, endpoint).map(({ bodyText }) => bodyText)

/** Lets the service do what it is for. */
const honest = 'honest' as const
type Try = Fault | typeof honest

/** What each try at an endpoint meets, for one content or for all; the last stands for all further ones. */
function meets(endpoint: Endpoint, tries: readonly Try[], content?: string): readonly FaultRule[] {
  const hash = content === undefined ? {} : { hash: sha256(content) }
  return tries.flatMap((fault, index) => {
    const to = index + 1 === tries.length ? {} : { to: index + 1 }
    return fault === honest ? [] : [{ fault, endpoint, ...hash, from: index + 1, ...to }]
  })
}

/** A status that says to come back at once, where it is tried again. */
const status = (code: number, body: unknown = { error: `says ${code}` }): Fault =>
  statusFault(code, { body, headers: { 'retry-after': '0' } })

const busy = status(503)
const waitFor = (seconds: number): Fault =>
  statusFault(503, { headers: { 'retry-after': String(seconds) } })

const active = { subscription: 'active' } as const
const byRequest = { 'request-registration': 'true' } as const
const given = { subscription: subscriptionText } as const
const twice = { 'max-attempts': '2' } as const
const quiet = { error: [], warning: [], notice: [] }

const endOf = ({ code, registered }: Outputs['failures'][number]) => `${code}/${registered}`
const endsOf = ({ results }: Run): string[] => results.failures.map(endOf)

const headersOf = (service: Simulator, more: Readonly<Record<string, string>>) => ({
  accept: 'application/json',
  authorization: `Bearer ${service.tokens.at(-1) ?? ''}`,
  connection: 'keep-alive',
  host: new URL(service.url).host,
  'user-agent': 'notarize-release',
  ...more,
})

describe('subscription: active', () => {
  it('is retrieved once for all workers, by the token alone, and pays for every registration', async () => {
    const service = await startService({ requested: 'any', latencyMs: 30 })
    const inputs = { ...active, concurrency: '4' }
    const run = await notarize({ service, files: 'abcdefgh', inputs })

    expect(run.results.verdict).toBe('registered')
    const [, asked] = service.requests
    const path = '/api/v2/payment/subscription/active'
    expect(asked).toMatchObject({ method: 'GET', path, bodyText: '' })
    expect({ ...asked?.headers }).toEqual(headersOf(service, {}))
    const traffic = trafficOf(service)
    expect(traffic.slice(0, 2)).toEqual(['login', 'active-subscription'])
    expect(traffic.slice(2).toSorted()).toEqual(Array.from('abcdefgh', one => `completion ${one}`))
    expect(new Set(bodiesOf(service, 'completion'))).toEqual(
      new Set([JSON.stringify(subscription)]),
    )
    expect(service.maxInFlight).toBe(4)
    expect(run.annotations).toEqual(quiet)
  })

  it('has its secrets masked before they are used, and taken out of what the service echoes', async () => {
    const { sessionId, customer, defaultPaymentMethod, latestInvoice } = subscription
    let stdout = ''
    let masksAtCompletion = ''
    const service = await startService({
      requested: 'any',
      latencyMs: ({ endpoint }) => (endpoint === 'completion' ? 200 : 0),
      onFinished: ({ endpoint }) => {
        if (endpoint === 'completion') masksAtCompletion = stdout
      },
      record: () => ({
        description: `paid in ${sessionId}`,
        payload: { [customer]: [Buffer.from(latestInvoice).toString('base64')] },
      }),
    })
    const scenario = { service, inputs: active }
    const { child, finished } = startAction(optionsOf(scenario))
    child.stdout.on('data', (chunk: string) => (stdout += chunk))
    const { results, recordLines } = check(await finished, scenario)

    for (const secret of [sessionId, customer, defaultPaymentMethod, latestInvoice]) {
      expect(masksAtCompletion).toContain(`::add-mask::${secret}\n`)
    }
    const record = { description: 'paid in ***', payload: { '***': ['***'] } }
    expect(results.records).toMatchObject([{ record }])
    expect(recordLines[0]?.record).toEqual(results.records[0]?.record)
    expect(new Set(results.records[0]?.redacted)).toEqual(
      new Set(['/description', '/payload/***', '/payload/***/0']),
    )
  })

  it('never publishes an artifact that is named with one of its secrets', async () => {
    const service = await startService({ requested: 'any' })
    const workspace = makeRelease({ [`${subscription.customer}.bin`]: 'a' })
    const run = await runAction(optionsOf({ service, workspace, inputs: active }))
    const said = run.lines.filter(line => !line.startsWith('::add-mask::')).join('\n')
    const records = JSON.stringify(run.files.readRecords())
    for (const text of [said, run.summary, records, ...Object.values(run.outputs)]) {
      expect(text).not.toContain(subscription.customer)
    }
  })
})

describe.each([
  ['subscription: active', active],
  ['request-registration', byRequest],
])('%s', (_what, inputs) => {
  it('works on a free plan, with a notice that paymentId is not compared', async () => {
    const service = await startService({
      requested: 'any',
      activeSubscription: exampleFreeSubscription,
    })
    const alsoSecret = [exampleFreeSubscription.sessionId]
    const run = await notarize({ service, files: 'ab', inputs, alsoSecret })

    const record = { paymentId: null }
    expect(run.results.records).toMatchObject([{ record }, { record }])
    expect(run.masks).toEqual(expect.arrayContaining(alsoSecret))
    expect(run.annotations).toEqual({ ...quiet, notice: [expect.stringContaining('paymentId')] })
  })

  it('has paymentId compared with the id of the answered subscription', async () => {
    const record = () => ({ paymentId: 'sub_other' })
    const service = await startService({ requested: 'any', record })
    const run = await notarize({ service, inputs })
    expect(endsOf(run)).toEqual(['record-mismatch/unknown'])
    expect(run.recordLines[0]?.problems.join()).toContain('paymentId')
  })

  it('sends nothing in a dry run, beyond the limit, and when nothing is left', async () => {
    const service = await startService()
    const workspace = makeFiles('a')
    for (const more of [{ 'dry-run': 'true' }, { 'max-registrations': '0' }]) {
      const run = await notarize({ service, workspace, inputs: { ...inputs, ...more } })
      expect(run.results.verdict).toBe('dry-run' in more ? 'dry-run' : 'stopped')
    }
    workspace.write('notarization-records.jsonl', toJsonLines([makeLine(service.url, 'a')]))
    const run = await notarize({ service, workspace, inputs })
    expect(run.results.records).toMatchObject([{ from: 'records-file' }])
    expect(service.requests).toEqual([])
  })
})

/** Runs the action until a request for this endpoint was read, then cancels it; the answer comes all the same. */
async function cancelAt(
  endpoint: Endpoint,
  { faults, ...scenario }: Omit<Scenario, 'service'> & { readonly faults: readonly FaultRule[] },
): Promise<Run & { readonly service: Simulator }> {
  let cancel = (): void => undefined
  const service = await startService({
    faults,
    latencyMs: request => {
      if (request.endpoint !== endpoint) return 0
      cancel()
      return 500
    },
  })
  const whole = { ...scenario, service }
  const { child, finished } = startAction(optionsOf(whole))
  cancel = () => {
    child.kill('SIGINT')
  }
  const run = check(await finished, whole)
  expect(run.annotations.error).toEqual([expect.stringContaining('cancelled')])
  return { ...run, service }
}

describe('a cancel', () => {
  const refused = meets('request', [status(409)])
  const held = meets('active-subscription', [waitFor(50)])
  const neither = ['cancelled/no', 'cancelled/no']

  interface Row {
    readonly when: string
    readonly endpoint: Endpoint
    readonly faults?: readonly FaultRule[]
    readonly inputs?: Scenario['inputs']
    /** The outcomes of the artifacts that are not registered. */
    readonly ends?: readonly string[]
    /** After the login. */
    readonly traffic: string
  }
  const pending = meets('request', [waitFor(50)])

  it.each<Row>([
    { when: 'a registration is requested', endpoint: 'request', traffic: 'request a' },
    {
      when: 'a registration is completed, whose record is kept',
      ...{ endpoint: 'completion', ends: ['cancelled/no'], traffic: 'request a, completion a' },
    },
    {
      when: 'a request waits to be repeated',
      ...{ endpoint: 'request', faults: pending, traffic: 'request a' },
      ends: ['cancelled/unknown', 'cancelled/no'],
    },
    {
      when: 'the active subscription is to be asked for again, after a refusal',
      ...{ endpoint: 'active-subscription', faults: [...refused, ...held] },
      traffic: 'request a, active-subscription',
    },
    {
      when: 'the active subscription is asked for, though it arrives',
      ...{ endpoint: 'active-subscription', inputs: active, traffic: 'active-subscription' },
    },
  ])('sends nothing more while $when', async row => {
    const { endpoint, faults = [], inputs = byRequest, ends = neither, traffic } = row
    const run = await cancelAt(endpoint, { inputs, faults, files: 'ab' })
    expect(endsOf(run)).toEqual(ends)
    expect(run.recordLines).toHaveLength(2 - ends.length)
    expect(trafficOf(run.service).join(', ')).toBe(`login, ${traffic}`)
  })
})

const requestOf = (content: string, description: string) => ({
  blockchainType: 'ALGORAND',
  custody: 'false',
  description,
  hash: sha256(content),
  signed: 'false',
  status: 'not_registered',
})

describe('request-registration', () => {
  it('needs the key alone: each registration is requested as documented, and completed with the answer', async () => {
    const service = await startService()
    const run = await notarize({ service, files: 'abc', inputs: byRequest })

    expect(run.results.verdict).toBe('registered')
    expect(trafficOf(service)).toEqual(['login', ...pairs('abc')])
    const paid = JSON.stringify(subscription)
    expect(bodiesOf(service, 'completion')).toEqual([paid, paid, paid])
    const [request] = seenBy(service, 'request')
    const path = '/api/v2/registration/?subscription=true'
    expect(request).toMatchObject({ method: 'POST', path })
    const { bodyText = '' } = request ?? {}
    const description = `dist/a.bin of ${job.repository} at ${job.ref}`
    expect(JSON.parse(bodyText)).toEqual(requestOf('a', description))
    const length = String(Buffer.byteLength(bodyText))
    expect({ ...request?.headers }).toEqual(
      headersOf(service, { 'content-length': length, 'content-type': 'application/json' }),
    )
    expect(run.annotations).toEqual(quiet)
  })

  it('requests each distinct hash that is left once, under its first name', async () => {
    const service = await startService()
    const workspace = makeRelease({ 'z.bin': 'a', 'b.bin': 'a', 'k.bin': 'k', 'n.bin': 'n' })
    workspace.write('notarization-records.jsonl', toJsonLines([makeLine(service.url, 'k')]))
    const inputs = { ...byRequest, description: '{artifact}' }
    const run = await notarize({ service, workspace, inputs })

    expect(run.results.records).toHaveLength(4)
    expect(bodiesOf(service, 'request').map((text): unknown => JSON.parse(text))).toEqual([
      ...[requestOf('a', 'dist/b.bin'), requestOf('n', 'dist/n.bin')],
    ])
  })

  it('makes request and completion of one artifact the work of one worker, and keeps the secrets of each answer', async () => {
    const sessionOf = (hash: string): string => `cs_of_${hash.slice(0, 16)}`
    const letters = 'abcdefghij'
    const service = await startService({
      latencyMs: 60,
      faults: ({ endpoint, hash = '' }) => {
        const text = JSON.stringify({ ...subscription, sessionId: sessionOf(hash) })
        return endpoint === 'request' ? rawFault(text, { effect: 'after' }) : undefined
      },
      record: hash => ({
        payload: `${sessionOf(hash)}, ${subscription.customer}`,
      }),
    })
    const alsoSecret = Array.from(letters, letter => sessionOf(sha256(letter)))
    const inputs = { ...byRequest, concurrency: '3' }
    const run = await notarize({ service, files: letters, alsoSecret, inputs })

    expect(run.masks).toEqual(expect.arrayContaining(alsoSecret))
    expect(
      run.results.records.map(({ record, redacted }) => [record['payload'], redacted]),
    ).toEqual(Array.from(letters, () => ['***, ***', ['/payload']]))
    for (const { bodyText, hash = '' } of seenBy(service, 'completion')) {
      expect(JSON.parse(bodyText)).toMatchObject({ sessionId: sessionOf(hash) })
    }

    const traffic = trafficOf(service).slice(1)
    const requestsUpTo = (at: number): number =>
      traffic.slice(0, at + 1).filter(step => step.startsWith('request')).length
    // Requested, and not yet completed.
    expect(Math.max(...traffic.keys().map(at => 2 * requestsUpTo(at) - at - 1))).toBe(3)
    for (const [letter, steps] of Map.groupBy(traffic, text => text.at(-1) ?? '')) {
      expect(steps).toEqual(pairs(letter))
    }
    expect(service.maxConnections).toBeLessThanOrEqual(4)
  })

  describe('that is refused', () => {
    it('as is its completion, is request-refused by both answers', async () => {
      const faults = [
        ...meets('request', [status(409, { error: 'seen before' })]),
        ...meets('completion', [status(404, { error: 'never seen' })]),
      ]
      const service = await startService({ faults })
      const run = await notarize({ service, files: 'abcdef', inputs: { ...byRequest, ...given } })

      // All six were tried: such a refusal speaks of one artifact alone.
      expect(trafficOf(service)).toEqual(['login', ...pairs('abcdef')])
      expect(new Set(endsOf(run))).toEqual(new Set(['request-refused/no']))
      const answers = /HTTP 409: "seen before".*HTTP 404: "never seen"/
      for (const { message } of run.results.failures) expect(message).toMatch(answers)
      expect(run.annotations.error).toEqual([expect.stringMatching(answers)])
      expect(run.summary).toContain('request-refused')
    })

    it('is finished by the next run, after one whose completions all failed', async () => {
      const service = await startService({ faults: meets('completion', [busy, busy, honest]) })
      const workspace = makeFiles('a')
      const first = await notarize({ service, workspace, inputs: { ...byRequest, ...twice } })
      expect(endsOf(first)).toEqual(['unavailable/unknown'])
      const second = await notarize({ service, workspace, inputs: byRequest })
      expect(second.results.records).toMatchObject([{ unansweredTries: 2 }])
      expect(trafficOf(service).slice(4)).toEqual([
        ...['login', 'request a', 'active-subscription', 'completion a'],
      ])
      expect(service.requestCounts).toEqual(new Map([[sha256('a'), 1]]))
    })

    it('shows no secret that the service says about it', async () => {
      const error = `${API_KEY} and ${subscription.sessionId} and \n::error::x ##[error]y <b>z`
      const faults = [
        ...meets('request', [status(409, { error })], 'b'),
        ...meets('completion', [status(404, { error })]),
      ]
      const service = await startService({ faults })
      const run = await notarize({ service, files: 'ab', inputs: byRequest })
      expect(endsOf(run)).toEqual(['refused/no', 'request-refused/no'])
      for (const { message } of run.results.failures) expect(message).toContain('*** and *** and')
    })
  })
})

describe('description', () => {
  it('has its default when it is empty, with nothing for what the job does not say', async () => {
    const service = await startService()
    const env = { GITHUB_REPOSITORY: undefined, GITHUB_REF: '' }
    const inputs = { ...byRequest, description: '  ' }
    const run = await runAction(optionsOf({ service, env, inputs }))
    expect(run.outputs['verdict']).toBe('registered')
    const [text = ''] = bodiesOf(service, 'request')
    expect(JSON.parse(text)).toEqual(requestOf('a', 'dist/a.bin of  at '))
  })
})

describe('verification-url', () => {
  const TEMPLATE = 'https://notary.example/verification/{hash}'
  const urlOf = (content: string, template = TEMPLATE): string =>
    template.replace('{hash}', sha256(content))

  /** The hashes of a summary that are links, each with where it leads. */
  const linksOf = (summary: string): string[][] =>
    [
      ...summary.matchAll(
        /<td><a href="([^"]*)"><code title="([0-9a-f]{64})">[0-9a-f<>wbr]+<\/code><\/a><\/td>/g,
      ),
    ].map(([, url = '', hash = '']) => [hash, url])

  it('links each registered artifact, now or before, in the summary, in records and in new lines', async () => {
    const faults = meets('completion', [status(404)], 'c')
    const service = await startService({ requested: 'any', faults })
    const workspace = makeFiles('abc')
    workspace.write('notarization-records.jsonl', toJsonLines([makeLine(service.url, 'a')]))
    const inputs = { ...given, 'verification-url': TEMPLATE }
    const { results, recordLines, summary } = await notarize({ service, workspace, inputs })

    expect(results.records).toMatchObject([
      { from: 'records-file', verificationUrl: urlOf('a') },
      { from: 'this-run', verificationUrl: urlOf('b') },
    ])
    // The file is append-only: the line of the earlier run stays as it was.
    expect(recordLines.map(({ verificationUrl }) => verificationUrl)).toEqual([
      ...[undefined, urlOf('b')],
    ])
    expect(linksOf(summary)).toEqual(['a', 'b'].map(text => [sha256(text), urlOf(text)]))

    // What a line has is of no account later: the input of the run is.
    const template = 'https://other.example/?h={hash}'
    const again = { ...given, 'verification-url': template }
    const later = await notarize({ service, workspace, inputs: again })
    const without = await notarize({ service, workspace, inputs: given })
    expect(later.results.records.map(({ verificationUrl }) => verificationUrl)).toEqual([
      ...[urlOf('a', template), urlOf('b', template)],
    ])
    expect(without.results.records.filter(entry => 'verificationUrl' in entry)).toEqual([])
    expect(linksOf(without.summary)).toEqual([])
    expect(service.completionCounts.size).toBe(1)
  })

  it('with {txId} is there for records that have one, and stays what the author wrote', async () => {
    const hostile = '"><img src=x>\r\n::error::x ../{hash}$&\u202e'
    const ids = ['TX_A', null, '', hostile, 'x'.repeat(5000)]
    const service = await startService({
      requested: 'any',
      record: hash => ({ txId: ids[Array.from('abcde', sha256).indexOf(hash)] ?? null }),
    })
    const inputs = { ...given, 'verification-url': 'https://notary.example/{txId}?h={hash}' }
    const { results, recordLines, summary } = await notarize({ service, files: 'abcde', inputs })

    const urls = results.records.map(({ verificationUrl }) => verificationUrl)
    expect(urls).toEqual([
      `https://notary.example/TX_A?h=${sha256('a')}`,
      ...[undefined, undefined],
      expect.stringMatching(/^https:\/\/notary\.example\/[^/?#"<>\\\s]+\?h=[0-9a-f]{64}$/),
      undefined,
    ])
    expect(recordLines.map(({ verificationUrl }) => verificationUrl)).toEqual(urls)
    expect(linksOf(summary)).toHaveLength(2)
  })

  it.each(['verification-url', 'description'])(
    'publishes no secret that its author wrote into it, nor does a description: %s',
    async name => {
      const service = await startService({ requested: 'any' })
      const inputs = { ...given, ...byRequest, [name]: `${TEMPLATE}?key=${API_KEY}` }
      const run = await notarize({ service, inputs })
      expect(run.annotations.error).toEqual([expect.stringMatching(`^input "${name}"`)])
      expect(service.requests).toEqual([])
    },
  )
})
