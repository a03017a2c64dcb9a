import { textOf, parseJsonObject, type JsonObject } from '../text/json.ts'

/** Subscription data, ready to be the body of a completion. */
export interface Subscription {
  /** Secret. */
  readonly data: JsonObject
  /** The `id`, to compare with the `paymentId` of records; null if none. */
  readonly id: string | null
  /** The JSON text to send, unchanged except that `custumer` becomes `customer`. */
  readonly json: string
  /** Values to mask before the data is used. */
  readonly secrets: readonly string[]
  /** Values that belong to the records and must not be masked. */
  readonly exempt: readonly string[]
}

/** The subscription data of the input. */
export interface GivenSubscription extends Subscription {
  /** What is wrong with the form of the input: clauses without secrets that follow its name. */
  readonly warnings: readonly string[]
  /** Why the service may reject it: such a clause; null if nothing speaks for it. */
  readonly refusal: string | null
}

/** The fields listed in docs/service.md. None is mandatory, and any type is passed on. */
const listedFields = [
  'sessionId',
  'id',
  'userId',
  'planId',
  'planNickname',
  'status',
  'created',
  'currentPeriodStart',
  'currentPeriodEnd',
  'canceledAt',
  'customer',
  'defaultPaymentMethod',
  'latestInvoice',
]

const secretFields = ['sessionId', 'customer', 'custumer', 'latestInvoice', 'defaultPaymentMethod']
const exemptFields = ['id', 'userId', 'planId']

const severalLines =
  'has several lines, and the runner masks each of them everywhere in the log, even a single brace; store it on one line or as base64'

/** Reads the text of the input: a JSON object, or base64 of one. Null if it is no subscription data. */
export function readSubscription(text: string, nowMs: number): GivenSubscription | null {
  const trimmed = text.trim()
  const json = trimmed.startsWith('{') ? trimmed : Buffer.from(trimmed, 'base64').toString().trim()
  const data = parseJsonObject(json)
  const subscription = data === undefined ? null : checkSubscription(data, json)
  if (subscription === null) return null
  const warnings = /[\r\n]/.test(trimmed) ? [severalLines] : []
  return { ...subscription, warnings, refusal: warnOfRefusal(subscription, nowMs) }
}

/** Checks parsed subscription data; `json` is its text. Null if it has none of the listed fields. */
export function checkSubscription(parsed: JsonObject, json: string): Subscription | null {
  const { custumer, ...rest } = parsed
  let data = parsed
  let body = json
  if (custumer !== undefined) {
    data = { ...rest, customer: parsed['customer'] ?? custumer }
    body = JSON.stringify(data)
  }
  if (!listedFields.some(field => field in data)) return null
  return {
    data,
    id: textOf(data['id']),
    json: body,
    secrets: secretFields.flatMap(field => textsIn(parsed[field])),
    exempt: exemptFields.flatMap(field => textsIn(parsed[field])),
  }
}

/** Returns why the service may reject a subscription, as a clause; null if nothing speaks for it. */
export function warnOfRefusal({ data }: Subscription, nowMs: number): string | null {
  const { status, canceledAt, currentPeriodEnd } = data
  const signs: string[] = []
  if (status !== undefined && status !== 'active') signs.push('has a status other than "active"')
  if (canceledAt !== false && (canceledAt ?? 0) !== 0) signs.push('is canceled (canceledAt)')
  const hasEnded = typeof currentPeriodEnd === 'number' && currentPeriodEnd * 1000 < nowMs
  if (hasEnded) signs.push('has a period that has ended (currentPeriodEnd)')
  if (signs.length === 0) return null
  return `${signs.join(' and ')}; the service may reject it`
}

/** Returns a scalar as text, or all scalars in an array or object: a customer may be an object instead of an id. */
function textsIn(value: unknown): readonly string[] {
  const text = textOf(value)
  if (text !== null) return [text]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
