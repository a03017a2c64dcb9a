/** The report of the probe (names and types of fields, never values), and simulator options made from one. */
import { exampleSubscription, statusFault } from '../simulator/index.ts'
import type { Endpoint, SimulatorOptions } from '../simulator/index.ts'
import { isInteger, type JsonObject } from '../src/text/json.ts'

/** Types of fields by name; several types are joined with ` or `. */
type Types = Readonly<Record<string, string>>

/** Converts lists of names, separated by spaces, by type. */
function typesOf(namesByType: Types): Types {
  const types: Record<string, string> = {}
  for (const [type, names] of Object.entries(namesByType)) {
    for (const name of names.split(' ')) types[name] = type
  }
  return types
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

/** The calls that the probe can make; `repetition` repeats the completion. */
export type CallName = Exclude<Endpoint, 'other'> | 'repetition'

/** The types of the answers in the specification (docs/service.md). */
const listedTypes: Readonly<Record<CallName, Types>> = {
  login: { token: 'string' },
  'active-subscription': subscriptionTypes,
  request: subscriptionTypes,
  completion: recordTypes,
  repetition: recordTypes,
}

/** Returns the type of a value, and whether a string is a time or a number. */
function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (isInteger(value)) return 'integer'
  if (JSON.isRawJSON(value)) return 'number'
  if (typeof value !== 'string') return typeof value
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) return 'string (time)'
  return /^\d+$/.test(value) ? 'string (digits)' : 'string'
}

/** Describes a field by its type, and by the specification if that differs. */
function describeField(name: string, type: string, listed: string | undefined): string {
  if (listed === undefined) return `${name}: ${type} -- not in the specification`
  const isListed = listed === 'anything' || listed.split(' or ').includes(type.replace(/ \(.*/, ''))
  return isListed ? `${name}: ${type}` : `${name}: ${type} -- not ${listed}`
}

/**
 * Returns one line for each field of an answer, and for each missing one. Names that do not look like field names, or
 * that are part of a secret, are only counted.
 */
export function describeFields(
  call: CallName,
  fields: JsonObject,
  secrets: readonly string[],
): readonly string[] {
  const listed = listedTypes[call]
  const isPart = (name: string): boolean =>
    name.length > 5 && secrets.some(secret => secret.includes(name))
  const names = Object.keys(fields)
  const shown = names.filter(
    name => name in listed || (/^[A-Za-z_-]{1,40}\d{0,3}$/.test(name) && !isPart(name)),
  )
  const missing = Object.keys(listed).filter(name => !(name in fields))
  const lines = shown.map(name => describeField(name, typeOf(fields[name]), listed[name]))
  lines.push(...missing.map(name => describeField(name, 'missing', listed[name])))
  if (shown.length < names.length) lines.push(`${names.length - shown.length} fields not shown`)
  return lines
}

interface SeenCall {
  readonly status: number
  readonly types: Record<string, string>
}

/** Returns options for a simulator that answers like the service in a report; defaults replace what the report lacks. */
export function likeReport(report: string): SimulatorOptions {
  const calls = new Map<string, SeenCall>()
  let last: SeenCall | undefined
  for (const line of report.split(/\r?\n/)) {
    const [, call, status] = /^\s*([\w-]+): .+ -> HTTP (\d+)$/.exec(line) ?? []
    const [, name = '', type] = /^\s*([\w-]+): ([a-z]+(?: \(\w+\))?)(?: -- .*)?$/.exec(line) ?? []
    if (call !== undefined) calls.set(call, (last = { status: Number(status), types: {} }))
    else if (type !== undefined && last !== undefined) last.types[name] = type
  }
  if (calls.size === 0)
    throw new Error('the report has no calls; save the whole output of the probe')
  const subscription = calls.get('request') ?? calls.get('active-subscription')
  return {
    activeSubscription: changesTo(exampleSubscription, subscription),
    record: (_hash, honest) => changesTo(honest, calls.get('completion')),
    repeat: calls.get('repetition')?.status === 200 ? 'accept' : 'refuse',
    faults: ({ endpoint }) => {
      const { status = 200 } = calls.get(endpoint) ?? {}
      return status < 300 ? undefined : statusFault(status)
    },
  }
}

/** Returns changes to an object that give its fields the types in the report. */
function changesTo(fields: JsonObject, seen: SeenCall | undefined): JsonObject {
  const changes: Record<string, unknown> = {}
  for (const [name, type] of Object.entries(seen?.types ?? {})) {
    const before = fields[name] ?? 'text'
    if (typeOf(fields[name]) !== type) changes[name] = samples[type] ?? JSON.stringify(before)
    if (type === 'missing') changes[name] = undefined
    if (type === 'null') changes[name] = null
  }
  return changes
}

/** A value of each type; for a plain string, the honest value as text. */
const samples: Readonly<Record<string, unknown>> = {
  'string (time)': '2026-01-31T12:00:00.000Z',
  'string (digits)': '170000000042',
  integer: 12_345,
  number: 1.5,
  boolean: false,
  array: [],
  object: {},
}
