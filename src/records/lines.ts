import * as z from 'zod/mini'
import { maxMessageLength, quote } from '../text/escape.ts'
import {
  isJsonObject,
  parseJson,
  parseJsonObject,
  rejectedFields,
  type JsonObject,
} from '../text/json.ts'
import { checkRecord } from './record.ts'

const nonEmptyText = z.string().check(z.minLength(1))
const isoTime = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/))
const sourceValue = z._default(z.nullable(z.string()), null)

/** The commit and the run that a line is for. Keeping finds the lines of an attempt by the text of `runId` and `runAttempt`. */
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
  /** ISO time in UTC; null in a line written by hand. */
  at: z._default(z.nullable(isoTime), null),
  /** The response of the service, with every field. */
  record: z.custom<JsonObject>(isJsonObject),
  /** Where people can look up the registration. */
  verificationUrl: z._default(z.nullable(z.string()), null),
  /** Whether an earlier call of the run may have registered the hash too. */
  maybeChargedAgain: z._default(z.boolean(), false),
  /** Whether a person confirmed the registration after a look-up, at the time of `at`. */
  confirmed: z._default(z.boolean(), false),
})

const doubtLineSchema = z.object({
  ...headFields,
  at: isoTime,
  state: z.literal('unknown'),
  /** What was observed. */
  why: z.string(),
  /** The response that contradicted the request or could not be understood; null if none. */
  response: z._default(z.nullable(z.custom<JsonObject>(isJsonObject)), null),
})

/** A registration: with a response of the service, or confirmed by a person. */
export type RecordEntry = Readonly<z.infer<typeof recordLineSchema>>

/** A completion that may have registered the hash, without a record. */
export type DoubtEntry = Readonly<z.infer<typeof doubtLineSchema>>

/** A line of the records file. */
export type Entry = RecordEntry | DoubtEntry

/** Whether an entry has a record. */
export function isRecord(entry: Entry): entry is RecordEntry {
  return 'record' in entry
}

/** The content of a records file. */
export interface RecordsReading {
  readonly entries: readonly Entry[]
  /** One message for each of the first damaged lines; it names the file and the line. */
  readonly damage: readonly string[]
  /** Says that the last line is incomplete, if it is. */
  readonly warnings: readonly string[]
}

const maxDamage = 5

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
    // The run stops: a large file that is no records file is not read to its end.
    if (damage.length === maxDamage) break
  }
  return { entries, damage, warnings }
}

/** Returns a records file without its last line if the write of that line was cut off. */
export function withoutIncompleteLine(bytes: Buffer): Buffer {
  const start = bytes.lastIndexOf(lineEnd) + 1
  // Latin-1, because a character may be cut off too.
  const last = bytes.toString('latin1', start)
  if (!isBeginningOfLine(last) || parseJsonObject(last) !== undefined) return bytes
  return bytes.subarray(0, start)
}

const beginning = '{"artifact":"'
const afterName = ',"size":'

/** Whether a text begins as the lines of this action do: `{"artifact":"…","size":`, or a shorter beginning of that. */
function isBeginningOfLine(text: string): boolean {
  if (!text.startsWith(beginning)) return beginning.startsWith(text)
  const rest = text.slice(beginning.length).replace(/^(?:[^"\\]|\\.)*\\?/s, '')
  return rest === '' || `"${afterName}`.startsWith(rest.slice(0, afterName.length + 1))
}

// Shared, because creating a decoder takes longer than using it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses one line without its newline, and checks a record again, except `paymentId`. Returns the entry, or what is wrong with the line. */
function parseLine(bytes: Uint8Array): Entry | string {
  let value: unknown
  try {
    value = parseJson(decoder.decode(bytes))
  } catch {
    return 'is not valid JSON'
  }
  const isDoubt = isJsonObject(value) && 'state' in value && !('record' in value)
  const parsed = (isDoubt ? doubtLineSchema : recordLineSchema).safeParse(value)
  if (!parsed.success) {
    const other = 'is not a line of a records file'
    const fields = rejectedFields(parsed.error).filter(field => field !== '')
    if (fields.length === 0) return other
    return `${other} (wrong: ${fields.join(', ')})`
  }
  const entry: Entry = parsed.data
  if (!isRecord(entry)) return entry
  const broken = checkRecord(entry.record, { hash: entry.hash, paymentId: null })
  if (broken.length === 0) return entry
  return `has a record that breaks the rules (${broken.join('; ')})`
}

/** Formats a line of the records file, with its newline. Omits the fields of a record that have their default. */
export function formatLine(entry: Entry): string {
  const { artifact, size, hash, service, source } = entry
  const head = { artifact, size, hash, service, at: entry.at ?? undefined }
  if (!isRecord(entry)) {
    const { state, why, response } = entry
    return `${JSON.stringify({ ...head, state, why, response, source })}\n`
  }
  const { record } = entry
  // JSON.stringify omits undefined fields.
  const verificationUrl = entry.verificationUrl ?? undefined
  const maybeChargedAgain = entry.maybeChargedAgain || undefined
  const confirmed = entry.confirmed || undefined
  const line = { ...head, record, verificationUrl, maybeChargedAgain, confirmed, source }
  return `${JSON.stringify(line)}\n`
}

/** Whether a line that {@link formatLine} has written is a doubt. Does not parse it: all quotes within texts are escaped. */
export function isDoubtLine(line: string): boolean {
  return /,"(record|state)":/.exec(line)?.[1] === 'state'
}

const lineEnd = '\n'

/** Returns the lines of a records file without their newlines. Omits blank lines and an incomplete last line. */
export function wholeLines(bytes: Buffer): readonly string[] {
  const lines: string[] = []
  for (const line of splitLines(withoutIncompleteLine(bytes))) {
    if (line.length > 0) lines.push(line.toString())
  }
  return lines
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
