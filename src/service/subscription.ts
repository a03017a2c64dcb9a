import { textOf, parseJsonObject, type JsonObject } from '../text/json.ts'

/** Subscription data, ready to be the body of a completion. */
export interface Subscription {
  /** The `id`, to compare with the `paymentId` of records; null if none. */
  readonly id: string | null
  /** The JSON text to send, unchanged except that `custumer` becomes `customer`. */
  readonly json: string
  /** Values to mask before the data is used. */
  readonly secrets: readonly string[]
  /** Values that belong to the records and must not be masked. */
  readonly exempt: readonly string[]
}

const secretFields = ['sessionId', 'customer', 'custumer', 'latestInvoice', 'defaultPaymentMethod']
const exemptFields = ['id', 'userId', 'planId']

/** The fields listed in docs/service.md. None is mandatory, and any type is passed on. */
const listedFields = [
  ...secretFields,
  ...exemptFields,
  'planNickname',
  'status',
  'created',
  'currentPeriodStart',
  'currentPeriodEnd',
  'canceledAt',
]

/** Reads the trimmed text of the input: a JSON object, or base64 of one. Null if it is no subscription data. */
export function readSubscription(text: string): Subscription | null {
  const json = text.startsWith('{') ? text : Buffer.from(text, 'base64').toString().trim()
  const data = parseJsonObject(json)
  return data === undefined ? null : checkSubscription(data, json)
}

/** Checks parsed subscription data; `json` is its text. Null if it has none of the listed fields. */
export function checkSubscription(parsed: JsonObject, json: string): Subscription | null {
  if (!listedFields.some(field => field in parsed)) return null
  const { custumer, ...rest } = parsed
  let body = json
  if (custumer !== undefined) {
    body = JSON.stringify({ ...rest, customer: parsed['customer'] ?? custumer })
  }
  return {
    id: textOf(parsed['id']),
    json: body,
    secrets: secretFields.flatMap(field => textsIn(parsed[field])),
    exempt: exemptFields.flatMap(field => textsIn(parsed[field])),
  }
}

/** Returns a scalar as text, or all scalars in an array or object: a customer may be an object instead of an id. */
function textsIn(value: unknown): readonly string[] {
  const text = textOf(value)
  if (text !== null) return [text]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
