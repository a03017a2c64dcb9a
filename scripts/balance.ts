/**
 * The balance of a hash: completions that the service accepted = the one that is recorded + those whose answer was lost
 * + those whose process was killed, and each of the latter two is accounted for in the records file.
 */
import { findUnsettled } from '../__tests__/support/record-lines.ts'
import type { RecordsFile } from '../__tests__/support/record-lines.ts'

/** A completion that the service accepted. */
export interface Accepted {
  readonly hash: string
  /** A whole and honest answer went out. */
  readonly isAnswered: boolean
  /** The process that asked was killed before it ended. */
  readonly isKilled: boolean
}

/** What is compared. */
export interface Books {
  readonly service: string
  readonly accepted: readonly Accepted[]
  readonly file: RecordsFile
  /** Hashes whose record a person wrote: it says nothing of tries without an answer. */
  readonly recordedByHand: ReadonlySet<string>
  /** At most once: no hash may ever be accepted twice. */
  readonly isAtMostOnce: boolean
}

/** Draws up the balance; holds at every moment at which no process runs. */
export function drawBalance(hash: string, books: Books) {
  const { service, file, recordedByHand, isAtMostOnce } = books
  const own = books.accepted.filter(one => one.hash === hash)
  const lines = file.records.filter(line => line.hash === hash && line.service === service)
  const unsettled = findUnsettled(file, { service, hash }).length
  const unansweredTries = lines[0]?.unansweredTries ?? 0
  const byHand = recordedByHand.has(hash)

  const read = own.filter(one => one.isAnswered && !one.isKilled).length
  const mayBeRead = own.filter(one => one.isAnswered && one.isKilled).length
  const lost = own.filter(one => !one.isAnswered && !one.isKilled).length
  // A process that is killed may have saved what it read; a line of its own says whether it did.
  const isOurs = lines.length > 0 && !byHand
  const isSaved = isOurs && read === 0 && mayBeRead > 0
  const killed = own.filter(one => one.isKilled).length - (isSaved ? 1 : 0)

  const broken: readonly (readonly [isBroken: boolean, what: string])[] = [
    [own.length !== (isOurs ? 1 : 0) + lost + killed, 'the balance is not even'],
    [lines.length > 1, `${lines.length} records`],
    [lines.length > 0 && own.length === 0, 'a record, and no registration'],
    [read > 1, `${read} registrations whose answers were read`],
    [read > 0 && !isOurs, 'a registration whose answer was read, and no record'],
    [isOurs && read + mayBeRead === 0, 'a record that nobody answered'],
    [own.length > unsettled, `${own.length} registrations, and ${unsettled} lines that say so`],
    [
      isOurs && lost + killed > unansweredTries,
      `${lost} answers lost and ${killed} killed, and ${unansweredTries} unanswered tries`,
    ],
    [isAtMostOnce && own.length > 1, `${own.length} registrations at most once`],
  ]
  return {
    accepted: own.length,
    /** By the action itself. */
    recorded: isOurs ? 1 : 0,
    recordedByHand: byHand ? 1 : 0,
    lost,
    killed,
    /** Tries without an answer, by the record. */
    unansweredTries,
    /** An unsettled line and no record. */
    open: lines.length === 0 && !byHand && unsettled > 0 ? 1 : 0,
    /** Nothing, if the action keeps its word. */
    violations: broken.filter(([isBroken]) => isBroken).map(([, what]) => `${hash}: ${what}`),
  }
}
