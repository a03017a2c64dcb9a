import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { Stop } from '../stop.ts'
import { quote } from '../text/escape.ts'
import { describeError, errorCode } from '../text/system-error.ts'
import { someOf } from '../text/words.ts'
import { parseLine, type Entry } from './line.ts'

/** A line of a records file; the whole entry is read again where it is needed, as a file may have very many. */
export interface Line extends Pick<Entry, 'hash' | 'service'> {
  /** From 1. */
  readonly number: number
  /** Where it lies in the bytes, without its newline. */
  readonly start: number
  readonly end: number
  readonly runId: string | null
  readonly runAttempt: string | null
}

/** How the file ends: `incomplete` after a write that was cut, `open` when only the newline is missing. */
export interface Tail {
  readonly state: 'whole' | 'open' | 'incomplete'
  /** Bytes up to the end of the last good line. */
  readonly goodBytes: number
}

/** A records file as it was read. Nothing was changed. */
export interface RecordsReading {
  /** The file as the user knows it. */
  readonly name: string
  readonly bytes: Buffer
  /** The good lines. */
  readonly lines: readonly Line[]
  /** Each names the file and a line that a person must correct; nothing may be sent. */
  readonly damage: readonly string[]
  readonly tail: Tail
}

const newline = 0x0a
const maxDamageShown = 5

/** How every line of ours begins. */
const ourBeginning = '{"artifact":'

/** The bytes of a records file; none if it does not exist. Throws a `Stop` if it cannot be read. */
export function readRecordsFile(absolutePath: string, shownPath: string): Buffer {
  try {
    return readRegularFile(absolutePath)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0)
    const message = `input "records-path": "${quote(shownPath)}" cannot be read: ${describeError(error)}; nothing was sent, as an artifact may be paid for twice; restore the file or its rights, then run the job again`
    throw new Stop({ input: 'records-path', message })
  }
}

/** The bytes of a regular file. Throws for anything else, also for a FIFO, which would hang the run. */
export function readRegularFile(absolutePath: string): Buffer {
  // Not blocking, so that a FIFO in its place does not hang the run.
  const descriptor = openSync(absolutePath, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('it is not a regular file')
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Reads the bytes of a records file; pure. `visit` sees each good line once, in order, so that nobody has to parse it again. */
export function parseRecords(
  bytes: Buffer,
  name: string,
  visit: (entry: Entry, line: Line) => void = () => undefined,
): RecordsReading {
  const lines: Line[] = []
  const damage: string[] = []
  let tail: Tail = { state: 'whole', goodBytes: bytes.length }
  let start = 0
  for (let number = 1; start < bytes.length; number++) {
    const next = bytes.indexOf(newline, start)
    const end = next === -1 ? bytes.length : next
    const reading = parseLine(bytes.subarray(start, end))
    if ('entry' in reading) {
      const { hash, service, source } = reading.entry
      const { runId, runAttempt } = source
      const line = { number, start, end, hash, service, runId, runAttempt }
      lines.push(line)
      visit(reading.entry, line)
      if (next === -1) tail = { state: 'open', goodBytes: bytes.length }
    } else if (next === -1 && !reading.isJson && isOurBeginning(bytes.subarray(start))) {
      tail = { state: 'incomplete', goodBytes: start }
    } else {
      damage.push(`"${quote(name)}", line ${number} ${quote(reading.damage, 400)}`)
    }
    start = next === -1 ? bytes.length : next + 1
  }
  const rest = 'more damaged lines'
  const shown = damage.length === 0 ? [] : [someOf(damage, maxDamageShown, { rest })]
  return { name, bytes, lines, damage: shown, tail }
}

/** Only a beginning of a line of ours is an incomplete write of ours; anything else is a file of somebody else. */
function isOurBeginning(bytes: Buffer): boolean {
  const text = bytes.subarray(0, ourBeginning.length).toString('latin1')
  return ourBeginning.startsWith(text)
}

/** The entry of a good line, read again. */
export function entryOf({ bytes }: Pick<RecordsReading, 'bytes'>, { start, end }: Line): Entry {
  const reading = parseLine(bytes.subarray(start, end))
  if ('entry' in reading) return reading.entry
  throw new Error('a good line of the records file is not good any more')
}
