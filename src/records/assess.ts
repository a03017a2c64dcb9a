/** Reads records files, and assesses what they say about a hash; pure. */
import { problemAt, type Problem, type Remedy } from '../failure.ts'
import type { Planned, Registered } from '../outcome.ts'
import { compareCodeUnits } from '../text/names.ts'
import { isRecord, parseRecords, type Entry, type RecordEntry } from './lines.ts'

/** A records file from elsewhere, such as an asset of a release. */
export interface FoundRecords {
  /** As messages name it: `notarization-records.jsonl of the release`. */
  readonly name: string
  readonly bytes: Buffer
  /** The input that led to it: damage is reported under it. */
  readonly input: 'records-path' | 'keep-records' | 'release-tag' | 'records'
}

const docs = 'records.md#records-that-cannot-be-read'

/** What to do about a damaged file. */
const remedyOfInput: Readonly<Record<FoundRecords['input'], Remedy>> = {
  'records-path': {
    next: 'restore the file from the commit, release or workflow artifact that it comes from',
    hint: 'without it, files that only it records are charged again; if this action did not write it, set another "records-path" instead',
    docs,
  },
  'keep-records': {
    next: 'wait a few minutes',
    hint: 'if a re-run stops here again, recover the records by hand',
    needs: 'nothing',
    docs,
  },
  'release-tag': {
    next: 'save a copy of this asset, then repair the asset or delete it',
    hint: 'without it, files that only it records are charged again',
    needs: 'nothing',
    docs,
  },
  records: { next: 'download the file again', docs },
}

/** Parses records files. Returns their entries, one problem for each damaged file, and warnings. */
export function readFoundRecords(files: readonly FoundRecords[]) {
  const entries: Entry[] = []
  const problems: Problem[] = []
  const warnings: string[] = []
  for (const { bytes, name, input } of files) {
    const reading = parseRecords(bytes, name)
    for (const entry of reading.entries) entries.push(entry)
    warnings.push(...reading.warnings)
    if (reading.damage.length === 0) continue
    problems.push(problemAt(input, reading.damage.join('; '), remedyOfInput[input]))
  }
  return { entries, problems, warnings }
}

/** Returns the entries of a service by hash. */
export function groupByHash(entries: readonly Entry[], service: string): Map<string, Entry[]> {
  const relevant = entries.filter(entry => entry.service === service)
  return Map.groupBy(relevant, ({ hash }) => hash)
}

/** Returns the record that counts among all lines of one hash: one of the service rather than a confirmed one; undefined without any. */
export function findRecord(entries: readonly Entry[]): RecordEntry | undefined {
  const records = entries.filter(isRecord)
  return records.find(({ confirmed }) => !confirmed) ?? records[0]
}

/**
 * Assesses all lines of one hash at one service: doubts alone leave it planned, so it is sent again; with a record, they say that
 * it may have been charged again. Equal lines, such as after a merge, count once.
 */
export function assess(entries: readonly Entry[]): Planned | Registered {
  const doubts = entries.flatMap(entry => (isRecord(entry) ? [] : entry.at))
  const entry = findRecord(entries)
  if (entry === undefined) {
    return { state: 'planned', lastDoubtAt: doubts.sort(compareCodeUnits).at(-1) ?? null }
  }
  const { record, confirmed: isConfirmed } = entry
  const maybeChargedAgain = doubts.length > 0 || isChargedAgain(entries.filter(isRecord))
  return { state: 'registered', from: 'records-file', record, maybeChargedAgain, isConfirmed }
}

/** Whether an earlier call of a run may have registered the hash too, or several runs registered it. */
function isChargedAgain(records: readonly RecordEntry[]): boolean {
  const ofService = records.filter(({ at, confirmed }) => at !== null && !confirmed)
  const times = new Set(ofService.map(({ at }) => at))
  return times.size > 1 || records.some(({ maybeChargedAgain }) => maybeChargedAgain)
}
