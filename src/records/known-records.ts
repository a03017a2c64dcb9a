import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { describeError, errorCode, NotarizeError } from '../errors.ts'
import { quote } from '../report/escape.ts'
import { parseRecordLine, type RecordEntry } from './record-line.ts'

/** What is known of a hash: the entry and its line number, from 1. */
export interface KnownRecord {
  readonly entry: RecordEntry
  readonly line: number
}

/** How the file ends: `torn` after a write that was cut, `open` when only the newline is missing. */
export interface Tail {
  readonly state: 'whole' | 'open' | 'torn'
  /** Bytes up to the end of the last good line. */
  readonly goodBytes: number
}

/** A records file as it was read. Nothing was changed. */
export interface RecordsReading {
  readonly records: readonly KnownRecord[]
  /** Each names the file and a line that must be mended by a person; nothing may be sent. */
  readonly damage: readonly string[]
  readonly tail: Tail
}

const newline = 0x0a
const maxDamageShown = 5

/** Reads a records file; one that does not exist has no records. Throws a `NotarizeError` if it cannot be read. */
export function readRecordsFile(absolutePath: string, shownPath: string): RecordsReading {
  return parseRecords(readBytes(absolutePath), shownPath)
}

/** Reads the bytes of a records file; pure. */
export function parseRecords(bytes: Buffer, shownPath: string): RecordsReading {
  const records: KnownRecord[] = []
  const damage: string[] = []
  let tail: Tail = { state: 'whole', goodBytes: bytes.length }
  let start = 0
  for (let line = 1; start < bytes.length; line++) {
    const end = bytes.indexOf(newline, start)
    const isLast = end === -1
    const reading = parseRecordLine(bytes.subarray(start, isLast ? bytes.length : end))
    if ('entry' in reading) {
      records.push({ entry: reading.entry, line })
      if (isLast) tail = { state: 'open', goodBytes: bytes.length }
    } else if (isLast && !reading.isJson) tail = { state: 'torn', goodBytes: start }
    else damage.push(`"${quote(shownPath)}", line ${line} ${quote(reading.damage, 400)}`)
    start = isLast ? bytes.length : end + 1
  }
  const more = damage.length - maxDamageShown
  const shown =
    more > 0 ? [...damage.slice(0, maxDamageShown), `${more} more damaged lines`] : damage
  return { records, damage: shown, tail }
}

function readBytes(absolutePath: string): Buffer {
  let descriptor: number
  try {
    // Not blocking, so that a FIFO in its place does not hang the run.
    descriptor = openSync(absolutePath, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0)
    throw new NotarizeError('not-saved', `cannot be read: ${describeError(error)}`, error)
  }
  try {
    if (!fstatSync(descriptor).isFile()) {
      throw new NotarizeError('not-saved', 'is not a regular file')
    }
    return readFileSync(descriptor)
  } catch (error) {
    if (error instanceof NotarizeError) throw error
    throw new NotarizeError('not-saved', `cannot be read: ${describeError(error)}`, error)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The records of one service by hash. A line without problems outweighs one with problems; of two equals the first
 * counts. Without a service nothing is known.
 */
export function indexRecords(
  records: readonly KnownRecord[],
  service: string | null,
): ReadonlyMap<string, KnownRecord> {
  const known = new Map<string, KnownRecord>()
  for (const record of records.filter(({ entry }) => entry.service === service)) {
    const earlier = known.get(record.entry.hash)
    const isBetter =
      earlier !== undefined &&
      earlier.entry.problems.length > 0 &&
      record.entry.problems.length === 0
    if (earlier === undefined || isBetter) known.set(record.entry.hash, record)
  }
  return known
}
