import * as z from 'zod/mini'
import type { Source } from '../runtime/environment.ts'
import { isJsonObject, isShallow, maxJsonDepth, parseJson, type JsonObject } from '../text/json.ts'
import { checkRecord } from './record.ts'

/** What every line says. */
export interface LineHead {
  readonly artifact: string
  /** Bytes, or null when the artifact came from a checksums file. */
  readonly size: number | null
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
  /** Base URL of the service in normal form. */
  readonly service: string
  /** The commit and run that the line was written for. */
  readonly source: Source
}

/** An answered registration, as it is kept. */
export interface RecordEntry extends LineHead {
  /** That of the `sent` line which this record settles, ISO time; null in a line made by hand, which settles all. */
  readonly at: string | null
  /** What the service returned, every field kept. */
  readonly record: JsonObject
  /** JSON Pointers of the places in the record where a secret was replaced. */
  readonly redacted: readonly string[]
  /** Where a person can look the registration up. */
  readonly verificationUrl: string | null
  /** Whether a call before this answer may have registered the hash, too. */
  readonly maybeChargedAgain: boolean
  /** What contradicts the request; a line with problems is not registered. */
  readonly problems: readonly string[]
}

/** The intent to send a hash (`sent`), or that nothing was registered (`not-registered`). */
export interface StateEntry extends LineHead {
  /** ISO time in UTC with milliseconds; `not-registered` repeats that of the `sent` line which it settles. */
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

/** A line, parsed: an entry, or why it is damaged and whether it may be the beginning of a line of ours. */
export type ParsedLine =
  { readonly entry: Entry } | { readonly damage: string; readonly isBeginning: boolean }

/** How every line of ours begins. */
const ourBeginning = '{"artifact":"'

const tooDeep = damaged('is nested too deep')

// One for all lines: creating it takes longer than using it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses one line without its newline. A record without problems is checked again, but for `paymentId`. */
export function parseLine(bytes: Uint8Array): ParsedLine {
  let value: unknown
  try {
    value = parseJson(decoder.decode(bytes))
  } catch (error) {
    // Too deep for the parser: not an incomplete line.
    if (error instanceof RangeError) return tooDeep
    return { damage: 'is not valid JSON', isBeginning: isBeginningOfOurs(bytes) }
  }
  // The record in a line stands one level deeper than in its answer.
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

/** Whether it is a line of ours that was cut off: one that has its last brace is another file, or was changed by hand. */
function isBeginningOfOurs(bytes: Uint8Array): boolean {
  // A character may be cut, too.
  const line = Buffer.from(bytes).toString('latin1')
  if (!ourBeginning.startsWith(line.slice(0, ourBeginning.length))) return false
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

/** What says nothing is left out. */
function toJson(entry: Entry): JsonObject {
  const { artifact, size, hash, service, at, source } = entry
  if (!isRecord(entry)) return { artifact, size, hash, service, at, state: entry.state, source }
  const { record, redacted, verificationUrl, maybeChargedAgain, problems } = entry
  // JSON leaves out what is undefined.
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

/** One line of the records file, newline included. */
export function formatLine(entry: Entry): string {
  return `${JSON.stringify(toJson(entry))}\n`
}
