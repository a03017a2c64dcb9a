import * as z from 'zod/mini'
import { isJsonObject, isShallow, maxJsonDepth, parseJson, type JsonObject } from '../text/json.ts'
import { checkRecord } from './record.ts'

const text = z.string().check(z.minLength(1))
const isoTime = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/))
const sourceValue = z._default(z.nullable(z.string()), null)

const headFields = {
  artifact: text,
  /** Bytes; null if the artifact came from a checksums file. */
  size: z.nullable(z.int().check(z.gte(0))),
  /** SHA-256, 64 lower-case hex digits. */
  hash: z.string().check(z.regex(/^[0-9a-fA-F]{64}$/), z.toLowerCase()),
  /** Base URL of the service in normal form. */
  service: text,
  /** The commit and the run that the line is for. */
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

const recordLineSchema = z.object({
  ...headFields,
  /** ISO time of the `sent` line that this record settles; null in a line written by hand, which settles all. */
  at: z._default(z.nullable(isoTime), null),
  /** The answer of the service, with every field. */
  record: z.custom<JsonObject>(isJsonObject),
  /** Where people can look up the registration. */
  verificationUrl: z._default(z.nullable(z.string()), null),
  /** Whether an earlier call may have registered the hash too. */
  maybeChargedAgain: z._default(z.boolean(), false),
  /** What contradicts the request. A hash with only such records is not registered. */
  problems: z.readonly(z.array(z.string())),
})

const stateLineSchema = z.object({
  ...headFields,
  /** ISO time in UTC with milliseconds; `not-registered` repeats the time of the `sent` line that it settles. */
  at: isoTime,
  state: z.enum(['sent', 'not-registered']),
})

/** An answered registration. */
export type RecordEntry = Readonly<z.infer<typeof recordLineSchema>>

/** Says that a hash is about to be sent (`sent`), or that it was not registered (`not-registered`). */
export type StateEntry = Readonly<z.infer<typeof stateLineSchema>>

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
  const broken = checkRecord(entry.record, { hash: entry.hash, paymentId: null })
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

/** Formats a line of the records file, with its newline. Omits optional fields that have their default. */
export function formatLine(entry: Entry): string {
  const { artifact, size, hash, service, source } = entry
  const head = { artifact, size, hash, service, at: entry.at ?? undefined }
  if (!isRecord(entry)) return `${JSON.stringify({ ...head, state: entry.state, source })}\n`
  const { record, problems } = entry
  // JSON.stringify omits undefined fields.
  const verificationUrl = entry.verificationUrl ?? undefined
  const maybeChargedAgain = entry.maybeChargedAgain || undefined
  const line = { ...head, record, verificationUrl, maybeChargedAgain, problems, source }
  return `${JSON.stringify(line)}\n`
}
