/** Entries of a records file for tests, and their lines. */
import { formatLine, type RecordEntry, type StateEntry } from '../../src/records/line.ts'
import { hashOf, makeRecord, sampleTime, source } from '../support/samples.ts'

export const SERVICE = 'https://notary.example'

/** When every entry was sent, unless a test says otherwise. */
export const AT = sampleTime

function headOf(number: number) {
  const artifact = `dist/app-${number}.zip`
  return { artifact, size: number, hash: hashOf(number), service: SERVICE, at: AT, source }
}

/** A good record entry, with changes. It settles the entry of {@link stateOf} with the same number. */
export function entryOf(number: number, changes: Partial<RecordEntry> = {}): RecordEntry {
  return {
    ...headOf(number),
    record: makeRecord(hashOf(number)),
    redacted: [],
    verificationUrl: null,
    maybeChargedAgain: false,
    problems: [],
    ...changes,
  }
}

/** A `sent` entry, with changes. */
export function stateOf(number: number, changes: Partial<StateEntry> = {}): StateEntry {
  return { ...headOf(number), state: 'sent', ...changes }
}

/** The line of a record entry, newline included. */
export function lineOf(number: number, changes: Partial<RecordEntry> = {}): string {
  return formatLine(entryOf(number, changes))
}

/** The line of a state entry, newline included. */
export function stateLineOf(number: number, changes: Partial<StateEntry> = {}): string {
  return formatLine(stateOf(number, changes))
}
