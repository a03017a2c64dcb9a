import { isHashed, type Artifact, type HashedArtifact } from '../artifacts/artifact.ts'
import { problemWith, Stop } from '../failure.ts'
import type { RecordEntry } from '../records/line.ts'
import { timeText } from '../text/field.ts'
import { baseName, compareCodeUnits } from '../text/words.ts'
import type { VerifyRecords } from './verify-records.ts'

/** What the records say about an artifact. */
interface Finding {
  /** `missing` is a record without an artifact. */
  readonly state: 'matched' | 'altered' | 'unknown' | 'missing'
  /** The record with its hash, or else the one with its name; null if unknown. */
  readonly recorded: RecordEntry | null
  /** What a reader must know, without a period; empty for a match with nothing to add. */
  readonly message: string
}

/** The result for an artifact, or for a record without one. */
export interface VerifyResult extends Finding {
  readonly name: string
  /** Bytes; null if not read. */
  readonly size: number | null
  /** SHA-256, 64 lower-case hex digits; null if not read. */
  readonly hash: string | null
}

/** The artifacts to compare with records, and how. */
export interface Comparison {
  /** One for each name. */
  readonly artifacts: readonly Artifact[]
  readonly records: VerifyRecords
  /** Only records of this commit make something altered or missing; null for any commit. */
  readonly sha: string | null
  /** Whether a record without an artifact is `missing`. */
  readonly requireAll: boolean
}

/**
 * Compares artifacts with records by hash; pure. Returns the artifacts, then the missing records,
 * each sorted by name. Throws a `Stop` if all records are required and there is none.
 */
export function compareWithRecords(comparison: Comparison): readonly VerifyResult[] {
  const { artifacts, records, sha, requireAll } = comparison
  const ofCommit = records.good.filter(record => isOfCommit(record, sha))
  const byBaseName = Map.groupBy(ofCommit, record => baseName(record.artifact))
  const verified = artifacts.map((artifact): VerifyResult => {
    const { name } = artifact
    if (!isHashed(artifact)) {
      const { what, remedy } = artifact.failure
      return { name, size: null, hash: null, ...unknown(`${what}; ${remedy}`) }
    }
    const { size, hash } = artifact
    const namesakes = byBaseName.get(baseName(name)) ?? []
    const finding =
      findMatch(artifact, comparison) ??
      findAltered(name, namesakes) ??
      explainUnknown(hash, comparison)
    return { name, size, hash, ...finding }
  })
  verified.sort(byName)
  return requireAll ? [...verified, ...findMissing(ofCommit, comparison)] : verified
}

/** Finds a record with the hash: preferably of the commit, then with the same base name. */
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

/** Finds the newest record with the name, or else with the base name, of an artifact without a match. */
function findAltered(name: string, namesakes: readonly RecordEntry[]): Finding | undefined {
  const recorded = namesakes.findLast(record => record.artifact === name) ?? namesakes.at(-1)
  if (recorded === undefined) return undefined
  const message = `its name has a record with another hash, ${recorded.hash}, ${describeTime(recorded)}`
  return { state: 'altered', recorded, message }
}

function explainUnknown(hash: string, { records, sha }: Comparison): Finding {
  const entry = records.known.find(hash)
  if (entry?.state === 'contradicted') {
    const problems = entry.entry.problems.join('; ')
    return unknown(`its record has problems: ${problems}; ask the service about the hash`)
  }
  if (entry?.state === 'open') {
    const why = `sent at ${entry.sent.at} without a saved answer, so it may be registered`
    return unknown(`${why}; run the job that notarizes again, then verify with its records`)
  }
  if (sha === null) return unknown('no record has its hash or name')
  return unknown('no record has its hash, and no record of this commit has its name')
}

function unknown(message: string): Finding {
  return { state: 'unknown', recorded: null, message }
}

/** Finds the records without an artifact, one per hash. A record whose name has a newer record is not required. */
function findMissing(
  ofCommit: readonly RecordEntry[],
  { artifacts, records }: Comparison,
): readonly VerifyResult[] {
  const hashes = new Set(artifacts.map(artifact => (isHashed(artifact) ? artifact.hash : '')))
  // The records are sorted by age: the newest of each name stays.
  const newest = new Map(records.good.map(record => [record.artifact, record.at]))
  const isReplaced = ({ artifact, at }: RecordEntry): boolean =>
    at !== null && at < (newest.get(artifact) ?? '')
  const required = ofCommit.filter(record => hashes.has(record.hash) || !isReplaced(record))
  if (required.length === 0) {
    const why = 'there is no record to require; check the records and "sha"'
    throw new Stop(problemWith('require-all', `is true, but ${why}`))
  }
  const absent = required.filter(({ hash }) => !hashes.has(hash))
  const onePerHash = new Map(absent.map(record => [record.hash, record]))
  return Array.from(onePerHash.values(), (recorded): VerifyResult => {
    const { artifact: name, size, hash } = recorded
    const message = `${describeTime(recorded)}, but no artifact has this hash`
    return { name, size, hash, state: 'missing', recorded, message }
  }).sort(byName)
}

function describeTime({ record }: RecordEntry): string {
  const time = timeText(record['creationDate'])
  return time === '' ? 'registered' : `registered at ${time} UTC`
}

function byName(a: VerifyResult, b: VerifyResult): number {
  return compareCodeUnits(a.name, b.name)
}
