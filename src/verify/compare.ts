import { isHashed, type Artifact, type HashedArtifact } from '../artifacts/artifact.ts'
import { problemWith, Stop } from '../failure.ts'
import type { RecordEntry } from '../records/line.ts'
import { timeText } from '../text/field.ts'
import { baseName, compareCodeUnits } from '../text/words.ts'
import type { VerifyRecords } from './verify-records.ts'

/** What the records say of an artifact. */
interface Finding {
  /** `missing` is a record without an artifact. */
  readonly state: 'matched' | 'altered' | 'unknown' | 'missing'
  /** The record that it matches, that has its name with another hash, or that has no artifact; null if unknown. */
  readonly recorded: RecordEntry | null
  /** What a reader must know, without a full stop; empty for a match with nothing to add. */
  readonly message: string
}

/** One artifact, or one record without an artifact, compared. */
export interface VerifyResult extends Finding {
  readonly artifact: string
  /** Bytes; null where not read. */
  readonly size: number | null
  /** SHA-256, 64 lower-case hex digits; null where not read. */
  readonly hash: string | null
}

/** What is compared. */
export interface Comparison {
  /** One for each name. */
  readonly artifacts: readonly Artifact[]
  readonly records: VerifyRecords
  /** Only records of this commit make something altered or missing; null for any. */
  readonly sha: string | null
  /** Whether a record without an artifact is `missing`. */
  readonly requireAll: boolean
}

/**
 * Compares artifacts with records by hash; pure. Gives the artifacts sorted by name, then the missing records sorted by
 * name. Throws a `Stop` if all records are required and there is none.
 */
export function compareWithRecords(comparison: Comparison): readonly VerifyResult[] {
  const { artifacts, records, sha, requireAll } = comparison
  const ofCommit = records.good.filter(record => isOfCommit(record, sha))
  const byBaseName = Map.groupBy(ofCommit, record => baseName(record.artifact))
  const verified = artifacts.map((artifact): VerifyResult => {
    const { name } = artifact
    if (!isHashed(artifact)) {
      const { what, remedy } = artifact.failure
      return { artifact: name, size: null, hash: null, ...unknown(`${what}; ${remedy}`) }
    }
    const { size, hash } = artifact
    const namesakes = byBaseName.get(baseName(name)) ?? []
    const other = namesakes.findLast(record => record.artifact === name) ?? namesakes.at(-1)
    const match = findMatch(artifact, comparison)
    const otherwise = other === undefined ? withoutRecord(hash, records) : altered(other)
    const finding = match ?? otherwise
    return { artifact: name, size, hash, ...finding }
  })
  verified.sort(byName)
  return requireAll ? [...verified, ...findMissing(ofCommit, comparison)] : verified
}

/** Of several records of a hash, one of the commit comes first, then one of the same base name. */
function findMatch(
  { name, hash }: HashedArtifact,
  { records, sha }: Comparison,
): Finding | undefined {
  const isNamed = (record: RecordEntry): boolean => baseName(record.artifact) === baseName(name)
  const all = records.known.goodRecords(hash)
  const ofCommit = all.filter(record => isOfCommit(record, sha))
  const candidates = ofCommit.length > 0 ? ofCommit : all
  const recorded = candidates.find(isNamed) ?? candidates[0]
  if (recorded === undefined) return undefined
  const notes: string[] = []
  if (!isNamed(recorded)) notes.push(`recorded under another name, "${recorded.artifact}"`)
  if (ofCommit.length === 0)
    notes.push(`recorded for another commit, ${recorded.source.sha ?? 'none'}`)
  return { state: 'matched', recorded, message: notes.join('; ') }
}

function isOfCommit({ source }: RecordEntry, sha: string | null): boolean {
  return sha === null || source.sha?.toLowerCase() === sha
}

function altered(recorded: RecordEntry): Finding {
  const message = `its name has a record with another hash, ${recorded.hash}, ${describeTime(recorded)}`
  return { state: 'altered', recorded, message }
}

function withoutRecord(hash: string, { known }: VerifyRecords): Finding {
  const found = known.find(hash)
  if (found?.state === 'contradicted') {
    const problems = found.entry.problems.join('; ')
    return unknown(`its record has problems: ${problems}; ask the service about the hash`)
  }
  if (found?.state === 'open') {
    const why = `sent at ${found.sent.at} without a saved answer, so it may be registered`
    return unknown(`${why}; run the job that notarizes again, then verify with its records`)
  }
  return unknown('no record has its hash or name')
}

function unknown(message: string): Finding {
  return { state: 'unknown', recorded: null, message }
}

/** The records that no artifact has, one for each hash. A record whose name has a newer record is not required. */
function findMissing(
  ofCommit: readonly RecordEntry[],
  { artifacts, records }: Comparison,
): readonly VerifyResult[] {
  const hashes = new Set(artifacts.map(artifact => (isHashed(artifact) ? artifact.hash : '')))
  // The oldest come first, so that the newest of each name stays.
  const newest = new Map(records.good.map(record => [record.artifact, record.at]))
  const isReplaced = ({ artifact, at }: RecordEntry): boolean =>
    at !== null && at < (newest.get(artifact) ?? '')
  const required = ofCommit.filter(record => hashes.has(record.hash) || !isReplaced(record))
  if (required.length === 0) {
    const why = 'no record is required, so nothing would be proven; check the records and "sha"'
    throw new Stop(problemWith('require-all', `is true, but ${why}`))
  }
  const absent = required.filter(({ hash }) => !hashes.has(hash))
  const onePerHash = new Map(absent.map(record => [record.hash, record]))
  return Array.from(onePerHash.values(), (recorded): VerifyResult => {
    const { artifact, size, hash } = recorded
    const message = `${describeTime(recorded)}, but no artifact has this hash`
    return { artifact, size, hash, state: 'missing', recorded, message }
  }).sort(byName)
}

function describeTime({ record }: RecordEntry): string {
  const time = timeText(record['creationDate'])
  return time === '' ? 'registered' : `registered at ${time} UTC`
}

function byName(a: VerifyResult, b: VerifyResult): number {
  return compareCodeUnits(a.artifact, b.artifact)
}
