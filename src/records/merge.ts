import { hash } from 'node:crypto'
import { parseLine } from './line.ts'

const newline = Buffer.from('\n')

/**
 * Merges two records files: the lines of the first, then those of the second that the first does not have, byte for
 * byte. An incomplete last line is dropped, one that lacks only its newline gets it. Pure.
 */
export function mergeRecords(first: Buffer, second: Buffer): Buffer {
  const seen = new Set<string>()
  return Buffer.concat([...newLines(first, seen), ...newLines(second, seen)])
}

/** The whole lines of the second records file that the first does not have, byte for byte. Pure. */
export function missingLines(first: Buffer, second: Buffer): Buffer {
  const seen = new Set<string>()
  newLines(first, seen)
  return Buffer.concat(newLines(second, seen))
}

/** The whole lines that were not seen yet, with their newlines. They are noted by digest, as a file may be large. */
function newLines(bytes: Buffer, seen: Set<string>): readonly Uint8Array[] {
  const lines: Uint8Array[] = []
  let start = 0
  while (start < bytes.length) {
    const next = bytes.indexOf(newline, start)
    const line = bytes.subarray(start, next === -1 ? bytes.length : next)
    start += line.length + 1
    const digest = hash('sha256', line, 'base64')
    if (line.length === 0 || seen.has(digest) || (next === -1 && isIncomplete(line))) continue
    seen.add(digest)
    lines.push(line, newline)
  }
  return lines
}

function isIncomplete(bytes: Buffer): boolean {
  const reading = parseLine(bytes)
  return 'damage' in reading && reading.isBeginning
}
