import { isHashed, type Artifact, type FailedArtifact } from '../artifacts/artifact.ts'
import { mergeArtifacts } from '../artifacts/merge.ts'
import type { Known } from '../records/known.ts'
import type { Line } from '../records/reading.ts'
import { baseName, compareCodeUnits } from '../text/words.ts'
import type { RecordsIndex } from './records.ts'

/** What is wrong with an artifact or a record, in words that follow "2 artifacts". */
export type Reason =
  | 'altered'
  | 'missing'
  | 'that could not be hashed'
  | 'without a record'
  | 'with problems in the record'
  | 'without a record, but sent'

/** One artifact, or one record without an artifact (`missing`), with what the records say of it. */
export interface Verified {
  /** Its name. */
  readonly artifact: string
  /** Bytes; null where not read. */
  readonly size: number | null
  /** SHA-256, 64 lower-case hex digits; null where not read. */
  readonly hash: string | null
  readonly state: 'matched' | 'altered' | 'unknown' | 'missing'
  /** The record that it matches, that has its name with another hash, or that has no artifact; null if it is unknown. */
  readonly recorded: Line | null
  /** Null for a match. */
  readonly reason: Reason | null
  /** Why it is unknown, a clause without a full stop; empty if it is not. */
  readonly why: string
}

/** What came of it; both sorted by name. */
export interface Compared {
  readonly artifacts: readonly Verified[]
  readonly missing: readonly Verified[]
  /** Names with two hashes, in words: then nothing may be believed. */
  readonly conflicts: readonly string[]
}

/**
 * Checks each artifact against the records, by hash; then each record of the commit against the artifacts. Only records of
 * the commit `sha` can tell that an artifact was altered or is missing; null for any. Pure.
 */
export function compareWithRecords({
  artifacts,
  records: { known, registered },
  sha,
}: {
  readonly artifacts: readonly Artifact[]
  readonly records: Pick<RecordsIndex, 'known' | 'registered'>
  readonly sha: string | null
}): Compared {
  const { merged, conflicts } = mergeArtifacts(artifacts)
  const subjects = [...merged, ...otherAssets(artifacts)]
  const ofCommit = withoutReplaced(registered).filter(one => isOfCommit(one, sha))
  const namesakes = groupNamesakes(ofCommit, subjects)
  const verify = (subject: Artifact): Verified => {
    if (!isHashed(subject)) return notHashed(subject)
    const { name: artifact, size, hash } = subject
    const found = { artifact, size, hash, why: '' }
    const match = bestMatch(known.linesOf(hash), { artifact, sha })
    if (match !== undefined) return { ...found, state: 'matched', recorded: match, reason: null }
    const others = namesakes.get(baseName(artifact)) ?? []
    const other = others.findLast(one => one.artifact === artifact) ?? others.at(-1)
    return other === undefined
      ? { ...found, state: 'unknown', recorded: null, ...whyUnknown(known.find(hash)) }
      : { ...found, state: 'altered', recorded: other, reason: 'altered' }
  }
  return {
    artifacts: subjects.map(verify).sort(byName),
    missing: findMissing(ofCommit, subjects).sort(byName),
    conflicts,
  }
}

function notHashed({ name, failure }: FailedArtifact): Verified {
  return {
    ...{ artifact: name, size: null, hash: null, state: 'unknown', recorded: null },
    ...{ reason: 'that could not be hashed', why: `${failure.what}; ${failure.remedy}` },
  }
}

/** The records that have the base name of an artifact. There may be very many others, which are not sorted. */
function groupNamesakes(records: readonly Line[], subjects: readonly Artifact[]) {
  const names = new Set(subjects.map(({ name }) => baseName(name)))
  const asked = records.filter(({ artifact }) => names.has(baseName(artifact)))
  return Map.groupBy(asked, ({ artifact }) => baseName(artifact))
}

/** The records whose hash no artifact has; of several of a hash the last. */
function findMissing(records: readonly Line[], subjects: readonly Artifact[]): Verified[] {
  const hashes = new Set(subjects.map(one => (isHashed(one) ? one.hash : '')))
  const absent = records.filter(({ hash }) => !hashes.has(hash))
  const lastOfEach = new Map(absent.map(one => [one.hash, one]))
  return Array.from(lastOfEach.values(), recorded => {
    const { artifact, size, hash } = recorded
    return { artifact, size, hash, state: 'missing', recorded, reason: 'missing', why: '' }
  })
}

/** Whether a record is of the commit; of null all are. */
export function isOfCommit(record: Pick<Line, 'sha'>, sha: string | null): boolean {
  return sha === null || record.sha?.toLowerCase() === sha
}

/** Assets of the release that have the name of a local artifact and other bytes: one of the two is altered. */
function otherAssets(artifacts: readonly Artifact[]): readonly Artifact[] {
  const hashed = artifacts.filter(isHashed)
  const local = Map.groupBy(
    hashed.filter(({ source }) => source !== 'release-tag'),
    ({ name }) => baseName(name),
  )
  return hashed.filter(({ source, name, hash }) => {
    const same = source === 'release-tag' ? local.get(name) : undefined
    return same?.every(one => one.hash !== hash) ?? false
  })
}

/** Of several records of a hash the one of the commit comes first, then that of the name, then that of the base name. */
function bestMatch(
  lines: readonly Line[],
  { artifact, sha }: { readonly artifact: string; readonly sha: string | null },
): Line | undefined {
  const rankOf = (one: Line): number =>
    (isOfCommit(one, sha) ? 0 : 4) +
    (one.artifact === artifact ? 0 : baseName(one.artifact) === baseName(artifact) ? 1 : 2)
  const records = lines.filter(({ kind }) => kind === 'registered')
  return records.sort((a, b) => rankOf(a) - rankOf(b)).at(0)
}

/** Without the records that a later attempt of their run made anew: a build that is run again has other bytes. */
function withoutReplaced(records: readonly Line[]): readonly Line[] {
  const keyOf = ({ runId, service, artifact }: Line): string =>
    JSON.stringify([runId, service, artifact])
  // Only a second attempt replaces anything, and most runs have none.
  const later = records.filter(({ runId, runAttempt }) => runId !== null && runAttempt > 1)
  if (later.length === 0) return records
  const newest = new Map<string, number>()
  for (const one of later) {
    newest.set(keyOf(one), Math.max(newest.get(keyOf(one)) ?? 0, one.runAttempt))
  }
  return records.filter(one => one.runAttempt >= (newest.get(keyOf(one)) ?? 0))
}

function whyUnknown(known: Known | undefined): Pick<Verified, 'reason' | 'why'> {
  if (known?.state === 'contradicted') {
    const why = `its record has problems: ${known.entry.problems.join('; ')} (${known.lines})`
    return { reason: 'with problems in the record', why }
  }
  if (known?.state === 'open') {
    const { at, runUrl, lines } = known.tries
    const run = `the run of ${at}${runUrl === null ? '' : ` (${runUrl})`}`
    const why = `it has no record: ${run} sent it and read no answer, so that it may be registered (${lines})`
    return { reason: 'without a record, but sent', why }
  }
  return { reason: 'without a record', why: 'no record that counts has its hash or its name' }
}

function byName(a: Verified, b: Verified): number {
  return compareCodeUnits(a.artifact, b.artifact)
}
