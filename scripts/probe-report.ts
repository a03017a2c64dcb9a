/** The report of the probe: names and types of fields, never a value; and what the simulator takes from one. */
import { exampleSubscription, statusFault } from '../simulator/index.ts'
import type { Endpoint, SimulatorOptions } from '../simulator/index.ts'
import { isInteger } from '../src/text/json.ts'

/** Types of fields, several with ` or ` between them. */
type Types = Readonly<Record<string, string>>

/** Names with spaces between them, by their type. */
function typesOf(namesByType: Types): Types {
  const entries = Object.entries(namesByType)
  return Object.fromEntries(
    entries.flatMap(([type, names]) => names.split(' ').map(name => [name, type])),
  )
}

const subscriptionTypes = typesOf({
  string: 'sessionId planId planNickname status',
  integer: 'userId created currentPeriodStart currentPeriodEnd',
  'string or null': 'id customer defaultPaymentMethod latestInvoice',
  'boolean or integer': 'canceledAt',
})

const recordTypes = typesOf({
  string: 'hash description status blockchainType',
  boolean: 'custody signed',
  'string or null': 'signer signature txHash holder txId assetId paymentId',
  integer: 'creationDate userId',
  array: 'tags',
  anything: 'payload',
})

/** The calls that the probe can make; `repetition` is the completion once more. */
export type CallName = Endpoint | 'repetition'

/** The types that the specification lists for the answers (docs/service.md). */
const listedTypes: Readonly<Partial<Record<CallName, Types>>> = {
  login: { token: 'string' },
  'active-subscription': subscriptionTypes,
  request: subscriptionTypes,
  completion: recordTypes,
  repetition: recordTypes,
}

/** The type of a value; of a string that is a time or a number, that as well. */
function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (isInteger(value)) return 'integer'
  if (typeof value === 'number' || JSON.isRawJSON(value)) return 'number'
  if (typeof value !== 'string') return typeof value
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) return 'string (time)'
  return /^\d+$/.test(value) ? 'string (digits)' : 'string'
}

/** Whether a type is one of those that are listed, a string of whatever form. */
function isListed(type: string, listed: string): boolean {
  return listed === 'anything' || listed.split(' or ').includes(type.replace(/ \(.*/, ''))
}

/**
 * One line for each field of an answer, and for each that is missing; with what the specification says where that differs.
 * A name that does not look like the name of a field, or that is part of a secret, is only counted.
 */
export function describeFields(
  call: CallName,
  fields: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
): readonly string[] {
  const listed = listedTypes[call] ?? {}
  const names = Object.keys(fields)
  const isShown = (name: string): boolean =>
    name in listed ||
    (/^[A-Za-z_-]{1,40}\d{0,3}$/.test(name) &&
      !(name.length > 5 && secrets.some(secret => secret.includes(name))))
  const shown = names.filter(isShown).slice(0, 60)
  const lines = shown.map(name => {
    const type = typeOf(fields[name])
    const expected = listed[name]
    if (expected === undefined) return `${name}: ${type} -- not in the specification`
    return isListed(type, expected) ? `${name}: ${type}` : `${name}: ${type} -- not ${expected}`
  })
  const missing = Object.keys(listed).filter(name => !names.includes(name))
  lines.push(...missing.map(name => `${name}: missing -- not ${listed[name] ?? ''}`))
  if (shown.length < names.length) lines.push(`${names.length - shown.length} fields not shown`)
  return lines
}

interface SeenCall {
  readonly status: number
  /** Types by name. */
  readonly fields: Map<string, string>
}

/** Reads a report; throws if it has no call. */
function readReport(text: string): ReadonlyMap<string, SeenCall> {
  const calls = new Map<string, SeenCall>()
  let last: SeenCall | undefined
  for (const line of text.split(/\r?\n/)) {
    const [, call, status] = /^\s*([\w-]+): .+ -> HTTP (\d+)$/.exec(line) ?? []
    const [, name = '', type] = /^\s*([\w-]+): ([a-z]+(?: \(\w+\))?)(?: -- .*)?$/.exec(line) ?? []
    if (call !== undefined) calls.set(call, (last = { status: Number(status), fields: new Map() }))
    else if (type !== undefined) last?.fields.set(name, type)
  }
  if (calls.size === 0) throw new Error('the report shows no call; save all that the probe printed')
  return calls
}

/** How to start a simulator that answers as a report of the probe describes it; what the report lacks is as usual. */
export function likeReport(text: string): SimulatorOptions {
  const calls = readReport(text)
  const subscription = calls.get('request') ?? calls.get('active-subscription')
  const record = calls.get('completion')
  const endpoints: readonly Endpoint[] = ['login', 'active-subscription', 'request', 'completion']
  const faults = endpoints.flatMap(endpoint => {
    const { status = 200 } = calls.get(endpoint) ?? {}
    return status < 300 ? [] : [{ endpoint, fault: statusFault(status) }]
  })
  return {
    activeSubscription: changesTo(exampleSubscription, subscription),
    record: (_hash, honest) => changesTo(honest, record),
    repeat: (calls.get('repetition')?.status ?? 409) < 300 ? 'accept' : 'refuse',
    faults,
  }
}

/** What must change in an object so that its fields have the types that were seen. */
function changesTo(
  fields: Readonly<Record<string, unknown>>,
  seen: SeenCall | undefined,
): Readonly<Record<string, unknown>> {
  const changes: Record<string, unknown> = {}
  if (seen === undefined || seen.status > 299) return changes
  for (const [name, type] of seen.fields) {
    if (typeOf(fields[name]) !== type) changes[name] = sampleOf(type, fields[name])
  }
  return changes
}

function sampleOf(type: string, before: unknown): unknown {
  const text = before === null || before === undefined ? 'text' : JSON.stringify(before)
  const samples: Readonly<Record<string, unknown>> = {
    string: text,
    'string (time)': '2026-01-31T12:00:00.000Z',
    'string (digits)': '170000000042',
    integer: 12_345,
    number: 1.5,
    boolean: false,
    null: null,
    array: [],
    object: {},
  }
  return samples[type]
}
