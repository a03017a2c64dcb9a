/** Decides, before anything is spent, what to register and whether to stop. Pure. */
import { describeCount, type PatternCount } from './artifacts/collect.ts'
import { mismatchFailure, problemAt, problemWith, type Problem } from './failure.ts'
import type { NotarizeInputs } from './inputs/notarize-inputs.ts'
import {
  failed,
  isHashed,
  isPlanned,
  type Artifact,
  type HashedArtifact,
  type Outcome,
  type PlannedArtifact,
} from './outcome.ts'
import type { Ledger } from './records/ledger.ts'
import type { Release } from './release/release.ts'
import { quote } from './text/escape.ts'
import { baseName, compareCodeUnits } from './text/names.ts'
import { joinFirst, pluralize } from './text/phrases.ts'

export interface PlanInput {
  readonly inputs: NotarizeInputs
  /** That all inputs name, in any order. */
  readonly artifacts: readonly Artifact[]
  readonly counts: readonly PatternCount[]
  readonly ledger: Ledger
  /** The release whose assets are artifacts; null if none. */
  readonly release: Release | null
  /** The number of this attempt of the run, from 1. */
  readonly attempt: number
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
  /** What stays true, whatever becomes of the plan. */
  readonly warnings: readonly string[]
  /** What may be charged again; the report tells what was. */
  readonly chargeWarnings: readonly string[]
}

/** Compares the artifacts with the records and the limits. */
export function makePlan(input: PlanInput): Plan {
  const { inputs, release, ledger } = input
  const { combined, problems: conflicts } = combineArtifacts(input.artifacts)
  const artifacts = combined.map(artifact => {
    if (!isHashed(artifact)) return artifact
    return { ...artifact, outcome: findOutcome(artifact.hash, input) }
  })
  const planned = artifacts.filter(isPlanned)
  const registrations = countHashes(planned)
  const problems: Problem[] = []
  const warnings: string[] = []

  if (release !== null) {
    const locals = input.artifacts.filter(artifact => artifact.input !== 'release-tag')
    problems.push(...tagProblems(release), ...contentProblems(release, locals))
    if (artifacts.length === 0) {
      const empty = emptyRelease(release)
      if (inputs.ifNoFilesFound === 'error') problems.push(empty)
      if (inputs.ifNoFilesFound === 'warn') warnings.push(empty.message)
    }
  }
  problems.push(...conflicts, ...ledger.problems)
  if (registrations > inputs.maxRegistrations) {
    const tooMany = limitProblem(registrations, input)
    if (inputs.dryRun) warnings.push(tooMany.message)
    else problems.push(tooMany)
  }
  const checksums = conflicts.length === 0 ? combined.filter(isHashed) : []
  const plan = { artifacts, checksums, registrations, problems }
  if (problems.length > 0) return { ...plan, warnings, chargeWarnings: [] }
  warnings.push(...contentWarnings(planned, ledger))
  return { ...plan, warnings, chargeWarnings: chargeWarnings(planned, input) }
}

/**
 * Combines local artifacts of the same name: a failure takes precedence over a file, a file over
 * a checksums entry. An asset with the base name and hash of a local artifact is that artifact.
 * Returns the artifacts by name (a local one and a different asset may share one), and the local
 * names that have two hashes as one problem.
 */
export function combineArtifacts(artifacts: readonly Artifact[]): {
  readonly combined: readonly Artifact[]
  readonly problems: readonly Problem[]
} {
  const combined: Artifact[] = []
  const conflicts: string[] = []
  const local = artifacts.filter(({ input }) => input !== 'release-tag')
  for (const [name, same] of Map.groupBy(local, artifact => artifact.name)) {
    const hashed = same.filter(isHashed)
    const hashes = [...new Set(hashed.map(({ hash }) => hash))]
    if (hashes.length > 1)
      conflicts.push(`"${quote(name)}" has two hashes, ${hashes.join(' and ')}`)
    const best = hashed.find(({ input }) => input === 'path') ?? hashed[0]
    // There may be several failures, because names that are not valid UTF-8 may look alike.
    const failures = same.filter(artifact => !isHashed(artifact))
    if (best === undefined || failures.length > 0) combined.push(...failures)
    else combined.push(best)
  }
  const keyOf = ({ hash, name }: Artifact): string => `${hash} ${baseName(name)}`
  const known = new Set(combined.filter(isHashed).map(keyOf))
  const assets = artifacts.filter(({ input }) => input === 'release-tag')
  combined.push(...assets.filter(asset => !known.has(keyOf(asset))))
  combined.sort((a, b) => compareCodeUnits(a.name, b.name))
  if (conflicts.length === 0) return { combined, problems: [] }
  const shown = joinFirst(conflicts, 3)
  const text = `${shown}; create the checksums again from the files to notarize`
  return { combined, problems: [problemAt('checksums', text)] }
}

/** Describes what is left to register. */
export function describePlan({ artifacts, registrations }: Plan): string {
  const found = pluralize(artifacts.length, 'artifact')
  const left = pluralize(registrations, 'distinct hash', 'distinct hashes')
  return `${found} found, ${left} left to register`
}

function countHashes(artifacts: readonly HashedArtifact[]): number {
  return new Set(artifacts.map(({ hash }) => hash)).size
}

function findOutcome(hash: string, { inputs, ledger }: PlanInput): Outcome {
  const outcome = ledger.find(hash)
  if (outcome.state !== 'contradicted' || inputs.dryRun) return outcome
  return failed(mismatchFailure(outcome.problems))
}

/** Guards against a tag that moved, or was deleted, since the run of that tag began. */
function tagProblems({ tag, isDraft, tagCommit, runCommit }: Release): readonly Problem[] {
  if (runCommit === null || tagCommit === runCommit) return []
  const name = `the tag "${quote(tag)}"`
  if (tagCommit !== null) {
    const text = `${name} points to the commit ${tagCommit} now, but this run is for ${runCommit}; find out who moved the tag, and notarize the commit that you release`
    return [problemAt('release-tag', text)]
  }
  // Publishing a draft creates its tag.
  if (isDraft) return []
  return [problemAt('release-tag', `${name} of this run was deleted; push it again`, 'nothing')]
}

/** Guards against local files that are not what the release publishes under their names. */
function contentProblems(
  { tag, artifacts }: Release,
  locals: readonly Artifact[],
): readonly Problem[] {
  const hashByName = new Map(artifacts.map(asset => [asset.name, asset.hash]))
  const unread: string[] = []
  const different: string[] = []
  for (const { name, hash } of locals.filter(isHashed)) {
    const assetHash = hashByName.get(baseName(name))
    if (assetHash === undefined || assetHash === hash) continue
    if (assetHash === null) unread.push(`"${quote(name)}"`)
    else different.push(`"${quote(name)}" (${shorten(hash)}, its asset ${shorten(assetHash)})`)
  }
  const release = `the release "${quote(tag)}"`
  const problems: Problem[] = []
  if (unread.length > 0) {
    const text = `local files cannot be compared with ${release}, because their assets could not be read: ${joinFirst(unread, 3)}; wait until GitHub responds`
    problems.push(problemAt('release-tag', text, 'nothing'))
  }
  if (different.length > 0) {
    const text = `local files differ from the assets of ${release}: ${joinFirst(different, 3)}; replace the assets that are wrong, or remove the inputs "path" and "checksums"`
    problems.push(problemAt('release-tag', text))
  }
  return problems
}

function shorten(hash: string): string {
  return hash.slice(0, 12)
}

/** Creates the problem for a release without assets when there are no other artifacts. */
function emptyRelease({ tag }: Release): Problem {
  const text = `the release "${quote(tag)}" has no assets to notarize; upload them first`
  return problemAt('release-tag', text, 'nothing')
}

const maxPatternsShown = 50

/** Guards against a stray pattern that would register far too much. */
function limitProblem(count: number, { inputs, counts }: PlanInput): Problem {
  const matched = joinFirst(counts.map(describeCount), maxPatternsShown, { separator: ', ' })
  const hashes = pluralize(count, 'distinct hash is', 'distinct hashes are')
  const text = `is ${inputs.maxRegistrations}, but ${hashes} left to register (${matched}); correct the patterns, or raise this limit if you want to be charged for each of them`
  return problemWith('max-registrations', text)
}

const maxNamesShown = 5

/** Warns about files that were notarized with other content for the same commit, such as by a rebuild. */
function contentWarnings(planned: readonly PlannedArtifact[], ledger: Ledger): readonly string[] {
  const changed = planned.filter(artifact => ledger.hasOtherContent(artifact))
  if (changed.length === 0) return []
  const names = joinFirst(
    changed.map(({ name }) => `"${quote(name)}"`),
    maxNamesShown,
    { separator: ', ' },
  )
  const what = pluralize(changed.length, 'file has', 'files have')
  return [
    `${what} other content than when this commit was notarized: ${names}. You are charged for registering the new content. If you did not mean to change or rebuild the files, restore the notarized ones`,
  ]
}

/** Warns about what may be charged again. */
function chargeWarnings(
  planned: readonly PlannedArtifact[],
  { ledger, attempt }: PlanInput,
): readonly string[] {
  const warnings: string[] = []
  if (planned.length > 0 && attempt > 1 && !ledger.hasEarlierAttempt) {
    warnings.push(
      `This is attempt ${attempt}, but there are no records of an earlier attempt. If an earlier attempt registered files, you are charged again for them`,
    )
  }
  const open = countHashes(planned.filter(({ outcome }) => outcome.openSince !== null))
  if (open > 0) {
    warnings.push(
      `${pluralize(open, 'file was', 'files were')} sent earlier, without a response. You may be charged again for those that are already registered`,
    )
  }
  return warnings
}
