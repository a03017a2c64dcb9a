/** Entries of a records file for tests, and their lines. */
import { formatLine, type DoubtEntry, type RecordEntry } from '../../src/records/lines.ts'
import { hashOf, makeRecord, sampleTime, source } from '../support/samples.ts'

export const SERVICE = 'https://notary.example'

/** The time of every entry unless a test sets another. */
export const AT = sampleTime

function headOf(number: number) {
  const artifact = `dist/app-${number}.zip`
  return { artifact, size: number, hash: hashOf(number), service: SERVICE, at: AT, source }
}

/** Returns a record entry, with changes. */
export function entryOf(number: number, changes: Partial<RecordEntry> = {}): RecordEntry {
  return { ...headOf(number), record: makeRecord(hashOf(number)), ...changes }
}

/** Returns a doubt entry, with changes. */
export function doubtOf(number: number, changes: Partial<DoubtEntry> = {}): DoubtEntry {
  const doubt = { state: 'unknown', why: 'the registration returned HTTP 503' } as const
  return { ...headOf(number), ...doubt, response: null, ...changes }
}

/** Returns the line of a record entry, with its newline. */
export const lineOf = (number: number, changes?: Partial<RecordEntry>): string =>
  `${formatLine(entryOf(number, changes))}\n`

/** Returns the line of a doubt entry, with its newline. */
export const doubtLineOf = (number: number, changes?: Partial<DoubtEntry>): string =>
  `${formatLine(doubtOf(number, changes))}\n`
