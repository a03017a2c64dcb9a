/** The lines of records files: their form, how files are read, and what the lines of a hash say. Pure. */
import { isUtf8 } from 'node:buffer'
import * as z from 'zod/mini'
import { problemAt, type Problem, type Remedy } from '../failure.ts'
import { sourceSchema } from '../runtime/environment.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import { isJsonObject, parseJsonObject, type JsonObject } from '../text/json.ts'
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

/** A records file from the disk or from elsewhere, such as an asset of a release. */
export interface FoundRecords {
  /** As messages name it: `notarization-records.jsonl of the release`. */
  readonly name: string
  /** Null if they are damaged, or too large to be read. */
  readonly bytes: Buffer | null
  /** The input that led to it: damage is reported under it. */
  readonly input: 'records-path' | 'keep-records' | 'release-tag' | 'earlier-releases' | 'records'
}

/** The section of the docs about them. */
export const unreadableDocs = 'records.md#records-that-cannot-be-read'
const lost = 'files that only it records are charged a second time'
const ofAsset = { place: 'release', needs: 'nothing', docs: unreadableDocs } as const

/** By the input that led to a file: where its lines are, and what to do if it is damaged. */
export const waysOfInput: Readonly<
  Record<FoundRecords['input'], Remedy & { readonly place: Place }>
> = {
  'records-path': {
    place: 'file',
    next: 'restore the records file, do not delete it',
    hint: 'get it again from where this job has it: the commit, the release, or the workflow artifact of an earlier run',
    docs: unreadableDocs,
  },
  'keep-records': {
    place: 'workflow-artifact',
    next: 'save a copy of this workflow artifact, then delete it',
    needs: 'nothing',
    docs: unreadableDocs,
  },
  'release-tag': {
    ...ofAsset,
    next: 'save a copy of this asset, then repair the asset or delete it',
    hint: `without it, ${lost}`,
  },
  'earlier-releases': {
    ...ofAsset,
    next: 'save a copy of the asset, then delete it',
    hint: `otherwise, set "earlier-releases" to false: either way, ${lost}`,
  },
  records: { place: 'file', next: 'download the file again', docs: unreadableDocs },
}

/** More than any line of ours: a response has up to 1 MiB. */
const maxLineBytes = 4 * 1024 * 1024

/** How a line begins, without the name of the artifact. */
const lineStart = '{"artifact":"","size":'

const maxDamage = 5

/** Parses records files. Returns their lines, each once with its places, one problem for each damaged file, and warnings. */
export function readRecords(files: readonly FoundRecords[]) {
  const lines = new Map<string, Line>()
  const problems: Problem[] = []
  const warnings: string[] = []
  for (const { bytes: content, name, input } of files) {
    const { place, ...remedy } = waysOfInput[input]
    const bytes = content ?? Buffer.alloc(0)
    const whole = withoutIncompleteLine(bytes)
    if (whole.length < bytes.length) {
      const why = 'a run was stopped while writing it'
      warnings.push(`The last line of "${quote(name)}" is incomplete and is dropped: ${why}`)
    }
    const found: Line[] = []
    const damage =
      content === null ? ['the records are missing, damaged or larger than 64 MiB'] : []
    for (let start = 0, number = 1; start < whole.length; number++) {
      const newline = whole.indexOf('\n', start)
      const bytesOfLine = whole.subarray(start, newline === -1 ? whole.length : newline)
      start += bytesOfLine.length + 1
      const isTooLong = bytesOfLine.length > maxLineBytes
      let line: Line | string = isTooLong ? 'is longer than 4 MiB' : 'is not valid UTF-8'
      if (!isTooLong && isUtf8(bytesOfLine)) {
        const text = bytesOfLine.toString().trim()
        if (text === '') continue
        line = lines.get(text) ?? parseLine(text)
      }
      if (typeof line !== 'string') found.push(line)
      else damage.push(`line ${number} ${quote(line, maxMessageLength)}`)
      // The run stops: a large file that is no records file is not read to its end.
      if (damage.length === maxDamage) break
    }
    if (damage.length > 0) {
      // Nothing of a damaged file is used.
      problems.push(problemAt(input, `"${quote(name)}": ${damage.join('; ')}`, remedy))
      continue
    }
    for (const line of found) {
      line.places.add(place)
      lines.set(line.text, line)
    }
  }
  return { lines, problems, warnings }
}

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
function parseLine(text: string): Line | string {
  const value = parseJsonObject(text)
  if (value === undefined) return 'is not a JSON object'
  const isDoubt = 'state' in value && !('record' in value)
  const parsed = (isDoubt ? doubtLineSchema : recordLineSchema).safeParse(value)
  if (!parsed.success) {
    const fields = new Set(parsed.error.issues.map(({ path }) => path.join('.')))
    return `is not a line of a records file (wrong: ${[...fields].join(', ')})`
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
