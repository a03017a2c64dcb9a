/** Services that the specification of the notarization service allows, and some that break one of its rules. */
import fc from 'fast-check'
import { sha256 } from '../support/samples.ts'
import { anyForm, anyObject, anyValue, write, type Fields } from './json.ts'

/** What all runs share: the artifact, two inputs, and the time of all answers. */
export const common = {
  content: 'an artifact',
  apiKey: 'key_live_7Hq2Zx91',
  maxAttempts: 3,
  answerDate: 'Wed, 21 Oct 2026 07:28:00 GMT',
} as const

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Kind = 'login' | 'active' | 'request' | 'completion'

/** A service, and the inputs that use it. */
export interface Service {
  readonly inputs: Readonly<Record<'subscription' | 'request-registration', string>>
  /** In order; the last one is repeated. */
  readonly answers: Readonly<Record<Kind, readonly Answer[]>>
}

/** Returns the n-th answer to a kind of call, from 0. */
export function answerTo({ answers }: Service, kind: Kind, nth: number): Answer {
  const answer = answers[kind][nth] ?? answers[kind].at(-1)
  if (answer === undefined) throw new Error(`there is no answer to ${kind}`)
  return answer
}

function mostly<A, B>(weight: number, usual: fc.Arbitrary<A>, rare: fc.Arbitrary<B>) {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare })
}

/** Values of `Retry-After` that ask for more than 60 s. */
export const longWaits = ['61', '999999999999999999999999999999', 'Fri, 21 Oct 2050 07:28:00 GMT']
const shortWaits = ['0', '60', '-1', 'soon', '', 'Wed, 21 Oct 2026 07:28:30 GMT']
const headers: fc.Arbitrary<Readonly<Record<string, string>>> = fc.record(
  {
    'content-type': fc.constantFrom('application/json', 'text/html'),
    'retry-after': mostly(3, fc.constantFrom(...shortWaits), fc.constantFrom(...longWaits)),
    date: fc.constant(common.answerDate),
  },
  { requiredKeys: [] },
)

const texts =
  '|Service Unavailable|<!doctype html><title>x</title>|<html>|<?xml?><e/>|{"message":|::error::x|\0\r\n\ud7ff'
const longText = 'The quota is used up. '.repeat(3000)
const errorJson = fc.record({ message: anyValue, error: anyValue }, { requiredKeys: [] })
const body = fc.oneof(
  fc.constantFrom(longText, ...texts.split('|')),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.tuple(fc.oneof(errorJson, anyValue), anyForm).map(([value, form]) => write(value, form)),
)
const repeated = fc.constantFrom(401, 408, 425, 429, 500, 502, 503, 504)
const usual = [400, 401, 402, 403, 404, 409, 422, 429, 500, 503, 200, 204, 301, 307, 999]
const success = fc.constantFrom(200, 200, 201, 202, 206, 226, 299)
const status = fc.oneof(fc.constantFrom(...usual), fc.integer({ min: 201, max: 599 }))

const failure = fc.record({ status: repeated, headers, body })
/** The answers to a call: failures, then a good answer or what replaces it. */
const course = fc.record({
  failures: mostly(4, fc.constant([]), fc.array(failure, { maxLength: 4 })),
  end: mostly(20, fc.constant(null), fc.record({ status, headers, body })),
  good: fc.record({ status: success, headers }),
  form: anyForm,
})

const token = fc.oneof(
  fc.stringMatching(/^[\w-]{20,40}\.[\w-]{20,200}\.[\w-]{43}$/),
  fc.stringMatching(/^[!-~]{1,40}$/),
  fc.constantFrom('t', 'registered', 'x'.repeat(8000)),
)
const wrongToken = fc.oneof(
  anyValue.filter(value => typeof value !== 'string'),
  fc.constantFrom('', '\n', 'a\r\nb', 'a b', 'a\0b', '漢字漢字', undefined),
)

const anyField = mostly(14, anyValue, fc.constant(undefined))
const unbound =
  'description signer signature txHash blockchainType holder txId assetId tags creationDate payload userId'
/** The fields of subscription data except `id`. */
export const subscriptionFields =
  'sessionId userId planId planNickname status created currentPeriodStart currentPeriodEnd canceledAt customer defaultPaymentMethod latestInvoice'
function fieldsOf(list: string): fc.Arbitrary<Fields> {
  return fc.record(Object.fromEntries(list.split(' ').map(name => [name, anyField])))
}
const digits = fc.stringMatching(/^[1-9]\d{0,25}$/)
const id: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom('sub_1', 'sub_1', '', null, undefined, true),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  digits,
  digits.map(text => JSON.rawJSON(text)),
  anyObject,
)

const data: fc.Arbitrary<Fields> = fc
  .tuple(fieldsOf(subscriptionFields), id)
  .map(([fields, value]) => ({ ...fields, id: value }))

const hash = sha256(common.content)
/** Values that break the rule of their field, like most other values. */
const breaks: Readonly<Record<string, readonly unknown[]>> = {
  hash: [undefined, [hash], `0x${hash}`, `${hash} `, hash.slice(1), sha256('')],
  status: [undefined, 'not_registered', 'Registered', ' registered', ['registered']],
  custody: [undefined, true, 'true', 'False', '', [], null],
  signed: [undefined, true, 'true', 'False', '', [], null],
  paymentId: ['sub_2', [], {}, 'sub_1 ', false],
}
const oneBroken: fc.Arbitrary<Fields> = fc
  .constantFrom(...Object.entries(breaks))
  .chain(([name, values]) => fc.record({ [name]: fc.oneof(anyValue, fc.constantFrom(...values)) }))

const parts = fc.record({
  mode: fc.constantFrom('input', 'active', 'request', 'request with input'),
  login: course,
  active: course,
  request: course,
  completion: course,
  token: mostly(20, token, wrongToken),
  data,
  otherData: mostly(20, fc.constant(null), anyValue),
  isMisspelled: fc.boolean(),
  bound: fc.record({
    hash: fc.constantFrom(hash, hash, hash.toUpperCase(), hash.replaceAll('a', 'A')),
    status: fc.constant('registered'),
    custody: fc.constantFrom(false, 'false'),
    signed: fc.constantFrom(false, 'false'),
  }),
  payment: fc.constantFrom('same', 'same', null, undefined),
  broken: mostly(2, fc.constant({}), oneBroken),
  unbound: fieldsOf(unbound),
  extra: anyObject,
  /** The secret that the record repeats. */
  echo: fc.constantFrom('', '', 'token', 'sessionId'),
})
type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never

export const anyService: fc.Arbitrary<Service> = parts.map(chosen => {
  const { mode, token, data, extra, isMisspelled, otherData } = chosen
  const { customer, ...others } = data
  const sent = { ...extra, ...others, [isMisspelled ? 'custumer' : 'customer']: customer }
  const isInput = mode.endsWith('input')
  const input = isInput ? write(sent, { ...chosen.login.form, mark: '' }) : ''
  // The input pays, not the answer to the request.
  const answered = isInput ? { ...sent, id: 'sub_other' } : sent
  return {
    inputs: {
      subscription: mode === 'active' ? mode : input,
      'request-registration': String(mode.startsWith('request')),
    },
    answers: {
      login: answersOf(chosen.login, { ...extra, token }),
      active: answersOf(chosen.active, otherData ?? answered),
      request: answersOf(chosen.request, otherData ?? answered),
      completion: answersOf(chosen.completion, { ...extra, ...recordOf(chosen) }),
    },
  }
})

function answersOf({ failures, end, good, form }: Parts['login'], value: unknown) {
  return [...failures, end ?? { ...good, body: write(value, form) }]
}

function recordOf({ unbound, bound, data, token, echo, broken, payment, extra }: Parts): Fields {
  const secret: unknown = echo === 'token' ? token : data[echo]
  const echoed = typeof secret === 'string' ? `see ${secret} there` : undefined
  // Without an ID to compare with, every value is right.
  const same = data['id'] ?? extra
  const paymentId = payment === 'same' ? same : payment
  return { ...unbound, ...bound, paymentId, echoed, ...broken }
}
