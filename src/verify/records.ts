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
import type { VerifyInputs } from './inputs.ts'

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
  /** The services of {@link heads}, or the one that was asked for. */
  readonly services: readonly string[]
  /** Each names a file and a line that a person must correct. */
  readonly damage: readonly string[]
  readonly warnings: readonly string[]
}

/** What is wrong with the input `records` itself. */
export function patternProblem({ errors, patterns, unreadable }: FoundFiles): readonly Problem[] {
  const none = 'there is no pattern that includes anything; give one pattern a line'
  return problemOf([
    ...errors,
    ...(patterns.length + errors.length === 0 ? [none] : []),
    ...unreadable.map(name => `"${quote(name)}" cannot be read: its name is not valid UTF-8`),
  ])
}

const maxShown = 20

function problemOf(texts: readonly string[], remedy = ''): readonly Problem[] {
  if (texts.length === 0) return []
  return [{ input: 'records', message: `input "records": ${someOf(texts, maxShown)}${remedy}` }]
}

const largeBytes = 16 * 1024 * 1024

/**
 * Reads all records files, or, where only the default is asked for and missing, what the release holds. Throws a `Stop` if
 * one is missing, cannot be read or is damaged.
 */
export async function readAllRecords(
  { files, patterns, warnings }: FoundFiles,
  { isDefaultRecords, baseUrl }: VerifyInputs,
  readAttached: () => Promise<Buffer | null>,
): Promise<RecordsIndex> {
  const attached = isDefaultRecords && files.length === 0 ? await readAttached() : null
  const empty = attached === null ? patterns.filter(({ count }) => count === 0) : []
  const errors = empty.map(({ text }) => `the pattern "${quote(text)}" matches no records file`)
  const sources = attached === null ? [] : [{ bytes: attached, name: 'the records of the release' }]
  for (const { name, absolutePath } of files) {
    try {
      sources.push({ bytes: readRegularFile(absolutePath), name })
    } catch (error) {
      errors.push(`"${quote(name)}" cannot be read: ${describeError(error)}`)
    }
  }
  // The lines of a large file are short-lived objects by the hundred thousand.
  if (sources.some(({ bytes }) => bytes.length > largeBytes)) collectEarly()
  const index = indexRecords(sources, baseUrl)
  const remedy = index.damage.length > 0 ? '; restore what was kept of this file' : ''
  Stop.ifAny(problemOf([...errors, ...index.damage], remedy))
  return { ...index, warnings: [...warnings, ...index.warnings] }
}

/** Reads all records files; pure. With `baseUrl` only records of that service count, without it those of any that is not on loopback. */
export function indexRecords(
  sources: readonly { readonly bytes: Buffer; readonly name: string }[],
  baseUrl: string | null,
): RecordsIndex {
  const known = new Map<string, boolean>()
  const counts = (service: string): boolean => {
    const isCounted =
      known.get(service) ?? (baseUrl === null ? !isLoopback(service) : service === baseUrl)
    known.set(service, isCounted)
    return isCounted
  }
  const heads: RecordHead[] = []
  const ignored: string[] = []
  const readings = sources.map(({ bytes, name }) =>
    parseRecords(bytes, name, (entry, line) => {
      if (!isRecord(entry)) return
      const { artifact, size, hash, service, source, problems } = entry
      if (!counts(service)) ignored.push(service)
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
  let others: readonly KnownRecords[] | null = null
  return {
    heads,
    explain: hash => {
      others ??= knownOthers(readings, heads, counts)
      return others.map(one => one.find(hash)).find(found => found !== undefined)
    },
    services: baseUrl === null ? [...new Set(heads.map(({ service }) => service))] : [baseUrl],
    damage: readings.flatMap(({ damage }) => damage),
    warnings: [...readings.flatMap(cutWarning), ...ignoredWarning(ignored, baseUrl)],
  }
}

/** What is known of the hashes that no good record has, for each service that counts; there are few of them. */
function knownOthers(
  readings: readonly RecordsReading[],
  heads: readonly RecordHead[],
  counts: (service: string) => boolean,
): readonly KnownRecords[] {
  const good = new Set(heads.map(({ hash }) => hash))
  const others = readings.map(reading => ({
    ...reading,
    lines: reading.lines.filter(({ hash, service }) => counts(service) && !good.has(hash)),
  }))
  const services = new Set(others.flatMap(({ lines }) => lines.map(({ service }) => service)))
  return Array.from(services, service => new KnownRecords(others, service))
}

function cutWarning({ name, tail }: RecordsReading): readonly string[] {
  if (tail.state !== 'incomplete') return []
  return [
    `The last line of "${quote(name)}" is incomplete, as after a run that was killed while it wrote; it is left out`,
  ]
}

function ignoredWarning(ignored: readonly string[], baseUrl: string | null): readonly string[] {
  if (ignored.length === 0) return []
  const why =
    baseUrl === null
      ? 'a service on this machine is a simulator; to count its records give its address as "base-url"'
      : `"base-url" names another service, ${formatServices([baseUrl])}`
  const does = ignored.length === 1 ? 'does' : 'do'
  return [`${formatRecords(ignored.length, new Set(ignored))} ${does} not count: ${why}`]
}

/** So many records, and of which services. */
export function formatRecords(count: number, services: Iterable<string>): string {
  const of = formatServices(services)
  return `${counted(count, 'record')}${of === '' ? '' : ` of ${of}`}`
}

const maxServicesShown = 3
const maxServiceLength = 200

function formatServices(services: Iterable<string>): string {
  const names = Array.from(services, name => `"${quote(name, maxServiceLength)}"`)
  return someOf(names, maxServicesShown, { separator: ', ', rest: 'more services' })
}
