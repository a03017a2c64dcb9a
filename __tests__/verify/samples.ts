/** Artifacts and records; a number stands for the content of a file, and is its size. */
import type { Problem } from '../../src/failure.ts'
import type { Artifact } from '../../src/outcome.ts'
import { formatLine, type Entry, type RecordEntry } from '../../src/records/lines.ts'
import { compareWithRecords, selectRecords, type VerifyResult } from '../../src/verify/compare.ts'
import { reportVerified } from '../../src/verify/verify-report.ts'
import { doubtOf, entryOf, SERVICE } from '../records/entries.ts'
import { keepReport, type Reported, type ReportChanges } from '../report/results.ts'

export { artifactOf as artifact, unreadOf as unread } from '../support/samples.ts'

export const record = (artifact: string, content: number, changes: Partial<RecordEntry> = {}) =>
  entryOf(content, { artifact, ...changes })

export const doubt = (artifact: string, content: number, changes = {}): Entry =>
  doubtOf(content, { artifact, ...changes })

export function fileOf(entries: readonly Entry[]) {
  const bytes = Buffer.from(entries.map(entry => `${formatLine(entry)}\n`).join(''))
  return { name: 'records.jsonl', bytes, input: 'records' } as const
}

export function compare(
  artifacts: readonly Artifact[],
  entries: readonly Entry[],
  requireAll = false,
): readonly VerifyResult[] {
  return compareWithRecords(artifacts, selectRecords([fileOf(entries)], SERVICE), requireAll)
}

export function reportOf(
  verified: readonly VerifyResult[],
  changes: ReportChanges = {},
  problems: readonly Problem[] = [],
): Promise<Reported> {
  const end = { verified, checkedAgainst: `9 records of "${SERVICE}"`, problems }
  return keepReport(host => reportVerified(end, host), changes)
}
