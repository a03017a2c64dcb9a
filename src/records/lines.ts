import { hash } from 'node:crypto'
import { parseLine } from './line.ts'

const newline = Buffer.from('\n')

/**
 * The whole lines of `file` that none of the `known` files has, byte for byte, each with its newline. An incomplete last
 * line is left out. Pure.
 */
export function missingLines(known: readonly Buffer[], file: Buffer): Buffer {
  const seen = new Set(known.flatMap(wholeLines).map(digestOf))
  const missing: Uint8Array[] = []
  for (const line of wholeLines(file)) {
    const digest = digestOf(line)
    if (seen.has(digest)) continue
    seen.add(digest)
    missing.push(line, newline)
  }
  return Buffer.concat(missing)
}

/** The lines of a records file without their newlines, an incomplete last one left out. */
export function wholeLines(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = []
  let start = 0
  while (start < bytes.length) {
    const next = bytes.indexOf(newline, start)
    const line = bytes.subarray(start, next === -1 ? bytes.length : next)
    start += line.length + 1
    if (line.length > 0 && (next !== -1 || !isIncomplete(line))) lines.push(line)
  }
  return lines
}

/** Lines are compared by digest, as a file may be large. */
function digestOf(line: Buffer): string {
  return hash('sha256', line, 'base64')
}

function isIncomplete(line: Buffer): boolean {
  const parsed = parseLine(line)
  return 'damage' in parsed && parsed.isBeginning
}
