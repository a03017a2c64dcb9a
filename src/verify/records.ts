import type { FoundFiles } from '../artifacts/files.ts'
import { isLoopback } from '../input-values.ts'
import { collectEarly } from '../memory.ts'
import { KnownRecords, type Known } from '../records/known.ts'
import { isRecord, type RecordEntry } from '../records/line.ts'
import { entryOf, parseRecords, readRegularFile, type RecordsReading } from '../records/reading.ts'
import { Stop, type Problem } from '../stop.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { counted, someOf } from '../text/words.ts'

/** What of a record artifacts are checked against; the whole is read again where it is shown, as there may be very many. */
export interface RecordHead extends Pick<RecordEntry, 'artifact' | 'size' | 'hash' | 'service'> {
  readonly sha: string | null
  readonly runId: string | null
  readonly runAttempt: number
  readonly read: () => RecordEntry
}

/** All records files of a run, read. */
export interface RecordsIndex {
  /** The records without problems of services that count, in the order of the files. */
  readonly heads: readonly RecordHead[]
  /** What the files say of a hash that none of {@link heads} has: a record with problems, or that it was sent. */
  readonly explain: (hash: string) => Known | undefined
  /** How many {@link heads} there are, and of which services, or of the one that was asked for. */
  readonly count: string
  /** Each names a file and a line that a person must correct. */
  readonly damage: readonly string[]
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
  { redact }: Pick<Options, 'redact'>,
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
  if (texts.length === 0) return []
  return [{ input: 'records', message: `input "records": ${someOf(texts, maxShown)}${remedy}` }]
}

const largeBytes = 16 * 1024 * 1024

/**
 * Reads all records files, or what the release holds in their place (`attached`). Throws a `Stop` if one is missing, cannot
 * be read or is damaged.
 */
export function readAllRecords(
  { files, patterns, warnings }: FoundFiles,
  { attached, ...options }: Options & { readonly attached: Buffer | null },
): RecordsIndex {
  const errors: string[] = []
  const sources = attached === null ? [] : [{ bytes: attached, name: 'the records of the release' }]
  for (const { text, count } of attached === null ? patterns : []) {
    if (count === 0) errors.push(`the pattern "${quote(text)}" matches no records file`)
  }
  for (const { name, absolutePath } of files) {
    const shown = options.redact(name)
    try {
      sources.push({ bytes: readRegularFile(absolutePath), name: shown })
    } catch (error) {
      errors.push(`"${quote(shown)}" cannot be read: ${describeError(error)}`)
    }
  }
  // The lines of a large file are short-lived objects by the hundred thousand.
  if (sources.some(({ bytes }) => bytes.length > largeBytes)) collectEarly()
  const index = indexRecords(sources, options)
  const remedy = index.damage.length > 0 ? '; restore what was kept of this file' : ''
  Stop.ifAny(problemOf([...errors, ...index.damage], remedy))
  return { ...index, warnings: [...warnings, ...index.warnings] }
}

/** Reads all records files; pure. */
export function indexRecords(
  sources: readonly { readonly bytes: Buffer; readonly name: string }[],
  { baseUrl, redact }: Options,
): RecordsIndex {
  const counts = new Map<string, boolean>()
  const isCounted = (service: string): boolean => {
    const does =
      counts.get(service) ?? (baseUrl === null ? !isLoopback(service) : service === baseUrl)
    counts.set(service, does)
    return does
  }
  const heads: RecordHead[] = []
  const ignored: string[] = []
  const readings = sources.map(({ bytes, name }) =>
    parseRecords(bytes, name, (entry, line) => {
      if (!isRecord(entry)) return
      const { artifact, size, hash, service, source, problems } = entry
      if (!isCounted(service)) ignored.push(service)
      else if (problems.length === 0) {
        const { sha, runId } = source
        const runAttempt = Math.max(Number(source.runAttempt) || 1, 1)
        const read = (): RecordEntry => {
          const again = entryOf({ bytes }, line)
          if (isRecord(again)) return again
          throw new Error('a record of the records file is not one any more')
        }
        heads.push({ artifact, size, hash, service, sha, runId, runAttempt, read })
      }
    }),
  )
  const good = new Set(heads.map(({ hash }) => hash))
  const others = readings.map(reading => ({
    ...reading,
    lines: reading.lines.filter(({ hash, service }) => isCounted(service) && !good.has(hash)),
  }))
  const known = Array.from(
    new Set(others.flatMap(({ lines }) => lines.map(({ service }) => service))),
    service => new KnownRecords(others, service),
  )
  const services = new Set(baseUrl === null ? heads.map(({ service }) => service) : [baseUrl])
  const left = formatCount(ignored.length, Array.from(new Set(ignored), redact))
  const verb = ignored.length === 1 ? 'does' : 'do'
  const why =
    baseUrl === null
      ? 'a service on this machine is a simulator; to count its records give its address as "base-url"'
      : `"base-url" names another service, "${quote(baseUrl, maxServiceLength)}"`
  return {
    heads,
    explain: hash => known.map(one => one.find(hash)).find(found => found !== undefined),
    count: formatCount(heads.length, Array.from(services, redact)),
    damage: readings.flatMap(({ damage }) => damage),
    warnings: [
      ...readings.flatMap(cutWarning),
      ...(ignored.length === 0 ? [] : [`${left} ${verb} not count: ${why}`]),
    ],
  }
}

function cutWarning({ name, tail }: RecordsReading): readonly string[] {
  if (tail.state !== 'incomplete') return []
  return [
    `The last line of "${quote(name)}" is incomplete, as after a run that was killed while it wrote; it is left out`,
  ]
}

const maxServicesShown = 3
const maxServiceLength = 200

/** So many records, and of which services. */
function formatCount(count: number, services: readonly string[]): string {
  const names = services.map(name => `"${quote(name, maxServiceLength)}"`)
  const of = someOf(names, maxServicesShown, { separator: ', ', rest: 'more services' })
  return `${counted(count, 'record')}${of === '' ? '' : ` of ${of}`}`
}
