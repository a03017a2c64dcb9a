/** Entries of a records file for tests, and their lines. */
import { formatLine, type RecordEntry, type StateEntry } from '../../src/records/line.ts'
import { hashOf, makeRecord, source } from '../support/samples.ts'

export const SERVICE = 'https://notary.example'

export const AT = '2026-01-31T12:00:00.000Z'

function headOf(number: number) {
  const artifact = `dist/app-${number}.zip`
  return { artifact, size: number, hash: hashOf(number), service: SERVICE, source }
}

/** A record entry that is right, with changes. */
export function entryOf(number: number, changes: Partial<RecordEntry> = {}): RecordEntry {
  const record = makeRecord(hashOf(number))
  return {
    ...headOf(number),
    ...{ record, problems: [], redacted: [], unansweredTries: 0 },
    ...changes,
  }
}

/** What was about to be sent, with changes. */
export function stateOf(number: number, changes: Partial<StateEntry> = {}): StateEntry {
  return { ...headOf(number), state: 'sent', at: AT, ...changes }
}

/** The line of a record entry, newline included. */
export function lineOf(number: number, changes: Partial<RecordEntry> = {}): string {
  return formatLine(entryOf(number, changes))
}

/** The line of a state entry, newline included. */
export function stateLineOf(number: number, changes: Partial<StateEntry> = {}): string {
  return formatLine(stateOf(number, changes))
}
