import { textOf } from '../text/field.ts'
import { isInteger, parseJsonObject, type JsonObject } from '../text/json.ts'

/** Subscription data, ready to be the body of a completion. */
export interface Subscription {
  /** The `id`, to compare with the `paymentId` of records; null if none. */
  readonly id: string | null
  /** The JSON text to send, unchanged except that `custumer` becomes `customer`. */
  readonly json: string
}

/** The result of reading subscription data. `error` and `warnings` contain no secrets. */
export interface SubscriptionReading {
  /** Null if there is an error. */
  readonly subscription: Subscription | null
  readonly error: string | null
  readonly warnings: readonly string[]
  /** Values to mask before the data is used. */
  readonly secrets: readonly string[]
  /** Values that belong to the records and must not be masked. */
  readonly exempt: readonly string[]
}

type TypeCheck = (value: unknown) => boolean

const isText: TypeCheck = value => typeof value === 'string'
const isTextOrNull: TypeCheck = value => isText(value) || value === null
const isMarker: TypeCheck = value =>
  value === null || typeof value === 'boolean' || isInteger(value)

/** The fields listed in docs/service.md, with their observed types. None is mandatory. */
const listedFields: Readonly<Record<string, TypeCheck>> = {
  sessionId: isText,
  id: isTextOrNull,
  userId: isInteger,
  planId: isText,
  planNickname: isText,
  status: isText,
  created: isInteger,
  currentPeriodStart: isInteger,
  currentPeriodEnd: isInteger,
  canceledAt: isMarker,
  customer: isTextOrNull,
  defaultPaymentMethod: isTextOrNull,
  latestInvoice: isTextOrNull,
}

const secretFields = ['sessionId', 'customer', 'custumer', 'latestInvoice', 'defaultPaymentMethod']
const exemptFields = ['id', 'userId', 'planId']

/** Reads the text of the input: a JSON object, or base64 of one. */
export function readSubscription(text: string, nowMs: number): SubscriptionReading {
  const trimmed = text.trim()
  const json = trimmed.startsWith('{') ? trimmed : Buffer.from(trimmed, 'base64').toString().trim()
  const data = parseJsonObject(json)
  if (data === undefined) return failedReading(notAnObject)
  const reading = checkSubscription(data, json, nowMs)
  if (!/[\r\n]/.test(trimmed)) return reading
  return { ...reading, warnings: [severalLines, ...reading.warnings] }
}

/** Checks parsed subscription data; `json` is its text. */
export function checkSubscription(
  parsed: JsonObject,
  json: string,
  nowMs: number,
): SubscriptionReading {
  const { custumer, ...rest } = parsed
  const isMisspelled = custumer !== undefined
  const data = isMisspelled ? { ...rest, customer: parsed['customer'] ?? custumer } : parsed
  if (!Object.keys(listedFields).some(field => field in data)) return failedReading(noListedField)
  return {
    subscription: { id: textOf(data['id']), json: isMisspelled ? JSON.stringify(data) : json },
    error: null,
    warnings: warningsAbout(data, nowMs),
    secrets: secretFields.flatMap(field => textsIn(parsed[field])),
    exempt: exemptFields.flatMap(field => textsIn(parsed[field])),
  }
}

function failedReading(error: string): SubscriptionReading {
  return { subscription: null, error, warnings: [], secrets: [], exempt: [] }
}

const notAnObject =
  'must be a JSON object, base64 of one, or the word active (its text is secret and not shown); to store it on one line, run: jq -c . subscription.json | gh secret set NOTARIZATION_SUBSCRIPTION'
const noListedField =
  'has none of the expected fields, such as sessionId or id; copy the subscription data from the service'
const severalLines =
  'has several lines, and the runner masks each of them everywhere in the log, even a single brace; store it on one line or as base64'

function warningsAbout(data: JsonObject, nowMs: number): readonly string[] {
  const { status, canceledAt, currentPeriodEnd } = data
  const warnings: string[] = []
  const unexpected = Object.entries(listedFields).flatMap(([field, isExpected]) => {
    if (data[field] === undefined) return [`${field} (missing)`]
    return isExpected(data[field]) ? [] : [field]
  })
  if (unexpected.length > 0) {
    warnings.push(`has missing fields or fields of an unexpected type: ${unexpected.join(', ')}`)
  }
  if (status !== undefined && status !== 'active') warnings.push('has a status other than "active"')
  if (canceledAt !== false && (canceledAt ?? 0) !== 0) warnings.push('is canceled (canceledAt)')
  if (typeof currentPeriodEnd === 'number' && currentPeriodEnd * 1000 < nowMs) {
    const day = new Date(Math.max(currentPeriodEnd * 1000, 0)).toISOString().slice(0, 10)
    warnings.push(`has a period that ended on ${day} (currentPeriodEnd)`)
  }
  return warnings.map(warning => `${warning}; the service may reject it`)
}

/** Returns a scalar as text, or all scalars in an array or object: a customer may be an object instead of an id. */
function textsIn(value: unknown): readonly string[] {
  const text = textOf(value)
  if (text !== null) return [text]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
