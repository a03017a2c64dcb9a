/** Judges runs by the specification of the service and the promises of the action. Imports nothing of `src`. */
import { sha256 } from '../support/samples.ts'
import { answerTo, common, longWaits, subscriptionFields } from './generate.ts'
import type { Kind, Service } from './generate.ts'
import { isObject, read, type Fields } from './json.ts'

export interface Played {
  readonly exitCode: number
  /** Messages of `::error::`. */
  readonly errors: readonly string[]
  /** All other messages, and the pages of the report. */
  readonly texts: readonly string[]
  readonly outputs: Readonly<Record<string, string | number>>
  /** The records file. */
  readonly records: string
  readonly requests: readonly { readonly kind: Kind; readonly body: string }[]
}

/**
 * Applies the rules for repeated calls. Returns the object of the good answer or null, the status of the last answer, and
 * whether a failed attempt may have been carried out.
 */
function follow(service: Service, kind: Kind) {
  let [tries, refusals, hasActed] = [0, 0, false]
  for (let nth = 0; ; nth++) {
    const { status, headers, body } = answerTo(service, kind, nth)
    const isRead = status >= 200 && status < 300 && status !== 204
    const object = isRead ? objectIn(body) : null
    if (object !== null) return { object, status, hasActed }
    hasActed ||= status < 400 || status >= 500
    const isRefusal = status === 401 && kind !== 'login'
    refusals = isRefusal ? refusals + 1 : 0
    if (!isRefusal) tries += 1
    const isRepeated = [408, 425, 429, 500, 502, 503, 504].includes(status)
    const isLong = longWaits.includes(headers['retry-after'] ?? '')
    const mayRepeat = isRepeated && !isLong && tries < common.maxAttempts
    // After a refusal, the call is repeated once with a new token.
    if (isRefusal ? refusals > 1 : !mayRepeat) return { object, status, hasActed }
  }
}

function objectIn(text: string): Fields | null {
  const value = read(text)
  return isObject(value) ? value : null
}

/** The expected result of a run; `record` is null if no completion is answered with an object. */
function expectOf(service: Service) {
  const { token } = follow(service, 'login').object ?? {}
  const hasToken = typeof token === 'string' && /^[!-~]+$/.test(token)
  let [data, mayBeRegistered] = [objectIn(service.inputs.subscription), false]
  const failed = () => {
    const rest = { record: null, isGood: false, isAgain: false }
    return { token: hasToken ? token : '', data, mayBeRegistered, ...rest }
  }
  if (!hasToken) return failed()
  if (service.inputs['request-registration'] === 'true') {
    const { object, status, hasActed } = follow(service, 'request')
    const isRefused = status >= 400 && status < 500
    const mayExist = isRefused && ![401, 402, 403, 408, 425, 429].includes(status)
    mayBeRegistered = object === null ? hasActed : !isSubscription(data ?? object)
    if (object === null && !mayExist) return failed()
    data ??= object
  }
  data ??= follow(service, 'active').object
  if (!isSubscription(data)) return failed()
  const { object: record, hasActed: isAgain } = follow(service, 'completion')
  mayBeRegistered ||= isAgain || record !== null
  if (record === null) return failed()
  return { token, data, record, isGood: keepsRules(record, data), mayBeRegistered, isAgain }
}

function isSubscription(data: Fields | null): data is Fields {
  const listed = ['id', 'custumer', ...subscriptionFields.split(' ')]
  return Object.keys(data ?? {}).some(name => listed.includes(name))
}

/** The rules that bind a record. */
function keepsRules(record: Fields, { id }: Fields): boolean {
  const { hash, status, custody, signed, paymentId } = record
  const isFalse = (value: unknown): boolean => value === false || value === 'false'
  const isHash = typeof hash === 'string' && hash.toLowerCase() === sha256(common.content)
  // The specification does not define the text of an object.
  const isCompared = (paymentId ?? null) !== null && (id ?? null) !== null && !isObject(id)
  const isPaid = !isCompared || textOf(paymentId) === textOf(id)
  return isHash && status === 'registered' && isFalse(custody) && isFalse(signed) && isPaid
}

const nonsense =
  /\[object|undefined|\bNaN\b|Invalid Date|internal-error|\n +at |node:|\.ts:\d|\d{6} h /

/** More than the usual 300 characters, because the failure itself is not cut below 100. */
const maxErrorLength = 400

/** Returns the broken promises of two runs; the second run has the records file of the first. */
export function findFaults(
  service: Service,
  [first, second]: readonly [Played, Played],
): readonly string[] {
  const faults: string[] = []
  const require = (isKept: boolean, fault: string): void => {
    if (!isKept) faults.push(fault)
  }
  const { token, data, record, isGood, mayBeRegistered, isAgain } = expectOf(service)
  const secrets = secretsOf(token, data ?? {})
  const { custumer, ...named } = data ?? {}
  const sent = custumer === undefined ? named : { ...named, customer: custumer }
  for (const { kind, body } of first.requests) {
    const isRight = kind !== 'completion' || textOf(sent) === textOf(read(body))
    require(isRight, `the completion sends other data: ${body}`)
  }
  for (const { exitCode, errors, texts, outputs, records } of [first, second]) {
    require(exitCode === (isGood ? 0 : 1), `exit code ${exitCode}`)
    require(outputs['verdict'] === (isGood ? 'registered' : 'failed'), String(outputs['verdict']))
    require(errors.length === exitCode, `${errors.length} errors`)
    const isSensible = (text: string): boolean =>
      text.trim() !== '' && (text.length <= maxErrorLength || text.includes('… [cut, '))
    require(errors.every(isSensible), `an error is empty or long: ${errors.join()}`)
    const shown = [...errors, ...texts, outputs['failures']].join('\n')
    require(!nonsense.test(shown), `nonsense: ${shown}`)
    const all = [shown, records, outputs['records']].join('\n')
    // Numbers and short texts can occur by chance.
    const leaks = secrets.filter(text => /[^\d.eE+-]/.test(text) && text.length >= 12)
    require(!leaks.some(text => all.includes(text)), 'a secret is shown')
  }
  const [{ registered = 'no', code = '' } = {}] = entriesIn(first.outputs['failures'])
  const isUnknown = mayBeRegistered && !isGood
  require((registered === 'unknown') === isUnknown, `registered: ${textOf(registered)}`)
  require((code === 'record-mismatch') === (record !== null && !isGood), `code: ${textOf(code)}`)

  const lines = first.records.split('\n').map(line => objectIn(line) ?? {})
  const line = lines.find(fields => 'record' in fields)
  require((line !== undefined) === (record !== null), 'the record has no line')
  if (line === undefined || record === null) return faults
  require(isKept(record, line), 'a field of the records file differs')
  require(isGood === (JSON.stringify(line['problems']) === '[]'), 'the record has wrong problems')
  require(second.requests.length === 0, 'it was sent again')
  for (const { outputs } of isGood ? [first, second] : []) {
    const [entry = {}] = entriesIn(outputs['records'])
    require(isKept(record, entry), 'a field of the output "records" differs')
    require((entry['maybeChargedAgain'] === true) === isAgain, '"maybeChargedAgain" is wrong')
  }
  return faults
}

function entriesIn(output: unknown): readonly Fields[] {
  const value = read(String(output))
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Whether an entry has the same record, except fields in which a secret was redacted. */
function isKept(record: Fields, { record: copy, redacted }: Fields): boolean {
  const pointers = Array.isArray(redacted) ? redacted.map(String) : []
  const touched = new Set(pointers.map(pointer => pointer.split('/')[1]))
  const before = Object.entries(record)
  const after = Object.entries(isObject(copy) ? copy : {})
  const isSame = ([name, value]: readonly [string, unknown], at: number): boolean =>
    touched.has(name.replaceAll('~', '~0').replaceAll('/', '~1')) ||
    textOf([name, value]) === textOf(before[at])
  return before.length === after.length && after.every(isSame)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

/** The lines that must not be shown: the key, the token and secret fields, except short lines and IDs in the record. */
function secretsOf(token: string, data: Fields): readonly string[] {
  const { sessionId, customer, custumer, latestInvoice, defaultPaymentMethod } = data
  const fields = leavesOf([sessionId, customer, custumer, latestInvoice, defaultPaymentMethod])
  const exempt = leavesOf([data['id'], data['userId'], data['planId']])
  return fields
    .flatMap(text => text.split(/[\r\n]/).map(line => line.trim()))
    .filter(line => !exempt.some(text => text.includes(line)))
    .concat(common.apiKey, token, token.split('.'))
    .filter(line => line.length >= 6 || /^-?\d/.test(line))
}

function leavesOf(value: unknown): readonly string[] {
  if (Array.isArray(value) || isObject(value)) return Object.values(value).flatMap(leavesOf)
  return (value ?? null) === null ? [] : [textOf(value)]
}
