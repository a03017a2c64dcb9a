/**
 * The action against generated services: those that the specification allows, and some that break one of its rules. The
 * expected end of each run follows from the specification and the contract, without code of `src`. For a longer run:
 * `SERVICES=10000 npm test -- __tests__/services`.
 */
import '../support/realms.ts'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { z } from 'zod'
import { notarizeAction } from '../../src/main.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { hostIn } from '../artifacts/host.ts'
import { cleanUp } from '../support/clean-up.ts'
import { listen } from '../support/listen.ts'
import { sha256 } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

afterAll(cleanUp)

type Fields = Readonly<Record<string, unknown>>

const maxAttempts = 3
const apiKey = 'key_live_7Hq2Zx91'
const hash = sha256('an artifact')
const answerDate = 'Wed, 21 Oct 2026 07:28:00 GMT'

/** Reads JSON with all digits of its numbers; undefined if it is none. A byte order mark may come first. */
function read(json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\ufeff/, ''), (_, value: unknown, { source = '' }) =>
      typeof value === 'number' ? JSON.rawJSON(source) : value,
    )
  } catch {
    return undefined
  }
}

function readObject(json: string): Fields | null {
  const value = read(json)
  const isComposed = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isComposed && !JSON.isRawJSON(value)
    ? z.record(z.string(), z.unknown()).parse(value)
    : null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

// What can happen: mostly what is usual, now and then anything.

const one = fc.constantFrom
function mostly<A, B>(weight: number, usual: fc.Arbitrary<A>, rare: fc.Arbitrary<B>) {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare })
}

const numbers = ['0', '-7', '170000000042', '123456789012345678901234567890', '1.50', '1e400']
const hostile = ['</td><b>', '|a|\n#x', '::error::x ##[error]x', '\u202e\0', '2026-01-31T12:00:00Z']
const single = fc.oneof(
  one(...numbers.map(read), null, true, false, '', 'x'.repeat(2000), ...hostile),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const anyObject = fc.dictionary(one('', '0', '__proto__', 'toString', 'a/b~c'), single, {
  maxKeys: 2,
})
const anyValue = fc.oneof(single, fc.array(single, { maxLength: 2 }), anyObject)

const longWaits = ['61', '999999999999999999999999999999', 'Fri, 21 Oct 2050 07:28:00 GMT']
const shortWaits = ['0', '60', '-1', 'soon', '', 'Wed, 21 Oct 2026 07:28:30 GMT']
const waits = mostly(3, one(...shortWaits), one(...longWaits))
const date = one(answerDate)
const headers = fc.record({ 'retry-after': waits, date }, { requiredKeys: [] })
const body = fc.oneof(
  one('', 'Service Unavailable', '<html>', '{"message":', 'Used up. '.repeat(3000), ...hostile),
  anyValue.map(value => JSON.stringify(value)),
)
const repeated = [408, 425, 429, 500, 502, 503, 504]
const failures = fc.array(fc.record({ status: one(401, ...repeated), headers, body }), {
  maxLength: 4,
})
const status = one(400, 401, 402, 403, 404, 409, 422, 429, 500, 501, 503, 200, 204, 301, 307, 999)
/** The answers to one kind of call: failures, then a good answer or what replaces it. */
const course = fc.record({
  failures: mostly(4, one([]), failures),
  end: mostly(20, one(null), fc.record({ status, headers, body })),
  good: fc.record({ status: one(200, 200, 201, 206), headers }),
  mark: mostly(9, one(''), one('\ufeff')),
})

const unbound =
  'description signer signature txHash blockchainType holder txId assetId tags creationDate payload userId'
const secretFields = ['sessionId', 'customer', 'latestInvoice', 'defaultPaymentMethod']
const listed =
  'userId planId planNickname status created currentPeriodStart currentPeriodEnd canceledAt'
    .split(' ')
    .concat(secretFields)
const anyField = mostly(14, anyValue, one(undefined))
const fieldsOf = (names: readonly string[]): fc.Arbitrary<Fields> =>
  fc.record(Object.fromEntries(names.map(name => [name, anyField])))

/** Values that break the rule of their field, like most other values. */
const breaks: Readonly<Record<string, readonly unknown[]>> = {
  hash: [undefined, [hash], `0x${hash}`, `${hash} `, hash.slice(1), sha256('')],
  status: [undefined, 'not_registered', 'Registered', ['registered']],
  custody: [undefined, true, 'true', 'False', '', [], null],
  signed: [undefined, true, 'true', 'False', '', [], null],
  paymentId: ['sub_2', [], {}, 'sub_1 ', false],
}
const oneBroken = one(...Object.entries(breaks)).chain(([name, values]) =>
  fc.record<Record<string, unknown>>({ [name]: fc.oneof(anyValue, one(...values)) }),
)

/** A service, and the inputs that use it. The last answer of each kind is repeated. */
const anyService = fc
  .record({
    mode: one('input', 'active', 'request', 'request with input'),
    courses: fc.record({ login: course, active: course, request: course, completion: course }),
    token: mostly(20, fc.stringMatching(/^[\w-]{20,40}\.[\w-]{43}$/), one('', 'a b', 7, undefined)),
    fields: fieldsOf(listed),
    id: one('sub_1', 'sub_1', '', null, undefined, read('17')),
    otherData: mostly(20, one(null), anyValue),
    bound: fc.record({
      hash: one(hash, hash.toUpperCase()),
      status: one('registered'),
      custody: one(false, 'false'),
      signed: one(false, 'false'),
    }),
    payment: one('same', 'same', null, undefined),
    broken: mostly(2, one({}), oneBroken),
    unbound: fieldsOf(unbound.split(' ')),
    echo: one('', '', 'token', 'sessionId'),
  })
  .map(({ mode, courses, token, fields, id, otherData, ...about }) => {
    const data: Fields = { ...fields, id }
    const isInput = mode.endsWith('input')
    // The input pays, not the answer to the request.
    const answered = otherData ?? (isInput ? { ...data, id: 'sub_other' } : data)
    const secret: unknown = about.echo === 'token' ? token : data[about.echo]
    const echoed = typeof secret === 'string' ? `see ${secret} there` : undefined
    const paymentId = about.payment === 'same' ? id : about.payment
    const record = { ...about.unbound, ...about.bound, paymentId, echoed, ...about.broken }
    const answersOf = ({ failures, end, good, mark }: typeof courses.login, value: unknown) => {
      return [...failures, end ?? { ...good, body: mark + JSON.stringify(value) }]
    }
    return {
      subscription: isInput ? JSON.stringify(data) : mode === 'active' ? mode : '',
      // Empty, as in the quick start: the default.
      requests: mode === 'request' ? '' : String(mode === 'request with input'),
      answers: {
        login: answersOf(courses.login, { token }),
        active: answersOf(courses.active, answered),
        request: answersOf(courses.request, answered),
        completion: answersOf(courses.completion, record),
      },
    }
  })
type Service = typeof anyService extends fc.Arbitrary<infer T> ? T : never
type Kind = keyof Service['answers']

// What must happen.

function answerTo({ answers }: Service, kind: Kind, nth: number) {
  const answer = answers[kind][nth] ?? answers[kind].at(-1)
  if (answer === undefined) throw new Error(`there is no answer to ${kind}`)
  return answer
}

/** Follows a call to the object of a good answer. Also returns whether an attempt before the last may have acted. */
function follow(service: Service, kind: Kind) {
  let [tries, refusals, hasActed] = [0, 0, false]
  for (let nth = 0; ; nth++) {
    const { status, headers, body } = answerTo(service, kind, nth)
    const isRead = status >= 200 && status < 300 && status !== 204
    const object = isRead ? readObject(body) : null
    if (object !== null) return { object, status, hasActed }
    hasActed ||= status < 400 || status >= 500
    const isRefusal = status === 401 && kind !== 'login'
    refusals = isRefusal ? refusals + 1 : 0
    if (!isRefusal) tries += 1
    const isLong = longWaits.includes(headers['retry-after'] ?? '')
    const mayRepeat = repeated.includes(status) && !isLong && tries < maxAttempts
    // After a refused token, the call is repeated once with a new one.
    if (isRefusal ? refusals > 1 : !mayRepeat) return { object, status, hasActed }
  }
}

const isSubscription = (data: Fields | null): data is Fields =>
  Object.keys(data ?? {}).some(name => name === 'id' || listed.includes(name))

/** The rules that bind a record. */
function keepsRules(record: Fields, { id }: Fields): boolean {
  const isFalse = (value: unknown): boolean => value === false || value === 'false'
  const isCompared = (record['paymentId'] ?? null) !== null && (id ?? null) !== null
  return (
    typeof record['hash'] === 'string' &&
    record['hash'].toLowerCase() === hash &&
    record['status'] === 'registered' &&
    isFalse(record['custody']) &&
    isFalse(record['signed']) &&
    (!isCompared || textOf(record['paymentId']) === textOf(id))
  )
}

/** The expected end of a run; `record` is null if no completion is answered with an object. */
function expectOf(service: Service) {
  const nothing = { data: null, record: null, isGood: false, isUnknown: false, isAgain: false }
  const { token } = follow(service, 'login').object ?? {}
  if (typeof token !== 'string' || !/^[!-~]+$/.test(token)) return nothing
  let data = readObject(service.subscription)
  let isUnknown = false
  if (service.requests !== 'false') {
    const { object, status, hasActed } = follow(service, 'request')
    const isFinal = [401, 402, 403, 408, 425, 429].includes(status)
    isUnknown = object === null ? hasActed : !isSubscription(data ?? object)
    if (object === null && (status < 400 || status >= 500 || isFinal))
      return { ...nothing, isUnknown }
    data ??= object
  }
  data ??= follow(service, 'active').object
  if (!isSubscription(data)) return { ...nothing, isUnknown }
  const { object: record, hasActed: isAgain } = follow(service, 'completion')
  const isGood = record !== null && keepsRules(record, data)
  isUnknown = !isGood && (isUnknown || isAgain || record !== null)
  return { data, record, isGood, isUnknown, isAgain }
}

// A run of the action in this process, with a clock that does not wait.

const workspace = makeWorkspace({ 'app.zip': 'an artifact' })
const recordsPath = workspace.path('notarization-records.jsonl')

async function run(inputs: Readonly<Record<string, string>>) {
  const host = hostIn(workspace.root)
  const outputs: Record<string, string | number> = {}
  const [shown, errors]: [string[], string[]] = [[], []]
  const show = (message: string): void => void shown.push(host.secrets.redactText(message))
  let nowMs = Date.parse(answerDate)
  const sleep = (ms: number): Promise<void> => Promise.resolve(void (nowMs += ms))
  const runner = {
    ...host.runner,
    info: show,
    notice: show,
    warning: show,
    error: (message: string) => void errors.push(host.secrets.redactText(message)),
    setOutput: (name: string, value: string | number) => void (outputs[name] = value),
    writeSummary: async (markdown: string) => {
      show(await Promise.resolve(markdown))
    },
  }
  const environment = readEnvironment({ RUNNER_TEMP: workspace.temp }, workspace.root)
  const clock = { now: () => nowMs, monotonic: () => nowMs, sleep }
  const exitCode = await notarizeAction.run({ ...host, runner, environment, clock }, inputs)
  const records = existsSync(recordsPath) ? readFileSync(recordsPath, 'utf8') : ''
  return { exitCode, errors, outputs, records, shown: [...shown, ...errors].join('\n') }
}

function kindOf(url = ''): Kind {
  if (url.endsWith('/auth/login')) return 'login'
  if (url.endsWith('/active')) return 'active'
  return url.endsWith('/?subscription=true') ? 'request' : 'completion'
}

const nonsense = /\[object|undefined|\bNaN\b|Invalid Date|internal-error|\n +at |node:|\.ts:\d/

/** Runs the action, and again with the records file of the first run if that has a record. */
async function check(service: Service): Promise<void> {
  rmSync(recordsPath, { force: true })
  const calls: { readonly kind: Kind; readonly body: string }[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const kind = kindOf(request.url)
    const nth = calls.filter(call => call.kind === kind).length
    calls.push({ kind, body: await text(request) })
    const { status, headers, body } = answerTo(service, kind, nth)
    response.sendDate = false
    response.writeHead(status, headers).end(body)
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const inputs = {
    path: 'app.zip',
    'api-key': apiKey,
    'base-url': `http://127.0.0.1:${await listen(server)}`,
    'max-attempts': String(maxAttempts),
    subscription: service.subscription,
    'request-registration': service.requests,
  }
  try {
    const { data, record, isGood, isUnknown, isAgain } = expectOf(service)
    const first = await run(inputs)
    for (const { body } of calls.splice(0).filter(({ kind }) => kind === 'completion')) {
      expect(textOf(read(body))).toBe(textOf(data))
    }
    for (const end of record === null ? [first] : [first, await run(inputs)]) {
      expect([end.exitCode, end.outputs['verdict']]).toEqual(
        isGood ? [0, 'registered'] : [1, 'failed'],
      )
      expect(end.errors).toHaveLength(end.exitCode)
      expect(end.shown).not.toMatch(nonsense)
      const records = String(end.outputs['records'])
      const all = [end.shown, end.records, records, end.outputs['failures']].join('\n')
      const exempt = textOf([data?.['id'], data?.['userId'], data?.['planId']])
      const values = secretFields.map(name => data?.[name])
      // Short texts can occur by chance.
      const secrets = [apiKey, ...values.filter(value => typeof value === 'string')].filter(
        secret => secret.length >= 12 && !exempt.includes(secret),
      )
      expect(secrets.filter(secret => all.includes(secret))).toEqual([])
      expect(records.includes('"maybeChargedAgain":true')).toBe(isGood && isAgain)
    }
    const failed = String(first.outputs['failures'])
    expect(failed.includes('"registered":"unknown"')).toBe(isUnknown)
    expect(failed.includes('"code":"record-mismatch"')).toBe(record !== null && !isGood)
    const lines = first.records.split('\n').map(line => readObject(line) ?? {})
    const line = lines.find(fields => 'record' in fields)
    expect([line !== undefined, textOf(line?.['problems']) === '[]']).toEqual([
      record !== null,
      isGood,
    ])
    // Everything is kept, except secrets.
    const kept = textOf(line?.['record'])
    if (!kept.includes('***')) expect(kept).toBe(textOf(record))
    // What has a record is not sent again.
    expect(calls).toEqual([])
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

it('each generated service ends as the specification says', async () => {
  const numRuns = Number(process.env['SERVICES'] ?? 200)
  const seed = numRuns === 200 ? 24 : Date.now() % 1_000_000
  await fc.assert(fc.asyncProperty(anyService, check), { numRuns, seed })
}, 3_600_000)
