import { hash } from 'node:crypto'
import * as z from 'zod/mini'
import { maxMessageLength, quote } from '../text/escape.ts'
import {
  isJsonObject,
  isShallow,
  maxJsonDepth,
  parseJson,
  rejectedFields,
  type JsonObject,
} from '../text/json.ts'
import { checkRecord } from './record.ts'

const nonEmptyText = z.string().check(z.minLength(1))
const isoTime = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/))
const sourceValue = z._default(z.nullable(z.string()), null)

/** The commit and the run that a line is for. `runAttempt` follows `runId`: `keep/` looks for both as one text. */
export const sourceSchema = z.object({
  repository: sourceValue,
  sha: sourceValue,
  ref: sourceValue,
  runId: sourceValue,
  runAttempt: sourceValue,
  commitUrl: sourceValue,
  runUrl: sourceValue,
})

const headFields = {
  artifact: nonEmptyText,
  /** Bytes; null if the artifact came from a checksums file. */
  size: z.nullable(z.int().check(z.gte(0))),
  /** SHA-256, 64 lower-case hex digits. */
  hash: z.string().check(z.regex(/^[0-9a-fA-F]{64}$/), z.toLowerCase()),
  /** Base URL of the service in normal form. */
  service: nonEmptyText,
  source: sourceSchema,
}

const recordLineSchema = z.object({
  ...headFields,
  /** ISO time of the `sent` line that this record settles; null in a line written by hand, which settles all. */
  at: z._default(z.nullable(isoTime), null),
  /** The response of the service, with every field. */
  record: z.custom<JsonObject>(isJsonObject),
  /** Where people can look up the registration. */
  verificationUrl: z._default(z.nullable(z.string()), null),
  /** Whether an earlier call may have registered the hash too. */
  maybeChargedAgain: z._default(z.boolean(), false),
  /** Whether a person confirmed the registration after a look-up, at the time of `at`. It settles all earlier lines. */
  confirmed: z._default(z.boolean(), false),
  /** What contradicts the request. A hash with only such records is not registered. */
  problems: z.readonly(z.array(z.string())),
})

const stateLineSchema = z.object({
  ...headFields,
  /** ISO time in UTC with milliseconds; `not-registered` repeats the time of the `sent` line that it settles. */
  at: isoTime,
  state: z.enum(['sent', 'not-registered']),
})

/** A registration: with a response of the service, or confirmed by a person. */
export type RecordEntry = Readonly<z.infer<typeof recordLineSchema>>

/** Says that a hash is about to be sent (`sent`), or that it was not registered (`not-registered`). */
export type StateEntry = Readonly<z.infer<typeof stateLineSchema>>

/** A line of the records file. */
export type Entry = RecordEntry | StateEntry

/** Whether an entry has a record. */
export function isRecord(entry: Entry): entry is RecordEntry {
  return 'record' in entry
}

/** Whether an entry has a record without problems. */
export function isGoodRecord(entry: Entry): entry is RecordEntry {
  return isRecord(entry) && entry.problems.length === 0
}

/** The content of a records file. */
export interface RecordsReading {
  readonly entries: readonly Entry[]
  /** One message for each damaged line; it names the file and the line. */
  readonly damage: readonly string[]
  /** Says that the last line is incomplete, if it is. */
  readonly warnings: readonly string[]
}

/** Parses a records file; `name` is the one that users know. */
export function parseRecords(bytes: Buffer, name: string): RecordsReading {
  const entries: Entry[] = []
  const damage: string[] = []
  const warnings: string[] = []
  const whole = withoutIncompleteLine(bytes)
  if (whole.length < bytes.length) {
    const why = 'a run was stopped while writing it'
    warnings.push(`The last line of "${quote(name)}" is incomplete and was dropped: ${why}`)
  }
  let number = 0
  for (const line of splitLines(whole)) {
    number += 1
    const parsed = parseLine(line)
    if (typeof parsed !== 'string') entries.push(parsed)
    else damage.push(`"${quote(name)}", line ${number} ${quote(parsed, maxMessageLength)}`)
  }
  return { entries, damage, warnings }
}

/** Returns a records file without its last line if the write of that line was cut off. */
export function withoutIncompleteLine(bytes: Buffer): Buffer {
  const start = bytes.lastIndexOf(lineEnd) + 1
  if (!isCutOff(bytes.subarray(start))) return bytes
  return bytes.subarray(0, start)
}

/** The beginning of every line that this action writes. */
const beginning = '{"artifact":"'

const tooDeep = 'is nested too deeply'

// Shared, because creating a decoder takes longer than using it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses one line without its newline. Checks a record without problems again, except `paymentId`. Returns the entry, or
 * what is wrong with the line.
 */
function parseLine(bytes: Uint8Array): Entry | string {
  let value: unknown
  try {
    value = parseJson(decoder.decode(bytes))
  } catch (error) {
    // The nesting is too deep for the parser; the line may be complete.
    if (error instanceof RangeError) return tooDeep
    return 'is not valid JSON'
  }
  // A record is one level deeper in a line than in the response.
  if (!isShallow(value, maxJsonDepth + 1)) return tooDeep
  const isState = isJsonObject(value) && 'state' in value && !('record' in value)
  const parsed = (isState ? stateLineSchema : recordLineSchema).safeParse(value)
  if (!parsed.success) {
    const other = 'is not a line of a records file'
    const fields = rejectedFields(parsed.error).filter(field => field !== '')
    if (fields.length === 0) return other
    return `${other} (wrong: ${fields.join(', ')})`
  }
  const entry: Entry = parsed.data
  if (!isGoodRecord(entry)) return entry
  const broken = checkRecord(entry.record, { hash: entry.hash, paymentId: null })
  if (broken.length === 0) return entry
  return `has a record that breaks the rules (${broken.join('; ')})`
}

/** Whether a line of this action was cut off. A line with its last brace was edited, or is not from this action. */
function isCutOff(bytes: Uint8Array): boolean {
  // Latin-1, because a character may be cut off too.
  const line = Buffer.from(bytes).toString('latin1')
  if (!beginning.startsWith(line.slice(0, beginning.length))) return false
  const outsideStrings = line.replace(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/gs, '')
  return outsideStrings.split('{').length > outsideStrings.split('}').length
}

/** Formats a line of the records file, with its newline. Omits optional fields that have their default. */
export function formatLine(entry: Entry): string {
  const { artifact, size, hash, service, source } = entry
  const head = { artifact, size, hash, service, at: entry.at ?? undefined }
  if (!isRecord(entry)) return `${JSON.stringify({ ...head, state: entry.state, source })}\n`
  const { record, problems } = entry
  // JSON.stringify omits undefined fields.
  const verificationUrl = entry.verificationUrl ?? undefined
  const maybeChargedAgain = entry.maybeChargedAgain || undefined
  const confirmed = entry.confirmed || undefined
  const line = { ...head, record, verificationUrl, maybeChargedAgain, confirmed, problems, source }
  return `${JSON.stringify(line)}\n`
}

const lineEnd = Buffer.from('\n')

/** Returns the newline that the last line of a records file lacks; empty if it lacks none. */
export function missingNewline(bytes: Buffer): Buffer {
  if (bytes.length === 0 || bytes.subarray(-1).equals(lineEnd)) return Buffer.alloc(0)
  return lineEnd
}

/** Returns the complete lines of `files` that `known` lacks, each once and with its newline. */
export function missingLines(known: readonly Buffer[], files: readonly Buffer[]): Buffer {
  // Keeps digests instead of lines, because files may be large.
  const digestOf = (line: Buffer): string => hash('sha256', line, 'base64')
  const seen = new Set(known.flatMap(completeLines).map(digestOf))
  const missing: Buffer[] = []
  for (const line of files.flatMap(completeLines)) {
    const digest = digestOf(line)
    if (seen.has(digest)) continue
    seen.add(digest)
    missing.push(line, lineEnd)
  }
  return Buffer.concat(missing)
}

/** Returns the lines of a records file without their newlines. Omits blank lines and an incomplete last line. */
function completeLines(bytes: Buffer): readonly Buffer[] {
  return [...splitLines(withoutIncompleteLine(bytes))].filter(line => line.length > 0)
}

/** Splits a file into its lines, without their newlines. */
function* splitLines(bytes: Buffer): Generator<Buffer> {
  let start = 0
  while (start < bytes.length) {
    const next = bytes.indexOf(lineEnd, start)
    const end = next === -1 ? bytes.length : next
    yield bytes.subarray(start, end)
    start = end + 1
  }
}
