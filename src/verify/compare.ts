import assert from 'node:assert'
import { problemWith, Stop } from '../failure.ts'
import { isFailed, type Artifact } from '../outcome.ts'
import { findRecords, isRecord, readRecords } from '../records/lines.ts'
import type { FoundRecords, RecordEntry } from '../records/lines.ts'
import { describeFields } from '../records/record.ts'
import { summarize } from '../report/steps.ts'
import { words } from '../report/words.ts'
import { quote } from '../text/escape.ts'
import { baseName, compareCodeUnits } from '../text/names.ts'
import { formatTime, pluralize } from '../text/phrases.ts'

/** What the records say about an artifact, or about a record without one. */
export interface VerifyResult extends Pick<Artifact, 'name' | 'size' | 'hash'> {
  /** `missing` is a record without an artifact. */
  readonly state: 'matched' | 'altered' | 'unknown' | 'missing'
  /** The record with its hash, or else the one with its name; null if unknown. */
  readonly recorded: RecordEntry | null
  /** Why, as a clause; empty for a match with nothing to add. */
  readonly why: string
  /** The one next step, as a clause; empty for a match. */
  readonly remedy: string
}

/** The records that artifacts are compared with. */
type Records = ReturnType<typeof selectRecords>

/**
 * Compares artifacts, sorted by name, with records by hash; pure. Returns the artifacts, then with `requireAll` the missing
 * records by name. Throws a `Stop` if all records are required and there is none.
 */
export function compareWithRecords(
  artifacts: readonly Artifact[],
  records: Records,
  requireAll: boolean,
): readonly VerifyResult[] {
  const verified = artifacts.map(artifact => compareOne(artifact, records))
  return requireAll ? verified.concat(findMissing(verified, records)) : verified
}

/** Parses records files. Of `byHash`, `byName` and `ofService`, the oldest first, all are of the service. Throws a `Stop` for damaged lines. */
export function selectRecords(found: readonly FoundRecords[], service: string) {
  const { lines, problems, warnings } = readRecords(found)
  Stop.ifAny(problems)
  const entries = Array.from(lines.values(), ({ entry }) => entry)
  const counted = entries.filter(entry => entry.service === service)
  const ofOthers = entries.filter(isRecord).filter(entry => entry.service !== service)
  const ofService = counted.filter(isRecord).sort((a, b) => compareCodeUnits(a.at, b.at))
  const byHash = Map.groupBy(counted, ({ hash }) => hash)
  const byName = Map.groupBy(ofService, ({ artifact }) => baseName(artifact))
  const hashes = new Set(ofService.map(({ hash }) => hash))
  let summary = `${pluralize(hashes.size, 'record')} of "${quote(service)}"`
  if (ofOthers.length > 0) summary += `; ${ofOthers.length} of other services do not count`
  return { byHash, byName, ofService, ofOthers, summary, warnings }
}

/** Finds a record with the hash, preferably with the same base name; or else the newest with the name, preferably the whole. */
function compareOne(artifact: Artifact, records: Records): VerifyResult {
  const { name, size, hash } = artifact
  if (hash === null) {
    assert(isFailed(artifact), 'an artifact without a hash has failed')
    const { observed, reason } = artifact.outcome.failure
    const { cause, next: remedy } = words[reason]
    const why = summarize(cause, observed)
    return { name, size, hash, state: 'unknown', recorded: null, why, remedy }
  }
  const isNamed = (record: RecordEntry): boolean => baseName(record.artifact) === baseName(name)
  const entries = records.byHash.get(hash) ?? []
  const candidates = findRecords(entries)
  const match = candidates.find(isNamed) ?? candidates[0]
  if (match !== undefined) {
    const notes: string[] = []
    if (!isNamed(match)) notes.push(`under another name, "${match.artifact}"`)
    if (match.confirmed) notes.push('not from the service: a person confirmed it after a look-up')
    const why = notes.length === 0 ? '' : `its record is ${notes.join(', and ')}`
    return { name, size, hash, state: 'matched', recorded: match, why, remedy: '' }
  }

  const namesakes = records.byName.get(baseName(name)) ?? []
  const exact = namesakes.findLast(record => record.artifact === name)
  const recorded = exact ?? namesakes.at(-1) ?? null
  const state = recorded === null ? 'unknown' : 'altered'
  const other = records.ofOthers.find(record => record.hash === hash)
  let why = 'no record has its hash or its name'
  let remedy =
    'check that you have all records files, and that the patterns match only what was notarized'
  if (recorded !== null) {
    why = `the record of this name has another hash, ${recorded.hash.slice(0, 12)}…; ${describeTime(recorded)}`
    remedy =
      'if one of your steps changed the file, notarize the final file; if not, treat it as tampered with'
  } else if (other !== undefined) {
    why = `its record is from another service, ${quote(other.service)}`
    remedy = 'set "base-url" to the service that notarized it'
  }
  const doubt = entries.at(-1)
  if (doubt !== undefined) {
    const sent = `it was sent on ${formatTime(Date.parse(doubt.at))} UTC, without a record, and may be registered`
    why = recorded === null ? sent : `${sent}; ${why}`
    remedy = 'finish the run that notarizes it, then verify with its records'
  }
  return { name, size, hash, state, recorded, why, remedy }
}

/** Finds the records without an artifact, one per hash. One with a newer or altered namesake is not missing. */
function findMissing(
  verified: readonly VerifyResult[],
  { ofService, ofOthers }: Records,
): readonly VerifyResult[] {
  if (ofService.length === 0) {
    let next = 'download the records of what was notarized'
    if (ofOthers.length > 0) next = 'set "base-url" to the service of these records'
    const text = 'is true, but there is no record to require'
    throw new Stop(problemWith('require-all', text, { next }))
  }
  const hashes = new Set(verified.map(({ hash }) => hash))
  const altered = verified.filter(({ state }) => state === 'altered')
  const alteredNames = new Set(altered.map(({ name }) => baseName(name)))
  // The records are sorted by age: the newest of each name and of each hash stays.
  const newest = new Map(ofService.map(record => [record.artifact, record.at]))
  const absent = ofService.filter(({ artifact, hash, at }) => {
    const isReplaced = newest.get(artifact) !== at || alteredNames.has(baseName(artifact))
    return !hashes.has(hash) && !isReplaced
  })
  const remedy = 'check the step that supplies the files'
  const onePerHash = new Map(absent.map(record => [record.hash, record]))
  const missing = Array.from(onePerHash.values(), (recorded): VerifyResult => {
    const { artifact: name, size, hash } = recorded
    const why = `${describeTime(recorded)}, but no file has this hash`
    return { name, size, hash, state: 'missing', recorded, why, remedy }
  })
  return missing.sort((a, b) => compareCodeUnits(a.name, b.name))
}

function describeTime({ record }: RecordEntry): string {
  const { time } = describeFields(record)
  return time === '' ? 'it was registered' : `it was registered at ${time} UTC`
}
