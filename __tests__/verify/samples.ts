/** Artifacts and records; a number stands for the content of a file, and is its size. */
import type { Artifact } from '../../src/outcome.ts'
import { formatLine } from '../../src/records/lines.ts'
import type { Entry, RecordEntry, StateEntry } from '../../src/records/lines.ts'
import { compareWithRecords, selectRecords } from '../../src/verify/compare.ts'
import type { Comparison, VerifyRecords, VerifyResult } from '../../src/verify/compare.ts'
import { reportCompared } from '../../src/verify/verify-report.ts'
import { entryOf, SERVICE, stateOf } from '../records/entries.ts'
import { hostFor, keepReport, type Reported, type ReportChanges } from '../report/results.ts'
import { source } from '../support/samples.ts'

export { artifactOf as artifact, unreadOf as unread } from '../support/samples.ts'

/** A record of a content under a name. */
export function record(artifact: string, content: number, changes?: Partial<RecordEntry>) {
  return entryOf(content, { artifact, ...changes })
}

/** A `sent` line. */
export function sent(artifact: string, content: number, changes?: Partial<StateEntry>) {
  return stateOf(content, { artifact, ...changes })
}

/** The fields of a record of another commit, or of none. */
export function ofCommit(sha: string | null): { readonly source: RecordEntry['source'] } {
  return { source: { ...source, sha } }
}

/** The fields of a record that contradicts its request. */
export const bad = { problems: ['status is "pending", not "registered"'] }

/** Entries as the only records file, `records.jsonl`. */
export function select(entries: readonly Entry[], baseUrl = SERVICE): VerifyRecords {
  const bytes = Buffer.from(entries.map(formatLine).join(''))
  return selectRecords([{ name: 'records.jsonl', bytes, input: 'records' }], baseUrl)
}

/** Compares artifacts with entries. */
export function compare(
  artifacts: readonly Artifact[],
  entries: readonly Entry[],
  options?: Partial<Comparison>,
): readonly VerifyResult[] {
  const usual = { artifacts, records: select(entries), sha: null, requireAll: false }
  return compareWithRecords({ ...usual, ...options })
}

/** Reports results of a comparison. */
export function reportOf(
  verified: readonly VerifyResult[],
  changes: ReportChanges = {},
): Promise<Reported> {
  const compared = { verified, checkedAgainst: '9 records of "https://notary.example"' }
  return keepReport(runner => {
    changes.warned?.forEach(runner.warning)
    return reportCompared(compared, hostFor(runner, changes), { showSummary: true })
  }, changes.isFull)
}
