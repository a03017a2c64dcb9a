import { combineArtifacts } from './artifacts/combine.ts'
import { describeCount, type PatternCount } from './artifacts/collect.ts'
import { mismatchFailure, problemAt, problemWith, type Problem } from './failure.ts'
import type { NotarizeInputs } from './inputs/notarize-inputs.ts'
import { failed, isHashed, isPlanned } from './outcome.ts'
import type { Artifact, HashedArtifact, Outcome, PlannedArtifact } from './outcome.ts'
import type { RecordsStore } from './records/store.ts'
import { emptyRelease, releaseProblems, type ReleaseFacts } from './release/guards.ts'
import type { Source } from './runtime/environment.ts'
import { joinFirst, pluralize } from './text/phrases.ts'

export interface PlanInput {
  readonly inputs: NotarizeInputs
  /** From all sources, in any order. */
  readonly artifacts: readonly Artifact[]
  readonly counts: readonly PatternCount[]
  readonly records: RecordsStore
  /** The release whose assets are artifacts; null if none. */
  readonly release: ReleaseFacts | null
  /** Whether the release lacks lines that the run starts with. */
  readonly isBehind: boolean
  readonly source: Source
  /** Why the records of an earlier attempt may be missing, as a clause. */
  readonly whyMissing: string
}

/** What the run will do. If there are problems, nothing is sent. */
export interface Plan {
  /** Sorted by name: planned, already registered, or already failed; contradicted only in a dry run. */
  readonly artifacts: readonly Artifact[]
  /** The lines of the checksums file. */
  readonly checksums: readonly HashedArtifact[]
  /** The number of distinct hashes left to register. */
  readonly registrations: number
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

/** Compares the artifacts with the records and the limits. Pure; every check before spending is here. */
export function makePlan(input: PlanInput): Plan {
  const { inputs, release, records } = input
  const { combined, problems: conflicts } = combineArtifacts(input.artifacts)
  const artifacts = combined.map(artifact => {
    if (!isHashed(artifact)) return artifact
    return { ...artifact, outcome: outcomeOf(artifact.hash, input) }
  })
  const planned = artifacts.filter(isPlanned)
  const registrations = new Set(planned.map(({ hash }) => hash)).size
  const problems: Problem[] = []
  const warnings: string[] = []

  if (release !== null) {
    const locals = input.artifacts.filter(({ source }) => source !== 'release-tag')
    const isAttaching = inputs.attachToRelease && (registrations > 0 || input.isBehind)
    problems.push(...releaseProblems(release, locals, isAttaching))
    if (artifacts.length === 0 && inputs.ifNoFilesFound !== 'ignore') {
      const empty = emptyRelease(release)
      if (inputs.ifNoFilesFound === 'error') problems.push(empty)
      else warnings.push(empty.message)
    }
  }
  problems.push(...conflicts)
  problems.push(...records.damage.map(text => problemAt('records-path', text)))
  if (registrations > inputs.maxRegistrations) {
    const tooMany = limitProblem(registrations, input)
    if (inputs.dryRun) warnings.push(tooMany.message)
    else problems.push(tooMany)
  }
  if (problems.length === 0) warnings.push(...chargeWarnings(planned, input))
  const checksums = conflicts.length === 0 ? combined.filter(isHashed) : []
  return { artifacts, checksums, registrations, problems, warnings }
}

/** Describes what is left to register. */
export function describePlan({ artifacts, registrations }: Plan): string {
  const found = pluralize(artifacts.length, 'artifact')
  const left = pluralize(registrations, 'distinct hash is', 'distinct hashes are')
  return `${found} found, ${left} left to register`
}

function outcomeOf(hash: string, { inputs, records }: PlanInput): Outcome {
  const outcome = records.known.find(hash)
  if (outcome.state !== 'contradicted' || inputs.dryRun) return outcome
  return failed(mismatchFailure(outcome.problems))
}

const maxPatternsShown = 50

function limitProblem(count: number, { inputs, counts }: PlanInput): Problem {
  const shown = { separator: ', ', rest: 'more patterns' }
  const matched = joinFirst(counts.map(describeCount), maxPatternsShown, shown)
  const hashes = pluralize(count, 'distinct hash is', 'distinct hashes are')
  const text = `is ${inputs.maxRegistrations}, but ${hashes} left to register (${matched}); correct the patterns, or raise the limit if you want to pay for each registration`
  return problemWith('max-registrations', text)
}

/** Warns about what may be charged again. */
function chargeWarnings(
  planned: readonly PlannedArtifact[],
  { records, source, whyMissing }: PlanInput,
): readonly string[] {
  const warnings: string[] = []
  const attempt = Number(source.runAttempt ?? 1)
  if (planned.length > 0 && attempt >= 2 && !records.known.hasEarlierAttempt(source)) {
    warnings.push(
      `This is attempt ${attempt}, but no records of an earlier attempt were found: ${whyMissing}. To register again what an earlier attempt registered is charged again`,
    )
  }
  const open = planned.filter(({ outcome }) => outcome.openSince !== null)
  if (open.length > 0) {
    const hashes = new Set(open.map(({ hash }) => hash)).size
    warnings.push(
      `${pluralize(hashes, 'hash is', 'hashes are')} open: sent by an earlier run that saved no answer. What is open may be registered already, and to send it again may be charged again`,
    )
  }
  return warnings
}
