import * as z from 'zod/mini'
import type { JsonObject } from '../outcome.ts'
import { checkRecord } from '../service/core/check-record.ts'
import { isJsonObject, isShallow, parseJson } from '../service/core/json.ts'

/** The commit and run that a registration was made for, from the environment of the runner. */
export interface Source {
  readonly repository: string | null
  readonly sha: string | null
  readonly ref: string | null
  readonly runId: string | null
  readonly runAttempt: string | null
  readonly commitUrl: string | null
  readonly runUrl: string | null
}

/** One answered registration, as it is kept. */
export interface RecordEntry {
  readonly artifact: string
  /** Bytes, or null when the artifact came from a checksums file. */
  readonly size: number | null
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
  /** Base URL of the service in normal form. */
  readonly service: string
  /** What the service returned, every field kept. */
  readonly record: JsonObject
  /** What is wrong with the record; a line with problems is not registered, and is never sent again. */
  readonly problems: readonly string[]
  /** JSON Pointers of places in the record where a secret was replaced. */
  readonly redacted: readonly string[]
  /** Where a person can look the registration up. */
  readonly verificationUrl?: string | undefined
  /** The commit that it was registered for, in an entry that was read. */
  readonly sha?: string | null
}

/** A line of the records file, read: an entry, or why it is damaged; `isJson` tells a torn line from a wrong one. */
export type LineReading =
  { readonly entry: RecordEntry } | { readonly damage: string; readonly isJson: boolean }

const tooDeep = 'is nested too deep to be one of ours'

const sourceValue = z.nullish(z.union([z.string(), z.number()]))

const lineSchema = z.looseObject({
  artifact: z.string().check(z.minLength(1)),
  size: z.nullable(z.number().check(z.refine(size => Number.isInteger(size) && size >= 0))),
  hash: z.string().check(z.regex(/^[0-9a-fA-F]{64}$/)),
  service: z.string().check(z.minLength(1)),
  record: z.custom<JsonObject>(isJsonObject),
  redacted: z.optional(z.array(z.string())),
  problems: z.array(z.string()),
  source: z.looseObject({
    repository: sourceValue,
    sha: sourceValue,
    ref: sourceValue,
    runId: sourceValue,
    runAttempt: sourceValue,
  }),
})

/**
 * Reads one line without its newline. A line without problems is held against `service-api.md` 4.2 again, but for
 * `paymentId`: the subscription may be another by now.
 */
export function parseRecordLine(bytes: Uint8Array): LineReading {
  let value: unknown
  try {
    value = parseJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch (error) {
    // Too deep for the parser: a torn line is not that.
    const isTooDeep = error instanceof RangeError
    return { damage: isTooDeep ? tooDeep : 'is not valid JSON', isJson: isTooDeep }
  }
  if (!isShallow(value)) return { damage: tooDeep, isJson: true }
  const parsed = lineSchema.safeParse(value)
  if (!parsed.success) {
    const fields = parsed.error.issues.map(issue => issue.path.join('.'))
    const where = [...new Set(fields)].filter(field => field !== '').join(', ')
    return {
      damage: `is not a record line${where === '' ? '' : ` (wrong: ${where})`}`,
      isJson: true,
    }
  }
  const { artifact, size, service, record, problems, redacted = [] } = parsed.data
  const hash = parsed.data.hash.toLowerCase()
  const broken = problems.length === 0 ? checkRecord(record, { hash, redacted }) : []
  if (broken.length > 0) {
    return { damage: `has a record that breaks the rules (${broken.join('; ')})`, isJson: true }
  }
  const sha = parsed.data.source.sha?.toString() ?? null
  return { entry: { artifact, size, hash, service, record, problems, redacted, sha } }
}

/** One line of the records file, newline included. `redacted` is there only if something was replaced. */
export function formatRecordLine(entry: RecordEntry, source: Source): string {
  return `${JSON.stringify(recordLine(entry, source))}\n`
}

/** The object of one line, its fields in the order of the file. */
export function recordLine(entry: RecordEntry, source: Source): JsonObject {
  const { artifact, size, hash, service, record, problems, redacted, verificationUrl } = entry
  const places = redacted.length > 0 ? { redacted } : {}
  const link = verificationUrl === undefined ? {} : { verificationUrl }
  return { artifact, size, hash, service, record, ...places, ...link, problems, source }
}
