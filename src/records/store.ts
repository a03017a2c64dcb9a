import { problemAt, Stop } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { readIfThere, systemDisk, type Disk } from './disk.ts'
import { RecordsFile, type Completion } from './file.ts'
import { KnownRecords } from './known.ts'
import { missingLines } from './lines.ts'
import { parseRecords, tailWarning } from './reading.ts'

/** A records file from elsewhere, such as an asset of a release. */
export interface RecordsSource {
  readonly name: string
  readonly bytes: Buffer
}

/** The records that a run begins with: those of the workspace, and those from elsewhere. */
export interface RecordsStore extends Completion {
  readonly known: KnownRecords
  /** Each names a file and a line that a person must correct; nothing may be sent. */
  readonly damage: readonly string[]
  readonly warnings: readonly string[]
}

/** What to read. */
export interface RecordsQuery {
  /** Absolute path of the records file. */
  readonly path: string
  /** The path as the user gave it. */
  readonly name: string
  readonly others: readonly RecordsSource[]
  /** Base URL of the service; null where no line counts. */
  readonly service: string | null
  /** That of the machine unless given. */
  readonly disk?: Disk
}

/** Reads all known records. Throws a `Stop` if the file cannot be read. */
export function readRecords(query: RecordsQuery): RecordsStore {
  const { path, name, others, service, disk = systemDisk } = query
  const bytes = readOwnFile(path, name, disk)
  const reading = parseRecords(bytes, name)
  const otherReadings = others.map(other => parseRecords(other.bytes, other.name))
  const readings = [reading, ...otherReadings]
  const services = new Set(service === null ? [] : [service])
  return {
    known: new KnownRecords(
      readings.flatMap(({ entries }) => entries),
      services,
    ),
    damage: readings.flatMap(({ damage }) => damage),
    // The file itself gets its warning when the line is cut off.
    warnings: otherReadings.flatMap(other => tailWarning(other)),
    reading,
    missing: linesFromElsewhere(bytes, others),
    disk,
  }
}

function linesFromElsewhere(own: Buffer, others: readonly RecordsSource[]): Buffer {
  const known = [own]
  for (const { bytes } of others) known.push(missingLines(known, bytes))
  return Buffer.concat(known.slice(1))
}

function readOwnFile(path: string, name: string, disk: Disk): Buffer {
  try {
    return readIfThere(path, disk)
  } catch (error) {
    const text = `"${quote(name)}" cannot be read: ${describeError(error)}; nothing was sent, as an artifact could be paid for twice; fix that, then run the job again`
    throw new Stop(problemAt('records-path', text))
  }
}

/** Opens the records file if there is something to write or to complete, else null. Throws a `Stop` if it cannot be. */
export async function openRecordsFile(
  path: string,
  completion: Completion,
  hasWork: boolean,
): Promise<RecordsFile | null> {
  const { reading, missing } = completion
  if (!hasWork && reading.tail === 'whole' && missing.length === 0) return null
  return RecordsFile.open(path, completion)
}
