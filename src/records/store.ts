import { RecordsFile, type Completion } from './file.ts'
import { KnownRecords } from './known.ts'
import { missingLines } from './merge.ts'
import { parseRecords, readRecordsFile, tailWarning } from './reading.ts'

/** The records that a run begins with: those of the workspace, and those of elsewhere. */
export interface RecordsStore extends Completion {
  readonly known: KnownRecords
  /** Each names a file and a line that a person must correct; nothing may be sent. */
  readonly damage: readonly string[]
  readonly warnings: readonly string[]
}

/** What to read. */
export interface RecordsQuery {
  /** Absolute. */
  readonly path: string
  /** As the user gave it. */
  readonly name: string
  /** Records that the release holds: the file here may be older, or missing; null without any. */
  readonly held: Buffer | null
  /** Base URL of the service; null where no line counts. */
  readonly service: string | null
}

/** Reads all known records. Throws a `Stop` if the file cannot be read. */
export function readRecords({ path, name, held, service }: RecordsQuery): RecordsStore {
  const bytes = readRecordsFile(path, name)
  const adopted = held === null ? Buffer.alloc(0) : missingLines(bytes, held)
  const own = parseRecords(bytes, name)
  const others = held === null ? [] : [parseRecords(held, 'the records of the release')]
  const readings = [own, ...others]
  return {
    known: new KnownRecords(readings, new Set(service === null ? [] : [service])),
    damage: readings.flatMap(({ damage }) => damage),
    // That of the file here is said when it is cut.
    warnings: others.flatMap(one => tailWarning(one)),
    tail: own.tail,
    adopted,
  }
}

const bytesPerHash = 3072
const maxExpectedBytes = 1024 * 1024

/** Opens the file for so many hashes, if there is something to write or to complete. Throws a `Stop` if it cannot be. */
export async function openRecordsFile(
  path: string,
  hashes: number,
  { tail, adopted }: Completion,
): Promise<RecordsFile | null> {
  if (hashes === 0 && tail.state === 'whole' && adopted.length === 0) return null
  const expectedBytes = Math.min(hashes * bytesPerHash, maxExpectedBytes)
  return RecordsFile.open(path, { tail, expectedBytes, adopted })
}
