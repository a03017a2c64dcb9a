import * as z from 'zod/mini'
import {
  textOf,
  isInteger,
  parseJsonObject,
  rejectedFields,
  type JsonObject,
} from '../text/json.ts'

/** Subscription data, ready to be the body of a completion. */
export interface Subscription {
  /** The `id`, to compare with the `paymentId` of records; null if none. */
  readonly id: string | null
  /** The JSON text to send, unchanged except that `custumer` becomes `customer`. */
  readonly json: string
  /** Without secrets. */
  readonly warnings: readonly string[]
  /** Values to mask before the data is used. */
  readonly secrets: readonly string[]
  /** Values that belong to the records and must not be masked. */
  readonly exempt: readonly string[]
}

const text = z.string()
const textOrNull = z.nullable(text)
const integer = z.custom(isInteger)

/** The fields listed in docs/service.md, with their observed types. None is mandatory. */
const listedFields = z.object({
  sessionId: text,
  id: textOrNull,
  userId: integer,
  planId: text,
  planNickname: text,
  status: text,
  created: integer,
  currentPeriodStart: integer,
  currentPeriodEnd: integer,
  canceledAt: z.nullable(z.union([z.boolean(), integer])),
  customer: textOrNull,
  defaultPaymentMethod: textOrNull,
  latestInvoice: textOrNull,
})

const secretFields = ['sessionId', 'customer', 'custumer', 'latestInvoice', 'defaultPaymentMethod']
const exemptFields = ['id', 'userId', 'planId']

/** Reads the text of the input: a JSON object, or base64 of one. Null if it is no subscription data. */
export function readSubscription(text: string, nowMs: number): Subscription | null {
  const trimmed = text.trim()
  const json = trimmed.startsWith('{') ? trimmed : Buffer.from(trimmed, 'base64').toString().trim()
  const data = parseJsonObject(json)
  if (data === undefined) return null
  const subscription = checkSubscription(data, json, nowMs)
  if (subscription === null || !/[\r\n]/.test(trimmed)) return subscription
  return { ...subscription, warnings: [severalLines, ...subscription.warnings] }
}

/** Checks parsed subscription data; `json` is its text. Null if it has none of the listed fields. */
export function checkSubscription(
  parsed: JsonObject,
  json: string,
  nowMs: number,
): Subscription | null {
  const { custumer, ...rest } = parsed
  let data = parsed
  let body = json
  if (custumer !== undefined) {
    data = { ...rest, customer: parsed['customer'] ?? custumer }
    body = JSON.stringify(data)
  }
  if (!Object.keys(listedFields.shape).some(field => field in data)) return null
  return {
    id: textOf(data['id']),
    json: body,
    warnings: warningsAbout(data, nowMs),
    secrets: secretFields.flatMap(field => textsIn(parsed[field])),
    exempt: exemptFields.flatMap(field => textsIn(parsed[field])),
  }
}

/** Returns the listed fields that are missing or of an unexpected type. */
export function unexpectedFields(data: JsonObject): readonly string[] {
  return rejectedFields(listedFields.safeParse(data).error).map(field =>
    data[field] === undefined ? `${field} (missing)` : field,
  )
}

const severalLines =
  'has several lines, and the runner masks each of them everywhere in the log, even a single brace; store it on one line or as base64'

function warningsAbout(data: JsonObject, nowMs: number): readonly string[] {
  const { status, canceledAt, currentPeriodEnd } = data
  const warnings: string[] = []
  const unexpected = unexpectedFields(data)
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
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
