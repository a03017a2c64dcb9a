/**
 * The action against generated services: those that the specification allows, and some that break one of its rules. The
 * expected end of each run follows from the specification and the contract, without code of `src`. For a longer run:
 * `SERVICES=10000 npm test -- __tests__/services`.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { z } from 'zod'
import { readInputs } from '../../src/inputs/notarize-inputs.ts'
import { notarize } from '../../src/main.ts'
import { planned } from '../../src/outcome.ts'
import { report } from '../../src/report/report.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { hostIn } from '../artifacts/host.ts'
import { cleanUp, onCleanUp } from '../support/clean-up.ts'
import { kindOf, type Kind } from '../service/support.ts'
import { listen } from '../support/listen.ts'
import { sha256 } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

afterAll(cleanUp)

type Fields = Readonly<Record<string, unknown>>

const maxAttempts = 3
const apiKey = 'key_live_7Hq2Zx91'
const hash = sha256('an artifact')
const responseDate = 'Wed, 21 Oct 2026 07:28:00 GMT'

/** Reads JSON with all digits of its numbers. A byte order mark may come first. */
function read(json: string): unknown {
  return JSON.parse(json.replace(/^\ufeff/, ''), (_, value: unknown, { source = '' }) =>
    typeof value === 'number' ? JSON.rawJSON(source) : value,
  )
}

/** Returns null for anything else than an object. */
function readObject(json: string): Fields | null {
  try {
    const value = read(json)
    return JSON.isRawJSON(value) ? null : z.record(z.string(), z.unknown()).parse(value)
  } catch {
    return null
  }
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
const anyValue = fc.oneof(
  single,
  fc.array(single, { maxLength: 2 }),
  fc.dictionary(one('', '0', '__proto__', 'toString', 'a/b~c'), single, { maxKeys: 2 }),
)

const longWaits = ['61', '999999999999999999999999999999', 'Fri, 21 Oct 2050 07:28:00 GMT']
const shortWaits = ['0', '60', '-1', 'soon', '', 'Wed, 21 Oct 2026 07:28:30 GMT']
const waits = mostly(3, one(...shortWaits), one(...longWaits))
const headers = fc.record({ 'retry-after': waits, date: one(responseDate) }, { requiredKeys: [] })
const body = fc.oneof(
  one('', 'Service Unavailable', '<html>', '{"message":', 'Used up. '.repeat(3000), ...hostile),
  anyValue.map(value => JSON.stringify(value)),
)
const retried = [408, 425, 429, 500, 502, 503, 504]
const final = [400, 401, 402, 403, 404, 409, 422, 501, 200, 204, 301, 307, 999]
const failure = fc.record({ status: one(401, ...retried), headers, body })
/** The responses to one kind of call: failures, then a good response or what replaces it. */
const course = fc.record({
  failures: mostly(4, one([]), fc.array(failure, { maxLength: 4 })),
  end: mostly(20, one(null), fc.record({ status: one(...retried, ...final), headers, body })),
  good: fc.record({ status: one(200, 200, 201, 206), headers }),
  mark: mostly(9, one(''), one('\ufeff')),
})

const secretFields = ['sessionId', 'customer', 'latestInvoice', 'defaultPaymentMethod']
const periods = ['created', 'currentPeriodStart', 'currentPeriodEnd', 'canceledAt']
const listed = ['userId', 'planId', 'planNickname', 'status', ...periods, ...secretFields]
const shown = ['txHash', 'blockchainType', 'txId', 'creationDate', 'userId']
const unbound = [...shown, 'description', 'holder', 'tags', 'payload']
function fieldsOf(names: readonly string[]): fc.Arbitrary<Fields> {
  const anyField = mostly(14, anyValue, one(undefined))
  return fc.record(Object.fromEntries(names.map(name => [name, anyField])))
}

/** Values that break the rule of their field, like most other values. */
const notFalse = [undefined, true, 'true', 'False', '', [], null]
const breaks: readonly (readonly [string, readonly unknown[]])[] = [
  ['hash', [undefined, [hash], `0x${hash}`, `${hash} `, hash.slice(1), sha256('')]],
  ['status', [undefined, 'not_registered', 'Registered', ['registered']]],
  ['custody', notFalse],
  ['signed', notFalse],
  ['paymentId', ['sub_2', [], {}, 'sub_1 ', false]],
]
const oneBroken = one(...breaks).chain(([name, values]) =>
  fc.oneof(anyValue, one(...values)).map((value): Fields => ({ [name]: value })),
)

const isFalse = one(false, 'false')
const anyService = fc.record({
  mode: one('input', 'active', 'request', 'request with input'),
  courses: fc.record({ login: course, active: course, request: course, complete: course }),
  token: mostly(20, fc.stringMatching(/^[\w-]{20,40}\.[\w-]{43}$/), one('', 'a b', 7, undefined)),
  fields: fieldsOf(listed),
  id: one('sub_1', 'sub_1', '', null, undefined, read('17')),
  otherData: mostly(20, one(null), anyValue),
  unbound: fieldsOf(unbound),
  bound: fc.record({ hash: one(hash, hash.toUpperCase()), custody: isFalse, signed: isFalse }),
  payment: one('same', 'same', null, undefined),
  broken: mostly(2, one({}), oneBroken),
})
type Service = typeof anyService extends fc.Arbitrary<infer T> ? T : never

/** The value of the good response. */
function goodValue(service: Service, kind: Kind): unknown {
  const { mode, fields, id, otherData, unbound, bound, payment, broken } = service
  if (kind === 'login') return { token: service.token }
  if (kind === 'complete') {
    const paymentId = payment === 'same' ? id : payment
    return { ...unbound, ...bound, status: 'registered', paymentId, ...broken }
  }
  // What the input holds is charged, not the response to the request.
  return otherData ?? { ...fields, id: mode.endsWith('input') ? 'sub_other' : id }
}

/** The last response of each kind is repeated. */
function responseTo(service: Service, kind: Kind, nth: number) {
  const { failures, end, good, mark } = service.courses[kind]
  const last = end ?? { ...good, body: mark + JSON.stringify(goodValue(service, kind)) }
  return failures[nth] ?? last
}

function inputsOf({ mode, fields, id }: Service) {
  const data = mode.endsWith('input') ? JSON.stringify({ ...fields, id }) : ''
  const subscription = mode === 'active' ? mode : data
  // Empty, as in the quick start: the default.
  const requests = mode === 'request' ? '' : String(mode.startsWith('request'))
  return { subscription, 'request-registration': requests }
}

// What must happen.

/** Follows a call to the object of a good response. Also returns whether an attempt before the last may have acted. */
function follow(service: Service, kind: Kind) {
  let [tries, refusals, hasActed] = [0, 0, false]
  for (let nth = 0; ; nth++) {
    const { status, headers, body } = responseTo(service, kind, nth)
    const isRead = status >= 200 && status < 300 && status !== 204
    const object = isRead ? readObject(body) : null
    if (object !== null) return { object, status, hasActed }
    hasActed ||= status < 400 || status >= 500
    const isRefusal = status === 401 && kind !== 'login'
    refusals = isRefusal ? refusals + 1 : 0
    if (!isRefusal) tries += 1
    const isLong = longWaits.includes(headers['retry-after'] ?? '')
    const mayRetry = retried.includes(status) && !isLong && tries < maxAttempts
    // After a refused token, the call is made once more with a new one.
    if (isRefusal ? refusals > 1 : !mayRetry) return { object, status, hasActed }
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

/** The expected end of a run; `record` is null if no response to a completion is an object. */
function expectOf(service: Service) {
  const nothing = { data: null, record: null, isGood: false, isUnknown: false, isAgain: false }
  const { token } = follow(service, 'login').object ?? {}
  if (typeof token !== 'string' || !/^[!-~]+$/.test(token)) return nothing
  let data = readObject(inputsOf(service).subscription)
  if (service.mode.startsWith('request')) {
    // A request registers nothing.
    const { object, status } = follow(service, 'request')
    const isFinal = [401, 402, 403, 408, 425, 429].includes(status)
    if (object === null && (status < 400 || status >= 500 || isFinal)) return nothing
    data ??= object
  }
  data ??= follow(service, 'active').object
  if (!isSubscription(data)) return nothing
  const { object: record, hasActed: isAgain } = follow(service, 'complete')
  const isGood = record !== null && keepsRules(record, data)
  const isUnknown = !isGood && (isAgain || record !== null)
  return { data, record, isGood, isUnknown, isAgain }
}

// A run of the action in this process, with a clock that does not wait.

const workspace = makeWorkspace()
const recordsPath = workspace.path('notarization-records.jsonl')

async function run(inputs: Readonly<Record<string, string>>) {
  const host = hostIn(workspace.root)
  const outputs: Record<string, string | number> = {}
  const [shown, errors]: [string[], string[]] = [[], []]
  const show = (text: string): void => void shown.push(host.secrets.redactText(text))
  const runner = {
    ...host.runner,
    info: show,
    notice: show,
    warning: show,
    error: (text: string) => void errors.push(host.secrets.redactText(text)),
    setOutput: (name: string, value: string | number) => void (outputs[name] = value),
    writeSummary: (text: string) => Promise.resolve(text).then(show),
  }
  let nowMs = Date.parse(responseDate)
  const sleep = (ms: number): Promise<void> => Promise.resolve(void (nowMs += ms))
  const clock = { now: () => nowMs, monotonic: () => nowMs, sleep }
  const environment = readEnvironment({ RUNNER_TEMP: workspace.temp }, workspace.root)
  const reading = readInputs(inputs, nowMs)
  host.secrets.exempt(reading.exempt)
  host.secrets.add(reading.secrets)
  const job = { host: { ...host, runner, environment, clock }, inputs: reading.inputs, recordsPath }
  const artifact = { input: 'path', name: 'app.zip', size: 11, hash, outcome: planned } as const
  const end = await notarize(() => Promise.resolve({ artifacts: [artifact], counts: [] }), job)
  const exitCode = await report(end, job)
  const lines = existsSync(recordsPath) ? readFileSync(recordsPath, 'utf8') : ''
  return { exitCode, errors, outputs, lines, shown: [...shown, ...errors].join('\n') }
}

let service: Service
const calls: { readonly kind: Kind; readonly body: string }[] = []
const server = createServer((request, response) => {
  const kind = kindOf(request.url ?? '')
  const nth = calls.filter(call => call.kind === kind).length
  const { status, headers, body } = responseTo(service, kind, nth)
  response.sendDate = false
  void text(request).then(sent => {
    calls.push({ kind, body: sent })
    response.writeHead(status, headers).end(body)
  })
})
const baseUrl = `http://127.0.0.1:${await listen(server)}`
onCleanUp(() => server.close())

const nonsense = /\[object|undefined|\bNaN\b|Invalid Date|internal-error|\n +at |node:|\.ts:\d/

/** Runs the action, and again with the records file of the first run if that has a record. */
async function check(generated: Service): Promise<void> {
  service = generated
  calls.length = 0
  rmSync(recordsPath, { force: true })
  const usual = { path: 'app.zip', 'base-url': baseUrl, 'max-attempts': String(maxAttempts) }
  const inputs = { ...usual, 'api-key': apiKey, ...inputsOf(service) }
  const { data, record, isGood, isUnknown, isAgain } = expectOf(service)
  const first = await run(inputs)
  for (const { body } of calls.splice(0).filter(({ kind }) => kind === 'complete')) {
    expect(textOf(read(body))).toBe(textOf(data))
  }
  const exempt = textOf([data?.['id'], data?.['userId'], data?.['planId']])
  const values = secretFields.map(name => data?.[name]).filter(value => typeof value === 'string')
  // Short texts can occur by chance.
  const isFound = (secret: string) => secret.length >= 12 && !exempt.includes(secret)
  const secrets = [apiKey, ...values].filter(isFound)
  for (const end of record === null ? [first] : [first, await run(inputs)]) {
    const { verdict, records, failures } = end.outputs
    const right = isGood ? [0, 'registered'] : [1, 'failed']
    expect([end.exitCode, verdict]).toEqual(right)
    expect(end.errors).toHaveLength(end.exitCode)
    expect(end.shown).not.toMatch(nonsense)
    const all = [end.shown, end.lines, records, failures].join('\n')
    expect(secrets.filter(secret => all.includes(secret))).toEqual([])
    expect(String(records).includes('"maybeChargedAgain":true')).toBe(isGood && isAgain)
  }
  const failed = String(first.outputs['failures'])
  expect(failed.includes('"registered":"unknown"')).toBe(isUnknown)
  expect(failed.includes('"code":"record-mismatch"')).toBe(record !== null && !isGood)
  const lines = first.lines.split('\n').map(line => readObject(line) ?? {})
  const line = lines.find(fields => 'record' in fields)
  const hasProblems = textOf(line?.['problems'] ?? []) !== '[]'
  expect([line !== undefined, hasProblems]).toEqual([record !== null, record !== null && !isGood])
  // Everything is kept, except secrets.
  const kept = textOf(line?.['record'])
  if (!kept.includes('***')) expect(kept).toBe(textOf(record))
  // What has a record is not sent again.
  expect(calls).toEqual([])
}

it('each generated service ends as the specification says', async () => {
  const numRuns = Number(process.env['SERVICES'] ?? 200)
  const seed = numRuns === 200 ? 24 : Date.now() % 1_000_000
  await fc.assert(fc.asyncProperty(anyService, check), { numRuns, seed })
}, 3_600_000)
