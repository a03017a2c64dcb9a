import type { FoundFiles } from '../artifacts/files.ts'
import { problemAt, Stop, type Problem } from '../failure.ts'
import { readRegularFile } from '../records/disk.ts'
import { KnownRecords } from '../records/known-records.ts'
import { isGoodRecord, isRecord, parseRecords, type RecordEntry } from '../records/lines.ts'
import type { RecordsSource } from '../records/store.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { compareCodeUnits, joinFirst, pluralize } from '../text/format.ts'

/** The records that artifacts are compared with. */
export interface VerifyRecords {
  /** What the lines of the service say about each hash. */
  readonly known: KnownRecords
  /** The records of the service without problems, oldest first. */
  readonly good: readonly RecordEntry[]
  /** How many hashes have a record of which service. */
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
      const remedy = 'download an intact copy from the release or the workflow artifact'
      return { name, bytes: readRegularFile(absolutePath), remedy }
    } catch (error) {
      const why = `"${quote(name)}" cannot be read: ${describeError(error)}`
      throw new Stop(problemAt('records', why))
    }
  })
}

/** Parses records files and selects the lines of `baseUrl`. Throws a `Stop` for damaged lines. */
export function selectRecords(sources: readonly RecordsSource[], baseUrl: string): VerifyRecords {
  const problems: Problem[] = []
  const readings = sources.map(({ bytes, name, remedy }) => {
    const reading = parseRecords(bytes, name)
    const { damage } = reading
    if (damage.length > 0)
      problems.push(problemAt('records', `${joinFirst(damage, maxShown)}; ${remedy}`))
    return reading
  })
  Stop.ifAny(problems)
  const entries = readings.flatMap(reading => reading.entries)
  const records = entries.filter(isRecord)
  const ofService = records.filter(({ service }) => service === baseUrl)
  const good = ofService.filter(isGoodRecord)
  good.sort((a, b) => compareCodeUnits(a.at ?? '', b.at ?? ''))
  const hashes = pluralize(new Set(good.map(({ hash }) => hash)).size, 'record')
  const others = records.length - ofService.length
  const ignored = others === 0 ? '' : `; ${others} of other services do not count`
  return {
    known: new KnownRecords(entries, baseUrl),
    good,
    count: `${hashes} of "${quote(baseUrl)}"${ignored}`,
    warnings: readings.flatMap(({ warnings }) => warnings),
  }
}
