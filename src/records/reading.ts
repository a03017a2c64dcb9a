import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { problemAt, Stop } from '../stop.ts'
import { quote } from '../text/escape.ts'
import { describeError, errorCode } from '../text/system-error.ts'
import { someOf } from '../text/words.ts'
import { isRecord, parseLine, type Entry, type RecordEntry } from './line.ts'

/**
 * A good line of a records file: what it is found by and checked against. The rest of its entry is read again where it is
 * shown, as a file may have hundreds of thousands.
 */
export interface Line extends Pick<Entry, 'artifact' | 'size' | 'hash' | 'service'> {
  /** A record without problems, one with problems, or a state line. */
  readonly kind: 'registered' | 'contradicted' | 'state'
  readonly sha: string | null
  readonly runId: string | null
  /** From 1, also where the line does not say. */
  readonly runAttempt: number
  readonly file: ReadFile
  /** From 1. */
  readonly number: number
  /** Where it lies in the bytes, without its newline. */
  readonly start: number
  readonly end: number
}

interface ReadFile {
  /** As the user knows it. */
  readonly name: string
  readonly bytes: Buffer
}

/** How a file ends: `incomplete` after a write that was cut, `open` when only the newline is missing. */
export interface Tail {
  readonly state: 'whole' | 'open' | 'incomplete'
  /** Bytes up to the end of the last good line. */
  readonly goodBytes: number
}

/** A records file as it was read. Nothing was changed. */
export interface RecordsReading {
  readonly name: string
  /** The good lines. */
  readonly lines: readonly Line[]
  /** Each names the file and a line that a person must correct; nothing may be sent. */
  readonly damage: readonly string[]
  readonly tail: Tail
}

const newline = 0x0a
const maxDamageShown = 5

/** The bytes of a records file; none if it does not exist. Throws a `Stop` if it cannot be read. */
export function readRecordsFile(absolutePath: string, shownPath: string): Buffer {
  try {
    return readRegularFile(absolutePath)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0)
    const text = `"${quote(shownPath)}" cannot be read: ${describeError(error)}; nothing was sent, as an artifact may be paid for twice; restore the file or its rights, then run the job again`
    throw new Stop(problemAt('records-path', text))
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

/** Reads the bytes of a records file; pure. `visit` sees the entry of each good line once, so that nobody has to parse it again. */
export function parseRecords(
  bytes: Buffer,
  name: string,
  visit: (entry: Entry, line: Line) => void = () => undefined,
): RecordsReading {
  const file = { name, bytes }
  const share = shareTexts()
  const lines: Line[] = []
  const damage: string[] = []
  let tail: Tail = { state: 'whole', goodBytes: bytes.length }
  let start = 0
  for (let number = 1; start < bytes.length; number++) {
    const next = bytes.indexOf(newline, start)
    const end = next === -1 ? bytes.length : next
    const reading = parseLine(bytes.subarray(start, end))
    if ('entry' in reading) {
      const line = { ...headOf(reading.entry, share), file, number, start, end }
      lines.push(line)
      visit(reading.entry, line)
      if (next === -1) tail = { state: 'open', goodBytes: bytes.length }
    } else if (next === -1 && reading.isBeginning) {
      tail = { state: 'incomplete', goodBytes: start }
    } else {
      damage.push(`"${quote(name)}", line ${number} ${quote(reading.damage, 400)}`)
    }
    start = end + 1
  }
  const rest = 'more damaged lines'
  const shown = damage.length === 0 ? [] : [someOf(damage, maxDamageShown, { rest })]
  return { name, lines, damage: shown, tail }
}

/** Gives equal texts as one, as most lines name the same service and run. */
function shareTexts(): (text: string) => string {
  const texts = new Map<string, string>()
  return text => {
    const shared = texts.get(text) ?? text
    texts.set(shared, shared)
    return shared
  }
}

function headOf(entry: Entry, share: (text: string) => string) {
  const { artifact, size, hash, service } = entry
  const { sha, runId, runAttempt } = entry.source
  const isGood = isRecord(entry) && entry.problems.length === 0
  return {
    ...{ artifact, size, hash, service: share(service) },
    kind: isGood ? 'registered' : isRecord(entry) ? 'contradicted' : 'state',
    sha: sha && share(sha),
    runId: runId && share(runId),
    runAttempt: Math.max(Number(runAttempt) || 1, 1),
  } as const
}

/** The entry of a line, read again. */
export function entryOf({ file, start, end }: Line): Entry {
  const reading = parseLine(file.bytes.subarray(start, end))
  if ('entry' in reading) return reading.entry
  throw new Error('a good line of the records file is not good any more')
}

/** The record of a line that is no state line, read again. */
export function recordOf(line: Line): RecordEntry {
  const entry = entryOf(line)
  if (isRecord(entry)) return entry
  throw new Error('a record of the records file is not one any more')
}

/** The warning about an incomplete last line, and what becomes of it; none for any other end. */
export function tailWarning(
  { name, tail }: Pick<RecordsReading, 'name' | 'tail'>,
  fate = 'left out',
): readonly string[] {
  if (tail.state !== 'incomplete') return []
  return [
    `The last line of "${quote(name)}" is incomplete, as after a run that was killed while it wrote; it is ${fate}`,
  ]
}
