import type { FoundFiles } from '../artifacts/files.ts'
import { isLoopback } from '../input-values.ts'
import { collectEarly } from '../memory.ts'
import { KnownRecords } from '../records/known.ts'
import {
  parseRecords,
  readRegularFile,
  tailWarning,
  type Line,
  type RecordsReading,
} from '../records/reading.ts'
import { problemAt, Stop, type Problem } from '../stop.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { counted, someOf } from '../text/words.ts'

/** All records files of a run, read. */
export interface RecordsIndex {
  /** The lines of services that count. */
  readonly known: KnownRecords
  /** Those that are records without problems, in the order of the files. */
  readonly registered: readonly Line[]
  /** How many these are, and of which services, or of the one that was asked for. */
  readonly count: string
  readonly warnings: readonly string[]
}

interface Options {
  /** Only records of this service count; null for those of any that is not on loopback. */
  readonly baseUrl: string | null
  /** Takes the secrets out of a name, before it is cut. */
  readonly redact: (text: string) => string
}

/** What is wrong with the input `records` itself. */
export function patternProblem(
  { errors, patterns, unreadable }: FoundFiles,
  redact: Options['redact'],
): readonly Problem[] {
  const none = 'there is no pattern that includes anything; give one pattern a line'
  return problemOf([
    ...errors,
    ...(patterns.length + errors.length === 0 ? [none] : []),
    ...unreadable.map(
      name => `"${quote(redact(name))}" cannot be read: its name is not valid UTF-8`,
    ),
  ])
}

const maxShown = 20

function problemOf(texts: readonly string[], remedy = ''): readonly Problem[] {
  return texts.length === 0 ? [] : [problemAt('records', `${someOf(texts, maxShown)}${remedy}`)]
}

const largeBytes = 16 * 1024 * 1024

/**
 * Reads all records files, or what the release holds in their place (`attached`). Throws a `Stop` if one is missing, cannot
 * be read or is damaged.
 */
export function readAllRecords(
  found: FoundFiles,
  { attached, ...options }: Options & { readonly attached: Buffer | null },
): RecordsIndex {
  const { sources, errors } =
    attached === null
      ? readFiles(found, options)
      : { sources: [{ bytes: attached, name: 'the records of the release' }], errors: [] }
  // The lines of a large file are short-lived objects by the hundred thousand.
  if (sources.some(({ bytes }) => bytes.length > largeBytes)) collectEarly()
  const readings = sources.map(({ bytes, name }) => parseRecords(bytes, name))
  const damage = readings.flatMap(reading => reading.damage)
  const remedy = damage.length > 0 ? '; restore what was kept of this file' : ''
  Stop.ifAny(problemOf([...errors, ...damage], remedy))
  const index = indexRecords(readings, options)
  return { ...index, warnings: [...found.warnings, ...index.warnings] }
}

function readFiles({ files, patterns }: FoundFiles, { redact }: Options) {
  const errors = patterns
    .filter(({ count }) => count === 0)
    .map(({ text }) => `the pattern "${quote(text)}" matches no records file`)
  const sources: { readonly bytes: Buffer; readonly name: string }[] = []
  for (const { name, absolutePath } of files) {
    const shown = redact(name)
    try {
      sources.push({ bytes: readRegularFile(absolutePath), name: shown })
    } catch (error) {
      errors.push(`"${quote(shown)}" cannot be read: ${describeError(error)}`)
    }
  }
  return { sources, errors }
}

/** What counts of all records files; pure. */
export function indexRecords(
  readings: readonly RecordsReading[],
  { baseUrl, redact }: Options,
): RecordsIndex {
  const lines = readings.flatMap(reading => reading.lines)
  const services = new Set(lines.map(({ service }) => service))
  const counts = (service: string): boolean =>
    baseUrl === null ? !isLoopback(service) : service === baseUrl
  const counting = new Set(services.values().filter(counts))
  const records = lines.filter(({ kind }) => kind !== 'state')
  const ignored = records.filter(({ service }) => !counting.has(service))
  const registered = records.filter(
    ({ kind, service }) => kind === 'registered' && counting.has(service),
  )
  return {
    known: new KnownRecords(readings, counting),
    registered,
    count: formatCount(registered, { baseUrl, redact }),
    warnings: [
      ...readings.flatMap(reading => tailWarning(reading)),
      ...ignoredWarning(ignored, { baseUrl, redact }),
    ],
  }
}

function ignoredWarning(ignored: readonly Line[], { baseUrl, redact }: Options): readonly string[] {
  if (ignored.length === 0) return []
  const left = formatCount(ignored, { baseUrl: null, redact })
  const verb = ignored.length === 1 ? 'does' : 'do'
  const why =
    baseUrl === null
      ? 'a service on this machine is a simulator; to count its records give its address as "base-url"'
      : `"base-url" names another service, "${quote(baseUrl, maxServiceLength)}"`
  return [`${left} ${verb} not count: ${why}`]
}

const maxServicesShown = 3
const maxServiceLength = 200

/** So many records, and of which services, or of the one that was asked for. */
function formatCount(records: readonly Line[], { baseUrl, redact }: Options): string {
  const services = new Set(baseUrl === null ? records.map(({ service }) => service) : [baseUrl])
  const names = Array.from(services, service => `"${quote(redact(service), maxServiceLength)}"`)
  const of = someOf(names, maxServicesShown, { separator: ', ', rest: 'more services' })
  return `${counted(records.length, 'record')}${of === '' ? '' : ` of ${of}`}`
}
