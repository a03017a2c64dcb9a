import { isHashed, type Artifact } from '../artifacts/artifact.ts'
import { mergeArtifacts } from '../artifacts/merge.ts'
import type { Known } from '../records/known.ts'
import { baseName, compareCodeUnits } from '../text/words.ts'
import type { RecordHead, RecordsIndex } from './records.ts'

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
  readonly recorded: RecordHead | null
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
  records: { heads, explain },
  sha,
}: {
  readonly artifacts: readonly Artifact[]
  readonly records: Pick<RecordsIndex, 'heads' | 'explain'>
  readonly sha: string | null
}): Compared {
  const { merged, conflicts } = mergeArtifacts(artifacts)
  const subjects = [...merged, ...otherAssets(artifacts)]
  const ofCommit = withoutReplaced(heads).filter(head => isOfCommit(head, sha))
  // There may be very many records: what no artifact asks for is not sorted.
  const hashes = new Set(subjects.map(one => (isHashed(one) ? one.hash : '')))
  const names = new Set(subjects.map(({ name }) => baseName(name)))
  const byHash = Map.groupBy(
    heads.filter(({ hash }) => hashes.has(hash)),
    ({ hash }) => hash,
  )
  const byBaseName = Map.groupBy(
    ofCommit.filter(({ artifact }) => names.has(baseName(artifact))),
    ({ artifact }) => baseName(artifact),
  )
  const verify = (subject: Artifact): Verified => {
    const artifact = subject.name
    if (!isHashed(subject)) {
      const why = `${subject.failure.what}; ${subject.failure.remedy}`
      const reason = 'that could not be hashed'
      return { artifact, size: null, hash: null, ...unknown, reason, why }
    }
    const { size, hash } = subject
    const found = { artifact, size, hash, why: '' }
    const match = bestMatch(byHash.get(hash) ?? [], { artifact, sha })
    if (match !== undefined) return { ...found, state: 'matched', recorded: match, reason: null }
    const others = byBaseName.get(baseName(artifact)) ?? []
    const other = others.findLast(head => head.artifact === artifact) ?? others.at(-1)
    return other === undefined
      ? { ...found, ...unknown, ...whyUnknown(explain(hash)) }
      : { ...found, state: 'altered', recorded: other, reason: 'altered' }
  }
  const absent = new Map(
    ofCommit.filter(({ hash }) => !hashes.has(hash)).map(head => [head.hash, head] as const),
  )
  const missing = Array.from(absent.values(), (recorded): Verified => {
    const { artifact, size, hash } = recorded
    return { artifact, size, hash, state: 'missing', recorded, reason: 'missing', why: '' }
  })
  return {
    artifacts: subjects.map(verify).sort(byName),
    missing: missing.sort(byName),
    conflicts,
  }
}

const unknown = { state: 'unknown', recorded: null } as const

/** Whether a record is of the commit; of null all are. */
export function isOfCommit(record: Pick<RecordHead, 'sha'>, sha: string | null): boolean {
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
  heads: readonly RecordHead[],
  { artifact, sha }: { readonly artifact: string; readonly sha: string | null },
): RecordHead | undefined {
  const rankOf = (head: RecordHead): number =>
    (isOfCommit(head, sha) ? 0 : 4) +
    (head.artifact === artifact ? 0 : baseName(head.artifact) === baseName(artifact) ? 1 : 2)
  return heads.toSorted((a, b) => rankOf(a) - rankOf(b)).at(0)
}

/** Without the records that a later attempt of their run made anew: a build that is run again has other bytes. */
function withoutReplaced(heads: readonly RecordHead[]): readonly RecordHead[] {
  const keyOf = ({ runId, service, artifact }: RecordHead): string =>
    JSON.stringify([runId, service, artifact])
  // Only a second attempt replaces anything, and most runs have none.
  const later = heads.filter(({ runId, runAttempt }) => runId !== null && runAttempt > 1)
  const newest = new Map<string, number>()
  for (const head of later) {
    newest.set(keyOf(head), Math.max(newest.get(keyOf(head)) ?? 0, head.runAttempt))
  }
  if (later.length === 0) return heads
  return heads.filter(head => head.runAttempt >= (newest.get(keyOf(head)) ?? 0))
}

function whyUnknown(known: Known | undefined): Pick<Verified, 'reason' | 'why'> {
  if (known?.state === 'contradicted') {
    const why = `its record has problems: ${known.entry.problems.join('; ')} (${known.lines})`
    return { reason: 'with problems in the record', why }
  }
  if (known?.state === 'open') {
    const { at, runUrl } = known.tries
    const run = `the run of ${at}${runUrl === null ? '' : ` (${runUrl})`}`
    const why = `it has no record: ${run} sent it and read no answer, so that it may be registered (${known.lines})`
    return { reason: 'without a record, but sent', why }
  }
  return { reason: 'without a record', why: 'no record that counts has its hash or its name' }
}

function byName(a: Verified, b: Verified): number {
  return compareCodeUnits(a.artifact, b.artifact)
}
