/** Compares what the service accepted for a hash with what the records file says of it. */
import { findUnsettled } from '../support/record-lines.ts'
import type { RecordsFile, ServiceHash } from '../support/record-lines.ts'

/** A completion that the service accepted. */
export interface Accepted {
  /** Of the run that asked, as in its lines. */
  readonly runAttempt: string
  /** A whole and honest answer was sent. */
  readonly isAnswered: boolean
  /** The process that asked was killed, so that nobody knows whether it read the answer. */
  readonly isKilled: boolean
}

/**
 * What the records file gets wrong; holds at every moment at which no process runs. Every completion that the service
 * accepted has a `sent` line of its run; that line is settled only by a record; and a hash that was accepted more than
 * once is open, or its record may have been charged more than once.
 */
export function findMistakes(
  place: ServiceHash,
  accepted: readonly Accepted[],
  file: RecordsFile,
): readonly string[] {
  const isOf = (line: ServiceHash): boolean =>
    line.hash === place.hash && line.service === place.service
  const records = file.records.filter(isOf)
  const states = file.states.filter(isOf)
  const runs = [...records, ...states].map(({ source }) => source.runAttempt ?? '')
  const found = new Set([...accepted.map(one => one.runAttempt), ...runs])
  const mistakes = [...found].flatMap(run => {
    const own = accepted.filter(one => one.runAttempt === run)
    const record = records.find(({ source }) => source.runAttempt === run)
    const ownStates = states.filter(({ source }) => source.runAttempt === run)
    const sent = ownStates.filter(({ state }) => state === 'sent').length
    const isRead = own.some(({ isAnswered, isKilled }) => isAnswered && !isKilled)
    const broken: Readonly<Record<string, boolean>> = {
      'accepted without a "sent" line': own.length > 0 && sent === 0,
      'two "sent" lines of a run': sent > 1,
      'accepted, and settled as not registered': own.length > 0 && sent < ownStates.length,
      'answered, and no record': isRead && record === undefined,
      'a record that nobody answered': record !== undefined && !own.some(one => one.isAnswered),
      'a record with problems': (record?.problems.length ?? 0) > 0,
      'accepted again, and its record does not say so':
        own.length > 1 && record !== undefined && record.maybeChargedAgain !== true,
    }
    return Object.keys(broken).filter(what => broken[what])
  })
  const isOpen = findUnsettled(file, place).length > 0
  const isFlagged = records.some(({ maybeChargedAgain }) => maybeChargedAgain === true)
  if (records.length > 1) mistakes.push('two records')
  if (accepted.length > 0 && records.length === 0 && !isOpen)
    mistakes.push('accepted, and forgotten')
  if (accepted.length > 1 && records.length > 0 && !isOpen && !isFlagged) {
    mistakes.push('accepted by two runs, and nothing says so')
  }
  return mistakes.map(mistake => `${place.hash}: ${mistake}`)
}
