import * as z from 'zod/mini'
import { isInteger, parseJsonObject, type JsonObject } from '../text/json.ts'

/** Subscription data, checked, ready to be the body of a completion. */
export interface Subscription {
  /** The `id`, with which `paymentId` of the records is compared; null when there is none. */
  readonly id: string | null
  /** The JSON text to send: as it was given, but for `custumer`, which becomes `customer`. */
  readonly json: string
}

/** A reading of subscription data. Nothing in `errors` and `warnings` is secret. */
export interface SubscriptionReading {
  readonly subscription: Subscription | null
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  /** Values to mask before anything else is done with the data. */
  readonly secrets: readonly string[]
  /** Values that belong to the records and must never be masked. */
  readonly spared: readonly string[]
  /** When the period ended, epoch milliseconds; null while it goes on. */
  readonly periodEndedMs: number | null
}

const text = z.optional(z.string('a string'))
const textOrNull = z.optional(z.nullable(z.string('a string or null')))
const seconds = z.optional(z.custom<number>(isInteger, 'an integer, epoch seconds'))

/**
 * The subscription data (`service-api.md` 2.2), with what each field must be in words: which are mandatory is not shown,
 * so none is; unknown ones stay.
 */
const subscriptionSchema = z.looseObject({
  sessionId: text,
  id: textOrNull,
  userId: z.optional(z.custom<number>(isInteger, 'an integer')),
  planId: text,
  planNickname: text,
  status: text,
  created: seconds,
  currentPeriodStart: seconds,
  currentPeriodEnd: seconds,
  canceledAt: z.nullish(
    z.union([z.custom<number>(isInteger), z.boolean()], 'an integer or a boolean'),
  ),
  customer: textOrNull,
  defaultPaymentMethod: textOrNull,
  latestInvoice: textOrNull,
})

const secretFields = ['sessionId', 'customer', 'custumer', 'latestInvoice', 'defaultPaymentMethod']
const sparedFields = ['id', 'userId', 'planId']

/** Reads the text of an input: one JSON object, or base64 (also base64url, also wrapped) of one. */
export function readSubscription(text: string, nowMs: number): SubscriptionReading {
  const json = decode(text)
  const data = json === undefined ? undefined : parseJsonObject(json)
  const reading =
    json === undefined || data === undefined
      ? unreadable(text, json)
      : checkSubscription(data, { json, nowMs })
  if (!/[\r\n]/.test(text.trim())) return reading
  return { ...reading, warnings: [severalLines, ...reading.warnings] }
}

/** What is wrong with a text that is no subscription data; the text itself is secret. */
function unreadable(text: string, json: string | undefined): SubscriptionReading {
  const nothing = { warnings: [], secrets: [], spared: [], periodEndedMs: null }
  const refuse = (why: string) => ({ subscription: null, errors: [why], ...nothing })
  if (/^["']?active["']?$/i.test(text.trim())) {
    return refuse(
      'must be the word active without quotes, in lower case, to have the subscription retrieved',
    )
  }
  const cut =
    json?.startsWith('{') === true && !json.endsWith('}')
      ? `; it begins like one, but ends after ${json.length} characters without its closing brace`
      : ''
  return refuse(
    `must be one JSON object, or base64 of one${cut}; its text is not shown, as it is secret; store it on one line with: jq -c . subscription.json | gh secret set NOTARIZATION_SUBSCRIPTION`,
  )
}

/** The warning about a text on several lines. */
export const severalLines =
  'stands on several lines, and the runner masks every one of them wherever it occurs (even a line that is just a brace); store it on one line or as base64 without line breaks'

/** Checks parsed subscription data (`service-api.md` 2.2); `json` is its text. */
export function checkSubscription(
  given: JsonObject,
  { json, nowMs }: { readonly json: string; readonly nowMs: number },
): SubscriptionReading {
  const { custumer, ...rest } = given
  const isMisspelt = custumer !== undefined
  const data = isMisspelt ? { ...rest, customer: rest['customer'] ?? custumer } : given
  const parsed = subscriptionSchema.safeParse(data)
  const common = {
    secrets: secretFields.flatMap(field => texts(given[field])),
    spared: sparedFields.flatMap(field => texts(given[field])),
  }
  if (!parsed.success) {
    const errors = parsed.error.issues.map(
      ({ path, message }) => `has the wrong type in ${String(path[0])}: expected ${message}`,
    )
    return { ...common, subscription: null, errors, warnings: [], periodEndedMs: null }
  }
  const periodEndedMs = endedPeriod(parsed.data, nowMs)
  const subscription = {
    id: parsed.data.id ?? null,
    json: isMisspelt ? JSON.stringify(data) : json,
  }
  const warnings = warningsOf(parsed.data, periodEndedMs)
  return { ...common, subscription, errors: [], warnings, periodEndedMs }
}

function warningsOf(
  data: z.infer<typeof subscriptionSchema>,
  periodEndedMs: number | null,
): readonly string[] {
  const warnings: string[] = []
  const absent = Object.keys(subscriptionSchema.shape).filter(field => data[field] === undefined)
  if (absent.length > 0) warnings.push(`lacks ${absent.join(', ')}; the service may refuse it`)
  if (data.status !== undefined && data.status !== 'active') {
    warnings.push('has a status other than "active"; the service may refuse it')
  }
  if (![undefined, null, false, 0].includes(data.canceledAt)) {
    warnings.push('is cancelled (canceledAt is set); the service may refuse it')
  }
  if (periodEndedMs !== null) {
    const day = new Date(periodEndedMs).toISOString().slice(0, 10)
    warnings.push(`has a period that ended on ${day} (currentPeriodEnd); the service may refuse it`)
  }
  return warnings
}

function endedPeriod(
  { currentPeriodEnd }: z.infer<typeof subscriptionSchema>,
  nowMs: number,
): number | null {
  // Through its text: an integer beyond the safe ones is kept as raw JSON.
  const endMs = Number(JSON.stringify(currentPeriodEnd)) * 1000
  return currentPeriodEnd !== undefined && endMs < nowMs ? Math.max(endMs, 0) : null
}

function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'number' || JSON.isRawJSON(value) ? [JSON.stringify(value)] : []
}

function decode(text: string): string | undefined {
  const trimmed = text.trim().replace(/^\ufeff/, '')
  if (trimmed.startsWith('{')) return trimmed
  const packed = trimmed.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(packed)) return undefined
  try {
    const bytes = Buffer.from(packed, 'base64')
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim()
  } catch {
    return undefined
  }
}
