import * as z from 'zod/mini'
import type { Source } from '../runtime/environment.ts'
import { isJsonObject, isShallow, maxJsonDepth, parseJson, type JsonObject } from '../text/json.ts'
import { checkRecord } from './record.ts'

/** The fields of every line. */
export interface LineHead {
  readonly artifact: string
  /** Bytes; null if the artifact came from a checksums file. */
  readonly size: number | null
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
  /** Base URL of the service in normal form. */
  readonly service: string
  /** The commit and the run that the line is for. */
  readonly source: Source
}

/** An answered registration. */
export interface RecordEntry extends LineHead {
  /** ISO time of the `sent` line that this record settles; null in a line written by hand, which settles all. */
  readonly at: string | null
  /** The answer of the service, with every field. */
  readonly record: JsonObject
  /** JSON Pointers to replaced secrets in the record. */
  readonly redacted: readonly string[]
  /** Where people can look up the registration. */
  readonly verificationUrl: string | null
  /** Whether an earlier call may have registered the hash too. */
  readonly maybeChargedAgain: boolean
  /** What contradicts the request. A hash with only such records is not registered. */
  readonly problems: readonly string[]
}

/** Says that a hash is about to be sent (`sent`), or that it was not registered (`not-registered`). */
export interface StateEntry extends LineHead {
  /** ISO time in UTC with milliseconds; `not-registered` repeats the time of the `sent` line that it settles. */
  readonly at: string
  readonly state: 'sent' | 'not-registered'
}

/** A line of the records file. */
export type Entry = RecordEntry | StateEntry

/** Whether an entry is an answered registration. */
export function isRecord(entry: Entry): entry is RecordEntry {
  return 'record' in entry
}

/** Whether an entry is an answered registration without problems. */
export function isGoodRecord(entry: Entry): entry is RecordEntry {
  return isRecord(entry) && entry.problems.length === 0
}

const text = z.string().check(z.minLength(1))
const texts = z.readonly(z.array(z.string()))
const isoTime = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/))

const sourceValue = z._default(z.nullable(z.string()), null)

const headFields = {
  artifact: text,
  size: z.nullable(z.int().check(z.gte(0))),
  hash: z.string().check(z.regex(/^[0-9a-fA-F]{64}$/), z.toLowerCase()),
  service: text,
  source: z.object({
    repository: sourceValue,
    sha: sourceValue,
    ref: sourceValue,
    runId: sourceValue,
    runAttempt: sourceValue,
    commitUrl: sourceValue,
    runUrl: sourceValue,
  }),
}

const recordLineSchema = z.extend(z.object(headFields), {
  at: z._default(z.nullable(isoTime), null),
  record: z.custom<JsonObject>(isJsonObject),
  redacted: z._default(texts, []),
  verificationUrl: z._default(z.nullable(z.string()), null),
  maybeChargedAgain: z._default(z.boolean(), false),
  problems: texts,
})

const stateLineSchema = z.extend(z.object(headFields), {
  at: isoTime,
  state: z.enum(['sent', 'not-registered']),
})

/** A parsed line: an entry, or why it is damaged and whether it may be a line that was cut off. */
export type ParsedLine =
  { readonly entry: Entry } | { readonly damage: string; readonly isBeginning: boolean }

/** The beginning of every line that this action writes. */
const beginning = '{"artifact":"'

const tooDeep = damaged('is nested too deeply')

// Shared, because creating a decoder takes longer than using it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses one line without its newline. Checks a record without problems again, except `paymentId`. */
export function parseLine(bytes: Uint8Array): ParsedLine {
  let value: unknown
  try {
    value = parseJson(decoder.decode(bytes))
  } catch (error) {
    // The nesting is too deep for the parser; the line may be complete.
    if (error instanceof RangeError) return tooDeep
    return { damage: 'is not valid JSON', isBeginning: isCutOff(bytes) }
  }
  // A record is one level deeper in a line than in the answer.
  if (!isShallow(value, maxJsonDepth + 1)) return tooDeep
  const isState = isJsonObject(value) && 'state' in value && !('record' in value)
  const parsed = isState ? stateLineSchema.safeParse(value) : recordLineSchema.safeParse(value)
  if (!parsed.success) return damaged(wrongShape(parsed.error.issues))
  const entry: Entry = parsed.data
  if (!isGoodRecord(entry)) return { entry }
  const { record, hash, redacted } = entry
  const broken = checkRecord(record, { hash, redacted, paymentId: null })
  return broken.length === 0
    ? { entry }
    : damaged(`has a record that breaks the rules (${broken.join('; ')})`)
}

/** Whether a line of this action was cut off. A line with its last brace was edited, or is not from this action. */
function isCutOff(bytes: Uint8Array): boolean {
  // Latin-1, because a character may be cut off too.
  const line = Buffer.from(bytes).toString('latin1')
  if (!beginning.startsWith(line.slice(0, beginning.length))) return false
  const outsideStrings = line.replace(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/gs, '')
  return outsideStrings.split('{').length > outsideStrings.split('}').length
}

function damaged(damage: string): ParsedLine {
  return { damage, isBeginning: false }
}

function wrongShape(issues: readonly { readonly path: readonly PropertyKey[] }[]): string {
  const fields = issues.map(({ path }) => path.join('.')).filter(field => field !== '')
  const where = fields.length === 0 ? '' : ` (wrong: ${[...new Set(fields)].join(', ')})`
  return `is not a line of a records file${where}`
}

/** Omits optional fields that have their default. */
function toJson(entry: Entry): JsonObject {
  const { artifact, size, hash, service, at, source } = entry
  if (!isRecord(entry)) return { artifact, size, hash, service, at, state: entry.state, source }
  const { record, redacted, verificationUrl, maybeChargedAgain, problems } = entry
  // JSON.stringify omits undefined fields.
  return {
    artifact,
    size,
    hash,
    service,
    at: at ?? undefined,
    record,
    redacted: redacted.length > 0 ? redacted : undefined,
    verificationUrl: verificationUrl ?? undefined,
    maybeChargedAgain: maybeChargedAgain || undefined,
    problems,
    source,
  }
}

/** Formats a line of the records file, with its newline. */
export function formatLine(entry: Entry): string {
  return `${JSON.stringify(toJson(entry))}\n`
}
