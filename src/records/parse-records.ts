import { hash } from 'node:crypto'
import type { Source } from '../runtime/environment.ts'
import { quote } from '../text/escape.ts'
import { parseLine, type Entry } from './line.ts'

/** A records file as it was read. Nothing was changed. */
export interface RecordsReading {
  /** As the user knows the file. */
  readonly name: string
  readonly entries: readonly Entry[]
  /** Each names the file and a damaged line. */
  readonly damage: readonly string[]
  /** How the file ends: `unterminated` when only the last newline is missing, `incomplete` after a write that was cut. */
  readonly tail: 'whole' | 'unterminated' | 'incomplete'
  /** Bytes without an incomplete last line. */
  readonly goodBytes: number
}

const newline = Buffer.from('\n')

/** Parses the bytes of a records file; pure. `keep` makes of each entry what is kept of it, as there may be very many. */
export function parseRecords(
  bytes: Buffer,
  name: string,
  keep: (entry: Entry) => Entry = entry => entry,
): RecordsReading {
  const entries: Entry[] = []
  const sources = new Map<string, Source>()
  const damage: string[] = []
  let tail: RecordsReading['tail'] = 'whole'
  let goodBytes = bytes.length
  let number = 0
  for (const { line, isTerminated } of splitLines(bytes)) {
    number += 1
    const parsed = parseLine(line)
    if ('entry' in parsed) {
      // Most lines are of the same run: their sources are kept once.
      const key = JSON.stringify(parsed.entry.source)
      const source = sources.get(key) ?? parsed.entry.source
      sources.set(key, source)
      entries.push(keep({ ...parsed.entry, source }))
      if (!isTerminated) tail = 'unterminated'
    } else if (!isTerminated && parsed.isBeginning) {
      tail = 'incomplete'
      goodBytes -= line.length
    } else {
      damage.push(`"${quote(name)}", line ${number} ${quote(parsed.damage, 400)}`)
    }
  }
  return { name, entries, damage, tail, goodBytes }
}

/** The warning about an incomplete last line, and what is done about it; none for any other end. */
export function tailWarning({ name, tail }: RecordsReading, action = 'skipped'): readonly string[] {
  if (tail !== 'incomplete') return []
  return [
    `The last line of "${quote(name)}" is incomplete and was ${action}: a run was killed while it wrote it`,
  ]
}

/**
 * The whole lines of `files` that none of the `known` files has, byte for byte, each once and with its newline. An
 * incomplete last line is left out. Pure.
 */
export function missingLines(known: readonly Buffer[], files: readonly Buffer[]): Buffer {
  // By digest, as a file may be large.
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

/** The lines of a records file without their newlines; blank ones and an incomplete last one are left out. */
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

/** A line of a file without its newline; only the last one may have none. */
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
