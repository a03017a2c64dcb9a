/** Reads records files, and assesses what they say about a hash; pure. */
import { problemAt, type Needs, type Problem } from '../failure.ts'
import type { Outcome } from '../outcome.ts'
import { compareCodeUnits } from '../text/names.ts'
import { joinFirst } from '../text/phrases.ts'
import { isGoodRecord, isRecord, parseRecords, type Entry, type RecordEntry } from './lines.ts'

/** A records file from elsewhere, such as an asset of a release. */
export interface FoundRecords {
  /** As messages name it: `notarization-records.jsonl of the release`. */
  readonly name: string
  readonly bytes: Buffer
  /** The input that led to it: damage is reported under it. */
  readonly input: 'records-path' | 'keep-records' | 'release-tag' | 'records'
}

export interface FoundReading {
  readonly entries: readonly Entry[]
  /** One for each damaged file. */
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

/** What to do about a damaged file, after the damage, and what that changes. */
const remedies: Readonly<Record<FoundRecords['input'], readonly [remedy: string, needs: Needs]>> = {
  'records-path': [
    '; restore the file, or change "records-path" if this action did not write the file',
    'workflow',
  ],
  // How to run again says what to do.
  'keep-records': ['', 'nothing'],
  'release-tag': ['; save a copy of this asset, then repair the asset or delete it', 'nothing'],
  records: ['; restore the file', 'workflow'],
}

/** Parses records files. */
export function readFound(files: readonly FoundRecords[]): FoundReading {
  const entries: Entry[] = []
  const problems: Problem[] = []
  const warnings: string[] = []
  for (const { bytes, name, input } of files) {
    const reading = parseRecords(bytes, name)
    for (const entry of reading.entries) entries.push(entry)
    warnings.push(...reading.warnings)
    if (reading.damage.length === 0) continue
    const damage = joinFirst(reading.damage, 5)
    const [remedy, needs] = remedies[input]
    problems.push(problemAt(input, damage + remedy, needs))
  }
  return { entries, problems, warnings }
}

/** Returns the entries of a service by hash. */
export function groupByHash(entries: readonly Entry[], service: string): Map<string, Entry[]> {
  const relevant = entries.filter(entry => entry.service === service)
  return Map.groupBy(relevant, ({ hash }) => hash)
}

/** Assesses all lines of one hash at one service. Equal lines, such as after a merge, count once. */
export function assess(entries: readonly Entry[]): Outcome {
  const records = entries.filter(isRecord)
  const states = entries.filter(entry => 'state' in entry)
  const refuted = new Set(states.filter(({ state }) => state === 'not-registered').map(keyOf))
  const settled = refuted.union(new Set(records.map(keyOf)))
  // Lines until then are settled, whatever run wrote them.
  const settledUntil = records.map(settlesUntil).sort(compareCodeUnits).at(-1) ?? ''
  const unsettled = states.filter(
    line => line.state === 'sent' && !settled.has(keyOf(line)) && line.at > settledUntil,
  )

  const good = records.filter(isGoodRecord)
  const entry = good.find(({ confirmed }) => !confirmed) ?? good[0]
  if (entry !== undefined) {
    const { record, confirmed: isConfirmed } = entry
    const maybeChargedAgain = unsettled.length > 0 || isChargedAgain(good)
    return { state: 'registered', from: 'records-file', record, maybeChargedAgain, isConfirmed }
  }
  const contradicted = records.find(record => !refuted.has(keyOf(record)))
  if (contradicted !== undefined) {
    return { state: 'contradicted', problems: contradicted.problems }
  }
  const times = unsettled.map(({ at }) => at).sort(compareCodeUnits)
  return { state: 'planned', openSince: times.at(-1) ?? null }
}

/** Returns what a line has in common with the `sent` line that it settles. */
function keyOf({ at, service, source: { runId, runAttempt } }: Entry): string {
  return JSON.stringify([at, service, runId, runAttempt])
}

/** Returns until when a record that a person added settles all lines: one without a time, without end. */
function settlesUntil({ at, confirmed }: RecordEntry): string {
  if (at === null) return '~'
  if (confirmed) return at
  return ''
}

/** Whether an earlier call may have registered the hash too, or several runs registered it. */
function isChargedAgain(good: readonly RecordEntry[]): boolean {
  const times = new Set(good.filter(({ confirmed }) => !confirmed).map(({ at }) => at))
  return times.size > 1 || good.some(({ maybeChargedAgain }) => maybeChargedAgain)
}
