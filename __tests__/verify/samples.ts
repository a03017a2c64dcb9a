/** Artifacts and records; a number stands for the content of a file, and is its size. */
import type { Artifact, ArtifactSource } from '../../src/artifacts/artifact.ts'
import { makeFailure } from '../../src/failure.ts'
import { formatLine } from '../../src/records/lines.ts'
import type { Entry, RecordEntry, StateEntry } from '../../src/records/lines.ts'
import { compareWithRecords, type Comparison, type VerifyResult } from '../../src/verify/compare.ts'
import { selectRecords, type VerifyRecords } from '../../src/verify/verify-records.ts'
import { entryOf, stateOf } from '../records/entries.ts'
import { hashOf, source } from '../support/samples.ts'

/** A hashed artifact. */
export function artifact(name: string, content: number, from: ArtifactSource = 'path'): Artifact {
  const size = from === 'checksums' ? null : content
  return { source: from, name, size, hash: hashOf(content) }
}

/** An artifact that could not be read. */
export function unread(name: string): Artifact {
  const what = 'it could not be read: permission denied'
  const failure = makeFailure({ code: 'unreadable', what, remedy: 'fix the permissions' })
  return { source: 'path', name, failure }
}

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
export function select(entries: readonly Entry[], baseUrl: string | null = null): VerifyRecords {
  const bytes = Buffer.from(entries.map(formatLine).join(''))
  return selectRecords([{ name: 'records.jsonl', bytes }], baseUrl)
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
