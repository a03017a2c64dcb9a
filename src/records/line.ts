import * as z from 'zod/mini'
import type { Source } from '../environment.ts'
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

/** One answered registration, as it is kept. */
export interface RecordEntry extends LineHead {
  /** What the service returned, every field kept. */
  readonly record: JsonObject
  /** What is wrong with the record; a line with problems is not registered, and is never sent again. */
  readonly problems: readonly string[]
  /** JSON Pointers of places in the record where a secret was replaced. */
  readonly redacted: readonly string[]
  /** Where a person can look the registration up. */
  readonly verificationUrl?: string | undefined
  /** Completions for this hash before this answer that may have acted, and whose answer was lost. */
  readonly unansweredTries: number
}

/** What this action was about to do for a hash (`sent`), or that it came to nothing (`not-registered`). */
export interface StateEntry extends LineHead {
  readonly state: 'sent' | 'not-registered'
  /** ISO time in UTC with milliseconds; `not-registered` repeats that of the `sent` line that it settles. */
  readonly at: string
}

/** A line of the records file. */
export type Entry = RecordEntry | StateEntry

/** A line, read: an entry, or why it is damaged; `isJson` tells an incomplete line from a wrong one. */
export type LineReading =
  { readonly entry: Entry } | { readonly damage: string; readonly isJson: boolean }

/** Whether an entry is an answered registration. */
export function isRecord(entry: Entry): entry is RecordEntry {
  return 'record' in entry
}

/** Whether an entry is a state line. */
export function isState(entry: Entry): entry is StateEntry {
  return 'state' in entry
}

const tooDeep = 'is nested too deep to be one of ours'

const sourceValue = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform(value => value?.toString() ?? null),
)

const head = {
  artifact: z.string().check(z.minLength(1)),
  size: z.nullable(z.number().check(z.refine(size => Number.isInteger(size) && size >= 0))),
  hash: z.string().check(z.regex(/^[0-9a-fA-F]{64}$/), z.toLowerCase()),
  service: z.string().check(z.minLength(1)),
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

const count = z.number().check(z.refine(value => Number.isInteger(value) && value >= 0))

const recordLineSchema = z.object({
  ...head,
  record: z.custom<JsonObject>(isJsonObject),
  redacted: z._default(z.array(z.string()), []),
  verificationUrl: z.optional(z.string()),
  unansweredTries: z._default(count, 0),
  problems: z.array(z.string()),
})

const stateLineSchema = z.object({
  ...head,
  state: z.enum(['sent', 'not-registered']),
  at: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
})

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
    const isTooDeep = error instanceof RangeError
    return { damage: isTooDeep ? tooDeep : 'is not valid JSON', isJson: isTooDeep }
  }
  // What was accepted as a record stands one level deeper here.
  if (!isShallow(value, maxJsonDepth + 1)) return { damage: tooDeep, isJson: true }
  const isState = isJsonObject(value) && 'state' in value && !('record' in value)
  const parsed = isState ? stateLineSchema.safeParse(value) : recordLineSchema.safeParse(value)
  if (!parsed.success) {
    const fields = parsed.error.issues.map(issue => issue.path.join('.'))
    const where = [...new Set(fields)].filter(field => field !== '').join(', ')
    const damage = `is not a line of a records file${where === '' ? '' : ` (wrong: ${where})`}`
    return { damage, isJson: true }
  }
  const entry = parsed.data
  const broken =
    'record' in entry && entry.problems.length === 0 ? checkRecord(entry.record, entry) : []
  return broken.length === 0
    ? { entry }
    : { damage: `has a record that breaks the rules (${broken.join('; ')})`, isJson: true }
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
