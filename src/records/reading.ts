import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import type { Source } from '../runtime/environment.ts'
import { quote } from '../text/escape.ts'
import { someOf } from '../text/words.ts'
import { parseLine, type Entry } from './line.ts'

/** A records file as it was read. Nothing was changed. */
export interface RecordsReading {
  /** As the user knows the file. */
  readonly name: string
  readonly entries: readonly Entry[]
  /** Each names the file and a line that a person must correct; nothing may be sent. */
  readonly damage: readonly string[]
  /** How the file ends: `unterminated` when only the last newline is missing, `incomplete` after a write that was cut. */
  readonly tail: 'whole' | 'unterminated' | 'incomplete'
  /** Bytes without an incomplete last line. */
  readonly goodBytes: number
}

const newline = 0x0a
const maxDamageShown = 5
const maxDamageLength = 400

/** The bytes of a regular file. Throws a system error, and for anything but a regular file, such as a FIFO. */
export function readRegularFile(path: string): Buffer {
  // Without blocking, as opening a FIFO would hang the run.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('it is not a regular file')
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

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
  let start = 0
  for (let number = 1; start < bytes.length; number++) {
    const next = bytes.indexOf(newline, start)
    const isLast = next === -1
    const end = isLast ? bytes.length : next
    const parsed = parseLine(bytes.subarray(start, end))
    if ('entry' in parsed) {
      // Most lines are of the same run: their sources are kept once.
      const key = JSON.stringify(parsed.entry.source)
      const source = sources.get(key) ?? parsed.entry.source
      sources.set(key, source)
      entries.push(keep({ ...parsed.entry, source }))
      if (isLast) tail = 'unterminated'
    } else if (isLast && parsed.isBeginning) {
      tail = 'incomplete'
      goodBytes = start
    } else {
      damage.push(`"${quote(name)}", line ${number} ${quote(parsed.damage, maxDamageLength)}`)
    }
    start = end + 1
  }
  const shown =
    damage.length === 0 ? [] : [someOf(damage, maxDamageShown, { rest: 'more damaged lines' })]
  return { name, entries, damage: shown, tail, goodBytes }
}

/** The warning about an incomplete last line, and what is done about it; none for any other end. */
export function tailWarning({ name, tail }: RecordsReading, action = 'skipped'): readonly string[] {
  if (tail !== 'incomplete') return []
  return [
    `The last line of "${quote(name)}" is incomplete and was ${action}: a run was killed while it wrote it`,
  ]
}
