import type { JsonObject } from '../../outcome.ts'
import { parseJsonObject } from './json.ts'
import { subscriptionSchema, type SubscriptionData } from './schemas.ts'

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
}

const secretFields = ['sessionId', 'customer', 'custumer', 'latestInvoice', 'defaultPaymentMethod']
const sparedFields = ['id', 'userId', 'planId']

/** Reads the text of an input: one JSON object, or base64 (also base64url, also wrapped) of one. */
export function readSubscription(text: string, nowMs: number): SubscriptionReading {
  const json = decode(text)
  const data = json === undefined ? undefined : parseJsonObject(json)
  const reading =
    json === undefined || data === undefined ? unreadable : checkSubscription(data, { json, nowMs })
  if (!/[\r\n]/.test(text.trim())) return reading
  return { ...reading, warnings: [severalLines, ...reading.warnings] }
}

const unreadable: SubscriptionReading = {
  ...{ subscription: null, warnings: [], secrets: [], spared: [] },
  errors: ['must be one JSON object, or base64 of one; its text is not shown, as it is secret'],
}

const severalLines =
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
    const fields = [...new Set(parsed.error.issues.map(issue => String(issue.path[0])))]
    const errors = fields.map(
      field => `has the wrong type in ${field}: expected ${types[field] ?? ''}`,
    )
    return { ...common, subscription: null, errors, warnings: [] }
  }
  const subscription = {
    id: parsed.data.id ?? null,
    json: isMisspelt ? JSON.stringify(data) : json,
  }
  return { ...common, subscription, errors: [], warnings: warningsOf(parsed.data, nowMs) }
}

const types: Readonly<Record<string, string>> = {
  sessionId: 'a string',
  id: 'a string or null',
  userId: 'an integer',
  planId: 'a string',
  planNickname: 'a string',
  status: 'a string',
  created: 'an integer, epoch seconds',
  currentPeriodStart: 'an integer, epoch seconds',
  currentPeriodEnd: 'an integer, epoch seconds',
  canceledAt: 'an integer or a boolean',
  customer: 'a string or null',
  defaultPaymentMethod: 'a string or null',
  latestInvoice: 'a string or null',
}

function warningsOf(data: SubscriptionData, nowMs: number): readonly string[] {
  const warnings: string[] = []
  const absent = Object.keys(types).filter(field => data[field] === undefined)
  if (absent.length > 0) warnings.push(`lacks ${absent.join(', ')}; the service may refuse it`)
  if (data.status !== undefined && data.status !== 'active') {
    warnings.push('has a status other than "active"; the service may refuse it')
  }
  if (data.canceledAt !== undefined && data.canceledAt !== null && data.canceledAt !== false) {
    if (data.canceledAt !== 0)
      warnings.push('is cancelled (canceledAt is set); the service may refuse it')
  }
  // Through its text: an integer beyond the safe ones is kept as raw JSON.
  const { currentPeriodEnd } = data
  const endMs = Number(JSON.stringify(currentPeriodEnd)) * 1000
  if (currentPeriodEnd !== undefined && endMs < nowMs) {
    warnings.push('has a period that has ended (currentPeriodEnd); the service may refuse it')
  }
  return warnings
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
