import { problemAt, Stop } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { joinFirst } from '../text/words.ts'
import { readIfThere, systemDisk, type Disk } from './disk.ts'
import { KnownRecords } from './known-records.ts'
import type { RecordsSource } from './place.ts'
import { missingLines, parseRecords, tailWarning, type RecordsReading } from './parse-records.ts'

/** The records that a run starts with, from the records file and from elsewhere. */
export interface RecordsStore {
  readonly known: KnownRecords
  /** One message for each damaged file, with its lines and the remedy. If there is one, nothing may be sent. */
  readonly damage: readonly string[]
  readonly warnings: readonly string[]
  /** The content of the records file before it is completed. */
  readonly reading: RecordsReading
  /** The lines from elsewhere that the records file lacks. They are appended first. */
  readonly missing: Buffer
  /** What the records file holds once it is completed. */
  readonly content: Buffer
  readonly disk: Disk
}

/** The records to read. */
export interface RecordsQuery {
  /** Absolute path of the records file. */
  readonly path: string
  /** The path as the user gave it. */
  readonly name: string
  readonly others: readonly RecordsSource[]
  /** Base URL of the service; empty if no line counts. */
  readonly service: string
  readonly disk?: Disk
}

const notSent = 'nothing was sent, to avoid paying for an artifact twice'
const restoreFile =
  'restore the file from the workflow artifact or the release, then re-run the failed jobs'

/** Reads all records. Throws a `Stop` if the records file cannot be read. */
export function readRecords(query: RecordsQuery): RecordsStore {
  const { path, name, others, service, disk = systemDisk } = query
  const bytes = readOwnFile(path, name, disk)
  const reading = parseRecords(bytes, name)
  const damage = describeDamage(reading, restoreFile)
  const entries = [...reading.entries]
  const warnings: string[] = []
  for (const other of others) {
    const otherReading = parseRecords(other.bytes, other.name)
    damage.push(...describeDamage(otherReading, other.remedy))
    // The warning about the records file itself follows when its last line is cut off.
    warnings.push(...tailWarning(otherReading))
    for (const entry of otherReading.entries) entries.push(entry)
  }
  const otherFiles = others.map(other => other.bytes)
  const missing = missingLines([bytes], otherFiles)
  const newline = Buffer.from(reading.tail === 'unterminated' ? '\n' : '')
  const content = Buffer.concat([bytes.subarray(0, reading.goodBytes), newline, missing])
  const known = new KnownRecords(entries, service)
  return { known, damage, warnings, reading, missing, content, disk }
}

function readOwnFile(path: string, name: string, disk: Disk): Buffer {
  try {
    return readIfThere(path, disk)
  } catch (error) {
    const text = `"${quote(name)}" cannot be read: ${describeError(error)}; ${notSent}; fix that, then re-run the failed jobs`
    throw new Stop(problemAt('records-path', text))
  }
}

function describeDamage({ damage }: RecordsReading, remedy: string): string[] {
  if (damage.length === 0) return []
  const lines = joinFirst(damage, 5, { rest: 'more damaged lines' })
  return [`${lines}; ${notSent}; ${remedy}`]
}
