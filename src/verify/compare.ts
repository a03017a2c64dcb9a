import { compareCodeUnits, type JsonObject } from '../outcome.ts'
import type { RecordEntry } from '../records/record-line.ts'
import { formatTime } from '../report/table.ts'

/** An artifact as it is here; `why` says why it has no hash. */
export interface Subject {
  readonly name: string
  readonly size: number | null
  readonly hash: string | null
  readonly why: string | null
}

/** What an artifact is, held against the records; `missing` is a record without an artifact. */
export type VerifyState = 'matched' | 'altered' | 'unknown' | 'missing'

/** One artifact, or one record without an artifact, with what the records say of it. */
export interface Verified {
  readonly name: string
  readonly size: number | null
  readonly hash: string | null
  readonly state: VerifyState
  /** The record that it matches, or that has its name with another hash; null if there is none. */
  readonly recorded: Recorded | null
  /** What is wrong, in words; empty if nothing is. */
  readonly message: string
}

/** What the records file says. */
export interface Recorded {
  readonly artifact: string
  readonly hash: string
  readonly service: string
  readonly sha: string | null
  readonly record: JsonObject
}

/** What to hold against what. */
export interface Comparison {
  readonly subjects: readonly Subject[]
  readonly records: readonly RecordEntry[]
  /** Only records of this commit can tell that an artifact was altered or is missing; null for any. */
  readonly sha: string | null
}

/**
 * Holds each artifact against the records, by hash; then each record of the commit against the artifacts. A record with
 * problems never matches. Pure.
 */
export function compareWithRecords({ subjects, records, sha }: Comparison): {
  readonly artifacts: readonly Verified[]
  readonly missing: readonly Verified[]
} {
  const good = records.filter(({ problems }) => problems.length === 0)
  const ofCommit = good.filter(record => sha === null || record.sha?.toLowerCase() === sha)
  // Of several records of a hash the first counts.
  const byHash = new Map(good.toReversed().map(record => [record.hash, record] as const))
  const byName = Map.groupBy(ofCommit, ({ artifact }) => baseName(artifact))
  const hasProblems = new Set(records.map(({ hash }) => hash).filter(hash => !byHash.has(hash)))
  const artifacts = subjects.map(subject => {
    const { hash } = subject
    const match = hash === null ? undefined : byHash.get(hash)
    if (match !== undefined) return verified(subject, 'matched', match)
    const other = hash === null ? undefined : byName.get(baseName(subject.name))?.at(-1)
    if (other !== undefined) return verified(subject, 'altered', other)
    const why = hash !== null && hasProblems.has(hash) ? 'its record has problems' : noRecord
    return { ...verified(subject, 'unknown', null), message: subject.why ?? why }
  })
  const hashes = new Set(subjects.map(({ hash }) => hash))
  const absent = new Map(
    ofCommit.filter(({ hash }) => !hashes.has(hash)).map(one => [one.hash, one] as const),
  )
  const missing = [...absent.values()]
    .map(record => verified({ ...record, name: record.artifact }, 'missing', record))
    .sort((a, b) => compareCodeUnits(a.name, b.name))
  return { artifacts, missing }
}

const noRecord = 'no record has its hash or its name'

function verified(
  { name, size, hash }: Omit<Subject, 'why'>,
  state: VerifyState,
  entry: RecordEntry | null,
): Verified {
  const recorded = entry === null ? null : toRecorded(entry)
  return { name, size, hash, state, recorded, message: explain(state, recorded, hash) }
}

function toRecorded({ artifact, hash, service, record, sha = null }: RecordEntry): Recorded {
  return { artifact, hash, service, sha, record }
}

function explain(state: VerifyState, recorded: Recorded | null, hash: string | null): string {
  if (recorded === null || state === 'matched') return ''
  const time = formatTime(recorded.record['creationDate'])
  const when = time === '–' ? 'registered' : `registered at ${time} UTC`
  return state === 'altered'
    ? `it has the hash ${hash ?? ''}, but the records have this name with the hash ${recorded.hash}, ${when}`
    : `${when}, but no artifact here has its hash`
}

function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
