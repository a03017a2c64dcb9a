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
  /** The records file before it is completed. */
  readonly reading: RecordsReading
  /** What the records file holds once it is completed: its lines, then those from elsewhere that it lacks. */
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
  /** Base URL of the service in normal form. */
  readonly service: string
  readonly disk?: Disk
}

const restoreFile =
  'restore the file from the workflow artifact or the release, then re-run the failed jobs'

/** Reads all records. Throws a `Stop` if the records file cannot be read. */
export function readRecords(query: RecordsQuery): RecordsStore {
  const { path, name, others, service, disk = systemDisk } = query
  const bytes = readOwnFile(path, name, disk)
  const reading = parseRecords(bytes, name)
  const readOther = (other: RecordsSource) => {
    return { ...parseRecords(other.bytes, other.name), remedy: other.remedy }
  }
  const readings = [{ ...reading, remedy: restoreFile }, ...others.map(readOther)]
  const otherFiles = others.map(other => other.bytes)
  const newline = Buffer.from(reading.tail === 'unterminated' ? '\n' : '')
  const lines = [bytes.subarray(0, reading.goodBytes), newline, missingLines([bytes], otherFiles)]
  return {
    known: new KnownRecords(
      readings.flatMap(({ entries }) => entries),
      service,
    ),
    damage: readings.flatMap(describeDamage),
    warnings: readings.flatMap(tailWarning),
    reading,
    content: Buffer.concat(lines),
    disk,
  }
}

function readOwnFile(path: string, name: string, disk: Disk): Buffer {
  try {
    return readIfThere(path, disk)
  } catch (error) {
    const text = `"${quote(name)}" cannot be read: ${describeError(error)}; fix that, then re-run the failed jobs`
    throw new Stop(problemAt('records-path', text))
  }
}

/** Describes the damaged lines of a file. */
function describeDamage({
  damage,
  remedy,
}: RecordsReading & { readonly remedy: string }): string[] {
  if (damage.length === 0) return []
  const lines = joinFirst(damage, 5, { rest: 'more damaged lines' })
  return [`${lines}; ${remedy}`]
}
