/** Entries of a records file for tests, and their lines. */
import { formatLine, type RecordEntry, type StateEntry } from '../../src/records/lines.ts'
import { hashOf, makeRecord, sampleTime, source } from '../support/samples.ts'

export const SERVICE = 'https://notary.example'

/** The time of every entry unless a test sets another. */
export const AT = sampleTime

function headOf(number: number) {
  const artifact = `dist/app-${number}.zip`
  return { artifact, size: number, hash: hashOf(number), service: SERVICE, at: AT, source }
}

/** Returns a good record entry, with changes. It settles the entry of {@link stateOf} with the same number. */
export function entryOf(number: number, changes: Partial<RecordEntry> = {}): RecordEntry {
  return {
    ...headOf(number),
    record: makeRecord(hashOf(number)),
    verificationUrl: null,
    maybeChargedAgain: false,
    confirmed: false,
    problems: [],
    ...changes,
  }
}

/** Returns a `sent` entry, with changes. */
export function stateOf(number: number, changes: Partial<StateEntry> = {}): StateEntry {
  return { ...headOf(number), state: 'sent', ...changes }
}

/** Returns the line of a record entry, with its newline. */
export function lineOf(number: number, changes: Partial<RecordEntry> = {}): string {
  return formatLine(entryOf(number, changes))
}

/** Returns the line of a state entry, with its newline. */
export function stateLineOf(number: number, changes: Partial<StateEntry> = {}): string {
  return formatLine(stateOf(number, changes))
}
