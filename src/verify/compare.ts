import assert from 'node:assert'
import { problemWith, Stop } from '../failure.ts'
import { isFailed, isHashed, type Artifact, type HashedArtifact } from '../outcome.ts'
import { assess, groupByHash, readFound, type FoundRecords } from '../records/assess.ts'
import { isGoodRecord, isRecord, type Entry, type RecordEntry } from '../records/lines.ts'
import { describeFields } from '../records/record.ts'
import { words } from '../report/words.ts'
import { quote } from '../text/escape.ts'
import { baseName, compareCodeUnits } from '../text/names.ts'
import { pluralize } from '../text/phrases.ts'

/** The records that artifacts are compared with. */
export interface VerifyRecords {
  /** The lines of the service by hash. */
  readonly byHash: ReadonlyMap<string, readonly Entry[]>
  /** The records of the service without problems, oldest first; those without a time are the oldest. */
  readonly good: readonly RecordEntry[]
  /** The records without problems of other services, which do not count. */
  readonly ofOthers: readonly RecordEntry[]
  /** How many hashes have a record of which service. */
  readonly count: string
  readonly warnings: readonly string[]
}

/** Parses records files and selects the lines of `baseUrl`. Throws a `Stop` for damaged lines. */
export function selectRecords(found: readonly FoundRecords[], baseUrl: string): VerifyRecords {
  const { entries, problems, warnings } = readFound(found)
  Stop.ifAny(problems)
  const ofService = entries.filter(({ service }) => service === baseUrl)
  const good = ofService.filter(isGoodRecord)
  good.sort((a, b) => compareCodeUnits(ageOf(a), ageOf(b)))
  const hashes = pluralize(new Set(good.map(({ hash }) => hash)).size, 'record')
  let count = `${hashes} of "${quote(baseUrl)}"`
  const others = entries.filter(isRecord).filter(({ service }) => service !== baseUrl)
  if (others.length > 0) count += `; ${others.length} of other services do not count`
  const ofOthers = others.filter(isGoodRecord)
  return { byHash: groupByHash(entries, baseUrl), good, ofOthers, count, warnings }
}

/** Returns what sorts by age: a record without a time, which was added by hand, is older than any with one. */
function ageOf({ at }: RecordEntry): string {
  return at ?? ''
}

/** What the records say about an artifact, or about a record without one. */
export interface VerifyResult {
  readonly name: string
  /** Bytes; null if not read. */
  readonly size: number | null
  /** SHA-256, 64 lower-case hex digits; null if not read. */
  readonly hash: string | null
  /** `missing` is a record without an artifact. */
  readonly state: 'matched' | 'altered' | 'unknown' | 'missing'
  /** The record with its hash, or else the one with its name; null if unknown. */
  readonly recorded: RecordEntry | null
  /** Why, as a clause; empty for a match with nothing to add. */
  readonly why: string
  /** The one next step, as a clause; empty for a match. */
  readonly remedy: string
}

/** The artifacts to compare with records, and how. */
export interface Comparison {
  /** Sorted by name. */
  readonly artifacts: readonly Artifact[]
  readonly records: VerifyRecords
  /** Only records of this commit make something altered or missing; null for any commit. */
  readonly sha: string | null
  /** Whether a record without an artifact is `missing`. */
  readonly requireAll: boolean
}

/**
 * Compares artifacts with records by hash; pure. Returns the artifacts, then the missing records
 * by name. Throws a `Stop` if all records are required and there is none.
 */
export function compareWithRecords(comparison: Comparison): readonly VerifyResult[] {
  const { artifacts, records, sha, requireAll } = comparison
  const ofCommit = records.good.filter(record => isOfCommit(record, sha))
  const byBaseName = Map.groupBy(ofCommit, record => baseName(record.artifact))
  const verified = artifacts.map(artifact => {
    if (!isHashed(artifact)) return explainUnread(artifact)
    const namesakes = byBaseName.get(baseName(artifact.name)) ?? []
    const known = findMatch(artifact, comparison) ?? findAltered(artifact, namesakes)
    return known ?? explainUnknown(artifact, comparison)
  })
  if (!requireAll) return verified
  return [...verified, ...findMissing(ofCommit, verified, comparison)]
}

function explainUnread(artifact: Artifact): VerifyResult {
  assert(isFailed(artifact), 'an artifact without a hash has failed')
  const { observed, reason } = artifact.outcome.failure
  const { cause, next } = words[reason]
  const clauses = [cause, observed].filter(text => text !== '')
  return unknown(artifact, clauses.join(': '), next)
}

/** Finds a record with the hash: preferably of the commit, then with the same base name. */
function findMatch(
  { name, size, hash }: HashedArtifact,
  { records, sha }: Comparison,
): VerifyResult | undefined {
  const isNamed = (record: RecordEntry): boolean => baseName(record.artifact) === baseName(name)
  const all = (records.byHash.get(hash) ?? []).filter(isGoodRecord)
  const ofCommit = all.filter(record => isOfCommit(record, sha))
  const candidates = [ofCommit, all].find(({ length }) => length > 0) ?? []
  const recorded = candidates.find(isNamed) ?? candidates[0]
  if (recorded === undefined) return undefined
  const notes: string[] = []
  if (!isNamed(recorded)) notes.push(`under another name, "${recorded.artifact}"`)
  if (ofCommit.length === 0) notes.push(`for another commit, ${recorded.source.sha ?? 'none'}`)
  if (recorded.confirmed) notes.push('not from the service: a person confirmed it after a look-up')
  let why = ''
  if (notes.length > 0) why = `its record is ${notes.join(', and ')}`
  return { name, size, hash, state: 'matched', recorded, why, remedy: '' }
}

function isOfCommit({ source }: RecordEntry, sha: string | null): boolean {
  return sha === null || source.sha?.toLowerCase() === sha
}

/** Finds the newest record with the name, or else with the base name, of an artifact without a match. */
function findAltered(
  { name, size, hash }: HashedArtifact,
  namesakes: readonly RecordEntry[],
): VerifyResult | undefined {
  const recorded = namesakes.findLast(record => record.artifact === name) ?? namesakes.at(-1)
  if (recorded === undefined) return undefined
  const why = `the record of this name has another hash, ${recorded.hash.slice(0, 12)}…; ${describeTime(recorded)}`
  const remedy =
    'if a step of yours changed the file, notarize the final file; if not, treat it as tampered with'
  return { name, size, hash, state: 'altered', recorded, why, remedy }
}

function explainUnknown(artifact: HashedArtifact, { records, sha }: Comparison): VerifyResult {
  const { hash } = artifact
  const outcome = assess(records.byHash.get(hash) ?? [])
  if (outcome.state === 'contradicted') {
    const why = `its record does not match it: ${outcome.problems.join(', ')}`
    return unknown(artifact, why, 'ask the service whether the file is registered')
  }
  if (outcome.state === 'planned' && outcome.openSince !== null) {
    const why = `it was sent at ${outcome.openSince}, without a response, and may be registered`
    return unknown(artifact, why, 'finish the run that notarizes it, then verify with its records')
  }
  const other = records.ofOthers.find(record => record.hash === hash)
  if (other !== undefined) {
    const why = `its record is from another service, ${quote(other.service)}`
    return unknown(artifact, why, 'set "base-url" to the service that notarized it')
  }
  let ofCommit = 'no record has its name'
  if (sha !== null) ofCommit = 'no record of this commit has its name'
  const remedy =
    'check that you have all records files, and that the patterns match only what was notarized'
  return unknown(artifact, `no record has its hash, and ${ofCommit}`, remedy)
}

function unknown({ name, size, hash }: Artifact, why: string, remedy: string): VerifyResult {
  return { name, size, hash, state: 'unknown', recorded: null, why, remedy }
}

/** Finds the records without an artifact, one per hash. One with a newer or altered namesake is not missing. */
function findMissing(
  ofCommit: readonly RecordEntry[],
  verified: readonly VerifyResult[],
  { records, sha }: Comparison,
): readonly VerifyResult[] {
  const hashes = new Set(verified.map(({ hash }) => hash))
  const altered = verified.filter(({ state }) => state === 'altered')
  const alteredNames = new Set(altered.map(({ name }) => baseName(name)))
  // The records are sorted by age: the newest of each name stays.
  const newest = new Map(records.good.map(record => [record.artifact, ageOf(record)]))
  const isReplaced = (record: RecordEntry): boolean =>
    ageOf(record) < (newest.get(record.artifact) ?? '')
  const required = ofCommit.filter(record => hashes.has(record.hash) || !isReplaced(record))
  if (required.length === 0) {
    const why = 'there is no record to require; check the records and "sha"'
    throw new Stop(problemWith('require-all', `is true, but ${why}`))
  }
  const absent = required.filter(({ artifact, hash }) => {
    return !hashes.has(hash) && !alteredNames.has(baseName(artifact))
  })
  let remedy = 'check the step that supplies the files'
  if (sha === null) remedy += ', and set "sha" if the records cover several releases'
  const onePerHash = new Map(absent.map(record => [record.hash, record]))
  const missing = Array.from(onePerHash.values(), (recorded): VerifyResult => {
    const { artifact: name, size, hash } = recorded
    const why = `${describeTime(recorded)}, but no artifact has this hash`
    return { name, size, hash, state: 'missing', recorded, why, remedy }
  })
  return missing.sort((a, b) => compareCodeUnits(a.name, b.name))
}

function describeTime({ record }: RecordEntry): string {
  const { time } = describeFields(record)
  return time === '' ? 'it was registered' : `it was registered at ${time} UTC`
}
