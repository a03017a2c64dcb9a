/** Entries of a records file for tests, and their lines. */
import { formatLine, type DoubtEntry, type RecordEntry } from '../../src/records/lines.ts'
import { hashOf, makeRecord, sha256, source } from '../support/samples.ts'

export const SERVICE = 'https://notary.example'

/** The time of every entry unless a test sets another. */
export const AT = '2026-01-31T12:00:00.000Z'

/** A file: one whose hash and size are a number, or one whose content and name are a text. */
type Content = number | string

function headOf(content: Content) {
  const [artifact, size, hash] =
    typeof content === 'number'
      ? [`dist/app-${content}.zip`, content, hashOf(content)]
      : [`dist/${content}`, Buffer.byteLength(content), sha256(content)]
  return { artifact, size, hash, service: SERVICE, at: AT, source }
}

/** Returns a record entry, with changes. */
export function entryOf(content: Content, changes: Partial<RecordEntry> = {}): RecordEntry {
  const head = headOf(content)
  return { ...head, record: makeRecord(head.hash), ...changes }
}

/** Returns a doubt entry, with changes. */
export function doubtOf(content: Content, changes: Partial<DoubtEntry> = {}): DoubtEntry {
  const doubt = { state: 'unknown', why: 'the registration returned HTTP 503' } as const
  return { ...headOf(content), ...doubt, response: null, ...changes }
}

/** Returns the line of a record entry, with its newline. */
export const lineOf = (content: Content, changes?: Partial<RecordEntry>): string =>
  `${formatLine(entryOf(content, changes))}\n`

/** Returns the line of a doubt entry, with its newline. */
export const doubtLineOf = (content: Content, changes?: Partial<DoubtEntry>): string =>
  `${formatLine(doubtOf(content, changes))}\n`
