import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import {
  exampleFreeSubscription,
  hugeFault,
  rawFault,
  resetFault,
  silenceFault,
  startSimulator,
  statusFault,
} from '../../simulator/index.ts'
import type { Endpoint, Fault, Simulator, SimulatorOptions } from '../../simulator/index.ts'
import { cleanUp } from '../support/clean-up.ts'
import { sha256 } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

const command = resolve(import.meta.dirname, '../../scripts/probe.ts')
const apiKey = 'probe-key-7f3a99c1'
const hash = sha256('what is to be notarized')
const workspace = makeWorkspace({ 'release.bin': 'what is to be notarized' })
const file = workspace.path('release.bin')

let running: Simulator | undefined
afterEach(() => running?.close())
afterAll(cleanUp)

/** Runs the probe with nothing in its environment but what it is given, and a cache that makes it start sooner. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', command, ...args],
    {
      env: { NODE_COMPILE_CACHE: workspace.temp, NOTARIZATION_API_KEY: apiKey, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const [stdout, stderr] = await Promise.all([
    ...[child.stdout, child.stderr].map(text),
    once(child, 'close'),
  ])
  return { exitCode: child.exitCode, stdout: String(stdout), stderr: String(stderr) }
}

/** Probes a simulator of its own, up to the registration. */
async function probe(options: SimulatorOptions = {}, more: readonly string[] = ['--yes']) {
  await running?.close()
  const service = await startSimulator({ apiKeys: [apiKey], ...options })
  running = service
  const ending = await run(['--base-url', `${service.url}/`, '--file', file, ...more])
  const output = ending.stdout + ending.stderr
  const secrets = [apiKey, hash, ...service.tokens.flatMap(token => [token, ...token.split('.')])]
  expect(secrets.filter(secret => output.includes(secret))).toEqual([])
  return { ...ending, output, service, endpoints: service.requests.map(({ endpoint }) => endpoint) }
}

/** The assumptions with a verdict. */
const findingsOf = (stdout: string, verdict: string): readonly string[] =>
  [...stdout.matchAll(new RegExp(`^  ${verdict} {2,}(\\S.*)$`, 'gm'))].map(([, what = '']) => what)

/** Nothing but these assumptions did not hold, and the output has this text. */
function checkFindings(
  { stdout, exitCode }: Awaited<ReturnType<typeof run>>,
  broken: readonly string[],
  shown: string,
): void {
  expect(findingsOf(stdout, 'did not hold')).toEqual(broken)
  expect(stdout).toContain(shown)
  expect(exitCode).toBe(broken.length === 0 ? 0 : 1)
}

const subscriptionShape = `  status 200
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
const freePlan =
  'on a free plan id, customer, defaultPaymentMethod and latestInvoice are all null, and sessionId is digits'

describe('a probe of a service that is as we think', () => {
  it('shows the status and the shape of each answer, and that all assumptions held', async () => {
    const { service, exitCode, stdout, stderr } = await probe()
    expect(stdout).toBe(`
POST {base-url}/api/v2/auth/login
  status 200
    token: string

GET {base-url}/api/v2/payment/subscription/active
${subscriptionShape}
POST {base-url}/api/v2/registration/?subscription=true
${subscriptionShape}
POST {base-url}/api/v2/registration/{hash}/forfait
  status 200
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
    tags: array
    paymentId: string
    creationDate: integer
    payload: null
    userId: integer

Assumptions
  held          login: the token is a string that can stand in a header
  held          login: the token is a JWT
  held          login: the JWT has exp, in epoch seconds
  held          active subscription: the fields and their types are as listed
  not seen      active subscription: ${freePlan}
  held          request: the fields and their types are as listed
  not seen      request: ${freePlan}
  held          completion: the fields and their types are as listed
  held          completion: the record says what was asked for
  held          completion: paymentId is the id of the subscription, null included
  held          completion: creationDate is of the magnitude of milliseconds
`)
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/^Warning: .*real.*cannot be undone.*may be paid.*\n$/)
    expect([...service.registered.keys()]).toEqual([hash])
  })

  it('sees the nulls of a free plan, behind a prefix too', async () => {
    const { exitCode, stdout } = await probe({
      ...{ activeSubscription: exampleFreeSubscription, prefix: '/notary' },
    })
    expect(findingsOf(stdout, 'held')).toHaveLength(11)
    expect(exitCode).toBe(0)
  })

  it('makes only the two free calls without --yes, and says so', async () => {
    const { exitCode, stdout, stderr, endpoints } = await probe({}, [])
    expect(endpoints).toEqual(['login', 'active-subscription'])
    expect(stderr).toMatch(/^Warning: .*; without --yes only the login .*\n$/)
    expect(stdout).toContain('\nCalls not made: 2 of 4; they need --yes\n')
    expect(findingsOf(stdout, 'not seen')).toHaveLength(7)
    expect(exitCode).toBe(0)
  })
})

describe('what a probe never shows', () => {
  it('is any value of an answer: services that differ in their values only look the same', async () => {
    const outputs: string[] = []
    for (const [salt, number] of [['Xq7Zw', 1_712_345_678] as const, ['Lm3Vb9', 98_765] as const]) {
      const texts = ['id', 'planId', 'planNickname', 'customer', 'latestInvoice']
      const { endpoints, output } = await probe({
        nowMs: () => number * 1000 + 777,
        activeSubscription: {
          ...Object.fromEntries(texts.map(field => [field, `${field} ${salt}`])),
          ...{ sessionId: `cs_${salt}`, status: `state-${salt}`, userId: number + 1 },
          more: { inside: [`deep ${salt}`, number + 6.5, [{ further: salt }]] },
        },
        record: () => ({
          ...{ description: `Text ${salt}`, signer: salt, status: `done-${salt}` },
          ...{ hash: `${salt}${hash}`, tags: [`tag ${salt}`, number + 7, 1e300, true] },
          payload: { [`id_${number}`]: salt, [`${salt}@example.org`]: number, note: salt },
        }),
      })
      expect(endpoints).toHaveLength(4)
      outputs.push(output.replace(/.*magnitude.*|.*epoch seconds.*/g, ''))
      expect(output).not.toContain(salt)
      expect(output).not.toContain(String(number))
    }
    expect(outputs[1]).toBe(outputs[0])
    for (const shape of [
      'more: { inside: array of string or number or array of { further: string } }, not listed',
      'tags: array of string or integer or number or boolean',
      'payload: { note: string, 2 fields, not shown }',
      'did not hold  completion: the record says what was asked for: hash is "not shown", ',
    ]) {
      expect(outputs[0]).toContain(shape)
    }
  })

  it('is a part of the key or the token that stands in the place of a name', async () => {
    const part = 'partOfTheTokenAlone'
    const body = { token: `x.y.${part}`, [part]: 1, [`a-${part}`]: 2, lettersOnly: 3, fine: 4 }
    const fault = rawFault(JSON.stringify(body))
    const key = 'lettersOnlyKey'
    running = await startSimulator({ faults: [{ endpoint: 'login', fault }] })
    const ending = await run(['--base-url', running.url, '--file', file], {
      NOTARIZATION_API_KEY: key,
    })
    expect(ending.stdout).toContain('    fine: integer, not listed\n    3 fields, not shown\n')
    expect(ending.stdout + ending.stderr).not.toMatch(/partOf|lettersOnly/)
  })
})

describe('an assumption', () => {
  const [listed, asked, paid, created] = [
    'completion: the fields and their types are as listed',
    'completion: the record says what was asked for: ',
    'completion: paymentId is the id of the subscription, null included',
    'completion: creationDate is of the magnitude of milliseconds',
  ]
  it.each<[Record<string, unknown>, readonly string[], string?]>([
    [{ hash: 'ab'.repeat(32) }, [`${asked}hash is "not shown", not that of the request`]],
    [{ hash: 7 }, [listed, `${asked}hash has the wrong type`], 'hash: integer, not string'],
    [{ custody: true }, [`${asked}custody is true, not false`]],
    [{ paymentId: 'sub_other' }, [paid]],
    [
      { paymentId: undefined },
      [listed, `${asked}paymentId is missing`, paid],
      'paymentId: missing',
    ],
    [{ creationDate: 1.7e9 }, [created]],
    [{ creationDate: 1.7e12 + 0.5 }, [listed, `${asked}creationDate has the wrong type`]],
    [{ txId: undefined }, [listed], 'txId: missing'],
    [{ surprise: 1, 'Sub 1': 2 }, [], 'surprise: integer, not listed\n    1 field, not shown'],
    [{ hash: hash.toUpperCase() }, []],
  ])('about a record is checked against %j', async (...row) => {
    const [change, broken, shown = ''] = row
    checkFindings(await probe({ record: () => change }), broken, shown)
  })

  const types = 'active subscription: the fields and their types are as listed'
  const free = `active subscription: ${freePlan}`
  const freeWith = (change: object) => ({ ...exampleFreeSubscription, ...change })
  it.each<[Record<string, unknown>, readonly string[], string]>([
    [{ planId: undefined }, [types], 'planId: missing'],
    [{ custumer: 'cus_1' }, [], 'custumer: string, not listed'],
    [{ canceledAt: '0' }, [types], ': string, not integer or boolean'],
    [{ latestInvoice: null }, [free], 'latestInvoice: null'],
    [freeWith({ customer: 'cus_1' }), [free], 'customer: string'],
    [freeWith({ sessionId: 'cs_1' }), [free], 'sessionId: string'],
  ])('about a subscription is checked against %j', async (activeSubscription, broken, shown) => {
    checkFindings(await probe({ activeSubscription }, []), broken, shown)
  })

  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  it.each<[unknown, string, number]>([
    [{}, 'the token is a string that can stand in a header', 1],
    [{ token: 'a.b\n.c' }, 'the token is a string that can stand in a header', 1],
    [{ token: 'a.b.c' }, 'the token is a JWT', 2],
    [{ token: `${part({})}.${part({ iat: 1 })}.c` }, 'the JWT has exp, in epoch seconds', 2],
    [{ token: `${part({})}.${part({ exp: 1.8e12 })}.c` }, 'the JWT has exp, in epoch seconds', 2],
  ])('about the token is checked against %j', async (body, broken, calls) => {
    // A second login, after the 401 to such a token, is as good as the first is not.
    const fault = rawFault(JSON.stringify(body))
    const { exitCode, stdout, service } = await probe(
      {
        faults: [
          { endpoint: 'login', fault },
          { endpoint: 'active-subscription', fault: rawFault('{}') },
        ],
      },
      [],
    )
    expect(findingsOf(stdout, 'did not hold')).toContain(`login: ${broken}`)
    expect(service.requests).toHaveLength(calls)
    expect(exitCode).toBe(1)
  })
})

describe('a call that fails', () => {
  const maybe = '; the service may have carried it out all the same\n'
  const leak = { message: 'Leak-in-body', [apiKey]: 1, details: ['Leak-in-list'] }
  const headers = { 'x-leak': 'Leak-in-header', 'set-cookie': 'a=Leak-in-cookie' }
  const active = 'active-subscription'

  it.each<[Endpoint, Fault, string, number]>([
    ['login', statusFault(401, { body: leak, headers }), 'a status that is not 2xx\n', 1],
    ['login', rawFault('[1, "Leak", {}]'), 'but array of integer or string or object\n', 1],
    ['login', rawFault('{"Leak-in-json": 1,}', { contentType: 'text/Leak' }), 'no JSON\n', 1],
    [active, statusFault(418, { body: leak, headers }), 'a status that is not 2xx\n', 4],
    [active, statusFault(503), 'a status that is not 2xx\n', 2],
    ['request', statusFault(503, { body: leak }), `a status that is not 2xx${maybe}`, 3],
    ['request', rawFault('[1]', { effect: 'after' }), `array of integer${maybe}`, 3],
    ['request', hugeFault(1_048_577), `a body over 1 MiB${maybe}`, 3],
    ['completion', rawFault('', { status: 204 }), `no JSON${maybe}`, 4],
    ['completion', resetFault('done'), maybe, 4],
  ])('is shown, and ends the probe where nothing can follow (%s, %j)', async (...row) => {
    const [endpoint, fault, message, calls] = row
    const { exitCode, stdout, output, service } = await probe({ faults: [{ endpoint, fault }] })
    expect(stdout.match(/^ {2}failed: .*\n/gm)).toEqual([expect.stringContaining(message)])
    expect(output).not.toMatch(/did not hold|Leak|127\.0\.0\.1/)
    expect(service.requests).toHaveLength(calls)
    expect(stdout.includes(`Calls not made: ${4 - calls} of 4; see above`)).toBe(calls < 4)
    // A request takes the place of an active subscription that is refused.
    const isMade = endpoint === active && calls === 4
    expect(/^The action would report: \S+; registered: (no|unknown)$/m.test(stdout)).toBe(!isMade)
    expect(exitCode).toBe(1)
  })

  it('is given up when its time is over', async () => {
    const faults = [{ endpoint: 'login', fault: silenceFault() }] as const
    const { exitCode, stdout } = await probe({ faults }, ['--timeout-seconds', '1'])
    expect(stdout).toContain('  failed: no complete answer: no complete answer within 1 s\n')
    expect(exitCode).toBe(1)
  })

  it('is no trouble with an answer that is wide and deep', async () => {
    const names = Array.from('abcdefghij', a => Array.from('klmnopq', b => `"name${a}${b}":1`))
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const [wide, both] = [`{${names.join()}}`, `{"deep":${deep},${names.join()}}`]
    const answers = [wide, both].map(body => ({ endpoint: active, fault: rawFault(body) }) as const)
    for (const [index, shown] of [
      '\n    10 fields, not shown\n',
      'of at most 200 levels',
    ].entries()) {
      const { stdout } = await probe({ faults: answers.slice(index) }, [])
      expect(stdout).toContain(shown)
    }
  })
})

describe('wrong usage', () => {
  const good = 'https://notary.invalid'
  const base = (url: string): readonly string[] => ['--base-url', url, '--file', file]

  it.each<[readonly string[], string, NodeJS.ProcessEnv?]>([
    [[], '--base-url is empty'],
    [['--base-url', good], '--file is missing'],
    [['--base-url', good, '--file', 'x/y'], 'no such file'],
    [['--base-url', good, '--file', workspace.root], 'regular file'],
    [base('http://notary.invalid'), 'must start with https://'],
    [base('https://a:Leak@notary.invalid'), 'credentials'],
    [base(`${good}/api/v2/auth/login`), 'before /api/v2'],
    [[...base(good), '--api-key=Leak'], 'Unknown option'],
    [[...base(good), 'Leak'], 'never one'],
    [['--base-url', good, '--file'], 'missing'],
    [[...base(good), '--timeout-seconds', '601'], '1 to 600'],
    [base(good), 'missing or empty', { NOTARIZATION_API_KEY: ' \n' }],
    [base(good), 'one line', { NOTARIZATION_API_KEY: 'Leak\nLeak' }],
  ])('is refused: %j: %s', async (...row) => {
    const [args, message, env] = row
    const { exitCode, stdout, stderr } = await run(args, env)
    expect(stderr).toMatch(/^probe: .+; run with --help to see the usage\n$/)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('Leak')
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  })

  it('includes a proxy that cannot be used: it is never bypassed', async () => {
    const { exitCode, stdout, stderr } = await run(base(good), { https_proxy: 'socks5://a:Leak@b' })
    expect(stderr).toMatch(/^probe: the address of the proxy .*\n$/)
    expect(stderr).not.toContain('Leak')
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  })
})
