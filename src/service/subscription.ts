import { textOf } from '../text/field.ts'
import { isInteger, parseJsonObject, type JsonObject } from '../text/json.ts'

/** Subscription data, ready to be the body of a completion. */
export interface Subscription {
  /** The `id`, with which `paymentId` of a record is compared; null when there is none. */
  readonly id: string | null
  /** The JSON text to send: as it was given, but `custumer` is renamed to `customer`. */
  readonly json: string
}

/** Subscription data as it was read. Nothing in `errors` and `warnings` is secret. */
export interface SubscriptionReading {
  readonly subscription: Subscription | null
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  /** Values to mask before anything else is done with the data. */
  readonly secrets: readonly string[]
  /** Values that belong to the records and must never be masked. */
  readonly exempt: readonly string[]
}

type TypeCheck = (value: unknown) => boolean

const isText: TypeCheck = value => typeof value === 'string'
const isTextOrNull: TypeCheck = value => isText(value) || value === null
const isIntegerOrBoolean: TypeCheck = value => isInteger(value) || typeof value === 'boolean'

/** The fields that the service lists, with the types that were observed (docs/service.md). None is mandatory. */
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
  canceledAt: value => isIntegerOrBoolean(value) || value === null,
  customer: isTextOrNull,
  defaultPaymentMethod: isTextOrNull,
  latestInvoice: isTextOrNull,
}

const secretFields = ['sessionId', 'customer', 'custumer', 'latestInvoice', 'defaultPaymentMethod']
const exemptFields = ['id', 'userId', 'planId']

/** Reads the text of an input: one JSON object, or base64 of one. */
export function readSubscription(text: string, nowMs: number): SubscriptionReading {
  const trimmed = text.trim()
  const json = trimmed.startsWith('{') ? trimmed : Buffer.from(trimmed, 'base64').toString().trim()
  const data = parseJsonObject(json)
  if (data === undefined) return failedReading(notAnObject)
  const reading = checkSubscription(data, { json, nowMs })
  if (!/[\r\n]/.test(trimmed)) return reading
  return { ...reading, warnings: [severalLines, ...reading.warnings] }
}

/** Checks parsed subscription data; `json` is its text. */
export function checkSubscription(
  given: JsonObject,
  { json, nowMs }: { readonly json: string; readonly nowMs: number },
): SubscriptionReading {
  const { custumer, ...others } = given
  const isMisspelt = custumer !== undefined
  const data = isMisspelt ? { ...others, customer: given['customer'] ?? custumer } : given
  if (!Object.keys(listedFields).some(field => field in data)) return failedReading(noListedField)
  return {
    subscription: { id: textOf(data['id']), json: isMisspelt ? JSON.stringify(data) : json },
    errors: [],
    warnings: warningsAbout(data, nowMs),
    secrets: textsOf(given, secretFields),
    exempt: textsOf(given, exemptFields),
  }
}

function failedReading(error: string): SubscriptionReading {
  return { subscription: null, errors: [error], warnings: [], secrets: [], exempt: [] }
}

const notAnObject =
  'must be one JSON object, base64 of one, or the word active (its text is not shown, as it is secret); store it on one line with: jq -c . subscription.json | gh secret set NOTARIZATION_SUBSCRIPTION'
const noListedField =
  'has none of the fields of subscription data, such as sessionId or id; give the data of your subscription as the service shows it'
const severalLines =
  'has several lines, each of which the runner masks wherever it occurs, even a single brace; store it on one line or as base64'

function warningsAbout(data: JsonObject, nowMs: number): readonly string[] {
  const { status, canceledAt, currentPeriodEnd } = data
  const warnings: string[] = []
  const odd = Object.entries(listedFields).flatMap(([field, isExpected]) => {
    if (data[field] === undefined) return [`${field} (missing)`]
    return isExpected(data[field]) ? [] : [field]
  })
  if (odd.length > 0)
    warnings.push(`has fields that are missing or of another type: ${odd.join(', ')}`)
  if (status !== undefined && status !== 'active') warnings.push('has a status other than "active"')
  if (canceledAt !== false && (canceledAt ?? 0) !== 0) warnings.push('is cancelled (canceledAt)')
  if (typeof currentPeriodEnd === 'number' && currentPeriodEnd * 1000 < nowMs) {
    const day = new Date(Math.max(currentPeriodEnd * 1000, 0)).toISOString().slice(0, 10)
    warnings.push(`has a period that ended on ${day} (currentPeriodEnd)`)
  }
  return warnings.map(warning => `${warning}; the service may refuse it`)
}

function textsOf(data: JsonObject, fields: readonly string[]): readonly string[] {
  return fields.flatMap(field => textsIn(data[field]))
}

/** A scalar as text; those of a list or an object, as a payment provider may give the whole customer for its id. */
function textsIn(value: unknown): readonly string[] {
  const text = textOf(value)
  if (text !== null) return [text]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
