import { Failure, problemAt, Stop } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { joinFirst } from '../text/phrases.ts'
import { readIfThere, systemDisk, type Disk } from './disk.ts'
import { KnownRecords } from './known-records.ts'
import { missingLines, parseRecords, type RecordsReading } from './lines.ts'

/** A records file from elsewhere, such as an asset of a release. */
export interface RecordsSource {
  /** As messages name it: `notarization-records.jsonl of the release`. */
  readonly name: string
  readonly bytes: Buffer
  /** How to go on if it is damaged: an imperative clause. */
  readonly remedy: string
}

/** A place outside this machine that keeps records: it gives lines at the start, and takes the file at the end. */
export interface RecordsPlace {
  /** The records files that it holds. */
  readonly records: readonly RecordsSource[]
  /** For the log and the summary. */
  readonly warnings: readonly string[]
}

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

/**
 * Reads all records. Throws a `Stop` if the records file cannot be read.
 * @param query `path` is the absolute path of the records file, `name` the path as the user gave
 *   it, and `service` the base URL in normal form.
 */
export function readRecords(query: {
  readonly path: string
  readonly name: string
  readonly others: readonly RecordsSource[]
  readonly service: string
  readonly disk?: Disk
}): RecordsStore {
  const { path, name, others, service, disk = systemDisk } = query
  let bytes: Buffer
  try {
    bytes = readIfThere(path, disk)
  } catch (error) {
    const text = `"${quote(name)}" cannot be read: ${describeError(error)}; fix that, then re-run the failed jobs`
    throw new Stop(problemAt('records-path', text))
  }
  const remedy =
    'restore the file from the workflow artifact or the release, then re-run the failed jobs'
  const reading = parseRecords(bytes, name)
  const fromOthers = others.map(other => {
    return { ...parseRecords(other.bytes, other.name), remedy: other.remedy }
  })
  const readings = [{ ...reading, remedy }, ...fromOthers]
  const damaged = readings.filter(({ damage }) => damage.length > 0)
  const newline = Buffer.from(reading.tail === 'unterminated' ? '\n' : '')
  const missing = missingLines(
    [bytes],
    others.map(other => other.bytes),
  )
  return {
    known: new KnownRecords(
      readings.flatMap(({ entries }) => entries),
      service,
    ),
    damage: damaged.map(({ damage, remedy }) => {
      return `${joinFirst(damage, 5, { rest: 'more damaged lines' })}; ${remedy}`
    }),
    warnings: readings.flatMap(({ warnings }) => warnings),
    reading,
    content: Buffer.concat([bytes.subarray(0, reading.goodBytes), newline, missing]),
    disk,
  }
}

/** Reads the records file at the end of a run. It must exist if something is registered. Throws a `Failure`. */
export function readRecordsFile(path: string, disk: Disk, mustExist: boolean): Buffer {
  try {
    return mustExist ? disk.read(path) : readIfThere(path, disk)
  } catch (error) {
    const [cause, remedy] = ['the records file could not be read', 'find out what changed it']
    throw new Failure({ code: 'unreadable', cause, detail: describeError(error), remedy })
  }
}
