/** Artifacts and records; a number stands for the content of a file, and is its size. */
import type { Problem } from '../../src/failure.ts'
import type { Artifact } from '../../src/outcome.ts'
import { formatLine } from '../../src/records/lines.ts'
import type { DoubtEntry, Entry, RecordEntry } from '../../src/records/lines.ts'
import { compareWithRecords, selectRecords } from '../../src/verify/compare.ts'
import type { VerifyRecords, VerifyResult } from '../../src/verify/compare.ts'
import { reportVerified } from '../../src/verify/verify-report.ts'
import { keepReport, type Reported, type ReportChanges } from '../report/results.ts'
import { hashOf, makeRecord, sampleTime, source } from '../support/samples.ts'

export { artifactOf as artifact, unreadOf as unread } from '../support/samples.ts'

const service = 'https://notary.example'

function headOf(artifact: string, content: number) {
  return { artifact, size: content, hash: hashOf(content), service, at: sampleTime, source }
}

/** A record of a content under a name. */
export function record(
  artifact: string,
  content: number,
  changes: Partial<RecordEntry> = {},
): RecordEntry {
  const found = makeRecord(hashOf(content))
  return { ...headOf(artifact, content), record: found, confirmed: false, ...changes }
}

/** A doubt about a content under a name. */
export function doubt(artifact: string, content: number): DoubtEntry {
  const why = 'the registration got no response'
  return { ...headOf(artifact, content), state: 'unknown', why, response: null }
}

/** Entries as the only records file, `records.jsonl`. */
export function select(entries: readonly Entry[], baseUrl = service): VerifyRecords {
  const bytes = Buffer.from(entries.map(entry => `${formatLine(entry)}\n`).join(''))
  return selectRecords([{ name: 'records.jsonl', bytes, input: 'records' }], baseUrl)
}

/** Compares artifacts with entries. */
export function compare(
  artifacts: readonly Artifact[],
  entries: readonly Entry[],
  requireAll = false,
): readonly VerifyResult[] {
  return compareWithRecords(artifacts, select(entries), requireAll)
}

/** Reports results of a comparison, or why there are none. */
export function reportOf(
  verified: readonly VerifyResult[],
  changes: ReportChanges = {},
  problems: readonly Problem[] = [],
): Promise<Reported> {
  const end = { verified, checkedAgainst: '9 records of "https://notary.example"', problems }
  return keepReport(host => reportVerified(end, host), changes)
}
