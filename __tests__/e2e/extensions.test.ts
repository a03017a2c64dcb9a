/**
 * The extensions of the service: the active subscription, the request before the completion, the text of the request and
 * the links for people. Everything is off unless asked for.
 */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import {
  exampleFreeSubscription,
  hugeFault,
  rawFault,
  redirectFault,
  resetFault,
  silenceFault,
  statusFault,
  trickleFault,
} from '../../simulator/index.ts'
import type {
  AnsweredRecord,
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
  secretsOf,
  sha256,
  startService as startAnyService,
  subscription,
  subscriptionText,
  toJsonLines,
} from './support.ts'

const json = z.string().transform((text): unknown => JSON.parse(text))

const resultsSchema = z.looseObject({
  verdict: z.string(),
  records: json.pipe(
    z.array(
      z.looseObject({
        artifact: z.string(),
        hash: z.string(),
        from: z.string(),
        record: z.record(z.string(), z.unknown()),
        redacted: z.array(z.string()).optional(),
        verificationUrl: z.string().optional(),
      }),
    ),
  ),
  failures: json.pipe(
    z.array(
      z.looseObject({
        artifact: z.string(),
        hash: z.string(),
        code: z.string(),
        registered: z.string(),
        message: z.string(),
      }),
    ),
  ),
})

type Results = z.infer<typeof resultsSchema>
type Failure = Results['failures'][number]

const lineSchema = z.looseObject({
  hash: z.string(),
  record: z.record(z.string(), z.unknown()),
  verificationUrl: z.string().optional(),
  problems: z.array(z.string()),
})

/** A run that has passed the checks of every run. */
type Run = ActionRun & {
  readonly results: Results
  readonly recordLines: readonly z.infer<typeof lineSchema>[]
}

/** Starts a service that knows nothing before it is asked, with the shared subscription as the active one. */
function startService(options: SimulatorOptions = {}): Promise<Simulator> {
  return startAnyService({ requested: [], activeSubscription: subscription, ...options })
}

/** One scenario: `path: dist`, the key, the service, one worker; everything else has its default. */
interface Scenario extends RunOptions {
  readonly service: Simulator
  /** Below `dist`. Default: one file. */
  readonly files?: Readonly<Record<string, string>>
  /** Beside those of the shared subscription. */
  readonly alsoSecret?: readonly string[]
}

function optionsOf({ service, files = { 'a.bin': 'a' }, inputs, ...options }: Scenario) {
  const { workspace = makeRelease(files) } = options
  const given = { 'api-key': API_KEY, 'base-url': service.url, path: 'dist', concurrency: '1' }
  return { ...options, workspace, inputs: { ...given, ...inputs } }
}

/** Runs the action and applies what holds for every run. */
async function notarize(scenario: Scenario): Promise<Run> {
  return check(await runAction(optionsOf(scenario)), scenario)
}

function check(run: ActionRun, { service, alsoSecret = [] }: Scenario): Run {
  const full = Object.entries(run.outputs).filter(([, value]) => value !== '')
  expect(run.jobOutputs).toEqual(Object.fromEntries(full))
  checkEveryRun(withoutExtensions(run), secretsOf(service, alsoSecret))
  const recordLines = run.files.readRecords().map(line => lineSchema.parse(line))
  return { ...run, results: resultsSchema.parse(run.outputs), recordLines }
}

/** The run without what only extensions add: the checks of every run hold for the rest of it. */
function withoutExtensions(run: ActionRun): ActionRun {
  const without = (value: unknown): string =>
    JSON.stringify(value, (key, field: unknown) => {
      if (key === 'verificationUrl') return undefined
      return key === 'code' && field === 'request-refused' ? 'refused' : field
    })
  const { records = '[]', failures = '[]', 'records-path': recordsPath = '' } = run.outputs
  const text = run.files.readRecords().map(line => `${without(line)}\n`)
  // Beside the real one, which is looked through for secrets all the same.
  const copy = join(run.workspace.temp, 'records-without-extensions.jsonl')
  if (text.length > 0) writeFileSync(copy, text.join(''))
  const outputs = {
    ...run.outputs,
    records: without(JSON.parse(records)),
    failures: without(JSON.parse(failures)),
    'records-path': text.length > 0 ? copy : recordsPath,
  }
  const full = Object.entries(outputs).filter(([, value]) => value !== '')
  return { ...run, outputs, jobOutputs: Object.fromEntries(full) }
}

/** What the service saw, such as `completion a`, in order; a hash is shown by the content it belongs to. */
function trafficOf({ requests }: Pick<Simulator, 'requests'>): string[] {
  const contents = 'abcdefghijklmnopqrstuvwxyz'.split('')
  const names = new Map(contents.map(content => [sha256(content), content]))
  return requests.map(({ endpoint, hash }) =>
    hash === undefined ? endpoint : `${endpoint} ${names.get(hash) ?? hash}`,
  )
}

function seenBy(
  { requests }: Pick<Simulator, 'requests'>,
  endpoint: Endpoint,
): readonly SeenRequest[] {
  return requests.filter(request => request.endpoint === endpoint)
}

/** Files whose contents are these letters. */
function filesOf(letters: string): Readonly<Record<string, string>> {
  return Object.fromEntries(letters.split('').map(letter => [`${letter}.bin`, letter]))
}

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

/** A server that nobody may speak to: redirects point at it. */
let trapConnections = 0
const trap = createServer(socket => {
  trapConnections += 1
  socket.destroy()
})
trap.listen(0, '127.0.0.1')
await once(trap, 'listening')
const trapAddress = trap.address()
const trapPort = typeof trapAddress === 'object' && trapAddress !== null ? trapAddress.port : 0
const elsewhere = redirectFault(`http://127.0.0.1:${trapPort}/`)

afterAll(() => {
  trap.close()
})

const active = { subscription: 'active' } as const
const byRequest = { 'request-registration': 'true' } as const
const twice = { 'max-attempts': '2' } as const

const failuresOf = ({ results }: Run): unknown[] =>
  results.failures.map(({ code, registered }) => [code, registered])

const headersOf = (service: Simulator, more: Readonly<Record<string, string>>) => ({
  accept: 'application/json',
  authorization: `Bearer ${service.tokens.at(-1) ?? ''}`,
  connection: 'keep-alive',
  host: new URL(service.url).host,
  'user-agent': 'notarize-release',
  ...more,
})

describe('subscription: active', () => {
  it('is retrieved once for all workers, after the login, and pays for every registration', async () => {
    const service = await startService({ requested: 'any', latencyMs: 30 })
    const run = await notarize({
      service,
      files: filesOf('abcdefgh'),
      inputs: { ...active, concurrency: '4' },
    })

    expect(run.results.verdict).toBe('registered')
    expect(service.registered.size).toBe(8)
    expect(service.requests.slice(0, 2).map(({ endpoint }) => endpoint)).toEqual([
      'login',
      'active-subscription',
    ])
    expect(seenBy(service, 'completion')).toHaveLength(8)
    expect(service.requests).toHaveLength(10)
    expect(new Set(seenBy(service, 'completion').map(({ bodyText }) => bodyText))).toEqual(
      new Set([JSON.stringify(subscription)]),
    )
    expect(service.maxInFlight).toBe(4)
    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
  })

  it('is asked for with the token and nothing else', async () => {
    const service = await startService({ requested: 'any' })
    await notarize({ service, inputs: active })

    const [, asked] = service.requests
    expect(asked).toMatchObject({
      method: 'GET',
      path: '/api/v2/payment/subscription/active',
      bodyText: '',
    })
    expect({ ...asked?.headers }).toEqual(headersOf(service, {}))
  })

  it('is sent as it was answered, unknown fields and large numbers included, custumer as customer', async () => {
    const service = await startService({
      requested: 'any',
      missingFields: 'accept',
      faults: (request): Fault | undefined =>
        request.endpoint === 'active-subscription' ? rawFault(answers.shift() ?? '') : undefined,
    })
    const { customer, ...rest } = subscription
    const text = ` {"beyond":12345678901234567890, "a": {"b":[1.50]},\n${JSON.stringify(rest).slice(1)}`
    const answers = [text, JSON.stringify({ ...rest, custumer: customer })]

    await notarize({ service, inputs: active, files: filesOf('a') })
    await notarize({ service, inputs: active, files: filesOf('b') })
    const [first, second] = seenBy(service, 'completion').map(({ bodyText }) => bodyText)
    expect(first?.trim()).toBe(text.trim())
    expect(JSON.parse(second ?? '')).toEqual({ ...rest, customer })
  })

  it('has its secrets masked before they are used', async () => {
    const service = await startService({
      requested: 'any',
      latencyMs: ({ endpoint }) => (endpoint === 'completion' ? 200 : 0),
      onFinished: ({ endpoint }) => {
        if (endpoint === 'completion') masksAtCompletion = stdout
      },
    })
    let stdout = ''
    let masksAtCompletion = ''
    const scenario = { service, inputs: active }
    const { child, finished } = startAction(optionsOf(scenario))
    child.stdout.on('data', (chunk: string) => (stdout += chunk))
    const run = check(await finished, scenario)

    expect(run.results.verdict).toBe('registered')
    const { sessionId, customer, defaultPaymentMethod, latestInvoice } = subscription
    for (const secret of [sessionId, customer, defaultPaymentMethod, latestInvoice]) {
      expect(run.masks).toContain(secret)
      expect(masksAtCompletion).toContain(`::add-mask::${secret}\n`)
    }
  })

  it('has its secrets taken out of what the service echoes', async () => {
    const { sessionId, customer, latestInvoice } = subscription
    const service = await startService({
      requested: 'any',
      record: () => ({
        description: `paid in ${sessionId}`,
        payload: { [customer]: [Buffer.from(latestInvoice).toString('base64')] },
      }),
    })
    const { results, recordLines } = await notarize({ service, inputs: active })

    expect(results.records).toMatchObject([
      { record: { description: 'paid in ***', payload: { '***': ['***'] } } },
    ])
    expect(results.records[0]?.redacted).toEqual(
      expect.arrayContaining(['/description', '/payload/***', '/payload/***/0']),
    )
    expect(recordLines[0]?.record).toEqual(results.records[0]?.record)
  })

  const broken = {
    ...subscription,
    ...{ planNickname: undefined, created: undefined, status: 'past_due', canceledAt: 1 },
    currentPeriodEnd: 1_700_000_001,
  }

  it('gets the warnings that a given one gets, each once', async () => {
    const given = await startService({ requested: 'any', missingFields: 'accept' })
    const answered = await startService({
      ...{ requested: 'any', missingFields: 'accept', activeSubscription: broken },
    })
    const files = filesOf('abc')
    const [one, other] = [
      await notarize({ service: given, files, inputs: { subscription: JSON.stringify(broken) } }),
      await notarize({ service: answered, files, inputs: active }),
    ]

    expect(other.results.verdict).toBe('registered')
    const told = one.annotations.warning.map(text => text.replace('input "subscription" ', ''))
    expect(told).toHaveLength(4)
    expect(other.annotations.warning).toHaveLength(4)
    for (const [index, text] of told.entries()) {
      expect(other.annotations.warning[index]?.endsWith(text)).toBe(true)
    }
  })

  it('gets the notice that a given one gets when it has no id, and no warning, on a free plan', async () => {
    const service = await startService({
      ...{ requested: 'any', plan: 'free', activeSubscription: {} },
    })
    const run = await notarize({
      service,
      inputs: active,
      alsoSecret: [exampleFreeSubscription.sessionId],
    })

    expect(run.results.records).toMatchObject([{ record: { paymentId: null } }])
    expect(run.masks).toContain(exampleFreeSubscription.sessionId)
    expect(run.annotations.warning).toEqual([])
    expect(run.annotations.notice).toEqual([expect.stringContaining('paymentId')])
  })

  it('has its id held against the paymentId of each record', async () => {
    const service = await startService({
      requested: 'any',
      record: () => ({ paymentId: 'sub_other' }),
    })
    const run = await notarize({ service, inputs: active })
    expect(failuresOf(run)).toEqual([['record-mismatch', 'unknown']])
  })

  it('is refused with the words that a given one of wrong types is, and nothing more is sent', async () => {
    const wrong = {
      ...subscription,
      ...{ sessionId: { value: subscription.sessionId }, id: 7, userId: '471100', planId: null },
      ...{ status: true, created: 'now', canceledAt: 'never', customer: [subscription.customer] },
    }
    const given = await startService()
    const answered = await startService({ activeSubscription: wrong })
    const files = filesOf('abc')
    const one = await notarize({
      ...{ service: given, files, inputs: { subscription: JSON.stringify(wrong) } },
    })
    const other = await notarize({ service: answered, files, inputs: active })

    expect(one.results.verdict).toBe('stopped')
    const told = one.annotations.error.join('').replace('input "subscription" ', '')
    for (const field of [
      'sessionId',
      'id',
      'userId',
      'planId',
      'status',
      'created',
      'canceledAt',
    ]) {
      expect(told).toContain(` ${field}: `)
    }
    expect(failuresOf(other)).toEqual(Array.from({ length: 3 }, () => ['invalid-response', 'no']))
    for (const { message } of other.results.failures) expect(message).toContain(told)
    expect(trafficOf(answered)).toEqual(['login', 'active-subscription'])
  })

  interface Row {
    readonly fault: string
    readonly tries: readonly Try[]
    readonly code: string
    readonly requests: number
    /** Part of the message. */
    readonly says: string
  }

  const rows: readonly Row[] = [
    ...[402, 404, 422].map(code => ({
      fault: `HTTP ${code}`,
      tries: [status(code), honest],
      ...{ code: 'refused', requests: 1, says: `HTTP ${code}: "says ${code}"` },
    })),
    ...[429, 503].map(code => ({
      fault: `HTTP ${code}`,
      tries: [status(code)],
      ...{ code: 'unavailable', requests: 2, says: `HTTP ${code}` },
    })),
    {
      fault: 'HTTP 501',
      tries: [status(501), honest],
      ...{ code: 'unavailable', requests: 1, says: 'HTTP 501' },
    },
    {
      fault: 'HTTP 503 with a Retry-After of 61 s',
      tries: [statusFault(503, { headers: { 'retry-after': '61' } }), honest],
      ...{ code: 'unavailable', requests: 1, says: 'Retry-After' },
    },
    {
      fault: 'a redirect',
      tries: [elsewhere, honest],
      ...{ code: 'invalid-response', requests: 1, says: 'redirect' },
    },
    ...Object.entries({
      HTML: '<!doctype html><title>Sign in</title>',
      nothing: '',
      'a list of subscriptions': JSON.stringify([subscription]),
    }).map(([what, body]) => ({
      fault: `HTTP 200 with ${what}`,
      tries: [rawFault(body), honest],
      ...{ code: 'invalid-response', requests: 1, says: 'cannot be understood' },
    })),
    {
      fault: 'an answer of 2 MB',
      tries: [hugeFault(2_000_000), honest],
      ...{ code: 'invalid-response', requests: 1, says: '1 MiB' },
    },
    {
      fault: 'a connection that breaks',
      tries: [resetFault('request-read')],
      ...{ code: 'unavailable', requests: 2, says: 'reset' },
    },
    {
      fault: 'an answer that is cut',
      tries: [resetFault('mid-body', 'chunked')],
      ...{ code: 'unavailable', requests: 2, says: 'the retrieval' },
    },
    {
      fault: 'HTTP 401, and again with the new token',
      tries: [status(401)],
      ...{ code: 'login-refused', requests: 2, says: '401' },
    },
  ]

  it.each(rows)(
    'answered with $fault fails every artifact, none of which was sent',
    async ({ tries, code, requests, says }) => {
      const faults = meets('active-subscription', tries)
      const service = await startService({ requested: 'any', faults })
      const files = filesOf('abc')
      const run = await notarize({ service, files, inputs: { ...active, ...twice } })

      expect(failuresOf(run)).toEqual(Array.from({ length: 3 }, () => [code, 'no']))
      expect(run.results.failures[0]?.message).toContain(says)
      expect(seenBy(service, 'active-subscription')).toHaveLength(requests)
      expect(service.requests).toHaveLength(requests + service.tokens.length)
      expect(service.tokens).toHaveLength(code === 'login-refused' ? 2 : 1)
      expect(trapConnections).toBe(0)
    },
  )

  it.each([
    ['is not answered', silenceFault()],
    ['is answered byte by byte past the deadline', trickleFault(30)],
  ])('that %s ends at the deadline of the try', async (_what, fault) => {
    const service = await startService({ faults: meets('active-subscription', [fault]) })
    const inputs = { ...active, 'max-attempts': '1', 'timeout-seconds': '1' }
    const run = await notarize({ service, inputs })
    expect(failuresOf(run)).toEqual([['unavailable', 'no']])
    expect(trafficOf(service)).toEqual(['login', 'active-subscription'])
  })

  it.each([
    ['HTTP 503', [busy, honest], 1],
    ['HTTP 401', [status(401), honest], 2],
    ['a connection that breaks', [resetFault('done'), honest], 1],
  ])('is asked for again after %s', async (_what, tries, logins) => {
    const faults = meets('active-subscription', tries)
    const service = await startService({ requested: 'any', faults })
    const run = await notarize({ service, files: filesOf('ab'), inputs: active })
    expect(run.results.verdict).toBe('registered')
    expect(seenBy(service, 'active-subscription')).toHaveLength(2)
    expect(service.tokens).toHaveLength(logins)
  })

  it.each(['', ' \n', 'ACTIVE', 'inactive'])(
    'is meant by the literal word alone: %j is wrong, and nothing is sent',
    async text => {
      const service = await startService({ requested: 'any' })
      const run = await notarize({ service, inputs: { subscription: text } })
      expect(run.results.verdict).toBe('stopped')
      expect(run.annotations.error).toEqual([expect.stringContaining('input "subscription"')])
      expect(service.requests).toEqual([])
    },
  )

  it('is not asked for in a dry run, nor when nothing is left to register', async () => {
    const service = await startService({ requested: 'any' })
    const workspace = makeRelease(filesOf('a'))
    const dry = await notarize({ service, workspace, inputs: { ...active, 'dry-run': 'true' } })
    expect(dry.results.verdict).toBe('dry-run')
    workspace.write('notarization-records.jsonl', toJsonLines([makeLine(service.url, 'a')]))
    for (const inputs of [active, byRequest, { ...active, ...byRequest }]) {
      const run = await notarize({ service, workspace, inputs })
      expect(run.results.records).toMatchObject([{ from: 'records-file' }])
    }
    expect(service.requests).toEqual([])
  })

  it('that arrives after a cancel pays for nothing', async () => {
    const run = await cancelAt('active-subscription', { inputs: active, files: filesOf('ab') })
    expect(failuresOf(run)).toEqual([
      ['cancelled', 'no'],
      ['cancelled', 'no'],
    ])
    expect(trafficOf(run.service)).toEqual(['login', 'active-subscription'])
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

/** Runs the action until a request for this endpoint was read, then cancels it; the answer comes all the same. */
async function cancelAt(
  endpoint: Endpoint,
  { faults, workspace, ...scenario }: Omit<Scenario, 'service'> & Pick<SimulatorOptions, 'faults'>,
): Promise<Run & { readonly service: Simulator }> {
  let cancel = (): void => undefined
  const service = await startService({
    ...(faults === undefined ? {} : { faults }),
    latencyMs: request => {
      if (request.endpoint !== endpoint) return 0
      cancel()
      return 500
    },
  })
  const whole = { ...scenario, ...(workspace === undefined ? {} : { workspace }), service }
  const { child, finished } = startAction(optionsOf(whole))
  cancel = () => {
    child.kill('SIGINT')
  }
  const run = check(await finished, whole)
  expect(run.annotations.error).toEqual([expect.stringContaining('cancelled')])
  return { ...run, service }
}

describe('request-registration', () => {
  const requestOf = (content: string, description: string) => ({
    blockchainType: 'ALGORAND',
    custody: 'false',
    description,
    hash: sha256(content),
    signed: 'false',
    status: 'not_registered',
  })

  it('needs the key alone: each registration is requested, and completed with what was answered', async () => {
    const service = await startService()
    const run = await notarize({ service, files: filesOf('abc'), inputs: byRequest })

    expect(run.results.verdict).toBe('registered')
    expect(trafficOf(service)).toEqual([
      'login',
      ...['a', 'b', 'c'].flatMap(letter => [`request ${letter}`, `completion ${letter}`]),
    ])
    for (const { bodyText } of seenBy(service, 'completion')) {
      expect(bodyText).toBe(JSON.stringify(subscription))
    }
    expect(run.masks).toEqual(expect.arrayContaining([subscription.sessionId]))
    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
  })

  it('sends exactly the documented request', async () => {
    const service = await startService()
    await notarize({ service, inputs: byRequest })

    const [request] = seenBy(service, 'request')
    expect(request).toMatchObject({ method: 'POST' })
    expect(request?.path).toBe('/api/v2/registration/?subscription=true')
    const description = `dist/a.bin of ${job.repository} at ${job.ref}`
    expect(JSON.parse(request?.bodyText ?? '')).toEqual(requestOf('a', description))
    expect({ ...request?.headers }).toEqual(
      headersOf(service, {
        'content-length': String(Buffer.byteLength(request?.bodyText ?? '')),
        'content-type': 'application/json',
      }),
    )
  })

  it('is off unless asked for', async () => {
    const service = await startService({ requested: 'any' })
    const inputs = { subscription: subscriptionText, 'request-registration': 'false' }
    await notarize({ service, inputs })
    expect(trafficOf(service)).toEqual(['login', 'completion a'])
  })

  it('must be a boolean', async () => {
    const service = await startService()
    const inputs = { 'request-registration': 'maybe', subscription: subscriptionText }
    const run = await notarize({ service, inputs })
    expect(run.annotations.error).toEqual([expect.stringContaining('"request-registration"')])
    expect(service.requests).toEqual([])
  })

  it('works on a free plan, with a notice that paymentId is not compared', async () => {
    const service = await startService({ plan: 'free', activeSubscription: {} })
    const alsoSecret = [exampleFreeSubscription.sessionId]
    const run = await notarize({ service, files: filesOf('ab'), inputs: byRequest, alsoSecret })

    expect(run.results.records).toMatchObject([
      { record: { paymentId: null } },
      { record: { paymentId: null } },
    ])
    expect(run.recordLines.map(({ problems }) => problems)).toEqual([[], []])
    expect(run.masks).toEqual(expect.arrayContaining(alsoSecret))
    expect(run.annotations.warning).toEqual([])
    expect(run.annotations.notice).toEqual([expect.stringContaining('paymentId')])
  })

  it('has the id of the answered subscription held against paymentId', async () => {
    const service = await startService({ record: () => ({ paymentId: 'sub_other' }) })
    const run = await notarize({ service, inputs: byRequest })
    expect(failuresOf(run)).toEqual([['record-mismatch', 'unknown']])
    expect(run.recordLines[0]?.problems.join()).toContain('paymentId')
  })

  const given = { ...subscription, id: 'sub_e2e_given', sessionId: 'cs_given_4Jx8w' }

  it('completes with the given subscription where there is one', async () => {
    const service = await startService()
    const run = await notarize({
      service,
      files: filesOf('ab'),
      inputs: { ...byRequest, subscription: JSON.stringify(given) },
      alsoSecret: [given.sessionId],
    })
    expect(trafficOf(service).slice(1)).toEqual([
      ...['request a', 'completion a', 'request b', 'completion b'],
    ])
    for (const { bodyText } of seenBy(service, 'completion')) {
      expect(bodyText).toBe(JSON.stringify(given))
    }
    expect(run.results.records).toMatchObject([
      { record: { paymentId: given.id } },
      { record: { paymentId: given.id } },
    ])
    expect(run.masks).toEqual(expect.arrayContaining([given.sessionId, subscription.sessionId]))
  })

  it('completes with the active subscription where the input says so', async () => {
    const answered = rawFault(JSON.stringify(given), { effect: 'after' })
    const service = await startService({ faults: meets('request', [answered]) })
    const inputs = { ...byRequest, ...active }
    const run = await notarize({
      ...{ service, files: filesOf('ab'), inputs, alsoSecret: [given.sessionId] },
    })
    expect(run.results.verdict).toBe('registered')
    expect(trafficOf(service)).toEqual([
      ...['login', 'active-subscription', 'request a', 'completion a', 'request b', 'completion b'],
    ])
    for (const { bodyText } of seenBy(service, 'completion')) {
      expect(bodyText).toBe(JSON.stringify(subscription))
    }
  })

  it('requests each distinct hash that is left once, under its first name', async () => {
    const service = await startService()
    const workspace = makeRelease({ 'z.bin': 'a', 'b.bin': 'a', 'k.bin': 'k', 'n.bin': 'n' })
    workspace.write('notarization-records.jsonl', toJsonLines([makeLine(service.url, 'k')]))
    const inputs = { ...byRequest, description: '{artifact}' }
    const run = await notarize({ service, workspace, inputs })

    expect(run.results.records).toHaveLength(4)
    expect(seenBy(service, 'request').map(({ bodyText }): unknown => JSON.parse(bodyText))).toEqual(
      [requestOf('a', 'dist/b.bin'), requestOf('n', 'dist/n.bin')],
    )
  })

  it('is guarded by max-registrations before the first request', async () => {
    const service = await startService()
    const inputs = { ...byRequest, 'max-registrations': '1' }
    const run = await notarize({ service, files: filesOf('ab'), inputs })
    expect(run.results.verdict).toBe('stopped')
    expect(service.requests).toEqual([])
  })

  it('keeps the secrets of every answer out of everything', async () => {
    const sessionOf = (hash: string): string => `cs_of_${hash.slice(0, 16)}`
    const service = await startService({
      faults: ({ endpoint, hash = '' }): Fault | undefined =>
        endpoint === 'request'
          ? rawFault(JSON.stringify({ ...subscription, sessionId: sessionOf(hash) }), {
              effect: 'after',
            })
          : undefined,
      record: (hash): AnsweredRecord => ({
        payload: `${sessionOf(hash)}, ${subscription.customer}`,
      }),
    })
    const alsoSecret = ['a', 'b', 'c', 'd'].map(letter => sessionOf(sha256(letter)))
    const run = await notarize({
      ...{
        service,
        files: filesOf('abcd'),
        alsoSecret,
        inputs: { ...byRequest, concurrency: '4' },
      },
    })
    expect(run.masks).toEqual(expect.arrayContaining(alsoSecret))
    expect(
      run.results.records.map(({ record, redacted }) => [record['payload'], redacted]),
    ).toEqual(Array.from({ length: 4 }, () => ['***, ***', ['/payload']]))
    expect(seenBy(service, 'completion').map(({ bodyText }) => bodyText)).toEqual(
      expect.arrayContaining(
        alsoSecret.map(sessionId => JSON.stringify({ ...subscription, sessionId })),
      ),
    )
  })

  it('makes request and completion of one artifact one unit of work of one worker', async () => {
    const service = await startService({ latencyMs: 60 })
    const run = await notarize({
      ...{ service, files: filesOf('abcdefghij'), inputs: { ...byRequest, concurrency: '3' } },
    })
    expect(run.results.verdict).toBe('registered')
    const traffic = trafficOf(service).slice(1)
    expect(traffic).toHaveLength(20)
    const units = traffic.map((_, index) => {
      const sofar = traffic.slice(0, index + 1)
      const requests = sofar.filter(text => text.startsWith('request'))
      return requests.length - (sofar.length - requests.length)
    })
    expect(Math.max(...units)).toBe(3)
    for (const [letter, steps] of Map.groupBy(traffic, text => text.at(-1) ?? '')) {
      expect(steps).toEqual([`request ${letter}`, `completion ${letter}`])
    }
    expect(service.maxConnections).toBeLessThanOrEqual(4)
  })

  it.each<readonly [string, readonly Try[], Readonly<Record<string, string>>]>([
    ['HTTP 503', [busy, honest], {}],
    ['HTTP 503 and then 429', [busy, status(429), honest], {}],
    ['HTTP 401', [status(401), honest], {}],
    ['a connection that breaks', [resetFault('request-read'), honest], {}],
    ['no answer in time', [silenceFault(), honest], { 'timeout-seconds': '1' }],
  ])('repeats the completion alone after %s', async (_what, tries, inputs) => {
    const service = await startService({ faults: meets('completion', tries) })
    const run = await notarize({ service, inputs: { ...byRequest, ...inputs } })
    expect(run.results.verdict).toBe('registered')
    expect(service.requestCounts).toEqual(new Map([[sha256('a'), 1]]))
    expect(seenBy(service, 'request')).toHaveLength(1)
    expect(seenBy(service, 'completion')).toHaveLength(tries.length)
    expect(service.completionCounts).toEqual(new Map([[sha256('a'), 1]]))
  })

  it.each<readonly [string, readonly Try[], number]>([
    ['HTTP 503', [busy, honest], 1],
    ['HTTP 408', [status(408), honest], 1],
    ['HTTP 425', [status(425), honest], 1],
    ['HTTP 401, with a new login', [status(401), honest], 2],
    ['HTTP 503 and HTTP 401', [busy, status(401), honest], 2],
    ['a connection that breaks', [resetFault('request-read'), honest], 1],
    ['HTTP 504, with a wait of its own', [statusFault(504), honest], 1],
  ])('repeats the request after %s', async (_what, tries, logins) => {
    const service = await startService({ faults: meets('request', tries) })
    const run = await notarize({ service, inputs: { ...byRequest, 'max-attempts': '2' } })
    expect(run.results.verdict).toBe('registered')
    expect(service.tokens).toHaveLength(logins)
    expect(service.requestCounts).toEqual(new Map([[sha256('a'), 1]]))
    expect(seenBy(service, 'request')).toHaveLength(tries.length)
    expect(seenBy(service, 'completion')).toHaveLength(1)
  })

  it.each([
    ['was lost', resetFault('done')],
    ['was cut', resetFault('mid-body', 'chunked')],
    ['was hidden behind HTTP 503', statusFault(503, { effect: 'after' })],
  ])('completes with the active subscription when the answer of a request %s', async (_, fault) => {
    const service = await startService({ faults: meets('request', [fault, honest]) })
    const run = await notarize({ service, inputs: byRequest })
    expect(run.results.verdict).toBe('registered')
    expect(service.requestCounts).toEqual(new Map([[sha256('a'), 1]]))
    expect(trafficOf(service)).toEqual([
      ...['login', 'request a', 'request a', 'active-subscription', 'completion a'],
    ])
  })

  it('holds all workers back for a Retry-After of a request', async () => {
    const service = await startService({
      faults: meets(
        'request',
        [statusFault(503, { headers: { 'retry-after': '1' } }), honest],
        'a',
      ),
      latencyMs: ({ hash }) => (hash === sha256('b') ? 300 : 0),
    })
    const run = await notarize({
      ...{ service, files: filesOf('ab'), inputs: { ...byRequest, concurrency: '2' } },
    })
    expect(run.results.verdict).toBe('registered')
    const [held] = seenBy(service, 'request').filter(({ hash }) => hash === sha256('a'))
    for (const { at } of service.requests.slice(3)) {
      expect(at - (held?.at ?? Infinity)).toBeGreaterThanOrEqual(900)
    }
  })

  describe('that is refused', () => {
    // Neither 401, 402, 403 nor tried again.
    const statuses = [400, 404, 409, 410, 413, 422, 451]

    it.each([
      ['the given subscription', { ...byRequest, subscription: subscriptionText }, []],
      ['the active one, retrieved once', byRequest, ['active-subscription']],
    ])('has its completion tried with %s', async (_what, inputs, asked) => {
      const letters = 'abcdefg'
      const service = await startService({
        requested: 'any',
        faults: statuses.flatMap((code, at) => meets('request', [status(code)], letters[at])),
      })
      const run = await notarize({ service, files: filesOf(letters), inputs })

      expect(run.results.verdict).toBe('registered')
      const [first = '', ...rest] = letters
      expect(trafficOf(service)).toEqual([
        ...['login', `request ${first}`, ...asked, `completion ${first}`],
        ...rest.flatMap(letter => [`request ${letter}`, `completion ${letter}`]),
      ])
      for (const { bodyText } of seenBy(service, 'completion')) {
        expect(bodyText).toBe(JSON.stringify(subscription))
      }
    })

    it('by several workers at once asks for the active subscription once', async () => {
      const faults = meets('request', [status(409)])
      const service = await startService({ requested: 'any', faults, latencyMs: 50 })
      const run = await notarize({
        ...{ service, files: filesOf('abcdef'), inputs: { ...byRequest, concurrency: '3' } },
      })
      expect(run.results.verdict).toBe('registered')
      expect(seenBy(service, 'active-subscription')).toHaveLength(1)
    })

    it('leaves request-refused, which tells both answers, where there is no subscription', async () => {
      const faults = [
        ...meets('request', [status(422, { message: 'no such plan' })], 'a'),
        ...meets('request', [status(409, { error: 'seen before' })], 'b'),
        ...meets('active-subscription', [status(404, { error: 'none active' })]),
      ]
      const service = await startService({ faults })
      const run = await notarize({ service, files: filesOf('ab'), inputs: byRequest })

      expect(failuresOf(run)).toEqual([
        ['request-refused', 'no'],
        ['request-refused', 'no'],
      ])
      const [one, other] = run.results.failures.map(({ message }) => message)
      expect(one).toMatch(/HTTP 422: "no such plan".*HTTP 404: "none active"/)
      expect(other).toMatch(/HTTP 409: "seen before".*HTTP 404: "none active"/)
      expect(trafficOf(service)).toEqual([
        ...['login', 'request a', 'active-subscription', 'request b'],
      ])
      expect(run.summary).toContain('request-refused')
      expect(run.annotations.error).toEqual([expect.stringMatching(/request-refused.*422.*404/)])
    })

    it.each([
      ['given', { ...byRequest, subscription: subscriptionText }],
      ['active', byRequest],
    ])('leaves request-refused where the completion with the %s one is, too', async (_, inputs) => {
      const letters = 'abcdef'
      const faults = [
        ...meets('request', [status(409, { error: 'seen before' })]),
        ...meets('completion', [status(404, { error: 'never seen' })]),
      ]
      const service = await startService({ faults })
      const run = await notarize({ service, files: filesOf(letters), inputs })

      // All six were tried: such a refusal speaks of one artifact alone.
      expect(failuresOf(run)).toEqual(Array.from(letters, () => ['request-refused', 'no']))
      for (const { message } of run.results.failures) {
        expect(message).toMatch(/HTTP 409: "seen before".*HTTP 404: "never seen"/)
      }
      expect(seenBy(service, 'completion')).toHaveLength(6)
    })

    it('is finished by the next run, after one whose completions all failed', async () => {
      const service = await startService({ faults: meets('completion', [busy, busy, honest]) })
      const workspace = makeRelease(filesOf('a'))
      const first = await notarize({ service, workspace, inputs: { ...byRequest, ...twice } })
      expect(failuresOf(first)).toEqual([['unavailable', 'unknown']])
      const second = await notarize({ service, workspace, inputs: byRequest })
      expect(second.results.verdict).toBe('registered')
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
      const run = await notarize({ service, files: filesOf('ab'), inputs: byRequest })
      expect(run.results.failures.map(({ code }) => code)).toEqual(['refused', 'request-refused'])
      expect(run.results.failures[1]?.message).toContain('*** and *** and')
    })
  })

  interface Row {
    readonly what: string
    readonly request: readonly Try[]
    readonly completion?: readonly Try[]
    readonly ends: readonly [code: string, registered: string]
    /** Requests and completions. */
    readonly seen: readonly [number, number]
  }

  /** The answers of one artifact, all in one run: between them one succeeds, so that all are begun. */
  const rows: readonly Row[] = [
    ...[402, 403].map((code): Row => ({
      what: `HTTP ${code}`,
      request: [status(code), honest],
      ends: ['refused', 'no'],
      seen: [1, 0],
    })),
    ...[408, 429].map((code): Row => ({
      what: `HTTP ${code} to the end`,
      request: [status(code)],
      ends: ['unavailable', 'no'],
      seen: [2, 0],
    })),
    {
      what: 'HTTP 500 to the end',
      request: [status(500)],
      ends: ['unavailable', 'unknown'],
      seen: [2, 0],
    },
    {
      what: 'HTTP 501',
      request: [status(501), honest],
      ends: ['unavailable', 'unknown'],
      seen: [1, 0],
    },
    {
      what: 'HTTP 429 with a Retry-After of an hour',
      request: [statusFault(429, { headers: { 'retry-after': '3600' } }), honest],
      ends: ['unavailable', 'no'],
      seen: [1, 0],
    },
    {
      what: 'a connection that breaks to the end',
      request: [resetFault('request-read')],
      ends: ['unavailable', 'unknown'],
      seen: [2, 0],
    },
    {
      what: 'a redirect',
      request: [elsewhere, honest],
      ends: ['invalid-response', 'unknown'],
      seen: [1, 0],
    },
    ...Object.entries({
      HTML: '<html>',
      nothing: '',
      'a list': JSON.stringify([subscription]),
      'fields of wrong types': JSON.stringify({ ...subscription, id: 7, userId: 'x' }),
    }).map(([what, body]): Row => ({
      what: `HTTP 200 with ${what}`,
      request: [rawFault(body), honest],
      ends: ['invalid-response', 'unknown'],
      seen: [1, 0],
    })),
    {
      what: 'an answer of 2 MB',
      request: [hugeFault(2_000_000), honest],
      ends: ['invalid-response', 'unknown'],
      seen: [1, 0],
    },
    {
      what: 'HTTP 404, and then a completion that is not answered well',
      request: [status(404)],
      completion: [status(500)],
      ends: ['unavailable', 'unknown'],
      seen: [1, 2],
    },
    {
      what: 'HTTP 404, and then a completion that is told to wait',
      request: [status(404)],
      completion: [status(429)],
      ends: ['unavailable', 'no'],
      seen: [1, 2],
    },
    {
      what: 'HTTP 503 and HTTP 409, and then a completion that is told to wait',
      request: [busy, status(409)],
      completion: [status(429)],
      ends: ['unavailable', 'unknown'],
      seen: [2, 2],
    },
    {
      what: 'HTTP 503 and HTTP 409, and then a completion that is refused',
      request: [busy, status(409)],
      completion: [status(404)],
      ends: ['request-refused', 'unknown'],
      seen: [2, 1],
    },
    {
      what: 'HTTP 409, and then a completion with nonsense',
      request: [status(409)],
      completion: [rawFault('<html>')],
      ends: ['invalid-response', 'unknown'],
      seen: [1, 1],
    },
  ]
  const contentOf = (row: Row): string => `row ${rows.indexOf(row)}`
  let shared: { readonly service: Simulator; readonly run: Run } | undefined

  beforeAll(async () => {
    const service = await startService({
      requested: 'any',
      faults: rows.flatMap(row => [
        ...meets('request', row.request, contentOf(row)),
        ...meets('completion', row.completion ?? [honest], contentOf(row)),
      ]),
    })
    const files = rows.flatMap((row, index): (readonly [string, string])[] => [
      [`${100 + index}.bin`, contentOf(row)],
      [`${100 + index}.ok`, `good ${index}`],
    ])
    const inputs = { ...byRequest, ...twice }
    const run = await notarize({ service, files: Object.fromEntries(files), inputs })
    shared = { service, run }
  })

  it.each(rows)('answered with $what ends as $ends', row => {
    const hash = sha256(contentOf(row))
    const failures = shared?.run.results.failures.filter(failure => failure.hash === hash)
    expect(failures?.map(({ code, registered }) => [code, registered])).toEqual([row.ends])
    const requests = shared?.service.requests.filter(request => request.hash === hash) ?? []
    const isCompletion = ({ endpoint }: SeenRequest): boolean => endpoint === 'completion'
    const completions = requests.filter(isCompletion).length
    expect([requests.length - completions, completions]).toEqual(row.seen)
    expect(shared?.run.results.records.map(record => record.hash)).not.toContain(hash)
    expect(trapConnections).toBe(0)
  })

  it('answered so in one run fails only the artifacts that it is about', () => {
    expect(shared?.run.results).toMatchObject({ verdict: 'partial' })
    expect(shared?.run.results.records).toHaveLength(rows.length)
    expect(shared?.run.results.failures).toHaveLength(rows.length)
    expect(seenBy(shared?.service ?? { requests: [] }, 'active-subscription')).toHaveLength(1)
  })

  interface LoneRow extends Row {
    readonly active?: readonly Try[]
    readonly retrievals: number
  }

  const loneRows: readonly LoneRow[] = [
    {
      what: 'HTTP 503 and HTTP 409, and then no active subscription',
      request: [busy, status(409)],
      active: [status(404)],
      ends: ['request-refused', 'unknown'],
      seen: [2, 0],
      retrievals: 1,
    },
    {
      what: 'HTTP 409, and then an active subscription that cannot be asked for',
      request: [status(409)],
      active: [status(503)],
      ends: ['unavailable', 'no'],
      seen: [1, 0],
      retrievals: 2,
    },
    {
      what: 'HTTP 401, and again with the new token',
      request: [status(401)],
      ends: ['login-refused', 'no'],
      seen: [2, 0],
      retrievals: 0,
    },
    {
      what: 'HTTP 503 and HTTP 409, and then two HTTP 401 to the active subscription',
      request: [busy, status(409)],
      active: [status(401)],
      ends: ['login-refused', 'unknown'],
      seen: [2, 0],
      retrievals: 2,
    },
  ]

  it.each(loneRows)('answered with $what ends as $ends', async row => {
    const service = await startService({
      requested: 'any',
      faults: [
        ...meets('request', row.request),
        ...meets('active-subscription', row.active ?? [honest]),
      ],
    })
    const run = await notarize({ service, inputs: { ...byRequest, ...twice } })
    expect(failuresOf(run)).toEqual([row.ends])
    const counts = [seenBy(service, 'request').length, seenBy(service, 'completion').length]
    expect(counts).toEqual(row.seen)
    expect(seenBy(service, 'active-subscription')).toHaveLength(row.retrievals)
  })

  it('ends at the deadline of the try', async () => {
    const faults = [
      ...meets('request', [silenceFault({ done: true })], 'a'),
      ...meets('request', [trickleFault(30)], 'b'),
    ]
    const service = await startService({ faults })
    const inputs = { ...byRequest, 'max-attempts': '1', 'timeout-seconds': '1', concurrency: '2' }
    const run = await notarize({ service, files: filesOf('ab'), inputs })
    expect(failuresOf(run)).toEqual([
      ['unavailable', 'unknown'],
      ['unavailable', 'unknown'],
    ])
    expect(seenBy(service, 'completion')).toEqual([])
  })

  describe('when five registrations end without success', () => {
    const notTried = ({ message }: Failure): boolean => message.includes('not tried')

    it('begins no further one, wherever HTTP 402, 403 or an outage came from', async () => {
      const letters = 'abcdefg'
      const faults = [
        ...meets('request', [status(402)], 'a'),
        ...meets('completion', [busy], 'b'),
        ...meets('request', [busy], 'c'),
        ...meets('completion', [status(402)], 'd'),
        ...meets('request', [status(403)], 'e'),
      ]
      const service = await startService({ faults })
      const inputs = { ...byRequest, 'max-attempts': '1' }
      const run = await notarize({ service, files: filesOf(letters), inputs })
      expect(failuresOf(run)).toEqual([
        ...[
          ['refused', 'no'],
          ['unavailable', 'unknown'],
          ['unavailable', 'unknown'],
          ['refused', 'no'],
          ['refused', 'no'],
        ],
        ...[
          ['refused', 'no'],
          ['refused', 'no'],
        ],
      ])
      expect(run.results.failures.map(notTried)).toEqual([
        ...[false, false, false, false, false, true, true],
      ])
      expect(seenBy(service, 'request')).toHaveLength(5)
    })

    it('goes on while one in five succeeds', async () => {
      const faults = Array.from('abcdfghi', letter =>
        meets('request', [status(403)], letter),
      ).flat()
      const service = await startService({ faults })
      const run = await notarize({ service, files: filesOf('abcdefghi'), inputs: byRequest })
      expect(run.results.failures.some(notTried)).toBe(false)
      expect(seenBy(service, 'request')).toHaveLength(9)
      expect(run.results.records).toMatchObject([{ artifact: 'dist/e.bin' }])
    })
  })

  it('sends no completion after a cancel, and the next run goes on where it ended', async () => {
    const workspace = makeRelease(filesOf('ab'))
    const run = await cancelAt('request', { workspace, inputs: byRequest })
    expect(failuresOf(run)).toEqual([
      ['cancelled', 'no'],
      ['cancelled', 'no'],
    ])
    expect(trafficOf(run.service)).toEqual(['login', 'request a'])
    expect(run.service.requestCounts).toEqual(new Map([[sha256('a'), 1]]))

    const faults = meets('request', [status(409)], 'a')
    const service = await startService({ requested: [sha256('a')], faults })
    const next = await notarize({ service, workspace, inputs: byRequest })
    expect(next.results.verdict).toBe('registered')
    expect(service.completionCounts.size).toBe(2)
  })

  it('keeps the record of a completion that was answered after a cancel', async () => {
    const run = await cancelAt('completion', { inputs: byRequest, files: filesOf('ab') })
    expect(run.results.verdict).toBe('partial')
    expect(run.recordLines).toHaveLength(1)
    expect(failuresOf(run)).toEqual([['cancelled', 'no']])
    expect(trafficOf(run.service)).toEqual(['login', 'request a', 'completion a'])
  })

  it.each<readonly [string, Endpoint, readonly FaultRule[], string]>([
    [
      'waits to repeat its request',
      'request',
      meets('request', [statusFault(503, { headers: { 'retry-after': '50' } })]),
      'unknown',
    ],
    [
      'asks for the active subscription',
      'active-subscription',
      meets('request', [status(409)]),
      'no',
    ],
    [
      'waits to ask for the active subscription again',
      'active-subscription',
      [
        ...meets('request', [status(409)]),
        ...meets('active-subscription', [statusFault(503, { headers: { 'retry-after': '50' } })]),
      ],
      'no',
    ],
  ])('is cancelled while it %s', async (_what, endpoint, faults, registered) => {
    const run = await cancelAt(endpoint, { inputs: byRequest, faults })
    expect(failuresOf(run)).toEqual([['cancelled', registered]])
    expect(seenBy(run.service, 'completion')).toEqual([])
  })
})

describe('description', () => {
  const describedBy = (service: Simulator): unknown[] =>
    seenBy(service, 'request')
      .map(({ bodyText }) => z.object({ description: z.string() }).parse(JSON.parse(bodyText)))
      .map(({ description }) => description)

  it('fills each placeholder once, and takes names as they stand', async () => {
    const names = [
      ...['{ref} {repository}', "$& $' $1", 'a"b\\c', '::error::x', '##[error]y', '🎉', '<b>'],
    ]
    const service = await startService()
    const run = await notarize({
      service,
      files: Object.fromEntries(names.map((name, index) => [name, String(index)])),
      inputs: { ...byRequest, description: '{artifact}|{repository}|{ref}|{artifact}|{tag}' },
    })
    expect(run.results.verdict).toBe('registered')
    expect(describedBy(service).sort()).toEqual(
      names.map(name => `dist/${name}|${job.repository}|${job.ref}|dist/${name}|{tag}`).sort(),
    )
  })

  it('has its default when it is empty, with nothing for what the job does not say', async () => {
    const service = await startService()
    const env = { GITHUB_REPOSITORY: undefined, GITHUB_REF: '' }
    const run = await runAction(
      optionsOf({ service, env, inputs: { ...byRequest, description: '  ' } }),
    )
    expect(run.outputs['verdict']).toBe('registered')
    expect(describedBy(service)).toEqual(['dist/a.bin of  at '])
  })

  it('has no control characters and 500 characters at most, none of them cut in half', async () => {
    const long = `${'n'.repeat(120)}/${'m'.repeat(120)}/${'o'.repeat(120)}`
    const service = await startService()
    await notarize({
      service,
      files: { 'a\nb\u001b\u0085c': 'a', [`${long}/x`]: 'b' },
      inputs: { ...byRequest, description: `one\n\ttwo {artifact}${'🎉'.repeat(300)}` },
    })
    const [first, second] = describedBy(service)
    expect(first).toBe(`onetwo dist/abc${'🎉'.repeat(242)}`)
    expect(second).toBe(`onetwo dist/${long}/x${'🎉'.repeat(62)}`)
    expect(String(second)).toHaveLength(500)
  })

  it('does nothing without request-registration', async () => {
    const service = await startService({ requested: 'any' })
    const inputs = { subscription: subscriptionText, description: '{artifact' }
    const run = await notarize({ service, inputs })
    expect(run.results.verdict).toBe('registered')
    expect(trafficOf(service)).toEqual(['login', 'completion a'])
  })
})

describe('verification-url', () => {
  const given = { subscription: subscriptionText } as const
  const TEMPLATE = 'https://notary.example/verification/{hash}'

  /** The links of a summary, each with what it shows. */
  const linksOf = (summary: string): string[][] =>
    [
      ...summary.matchAll(
        /<td><a href="([^"]*)"><code title="([0-9a-f]{64})">[0-9a-f<>wbr]+<\/code><\/a><\/td>/g,
      ),
    ].map(([, url = '', hash = '']) => [hash, url])

  it('links each registered artifact, now or before, in the summary, in records and in the file', async () => {
    const service = await startService({
      requested: 'any',
      faults: meets('completion', [status(404)], 'c'),
    })
    const workspace = makeRelease(filesOf('abc'))
    workspace.write('notarization-records.jsonl', toJsonLines([makeLine(service.url, 'a')]))
    const inputs = { ...given, 'verification-url': TEMPLATE }
    const { results, recordLines, summary } = await notarize({ service, workspace, inputs })

    const urlOf = (content: string): string => TEMPLATE.replace('{hash}', sha256(content))
    expect(results.records.map(({ from, verificationUrl }) => [from, verificationUrl])).toEqual([
      ['records-file', urlOf('a')],
      ['this-run', urlOf('b')],
    ])
    // The file is append-only: the line of the earlier run stays as it was.
    expect(recordLines.map(({ verificationUrl }) => verificationUrl)).toEqual([
      undefined,
      urlOf('b'),
    ])
    expect(linksOf(summary)).toEqual(['a', 'b'].map(text => [sha256(text), urlOf(text)]))
    expect(summary).not.toContain(urlOf('c'))
  })

  it('changes nothing else, and its lines are known to the next run', async () => {
    const service = await startService({ requested: 'any' })
    const workspace = makeRelease(filesOf('a'))
    await notarize({ service, workspace, inputs: { ...given, 'verification-url': TEMPLATE } })
    const other = 'https://other.example/?h={hash}'
    const again = await notarize({
      ...{ service, workspace, inputs: { ...given, 'verification-url': other } },
    })
    expect(again.results.records).toMatchObject([
      { from: 'records-file', verificationUrl: other.replace('{hash}', sha256('a')) },
    ])
    const without = await notarize({ service, workspace, inputs: given })
    expect(without.results.records[0]).not.toHaveProperty('verificationUrl')
    expect(linksOf(without.summary)).toEqual([])
    expect(service.completionCounts).toEqual(new Map([[sha256('a'), 1]]))
  })

  it('with {txId} is there for records that have one', async () => {
    const records: Readonly<Record<string, AnsweredRecord>> = {
      [sha256('a')]: { txId: 'TX_A' },
      [sha256('b')]: { txId: null },
      [sha256('c')]: { txId: '' },
      [sha256('d')]: { txId: undefined, txHash: 'H' },
    }
    const service = await startService({ requested: 'any', record: hash => records[hash] ?? {} })
    const inputs = { ...given, 'verification-url': 'https://notary.example/{txId}?h={hash}' }
    const { results, recordLines, summary } = await notarize({
      ...{ service, files: filesOf('abcd'), inputs },
    })
    const url = `https://notary.example/TX_A?h=${sha256('a')}`
    expect(results.records.map(entry => entry.verificationUrl)).toEqual([url, ...[, , ,]])
    expect(recordLines.map(line => line.verificationUrl)).toEqual([url, ...[, , ,]])
    expect(linksOf(summary)).toHaveLength(1)
  })

  it('stays what the author wrote, whatever the service says of the transaction', async () => {
    const hostile = [
      ...[
        '../../x',
        '//evil.example/',
        '@evil.example',
        '"><img src=x>',
        "' onclick='x",
        '\r\n::error::x',
      ],
      ...[
        '{hash}',
        '$&',
        '?a=b#c',
        '\ud800',
        '\u202ex',
        '##[error]y',
        'javascript:x',
        '%0A',
        '`x`',
      ],
      'x'.repeat(5000),
    ]
    const letters = 'abcdefghijklmnop'.slice(0, hostile.length)
    const service = await startService({
      requested: 'any',
      record: hash => ({
        txId: hostile[Array.from(letters).findIndex(letter => sha256(letter) === hash)] ?? null,
      }),
    })
    const { results, summary } = await notarize({
      ...{ service, files: filesOf(letters) },
      inputs: { ...given, 'verification-url': 'https://notary.example/tx/{txId}/end' },
    })
    expect(results.records).toHaveLength(hostile.length)
    const urls = results.records.flatMap(({ verificationUrl = [] }) => verificationUrl)
    // All but the endless one.
    expect(urls).toHaveLength(hostile.length - 1)
    for (const url of urls) {
      expect(url).toMatch(/^https:\/\/notary\.example\/tx\/[^/?#"<>\\\s]+\/end$/)
    }
    expect(linksOf(summary)).toHaveLength(urls.length)
  })

  it.each([
    ['http://notary.example/{hash}', 'https://'],
    ['https://notary.example/', '{hash}'],
    ['https://notary.example/{sha}', 'placeholders'],
    ['https://{txId}/{hash}', 'host'],
    ['https:///{txId}', 'verification-url'],
    ['verification/{hash}', 'URL'],
    ['https://name:word_of_secret@notary.example/{hash}', 'credentials'],
  ])('must not be %s', async (template, word) => {
    const service = await startService({ requested: 'any' })
    const run = await notarize({ service, inputs: { ...given, 'verification-url': template } })
    expect(run.results.verdict).toBe('stopped')
    expect(run.annotations.error).toEqual([expect.stringContaining('input "verification-url"')])
    expect(run.annotations.error[0]).toContain(word)
    expect(run.stdout).not.toContain('word_of_secret')
    expect(service.requests).toEqual([])
  })

  it('never publishes a secret that its author wrote into it', async () => {
    const service = await startService({ requested: 'any' })
    const template = `${TEMPLATE}?key=${API_KEY}`
    await notarize({ service, inputs: { ...given, 'verification-url': template } })
  })
})
