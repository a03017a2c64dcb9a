import { hash } from 'node:crypto'
import { maxMessageLength, quote } from '../text/escape.ts'
import { parseLine, type Entry } from './line.ts'

/** The content of a records file. */
export interface RecordsReading {
  /** The name that users know. */
  readonly name: string
  readonly entries: readonly Entry[]
  /** One message for each damaged line; it names the file and the line. */
  readonly damage: readonly string[]
  /** How the file ends: `unterminated` if only the last newline is missing, `incomplete` if a write was cut off. */
  readonly tail: 'whole' | 'unterminated' | 'incomplete'
  /** Bytes without an incomplete last line. */
  readonly goodBytes: number
}

const newline = Buffer.from('\n')

/** Parses a records file. */
export function parseRecords(bytes: Buffer, name: string): RecordsReading {
  const entries: Entry[] = []
  const damage: string[] = []
  let tail: RecordsReading['tail'] = 'whole'
  let goodBytes = bytes.length
  let number = 0
  for (const { line, isTerminated } of splitLines(bytes)) {
    number += 1
    const parsed = parseLine(line)
    if ('entry' in parsed) {
      entries.push(parsed.entry)
      if (!isTerminated) tail = 'unterminated'
    } else if (!isTerminated && parsed.isBeginning) {
      tail = 'incomplete'
      goodBytes -= line.length
    } else {
      damage.push(`"${quote(name)}", line ${number} ${quote(parsed.damage, maxMessageLength)}`)
    }
  }
  return { name, entries, damage, tail, goodBytes }
}

/** Returns a warning if the last line is incomplete. */
export function tailWarning({ name, tail }: RecordsReading): readonly string[] {
  if (tail !== 'incomplete') return []
  return [
    `The last line of "${quote(name)}" is incomplete and was dropped: a run was killed while writing it`,
  ]
}

/** Returns the complete lines of `files` that `known` lacks, each once and with its newline. */
export function missingLines(known: readonly Buffer[], files: readonly Buffer[]): Buffer {
  // Keeps digests instead of lines, because files may be large.
  const digestOf = (line: Buffer): string => hash('sha256', line, 'base64')
  const seen = new Set(known.flatMap(completeLines).map(digestOf))
  const missing: Buffer[] = []
  for (const line of files.flatMap(completeLines)) {
    const digest = digestOf(line)
    if (seen.has(digest)) continue
    seen.add(digest)
    missing.push(line, newline)
  }
  return Buffer.concat(missing)
}

/** Returns the lines of a records file without their newlines. Omits blank lines and an incomplete last line. */
export function completeLines(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = []
  for (const { line, isTerminated } of splitLines(bytes)) {
    if (line.length > 0 && (isTerminated || !isIncomplete(line))) lines.push(line)
  }
  return lines
}

function isIncomplete(line: Buffer): boolean {
  const parsed = parseLine(line)
  return 'damage' in parsed && parsed.isBeginning
}

/** A line without its newline, and whether it had one. */
interface Line {
  readonly line: Buffer
  readonly isTerminated: boolean
}

function* splitLines(bytes: Buffer): Generator<Line> {
  let start = 0
  while (start < bytes.length) {
    const next = bytes.indexOf(newline, start)
    const isTerminated = next !== -1
    const line = bytes.subarray(start, isTerminated ? next : bytes.length)
    yield { line, isTerminated }
    start += line.length + 1
  }
}
