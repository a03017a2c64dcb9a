import { isHashed, type Artifact } from '../artifacts/artifact.ts'
import { mergeArtifacts } from '../plan.ts'
import type { Known } from '../records/known.ts'
import { baseName, compareCodeUnits } from '../text/words.ts'
import type { RecordHead, RecordsIndex } from './records.ts'

/** Why nothing is known of an artifact: of which kind that is, and in words, a clause without a full stop. */
export interface Unknown {
  readonly kind: 'not hashed' | 'no record' | 'record with problems' | 'sent without an answer'
  readonly why: string
}

/** One artifact, or one record without an artifact (`missing`), with what the records say of it. */
export type Verified = {
  readonly name: string
  /** Bytes; null where not read. */
  readonly size: number | null
  /** SHA-256, 64 lower-case hex digits; null where not read. */
  readonly hash: string | null
} & (
  | {
      readonly state: 'matched' | 'altered' | 'missing'
      /** The record that it matches, that has its name with another hash, or that has no artifact. */
      readonly recorded: RecordHead
    }
  | ({ readonly state: 'unknown'; readonly recorded: null } & Unknown)
)

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
  readonly records: RecordsIndex
  readonly sha: string | null
}): Compared {
  const { merged, conflicts } = mergeArtifacts(artifacts)
  const subjects = [...merged, ...otherAssets(artifacts)].sort(byName)
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
  const verified = subjects.map((artifact): Verified => {
    const { name } = artifact
    if (!isHashed(artifact)) {
      const why = `${artifact.failure.what}; ${artifact.failure.remedy}`
      const nothing = { size: null, hash: null, recorded: null } as const
      return { name, ...nothing, state: 'unknown', kind: 'not hashed', why }
    }
    const { size, hash } = artifact
    const match = bestMatch(byHash.get(hash) ?? [], { name, sha })
    if (match !== undefined) return { name, size, hash, state: 'matched', recorded: match }
    const others = byBaseName.get(baseName(name)) ?? []
    const other = others.findLast(head => head.artifact === name) ?? others.at(-1)
    if (other !== undefined) return { name, size, hash, state: 'altered', recorded: other }
    return { name, size, hash, state: 'unknown', recorded: null, ...whyUnknown(explain(hash)) }
  })
  const absent = new Map(
    ofCommit.filter(({ hash }) => !hashes.has(hash)).map(head => [head.hash, head] as const),
  )
  const missing = Array.from(absent.values(), (recorded): Verified => {
    const { artifact, size, hash } = recorded
    return { name: artifact, size, hash, state: 'missing', recorded }
  }).sort(byName)
  return { artifacts: verified, missing, conflicts }
}

/** Whether a record is of the commit; of null all are. */
export function isOfCommit(head: RecordHead, sha: string | null): boolean {
  return sha === null || head.sha?.toLowerCase() === sha
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
  { name, sha }: { readonly name: string; readonly sha: string | null },
): RecordHead | undefined {
  const rankOf = (head: RecordHead): number =>
    (isOfCommit(head, sha) ? 0 : 4) +
    (head.artifact === name ? 0 : baseName(head.artifact) === baseName(name) ? 1 : 2)
  return heads.toSorted((a, b) => rankOf(a) - rankOf(b)).at(0)
}

/** Without the records that a later attempt of their run made anew: a build that is run again has other bytes. */
function withoutReplaced(heads: readonly RecordHead[]): readonly RecordHead[] {
  const keyOf = ({ runId, service, artifact }: RecordHead): string =>
    JSON.stringify([runId, service, artifact])
  const newest = new Map<string, number>()
  for (const head of heads) {
    // Only a second attempt replaces anything, and most runs have none.
    if (head.runId === null || head.runAttempt === 1) continue
    const key = keyOf(head)
    newest.set(key, Math.max(newest.get(key) ?? 0, head.runAttempt))
  }
  if (newest.size === 0) return heads
  return heads.filter(head => head.runAttempt >= (newest.get(keyOf(head)) ?? 0))
}

function whyUnknown(known: Known | undefined): Unknown {
  switch (known?.state) {
    case 'contradicted': {
      const why = `its record has problems: ${known.entry.problems.join('; ')} (${known.lines})`
      return { kind: 'record with problems', why }
    }
    case 'open': {
      const { at, runUrl } = known.tries
      const run = `the run of ${at}${runUrl === null ? '' : ` (${runUrl})`}`
      const why = `it has no record: ${run} sent it and read no answer, so that it may be registered (${known.lines})`
      return { kind: 'sent without an answer', why }
    }
    case 'registered':
    case undefined:
      return { kind: 'no record', why: 'no record that counts has its hash or its name' }
  }
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return compareCodeUnits(a.name, b.name)
}
