/** Assesses what the lines of one hash say; pure. */
import type { Planned, Registered } from '../outcome.ts'
import { compareCodeUnits } from '../text/names.ts'
import { isRecord, type Entry, type RecordEntry } from './lines.ts'

/** Returns the record that counts among all lines of one hash: one of the service rather than a confirmed one; undefined without any. */
export function findRecord(entries: readonly Entry[]): RecordEntry | undefined {
  const records = entries.filter(isRecord)
  return records.find(({ confirmed }) => !confirmed) ?? records[0]
}

/**
 * Assesses all lines of one hash at one service; equal lines, such as after a merge, count once. Beside its record, a doubt (but
 * the one of which a person confirmed what it did) or a record of another time may have been charged, too.
 */
export function assess(entries: readonly Entry[]): Planned | Registered {
  const timesOf = (found: readonly Entry[]): readonly string[] =>
    [...new Set(found.map(({ at }) => at))].sort(compareCodeUnits)
  const doubts = timesOf(entries.filter(entry => !isRecord(entry)))
  const entry = findRecord(entries)
  if (entry === undefined) return { state: 'planned', lastDoubtAt: doubts.at(-1) ?? null }
  const { record, confirmed: isConfirmed = false } = entry
  const [, recordAt] = timesOf(entries.filter(isRecord).filter(({ confirmed }) => !confirmed))
  const doubtAt = doubts[isConfirmed ? 1 : 0]
  let otherCharge: Registered['otherCharge'] = null
  if (recordAt !== undefined) otherCharge = { isDoubt: false, at: recordAt }
  if (doubtAt !== undefined) otherCharge = { isDoubt: true, at: doubtAt }
  return { state: 'registered', from: 'records-file', record, otherCharge, isConfirmed }
}
