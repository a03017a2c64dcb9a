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
  /** What all lines of the services that count say, by hash. */
  readonly known: KnownRecords
  /** The records without problems that count, the oldest first. */
  readonly good: readonly RecordEntry[]
  /** How many hashes have one, and of which service. */
  readonly count: string
  readonly warnings: readonly string[]
}

const maxShown = 3

/** What is wrong with the patterns of `records`; `mayBeEmpty` if a release may have the records instead. */
export function patternProblems(
  { errors, patterns }: FoundFiles,
  mayBeEmpty: boolean,
): readonly Problem[] {
  const wrong = [...errors]
  for (const { text, files } of patterns) {
    if (files.length > 0 || mayBeEmpty) continue
    wrong.push(`"${quote(text)}" matches no file; download the records files first`)
  }
  if (patterns.length + errors.length === 0) wrong.push('it includes nothing; give a pattern')
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

/**
 * Parses records files and selects what counts: the records of `baseUrl`, or of the only service that has any. Throws a
 * `Stop` if a file is damaged, or if it is unclear which service counts.
 */
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
  const counting = new Set(service === null ? entries.map(one => one.service) : [service])
  const good = records.filter(one => isGoodRecord(one) && counting.has(one.service))
  good.sort((a, b) => compareCodeUnits(a.at ?? '', b.at ?? ''))
  const ignored = records.filter(one => !counting.has(one.service)).length
  const hashes = pluralize(new Set(good.map(({ hash }) => hash)).size, 'record')
  const of = service === null ? hashes : `${hashes} of "${quote(service)}"`
  return {
    known: new KnownRecords(entries, counting),
    good,
    count: ignored === 0 ? of : `${of}; ${ignored} of other services ignored`,
    warnings: readings.flatMap(reading => tailWarning(reading)),
  }
}

/** The service that has all records, null without a record. Throws a `Stop` if it may not be meant. */
function onlyService(records: readonly RecordEntry[]): string | null {
  const services = [...new Set(records.map(({ service }) => service))]
  const [service = null] = services
  if (service === null || (services.length === 1 && !isLoopback(service))) return service
  const names = joinFirst(
    services.map(one => `"${quote(one)}"`),
    maxShown,
  )
  const why = `is empty, and the records are of ${names}; give the URL of the service that counts`
  throw new Stop(problemWith('base-url', why))
}
