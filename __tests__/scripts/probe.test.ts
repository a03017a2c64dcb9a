import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import {
  exampleSubscription,
  hugeFault,
  rawFault,
  redirectFault,
  resetFault,
  silenceFault,
  startSimulator,
  statusFault,
} from '../../simulator/index.ts'
import type { Fault, Simulator, SimulatorOptions } from '../../simulator/index.ts'
import { makeCertificate } from '../service/certificate.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeWorkspace } from '../support/workspace.ts'

const PROBE = resolve(import.meta.dirname, '../../scripts/probe.ts')
const API_KEY = 'probe-key-7f3a99c1'
const CONTENT = 'what is to be notarized'
const HASH = createHash('sha256').update(CONTENT).digest('hex')

const workspace = makeWorkspace({ 'release.bin': CONTENT })
const FILE = workspace.path('release.bin')

let running: Simulator | undefined
const start = async (options: SimulatorOptions = {}): Promise<Simulator> =>
  (running = await startSimulator({ apiKeys: [API_KEY], ...options }))
afterEach(() => running?.close())
afterAll(cleanUp)

type Ending = {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the probe with nothing in its environment but what it is given, and a cache that makes it start sooner. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ending> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROBE, ...args], {
    env: { NODE_COMPILE_CACHE: workspace.temp, NOTARIZATION_API_KEY: API_KEY, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { exitCode: child.exitCode, stdout, stderr }
}

/** Probes a simulator, up to the registration. */
async function probe(simulator: Simulator, ...more: readonly string[]): Promise<Ending> {
  return run(['--base-url', simulator.url, '--file', FILE, '--yes', ...more])
}

/** Assumption to verdict, and to what was added below it. */
function readFindings(stdout: string): Record<string, string> {
  const findings: Record<string, string> = {}
  let last = ''
  for (const line of (stdout.split('\nAssumptions\n')[1] ?? '').split('\n')) {
    const [, verdict, assumption] = /^ {2}(held|did not hold|not seen) {2,}(.+)$/.exec(line) ?? []
    if (verdict !== undefined && assumption !== undefined) {
      last = assumption
      findings[last] = verdict
    } else if (line !== '') {
      findings[last] = `${findings[last] ?? ''}; ${line.trim()}`
    }
  }
  return findings
}

const endpointsOf = (simulator: Simulator): readonly string[] =>
  simulator.requests.map(({ endpoint }) => endpoint)

/** All strings and numbers within a value. */
function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(leavesOf)
}

function expectNothingOf(values: readonly string[], { stdout, stderr }: Ending): void {
  const told = values.filter(value => stdout.includes(value) || stderr.includes(value))
  expect(told).toEqual([])
}

const secretsOf = ({ tokens }: Simulator): readonly string[] => [
  API_KEY,
  ...tokens.flatMap(token => [token, ...token.split('.')]),
]

const SUBSCRIPTION_SHAPE = `  object
    sessionId: string
    id: string
    userId: integer
    planId: string
    planNickname: string
    status: string
    created: integer
    currentPeriodStart: integer
    currentPeriodEnd: integer
    canceledAt: integer
    customer: string
    defaultPaymentMethod: null
    latestInvoice: string
`
const FREE_PLAN =
  'on a free plan id, customer, defaultPaymentMethod and latestInvoice are all null, and sessionId is digits'

describe('a probe of a service that is as we think', () => {
  it('shows the status and the shape of each answer, and that all assumptions held', async () => {
    const simulator = await start()
    const ending = await probe(simulator)
    expect(ending.stdout).toBe(`
POST {base-url}/api/v2/auth/login
  status 200
  object
    token: string

GET {base-url}/api/v2/payment/subscription/active
  status 200
${SUBSCRIPTION_SHAPE}
POST {base-url}/api/v2/registration/?subscription=true
  status 200
${SUBSCRIPTION_SHAPE}
POST {base-url}/api/v2/registration/{hash}/forfait
  status 200
  object
    hash: string
    description: string
    custody: boolean
    signed: boolean
    signer: null
    signature: null
    txHash: null
    status: string
    blockchainType: string
    holder: null
    txId: null
    assetId: null
    tags: array, empty
    paymentId: string
    creationDate: integer
    payload: null
    userId: integer

Assumptions
  held          login: the answer has a token, a string that can stand in a header
  held          login: the token is a JWT
  held          login: the JWT has exp, in epoch seconds
  held          active subscription: all 13 fields are there
  held          active subscription: the fields that are there have the types that are listed
  not seen      active subscription: ${FREE_PLAN}
  held          request: all 13 fields are there
  held          request: the fields that are there have the types that are listed
  not seen      request: ${FREE_PLAN}
  held          completion: hash is that of the file
  held          completion: custody is false
  held          completion: signed is false
  held          completion: status is registered
  held          completion: paymentId is the id of the subscription, null included
  held          completion: creationDate is an integer of the magnitude of milliseconds
  held          completion: all 17 fields are there
  held          completion: the fields that are there have the types that are listed
`)
    expect(ending.exitCode).toBe(0)
    expect(ending.stderr).toMatch(/^Warning: .*real.*cannot be undone.*may be paid.*\n$/)
    expect(endpointsOf(simulator)).toEqual([
      'login',
      'active-subscription',
      'request',
      'completion',
    ])
    expect([...simulator.registered.keys()]).toEqual([HASH])
    expectNothingOf([...secretsOf(simulator), HASH], ending)
  })

  it('sees the nulls of a free plan', async () => {
    const { exitCode, stdout } = await probe(await start({ plan: 'free' }))
    const findings = readFindings(stdout)
    expect(findings).toMatchObject({
      [`active subscription: ${FREE_PLAN}`]: 'held',
      [`request: ${FREE_PLAN}`]: 'held',
      'completion: paymentId is the id of the subscription, null included': 'held',
    })
    expect(new Set(Object.values(findings))).toEqual(new Set(['held']))
    expect(stdout).toContain('    latestInvoice: null\n')
    expect(stdout).toContain('    paymentId: null\n')
    expect(exitCode).toBe(0)
  })

  it('makes only the two free calls without --yes, and says so', async () => {
    const simulator = await start()
    const { exitCode, stdout, stderr } = await run(['--base-url', simulator.url, '--file', FILE])
    expect(endpointsOf(simulator)).toEqual(['login', 'active-subscription'])
    expect(simulator.requestCounts.size + simulator.registered.size).toBe(0)
    expect(stderr).toMatch(/^Warning: .*real.*may be paid; without --yes.*\n$/)
    expect(stdout).toContain('\nCalls not made: 2 of 4; they need --yes\n')
    const findings = Object.entries(readFindings(stdout))
    expect(findings).toHaveLength(17)
    for (const [assumption, verdict] of findings) {
      const wasSeen = /^(login|active subscription): (?!on a free plan)/.test(assumption)
      expect([assumption, verdict]).toEqual([assumption, wasSeen ? 'held' : 'not seen'])
    }
    expect(exitCode).toBe(0)
  })

  it('takes a base URL with a prefix and a slash at its end', async () => {
    const simulator = await start({ prefix: '/notary' })
    const { exitCode } = await run(['--base-url', `${simulator.url}/`, '--file', FILE])
    expect(exitCode).toBe(0)
  })

  it('completes with what the request was answered, byte for byte', async () => {
    const body = `{ "userId": 90071992547409931,\n${JSON.stringify(exampleSubscription).slice(1)}`
    const fault = rawFault(body, { effect: 'after' })
    const simulator = await start({ faults: [{ endpoint: 'request', fault }] })
    expect((await probe(simulator)).exitCode).toBe(0)
    expect(simulator.requests.at(-1)).toMatchObject({ endpoint: 'completion', bodyText: body })
  })

  it('prints its help', async () => {
    const { exitCode, stdout } = await run(['--help'], { NOTARIZATION_API_KEY: undefined })
    expect(stdout).toMatch(/^Usage: .*--base-url URL --file PATH \[--yes\]\n/)
    expect(exitCode).toBe(0)
  })
})

describe('what a probe never tells', () => {
  const odd = (salt: string, number: number): SimulatorOptions => ({
    nowMs: () => number * 1000 + 777,
    activeSubscription: {
      sessionId: `cs_${salt}`,
      id: `sub_${salt}`,
      userId: number + 1,
      planId: `plan_${salt}`,
      planNickname: `Nick ${salt}`,
      status: `state-${salt}`,
      created: number + 2,
      currentPeriodStart: number + 3,
      currentPeriodEnd: number + 4,
      canceledAt: number + 5,
      customer: `cus_${salt}`,
      defaultPaymentMethod: `pm_${salt}`,
      latestInvoice: `in_${salt}`,
      more: { inside: [`deep ${salt}`, number + 6.5, [{ further: salt }]] },
    },
    record: () => ({
      description: `Text ${salt}`,
      signer: `Signer ${salt}`,
      tags: [`tag ${salt}`, number + 7],
      payload: { [`id_${number}`]: salt, [`${salt}@example.org`]: number + 8, note: salt },
      status: `done-${salt}`,
      blockchainType: `CHAIN ${salt}`,
      creationDate: number * 1000 + 9,
    }),
  })

  it('is any value of an answer: services that differ in their values only look the same', async () => {
    const outputs: string[] = []
    for (const [salt, number] of [
      ['Xq7Zw', 1_712_345_678],
      ['Lm3Vb9', 1_798_765_432],
    ] as const) {
      const simulator = await start(odd(salt, number))
      const ending = await probe(simulator)
      const bodies = simulator.requests.map(({ bodyText }) => bodyText)
      expect(endpointsOf(simulator)).toHaveLength(4)
      expectNothingOf(
        [
          ...secretsOf(simulator),
          salt,
          HASH,
          ...leavesOf(JSON.parse(bodies[3] ?? '')),
          ...leavesOf([...simulator.registered.values()]),
        ],
        ending,
      )
      outputs.push(ending.stdout + ending.stderr)
      await simulator.close()
    }
    expect(outputs[1]).toBe(outputs[0])
    expect(outputs[0]).toContain(`
    more: object
      inside: array of
        string
        number
        array of
          object
            further: string
`)
    expect(outputs[0]).toContain(`
    tags: array of
      string
      integer
`)
    expect(outputs[0]).toContain(`
    payload: object
      note: string
      2 fields, their names not shown
`)
  })

  it('is a part of a body, a header or an address, also when a call fails', async () => {
    const tell = { error: 'Leak-in-body', key: API_KEY, [API_KEY]: 1, details: ['Leak-in-list'] }
    const headers = { 'x-leak': 'Leak-in-header', 'set-cookie': 'a=Leak-in-cookie' }
    const faults: readonly (readonly [Fault, string])[] = [
      [statusFault(418, { body: tell, headers }), '1 field, its name not shown'],
      [rawFault('{"Leak-in-json": 1,}', { contentType: 'text/Leak' }), 'body is not JSON'],
      [rawFault(Buffer.from([0x22, 0xff, 0x22])), 'body over 1 MiB, or not UTF-8'],
      [redirectFault('http://127.0.0.1:9/Leak-in-location'), 'status 307'],
      [resetFault('mid-body'), 'no complete answer'],
    ]
    for (const [fault, message] of faults) {
      const simulator = await start({ faults: [{ endpoint: 'active-subscription', fault }] })
      const ending = await run(['--base-url', simulator.url, '--file', FILE])
      expect(ending.stdout).toContain(message)
      expect(ending.exitCode).toBe(1)
      expectNothingOf([...secretsOf(simulator), 'Leak', '127.0.0.1'], ending)
      await simulator.close()
    }
  })

  it('is a part of the token that stands in the place of a name', async () => {
    const [key, part] = ['lettersOnlyKey', 'partOfTheTokenAlone']
    const body = { token: `x.y.${part}`, [part]: 1, [`a-${part}`]: 2, lettersOnly: 3, fine: 4 }
    const fault = rawFault(JSON.stringify(body))
    const simulator = await start({ faults: [{ endpoint: 'login', fault }] })
    const args = ['--base-url', simulator.url, '--file', FILE]
    const ending = await run(args, { NOTARIZATION_API_KEY: key })
    expect(ending.stdout).toContain('    fine: integer\n    3 fields, their names not shown\n')
    expectNothingOf([part, 'lettersOnly'], ending)
  })
})

describe('a record that is not as we think', () => {
  it.each<[string, Record<string, unknown>]>([
    ['hash is that of the file', { hash: 'ab'.repeat(32) }],
    ['hash is that of the file', { hash: [HASH] }],
    ['hash is that of the file', { hash: { toString: 1 } }],
    ['custody is false', { custody: true }],
    ['custody is false', { custody: 'false' }],
    ['signed is false', { signed: null }],
    ['status is registered', { status: 'not_registered' }],
    ['paymentId is the id of the subscription, null included', { paymentId: 'sub_other' }],
    ['paymentId is the id of the subscription, null included', { paymentId: undefined }],
    ['creationDate is an integer of the magnitude of milliseconds', { creationDate: 1.7e9 }],
    ['creationDate is an integer of the magnitude of milliseconds', { creationDate: 1.7e12 + 0.5 }],
    ['creationDate is an integer of the magnitude of milliseconds', { creationDate: '2026' }],
  ])('is found out when it breaks "%s" (%j)', async (assumption, change) => {
    const ending = await probe(await start({ record: () => change }))
    const findings = readFindings(ending.stdout)
    const broken = Object.keys(findings).filter(key => findings[key] === 'did not hold')
    const others = broken.filter(key => !key.startsWith('completion: '))
    expect(broken).toContain(`completion: ${assumption}`)
    expect(others).toEqual([])
    expect(ending.exitCode).toBe(1)
  })

  it('is right with its hash in upper case', async () => {
    const { exitCode } = await probe(await start({ record: () => ({ hash: HASH.toUpperCase() }) }))
    expect(exitCode).toBe(0)
  })

  it('has its missing, additional and mistyped fields named', async () => {
    const record = () => ({ txId: undefined, tags: 'a', userId: 1.5, surprise: 1, 'Sub 1': 2 })
    const { exitCode, stdout } = await probe(await start({ record }))
    expect(readFindings(stdout)).toMatchObject({
      'completion: all 17 fields are there':
        'did not hold; missing: txId; additional: surprise, 1 field, its name not shown',
      'completion: the fields that are there have the types that are listed':
        'did not hold; tags is string, not array; userId is number, not integer',
      'completion: hash is that of the file': 'held',
    })
    expect(exitCode).toBe(1)
  })

  it('may have additional fields', async () => {
    const { exitCode, stdout } = await probe(await start({ record: () => ({ surprise: 1 }) }))
    expect(readFindings(stdout)).toMatchObject({
      'completion: all 17 fields are there': 'held; additional: surprise',
    })
    expect(exitCode).toBe(0)
  })
})

describe('a subscription that is not as we think', () => {
  it.each<[string, SimulatorOptions, Record<string, string>]>([
    [
      'lacks a field and spells another in its own way',
      { activeSubscription: { planId: undefined, customer: undefined, custumer: 'cus_1' } },
      {
        'all 13 fields are there': 'did not hold; missing: planId, customer; additional: custumer',
      },
    ],
    [
      'has fields of other types',
      { activeSubscription: { userId: '7', canceledAt: null } },
      {
        'the fields that are there have the types that are listed':
          'did not hold; userId is string, not integer; canceledAt is null, not integer or boolean',
      },
    ],
    ['lacks an invoice only', { activeSubscription: { latestInvoice: null } }, freePlanBroken()],
    [
      'is free, with a customer',
      { plan: 'free', activeSubscription: { customer: 'cus_1' } },
      freePlanBroken(),
    ],
    [
      'is free, with letters',
      { plan: 'free', activeSubscription: { sessionId: 'cs_1' } },
      freePlanBroken(),
    ],
    [
      'is free, with a number',
      { plan: 'free', activeSubscription: { sessionId: 17 } },
      freePlanBroken(),
    ],
  ])('is found out when it %s', async (_what, options, findings) => {
    const simulator = await start(options)
    const ending = await run(['--base-url', simulator.url, '--file', FILE])
    const expected = Object.entries(findings).map(
      ([assumption, verdict]) => [`active subscription: ${assumption}`, verdict] as const,
    )
    expect(readFindings(ending.stdout)).toMatchObject(Object.fromEntries(expected))
    expect(ending.exitCode).toBe(1)
  })

  it('leaves paymentId unjudged when the request was answered without an id', async () => {
    const simulator = await start({
      activeSubscription: { id: undefined },
      missingFields: 'accept',
    })
    expect(readFindings((await probe(simulator)).stdout)).toMatchObject({
      'request: all 13 fields are there': 'did not hold; missing: id',
      'completion: paymentId is the id of the subscription, null included': 'not seen',
    })
  })

  it('is looked for in vain: the request is tried all the same', async () => {
    const simulator = await start({ activeSubscription: null })
    const { exitCode, stdout } = await probe(simulator)
    expect(simulator.requests.map(seen => seen.answeredStatus)).toEqual([200, 404, 402])
    expect(stdout.match(/failed: a status that is not 2xx\n/g)).toHaveLength(2)
    expect(stdout).toContain('\nCalls not made: 1 of 4; see what failed above\n')
    expect(exitCode).toBe(1)
  })
})

function freePlanBroken(): Record<string, string> {
  return { [FREE_PLAN]: 'did not hold' }
}

describe('a token that is not as we think', () => {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const [EXISTS, IS_JWT, HAS_EXP] = [
    'login: the answer has a token, a string that can stand in a header',
    'login: the token is a JWT',
    'login: the JWT has exp, in epoch seconds',
  ]

  it.each<[string, unknown, readonly string[], number]>([
    ['absent', {}, ['did not hold', 'not seen', 'not seen'], 1],
    ['no text', { token: 7 }, ['did not hold', 'not seen', 'not seen'], 1],
    ['on two lines', { token: 'a.b\n.c' }, ['did not hold', 'not seen', 'not seen'], 1],
    ['opaque', { token: 'opaque' }, ['held', 'did not hold', 'not seen'], 2],
    ['only dotted', { token: 'a.b.c' }, ['held', 'did not hold', 'not seen'], 2],
    [
      'without an expiry',
      { token: `${part({})}.${part({ iat: 1 })}.c` },
      ['held', 'held', 'did not hold'],
      2,
    ],
    [
      'with an expiry in milliseconds',
      { token: `${part({})}.${part({ exp: 1.8e12 })}.c` },
      ['held', 'held', 'did not hold'],
      2,
    ],
  ])('is found out when it is %s', async (_what, body, verdicts, calls) => {
    const fault = rawFault(JSON.stringify(body))
    const simulator = await start({ faults: [{ endpoint: 'login', fault }] })
    const { exitCode, stdout } = await run(['--base-url', simulator.url, '--file', FILE])
    const findings = readFindings(stdout)
    expect([findings[EXISTS], findings[IS_JWT], findings[HAS_EXP]]).toEqual(verdicts)
    expect(simulator.requests).toHaveLength(calls)
    expect(exitCode).toBe(1)
  })
})

describe('a call that fails', () => {
  const MAYBE = '; the service may have carried it out all the same'
  type Endpoint = 'login' | 'active-subscription' | 'request' | 'completion'

  it.each<[Endpoint, Fault, string, number]>([
    ['login', statusFault(401), 'a status that is not 2xx', 1],
    ['login', resetFault('done'), 'no complete answer (', 1],
    ['login', rawFault('[]'), 'no JSON object', 1],
    ['active-subscription', resetFault('mid-body'), 'no complete answer (', 2],
    ['active-subscription', redirectFault('/api/v2/auth/login'), 'a status that is not 2xx', 4],
    ['request', statusFault(409), 'a status that is not 2xx\n', 3],
    ['request', statusFault(503), `a status that is not 2xx${MAYBE}`, 3],
    ['request', rawFault('[1]', { effect: 'after' }), `no JSON object${MAYBE}`, 3],
    ['request', hugeFault(1_048_577), `no JSON object${MAYBE}`, 3],
    ['completion', statusFault(404), 'a status that is not 2xx\n', 4],
    ['completion', redirectFault('/'), `a status that is not 2xx${MAYBE}`, 4],
    ['completion', rawFault('', { status: 204 }), `no JSON object${MAYBE}`, 4],
    ['completion', resetFault('done'), `)${MAYBE}`, 4],
  ])('is told, and ends the probe where nothing can follow (%s, %j)', async (...row) => {
    const [endpoint, fault, message, calls] = row
    const simulator = await start({ faults: [{ endpoint, fault }] })
    const { exitCode, stdout, stderr } = await probe(simulator)
    expect(stdout.match(/^ {2}failed: .*\n/gm)).toEqual([expect.stringContaining(message)])
    expect(stdout).not.toContain('did not hold')
    expect(simulator.requests).toHaveLength(calls)
    expect(stdout.includes(`Calls not made: ${4 - calls} of 4; see`)).toBe(calls < 4)
    expect(stderr).toMatch(/^Warning: .*\n$/)
    expect(exitCode).toBe(1)
  })

  it('reads a body of exactly 1 MiB', async () => {
    const body = JSON.stringify({ ...exampleSubscription, planNickname: '' })
    const whole = body.padStart(1_048_576)
    const simulator = await start({
      faults: [{ endpoint: 'active-subscription', fault: rawFault(whole) }],
    })
    const { exitCode } = await run(['--base-url', simulator.url, '--file', FILE])
    expect(exitCode).toBe(0)
  })

  it('is given up when its time is over', async () => {
    const simulator = await start({ faults: [{ endpoint: 'login', fault: silenceFault() }] })
    const { exitCode, stdout } = await probe(simulator, '--timeout-seconds', '1')
    expect(stdout).toContain('  failed: no complete answer (not within 1 s)\n')
    expect(exitCode).toBe(1)
  })

  it('names the code of a service that does not listen', async () => {
    const simulator = await start()
    await simulator.close()
    const { exitCode, stdout } = await probe(simulator)
    expect(stdout).toContain('  failed: no complete answer (ECONNREFUSED)\n')
    expect(exitCode).toBe(1)
  })

  it('is one to a service whose certificate is not trusted, until it is', async () => {
    const tls = makeCertificate('IP:127.0.0.1')
    const simulator = await start({ tls })
    const { exitCode, stdout } = await probe(simulator)
    expect(stdout).toContain('  failed: no complete answer (DEPTH_ZERO_SELF_SIGNED_CERT)\n')
    expect(exitCode).toBe(1)
    expect(simulator.requests).toEqual([])

    workspace.write('ca.pem', tls.cert)
    const env = { NODE_EXTRA_CA_CERTS: workspace.path('ca.pem') }
    const trusting = await run(['--base-url', simulator.url, '--file', FILE], env)
    expect(trusting.exitCode).toBe(0)
  })

  it('is no trouble with an answer that is wide and deep', async () => {
    const names = Array.from({ length: 70 }, (_, index) => [
      `name${'abcdefghij'[index % 10] ?? ''}${'klmnopq'[Math.floor(index / 10)] ?? ''}`,
      index,
    ])
    const mixed = [1, 'a', null, true, 1.5, {}, []]
    const wide = JSON.stringify({ ...Object.fromEntries(names), mixed }).slice(1)
    const deep = `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)},${wide}`
    const simulator = await start({
      faults: [{ endpoint: 'active-subscription', fault: rawFault(deep) }],
    })
    const { exitCode, stdout } = await run(['--base-url', simulator.url, '--file', FILE])
    expect(stdout).toContain('array, its inside not shown\n')
    expect(stdout).toContain('\n    12 fields, their names not shown\n')
    expect(exitCode).toBe(1)
  })

  it('shows no more than five forms of the elements of a list', async () => {
    const body = JSON.stringify([1, 2, 'a', null, true, 1.5, {}, []])
    const simulator = await start({
      faults: [{ endpoint: 'active-subscription', fault: rawFault(body) }],
    })
    const { stdout } = await run(['--base-url', simulator.url, '--file', FILE])
    expect(stdout).toContain(`
  array of
    integer
    string
    null
    boolean
    number
    more, not shown
`)
  })
})

describe('wrong usage', () => {
  const URL_OK = 'https://notary.invalid'
  const base = (url: string): readonly string[] => ['--base-url', url, '--file', FILE]

  it.each<[string, readonly string[], RegExp]>([
    ['no arguments', [], /--base-url is missing/],
    ['no file', ['--base-url', URL_OK], /--file is missing/],
    ['a file that is not there', ['--base-url', URL_OK, '--file', 'x/y'], /\(ENOENT\)/],
    ['a folder', ['--base-url', URL_OK, '--file', workspace.root], /regular file/],
    ['no URL', base('notary.invalid'), /https:\/\//],
    ['another scheme', base('ftp://127.0.0.1'), /https:\/\//],
    ['http to another host', base('http://notary.invalid'), /https:\/\//],
    ['http to a host that only looks local', base('http://127.0.0.1.invalid'), /https:\/\//],
    ['credentials', base('https://a:Leak@notary.invalid'), /credentials/],
    ['a query', base(`${URL_OK}/?`), /query/],
    ['a fragment', base(`${URL_OK}/#`), /fragment/],
    ['the path of the service', base(`${URL_OK}/api/v2/`), /before \/api\/v2/],
    ['the path of a call', base(`${URL_OK}/api/v2/auth/login`), /before \/api\/v2/],
    ['a key as an option', [...base(URL_OK), '--api-key', 'Leak'], /never one/],
    ['a key as an option in one', [...base(URL_OK), '--api-key=Leak'], /never one/],
    ['a key as an argument', [...base(URL_OK), 'Leak'], /never one/],
    ['an option without its value', ['--base-url', URL_OK, '--file'], /incomplete/],
    ['no time', [...base(URL_OK), '--timeout-seconds', '0'], /1 to 600/],
    ['too much time', [...base(URL_OK), '--timeout-seconds', '601'], /1 to 600/],
    ['odd time', [...base(URL_OK), '--timeout-seconds', '1e2'], /1 to 600/],
  ])('is %s', async (_what, args, message) => {
    const { exitCode, stdout, stderr } = await run(args)
    expect(stderr).toMatch(/^probe: .+\n\nUsage: /)
    expect(stderr.split('\n')[0]).toMatch(message)
    expect(stdout + stderr).not.toContain('Leak')
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
  })

  it.each([
    ['missing', undefined, /missing or empty/],
    ['blank', ' \n', /missing or empty/],
    ['on two lines', 'Leak\nLeak', /one line/],
  ])('is an API key that is %s', async (_what, key, message) => {
    const simulator = await start()
    const args = ['--base-url', simulator.url, '--file', FILE]
    const { exitCode, stderr } = await run(args, { NOTARIZATION_API_KEY: key })
    expect(stderr.split('\n')[0]).toMatch(message)
    expect(stderr).not.toContain('Leak')
    expect(exitCode).toBe(2)
    expect(simulator.requests).toEqual([])
  })
})
