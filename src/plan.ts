import {
  describeCount,
  isHashed,
  type Artifact,
  type HashedArtifact,
  type PatternCount,
} from './artifacts/artifact.ts'
import { combineArtifacts } from './artifacts/combine.ts'
import { makeFailure, problemAt, problemWith, type Failure, type Problem } from './failure.ts'
import type { UsableInputs } from './inputs/notarize-inputs.ts'
import { failed, type OpenRun, type Outcome, type Result } from './outcome.ts'
import type { Known } from './records/known.ts'
import type { RecordsStore } from './records/store.ts'
import { emptyRelease, releaseProblems, type ReleaseFacts } from './release/guards.ts'
import type { Source } from './runtime/environment.ts'
import { pluralize, joinFirst } from './text/words.ts'

/** All that the plan depends on. */
export interface PlanInput {
  readonly inputs: UsableInputs
  /** From all sources, in any order. */
  readonly artifacts: readonly Artifact[]
  readonly counts: readonly PatternCount[]
  readonly records: RecordsStore
  /** The release whose assets are artifacts, too; null without one. */
  readonly release: ReleaseFacts | null
  readonly source: Source
}

/** One registration to make, under the first name by sort of those that share the hash. */
export interface Registration {
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
  readonly name: string
  /** Bytes; null when not read. */
  readonly size: number | null
  /** The last earlier run that sent it and has no record of it; null for most. */
  readonly open: OpenRun | null
}

/** What will be done. With any problem nothing is sent. */
export interface Plan {
  /** Sorted by name: what is registered or failed already, and what is planned. */
  readonly results: readonly Result[]
  /** The lines of the checksums file. */
  readonly checksums: readonly HashedArtifact[]
  readonly toRegister: readonly Registration[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

/** Compares the artifacts with the records and the limits. Pure; every guard before spending is here. */
export function makePlan(input: PlanInput): Plan {
  const { inputs, release } = input
  const { combined, problems: conflicts } = combineArtifacts(input.artifacts)
  const results = combined.map(artifact => planArtifact(artifact, input))
  const toRegister = distinctRegistrations(results)
  const locals = input.artifacts.filter(({ source }) => source !== 'release-tag')
  const problems: Problem[] = []
  const warnings: string[] = []

  problems.push(...releaseProblems(release, locals), ...conflicts)
  if (release !== null && results.length === 0) {
    const empty = emptyRelease(release)
    if (inputs.ifNoFilesFound === 'error') problems.push(empty)
    if (inputs.ifNoFilesFound === 'warn') warnings.push(empty.message)
  }
  problems.push(...input.records.damage.map(text => problemAt('records-path', text)))
  if (toRegister.length > inputs.maxRegistrations) {
    const tooMany = limitProblem(toRegister.length, input)
    if (inputs.dryRun) warnings.push(tooMany.message)
    else problems.push(tooMany)
  }
  if (toRegister.length > 0) warnings.push(...lostAttemptWarning(input))
  const checksums = conflicts.length === 0 ? combined.filter(isHashed) : []
  return { results, checksums, toRegister, problems, warnings }
}

function planArtifact(artifact: Artifact, { inputs, records }: PlanInput): Result {
  const { name } = artifact
  if (!isHashed(artifact)) {
    return { name, size: null, hash: null, outcome: failed(artifact.failure) }
  }
  const { size, hash } = artifact
  const known = records.known.find(hash)
  const isContradicted = inputs.dryRun && known?.state === 'contradicted'
  return {
    name,
    size,
    hash,
    outcome: isContradicted ? { state: 'contradicted' } : outcomeOf(known),
  }
}

function outcomeOf(known: Known | undefined): Result['outcome'] {
  switch (known?.state) {
    case undefined:
      return { state: 'planned', open: null }
    case 'registered': {
      const { record, redacted } = known.entry
      const { maybeChargedAgain } = known
      return { state: 'registered', from: 'records-file', record, redacted, maybeChargedAgain }
    }
    case 'contradicted':
      return failed(contradicted(known.entry.problems))
    case 'open': {
      const { at, source } = known.sent
      return { state: 'planned', open: { at, runUrl: source.runUrl } }
    }
  }
}

function contradicted(problems: readonly string[]): Failure {
  return makeFailure({
    code: 'record-mismatch',
    registered: 'unknown',
    what: `the record of an earlier run contradicts its request (${problems.join('; ')}), so the hash was not sent again`,
    remedy:
      'ask the service what became of this hash, then add the line that settles it to the records file',
  })
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

function limitProblem(left: number, { inputs, counts }: PlanInput): Problem {
  const matched = joinFirst(counts.map(describeCount), maxPatternsShown, {
    separator: ', ',
    rest: 'more patterns',
  })
  const hashes = pluralize(left, 'distinct hash is', 'distinct hashes are')
  const text = `is ${inputs.maxRegistrations}, but ${hashes} left to register (${matched}); correct the patterns, or raise the limit if each registration is to be paid for`
  return problemWith('max-registrations', text)
}

/** A re-run without a line of an earlier attempt: what that registered is not known here. */
function lostAttemptWarning({ source, records }: PlanInput): readonly string[] {
  const attempt = Number(source.runAttempt ?? 1)
  if (!(attempt >= 2) || records.known.hasEarlierAttempt(source)) return []
  return [
    `This is attempt ${attempt} of the run, and the records file has no line of an earlier attempt. If one reached this step, what it registered will be paid for again: cancel now, restore its records from the release, the cache or the artifact of that attempt, then run the job again`,
  ]
}

/** The results of a run: what the plan had already, and the outcome of each hash that was to be registered, else `lost`. */
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
