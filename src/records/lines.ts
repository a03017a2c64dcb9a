/** The lines of a records file. */
import * as z from 'zod/mini'
import type { Planned, Registered } from '../outcome.ts'
import { sourceSchema } from '../runtime/environment.ts'
import { isJsonObject, parseJson, type JsonObject } from '../text/json.ts'
import { checkRecord } from './record.ts'

const nonEmptyText = z.string().check(z.minLength(1))

const headFields = {
  artifact: nonEmptyText,
  /** Bytes; null if the artifact came from a checksums file. */
  size: z.nullable(z.int().check(z.gte(0))),
  /** SHA-256, 64 lower-case hex digits. */
  hash: z.string().check(z.regex(/^[0-9a-fA-F]{64}$/), z.toLowerCase()),
  /** Base URL of the service in normal form. */
  service: nonEmptyText,
  /** ISO time in UTC. */
  at: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
  /** The commit and the run that the line is for. */
  source: sourceSchema,
}

const recordLineSchema = z.object({
  ...headFields,
  /** The response of the service, with every field. */
  record: z.custom<JsonObject>(isJsonObject),
  /** Whether a person confirmed the registration after a look-up, at the time of `at`. */
  confirmed: z.optional(z.literal(true)),
})

const doubtLineSchema = z.object({
  ...headFields,
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

export type Entry = RecordEntry | DoubtEntry

/** Where a line is: in the records file, in a workflow artifact of the run, on a release, or printed in the log. */
export type Place = 'file' | 'workflow-artifact' | 'release' | 'log'

/** A line that is known, and all places that hold it. */
export interface Line {
  /** Without its newline. */
  readonly text: string
  readonly entry: Entry
  readonly places: Set<Place>
}

export function isRecord(entry: Entry): entry is RecordEntry {
  return 'record' in entry
}

/** More than any line of ours: a response has up to 1 MiB. */
export const maxLineBytes = 4 * 1024 * 1024

/** How a line begins, without the name of the artifact. */
const lineStart = '{"artifact":"","size":'

/** Returns a records file without its last line if the write of that line was cut off: it begins as ours do, but holds no whole object. */
export function withoutIncompleteLine(bytes: Buffer): Buffer {
  const start = bytes.lastIndexOf('\n') + 1
  if (bytes.length - start > maxLineBytes) return bytes
  // Latin-1, because a character may be cut off too.
  const last = bytes.toString('latin1', start)
  const unnamed = last.replace(/^(\{"artifact":")(?:[^"\\]|\\.?)*/s, '$1')
  const isOurs = lineStart.startsWith(unnamed.slice(0, lineStart.length))
  return isOurs && !beginsWithObject(last) ? bytes.subarray(0, start) : bytes
}

/** Whether a text begins with a whole JSON object: outside of texts, the braces are balanced somewhere. */
function beginsWithObject(text: string): boolean {
  let depth = 0
  for (const [brace] of text.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, '').matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1
    if (depth === 0) return true
  }
  return false
}

/** Parses a line, and checks a record again, except `paymentId`. Returns what is wrong with it as text. */
export function parseLine(text: string): Line | string {
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    return 'is not valid JSON'
  }
  const isDoubt = isJsonObject(value) && 'state' in value && !('record' in value)
  const parsed = (isDoubt ? doubtLineSchema : recordLineSchema).safeParse(value)
  if (!parsed.success) {
    const fields = new Set(parsed.error.issues.flatMap(({ path }) => path.join('.') || []))
    const wrong = fields.size === 0 ? '' : ` (wrong: ${[...fields].join(', ')})`
    return `is not a line of a records file${wrong}`
  }
  const entry: Entry = parsed.data
  const request = { hash: entry.hash, paymentId: null }
  const broken = isRecord(entry) ? checkRecord(entry.record, request) : []
  if (broken.length > 0) return `has a record that breaks the rules (${broken.join('; ')})`
  return { text, entry, places: new Set() }
}

/** Formats a line, without its newline. The source comes last. */
export function formatLine({ source, ...fields }: Entry): string {
  return JSON.stringify({ ...fields, source })
}

/** Returns the records that count among all lines of one hash: those of the service, or else those that a person confirmed. */
export function findRecords(entries: readonly Entry[]): readonly RecordEntry[] {
  const records = entries.filter(isRecord)
  const ofService = records.filter(({ confirmed }) => !confirmed)
  return ofService.length > 0 ? ofService : records
}

/**
 * Assesses all lines of one hash at one service; equal lines, such as after a merge, count once. Beside its record, a doubt (but
 * the one of which a person confirmed what it did) or a record of another time may have been charged, too.
 */
export function assess(entries: readonly Entry[]): Planned | Registered {
  const timesOf = (found: readonly Entry[]) => [...new Set(found.map(({ at }) => at))].sort()
  const doubts = timesOf(entries.filter(entry => !isRecord(entry)))
  const records = findRecords(entries)
  const [entry] = records
  if (entry === undefined) return { state: 'planned', lastDoubtAt: doubts.at(-1) ?? null }
  const { record, confirmed: isConfirmed = false } = entry
  const [, recordAt] = isConfirmed ? [] : timesOf(records)
  const doubtAt = doubts[isConfirmed ? 1 : 0]
  let otherCharge: Registered['otherCharge'] = null
  if (recordAt !== undefined) otherCharge = { isDoubt: false, at: recordAt }
  if (doubtAt !== undefined) otherCharge = { isDoubt: true, at: doubtAt }
  return { state: 'registered', from: 'records-file', record, otherCharge, isConfirmed }
}
