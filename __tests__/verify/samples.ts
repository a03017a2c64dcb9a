/** Artifacts and records in which a number stands for a content. */
import type { Artifact, ArtifactSource } from '../../src/artifacts/artifact.ts'
import { makeFailure } from '../../src/failure.ts'
import {
  formatLine,
  type Entry,
  type RecordEntry,
  type StateEntry,
} from '../../src/records/line.ts'
import { compareWithRecords, type Comparison, type VerifyResult } from '../../src/verify/compare.ts'
import { selectRecords, type VerifyRecords } from '../../src/verify/verify-records.ts'
import { entryOf, stateOf } from '../records/entries.ts'
import { hashOf, source } from '../support/samples.ts'

/** An artifact as it was found. */
export function artifact(name: string, content: number, from: ArtifactSource = 'path'): Artifact {
  return { source: from, name, size: content, hash: hashOf(content) }
}

/** An artifact that could not be read. */
export function unread(name: string): Artifact {
  const what = 'it could not be read: permission denied'
  const failure = makeFailure({ code: 'unreadable', what, remedy: 'fix the permissions' })
  return { source: 'path', name, failure }
}

/** The record of a content under a name. */
export function record(
  name: string,
  content: number,
  changes: Partial<RecordEntry> = {},
): RecordEntry {
  return entryOf(content, { artifact: name, ...changes })
}

/** The line that says that a content was sent. */
export function sent(name: string, content: number, changes: Partial<StateEntry> = {}): StateEntry {
  return stateOf(content, { artifact: name, ...changes })
}

/** What a record of another commit, or of none, has. */
export function ofCommit(sha: string | null): { readonly source: RecordEntry['source'] } {
  return { source: { ...source, sha } }
}

/** What a record that contradicts its request has. */
export const bad = { problems: ['status is "pending", not "registered"'] }

/** Entries as the only records file, `records.jsonl`. */
export function select(entries: readonly Entry[], baseUrl: string | null = null): VerifyRecords {
  const bytes = Buffer.from(entries.map(formatLine).join(''))
  return selectRecords([{ name: 'records.jsonl', bytes }], baseUrl)
}

/** Compares artifacts with entries. */
export function compare(
  artifacts: readonly Artifact[],
  entries: readonly Entry[],
  options: Partial<Comparison> = {},
): readonly VerifyResult[] {
  const records = select(entries)
  return compareWithRecords({ artifacts, records, sha: null, requireAll: false, ...options })
}
