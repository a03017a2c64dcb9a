import * as z from 'zod/mini'
import { isJsonObject, isShallow, maxJsonDepth, parseJson, type JsonObject } from '../text/json.ts'
import { checkRecord } from './record.ts'

const text = z.string().check(z.minLength(1))
const count = z.number().check(z.refine(value => Number.isInteger(value) && value >= 0))
const texts = z.readonly(z.array(z.string()))

const sourceValue = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform(value => value?.toString() ?? null),
)

/** What every line says. */
const head = {
  artifact: text,
  /** Bytes, or null when the artifact came from a checksums file. */
  size: z.nullable(count),
  /** SHA-256, 64 lower-case hex digits. */
  hash: z.string().check(z.regex(/^[0-9a-fA-F]{64}$/), z.toLowerCase()),
  /** Base URL of the service in normal form. */
  service: text,
  /** The commit and run that the line was written for. */
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
  ...head,
  /** What the service returned, every field kept. */
  record: z.custom<JsonObject>(isJsonObject),
  /** JSON Pointers of places in the record where a secret was replaced. */
  redacted: z._default(texts, []),
  /** Where a person can look the registration up. */
  verificationUrl: z.optional(z.string()),
  /** Completions for this hash before this answer that may have acted, and whose answer was lost. */
  unansweredTries: z._default(count, 0),
  /** What is wrong with the record; a line with problems is not registered, and is never sent again. */
  problems: texts,
})

const stateLineSchema = z.object({
  ...head,
  state: z.enum(['sent', 'not-registered']),
  /** ISO time in UTC with milliseconds; `not-registered` repeats that of the `sent` line that it settles. */
  at: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
})

/** One answered registration, as it is kept. */
export type RecordEntry = Readonly<z.infer<typeof recordLineSchema>>

/** What this action was about to do for a hash (`sent`), or that it came to nothing (`not-registered`). */
export type StateEntry = Readonly<z.infer<typeof stateLineSchema>>

/** A line of the records file. */
export type Entry = RecordEntry | StateEntry

/** What every line says. */
export type LineHead = Omit<StateEntry, 'state' | 'at'>

/** Whether an entry is an answered registration. */
export function isRecord(entry: Entry): entry is RecordEntry {
  return 'record' in entry
}

/** A line, read: an entry, or why it is damaged and whether it may be the beginning of a line of ours. */
export type LineReading =
  { readonly entry: Entry } | { readonly damage: string; readonly isBeginning: boolean }

/** How every line of ours begins. */
const ourBeginning = '{"artifact":'

const tooDeep = { damage: 'is nested too deep to be one of ours', isBeginning: false }

// One for all lines: it is costly to make, and keeps nothing of a text.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads one line without its newline. A record without problems is checked against `service-api.md` 4.2 again, but for
 * `paymentId`: the subscription may be another by now.
 */
export function parseLine(bytes: Uint8Array): LineReading {
  let value: unknown
  try {
    value = parseJson(decoder.decode(bytes))
  } catch (error) {
    // Too deep for the parser: an incomplete line is not that.
    if (error instanceof RangeError) return tooDeep
    const start = Buffer.from(bytes.subarray(0, ourBeginning.length)).toString('latin1')
    return { damage: 'is not valid JSON', isBeginning: ourBeginning.startsWith(start) }
  }
  // What was accepted as a record stands one level deeper here.
  if (!isShallow(value, maxJsonDepth + 1)) return tooDeep
  const isState = isJsonObject(value) && 'state' in value && !('record' in value)
  const parsed = isState ? stateLineSchema.safeParse(value) : recordLineSchema.safeParse(value)
  if (!parsed.success) {
    const fields = parsed.error.issues.map(issue => issue.path.join('.'))
    const where = [...new Set(fields)].filter(field => field !== '').join(', ')
    const damage = `is not a line of a records file${where === '' ? '' : ` (wrong: ${where})`}`
    return { damage, isBeginning: false }
  }
  const entry = parsed.data
  const broken =
    'record' in entry && entry.problems.length === 0 ? checkRecord(entry.record, entry) : []
  return broken.length === 0
    ? { entry }
    : { damage: `has a record that breaks the rules (${broken.join('; ')})`, isBeginning: false }
}

/** The object of one line, its fields in the order of the file; what says nothing is left out. */
export function lineOf(entry: Entry): JsonObject {
  const { artifact, size, hash, service, source } = entry
  if (!isRecord(entry)) {
    return { artifact, size, hash, service, state: entry.state, at: entry.at, source }
  }
  const { record, problems, redacted, verificationUrl, unansweredTries } = entry
  return {
    ...{ artifact, size, hash, service, record },
    ...(redacted.length > 0 ? { redacted } : {}),
    ...(verificationUrl === undefined ? {} : { verificationUrl }),
    ...(unansweredTries > 0 ? { unansweredTries } : {}),
    problems,
    source,
  }
}

/** One line of the records file, newline included. */
export function formatLine(entry: Entry): string {
  return `${JSON.stringify(lineOf(entry))}\n`
}
