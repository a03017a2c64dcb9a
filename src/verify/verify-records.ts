import type { FoundFiles } from '../artifacts/files.ts'
import { problemAt, problemWith, Stop, type Problem } from '../failure.ts'
import { isLoopback } from '../inputs/input-values.ts'
import { readRegularFile } from '../records/disk.ts'
import { KnownRecords } from '../records/known-records.ts'
import { isGoodRecord, isRecord, type RecordEntry } from '../records/line.ts'
import { parseRecords, tailWarning } from '../records/parse-records.ts'
import type { RecordsSource } from '../records/store.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { compareCodeUnits, pluralize, joinFirst } from '../text/words.ts'

/** The records that artifacts are compared with. */
export interface VerifyRecords {
  /** What the lines of the services that count say about each hash. */
  readonly known: KnownRecords
  /** The records without problems that count, oldest first. */
  readonly good: readonly RecordEntry[]
  /** How many hashes have a record, and from which service. */
  readonly count: string
  readonly warnings: readonly string[]
}

const maxShown = 3

/** Checks the patterns of `records`; `mayBeEmpty` if the records may be on a release instead. */
export function patternProblems(
  { errors, patterns }: FoundFiles,
  mayBeEmpty: boolean,
): readonly Problem[] {
  const wrong = [...errors]
  for (const { text, files } of patterns) {
    if (files.length > 0 || mayBeEmpty) continue
    wrong.push(`"${quote(text)}" matches no file; download the records files first`)
  }
  if (patterns.length + errors.length === 0) wrong.push('it has no pattern; add one')
  return wrong.length === 0 ? [] : [problemAt('records', joinFirst(wrong, maxShown))]
}

/** Reads records files. Throws a `Stop` if one cannot be read. */
export function readRecordsFiles({ files }: FoundFiles): readonly RecordsSource[] {
  return files.map(({ name, absolutePath }) => {
    try {
      return { name, bytes: readRegularFile(absolutePath) }
    } catch (error) {
      const why = `"${quote(name)}" cannot be read: ${describeError(error)}`
      throw new Stop(problemAt('records', why))
    }
  })
}

/** Parses records files and selects those of `baseUrl`, or of the only service. Throws a `Stop`. */
export function selectRecords(
  sources: readonly RecordsSource[],
  baseUrl: string | null,
): VerifyRecords {
  const readings = sources.map(({ bytes, name }) => parseRecords(bytes, name))
  const damage = readings.flatMap(reading => reading.damage)
  if (damage.length > 0) {
    const remedy = 'fetch an intact copy from the release, the workflow artifact, or the cache'
    throw new Stop(problemAt('records', `${joinFirst(damage, maxShown)}; ${remedy}`))
  }
  const entries = readings.flatMap(reading => reading.entries)
  const records = entries.filter(isRecord)
  const service = baseUrl ?? onlyService(records)
  const services = new Set(service === null ? entries.map(entry => entry.service) : [service])
  const good = records.filter(record => isGoodRecord(record) && services.has(record.service))
  good.sort((a, b) => compareCodeUnits(a.at ?? '', b.at ?? ''))
  const ignored = records.filter(record => !services.has(record.service)).length
  const hashes = pluralize(new Set(good.map(({ hash }) => hash)).size, 'record')
  const count = service === null ? hashes : `${hashes} from "${quote(service)}"`
  return {
    known: new KnownRecords(entries, services),
    good,
    count: ignored === 0 ? count : `${count}; ${ignored} from other services ignored`,
    warnings: readings.flatMap(reading => tailWarning(reading)),
  }
}

/** Finds the only service with records. Throws a `Stop` for several, or a loopback address. */
function onlyService(records: readonly RecordEntry[]): string | null {
  const services = [...new Set(records.map(({ service }) => service))]
  const [service = null] = services
  if (service === null || (services.length === 1 && !isLoopback(service))) return service
  const quoted = services.map(url => `"${quote(url)}"`)
  const names = joinFirst(quoted, maxShown)
  const why = `is empty, and the records are from ${names}; set it to the URL of your service`
  throw new Stop(problemWith('base-url', why))
}
