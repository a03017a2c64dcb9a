import {
  describeCount,
  isHashed,
  type Artifact,
  type HashedArtifact,
  type PatternCount,
} from './artifacts/artifact.ts'
import { combineArtifacts } from './artifacts/combine.ts'
import { mismatchFailure, problemAt, problemWith, type Failure, type Problem } from './failure.ts'
import type { NotarizeInputs } from './inputs/notarize-inputs.ts'
import { failed, type OpenRun, type Outcome, type Result } from './outcome.ts'
import type { RecordsStore } from './records/store.ts'
import { emptyRelease, releaseProblems, type ReleaseFacts } from './release/guards.ts'
import type { Source } from './runtime/environment.ts'
import { pluralize, joinFirst } from './text/words.ts'

export interface PlanInput {
  readonly inputs: NotarizeInputs
  /** From all sources, in any order. */
  readonly artifacts: readonly Artifact[]
  readonly counts: readonly PatternCount[]
  readonly records: RecordsStore
  /** The release whose assets are artifacts; null if none. */
  readonly release: ReleaseFacts | null
  readonly source: Source
}

/** A registration to make, under the first of the sorted names that share the hash. */
export interface Registration {
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
  readonly name: string
  /** Bytes; null if unknown. */
  readonly size: number | null
  /** The last earlier run that sent the hash but has no record of it; null if none. */
  readonly open: OpenRun | null
}

/** What the run will do. If there are problems, nothing is sent. */
export interface Plan {
  /** All artifacts, sorted by name: already registered, already failed, or planned. */
  readonly results: readonly Result[]
  /** The lines of the checksums file. */
  readonly checksums: readonly HashedArtifact[]
  readonly toRegister: readonly Registration[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

/** Compares the artifacts with the records and the limits. Pure; every check before spending is here. */
export function makePlan(input: PlanInput): Plan {
  const { inputs, release, records } = input
  const { combined, problems: conflicts } = combineArtifacts(input.artifacts)
  const results = combined.map(artifact => planArtifact(artifact, input))
  const toRegister = distinctRegistrations(results)
  const locals = input.artifacts.filter(({ source }) => source !== 'release-tag')
  const problems = [...releaseProblems(release, locals), ...conflicts]
  const warnings: string[] = []

  if (release !== null && results.length === 0) {
    const empty = emptyRelease(release)
    if (inputs.ifNoFilesFound === 'error') problems.push(empty)
    if (inputs.ifNoFilesFound === 'warn') warnings.push(empty.message)
  }
  problems.push(...records.damage.map(text => problemAt('records-path', text)))
  if (toRegister.length > inputs.maxRegistrations) {
    const tooMany = limitProblem(toRegister.length, input)
    if (inputs.dryRun) warnings.push(tooMany.message)
    else problems.push(tooMany)
  }
  const attempt = Number(input.source.runAttempt ?? 1)
  if (toRegister.length > 0 && attempt >= 2 && !records.known.hasEarlierAttempt(input.source)) {
    warnings.push(missingRecordsWarning(attempt))
  }
  const checksums = conflicts.length === 0 ? combined.filter(isHashed) : []
  return { results, checksums, toRegister, problems, warnings }
}

function planArtifact(artifact: Artifact, input: PlanInput): Result {
  const { name } = artifact
  if (!isHashed(artifact)) {
    return { name, size: null, hash: null, outcome: failed(artifact.failure) }
  }
  const { size, hash } = artifact
  return { name, size, hash, outcome: planHash(hash, input) }
}

function planHash(hash: string, { inputs, records }: PlanInput): Result['outcome'] {
  const known = records.known.find(hash)
  switch (known?.state) {
    case undefined:
      return { state: 'planned', open: null }
    case 'registered': {
      const { record, redacted } = known.entry
      const { maybeChargedAgain } = known
      return { state: 'registered', from: 'records-file', record, redacted, maybeChargedAgain }
    }
    case 'contradicted':
      if (inputs.dryRun) return { state: 'contradicted' }
      return failed(mismatchFailure(known.entry.problems))
    case 'open': {
      const { at, source } = known.sent
      return { state: 'planned', open: { at, runUrl: source.runUrl } }
    }
  }
}

function distinctRegistrations(results: readonly Result[]): readonly Registration[] {
  const byHash = new Map<string, Registration>()
  for (const { name, size, hash, outcome } of results) {
    if (outcome.state !== 'planned' || hash === null || byHash.has(hash)) continue
    byHash.set(hash, { hash, name, size, open: outcome.open })
  }
  return [...byHash.values()]
}

const maxPatternsShown = 50

function limitProblem(count: number, { inputs, counts }: PlanInput): Problem {
  const shown = { separator: ', ', rest: 'more patterns' }
  const matched = joinFirst(counts.map(describeCount), maxPatternsShown, shown)
  const hashes = pluralize(count, 'distinct hash is', 'distinct hashes are')
  const text = `is ${inputs.maxRegistrations}, but ${hashes} left to register (${matched}); correct the patterns, or raise the limit if you want to pay for each registration`
  return problemWith('max-registrations', text)
}

function missingRecordsWarning(attempt: number): string {
  return `This is attempt ${attempt} of the run, and the records file has no line from an earlier attempt. If an earlier attempt reached this step, you will pay again for what it registered. In that case, cancel now, restore its records from the release, the cache or its artifact, then run the job again`
}

/** Returns the final results. A planned artifact whose hash has no outcome fails with `lost`. */
export function resultsOf(
  { results }: Plan,
  outcomes: ReadonlyMap<string, Outcome>,
  lost: Failure,
): readonly Result[] {
  return results.map(result => {
    if (result.outcome.state !== 'planned') return result
    return { ...result, outcome: outcomes.get(result.hash ?? '') ?? failed(lost) }
  })
}
