/** Decides, before anything is spent, what to register and whether to stop. Pure. */
import { problemAt, problemWith, type Problem } from './failure.ts'
import type { NotarizeInputs } from './inputs/notarize-inputs.ts'
import { isHashed, isInDoubt, isPlanned, onePerHash, type Artifact } from './outcome.ts'
import type { Ledger } from './records/ledger.ts'
import type { Release } from './release/release.ts'
import { quote } from './text/escape.ts'
import { compareCodeUnits } from './text/names.ts'
import { joinFirst, pluralize } from './text/phrases.ts'

export interface PlanInput {
  readonly inputs: NotarizeInputs
  readonly artifacts: readonly Artifact[]
  /** How many files or entries each pattern matches: clauses. */
  readonly counts: readonly string[]
  readonly ledger: Ledger
  /** The release whose assets are the artifacts; null if none. */
  readonly release: Release | null
}

/**
 * Compares the artifacts with the records and the limits. Returns them sorted by name: planned, already registered, or already
 * failed. If there are problems, nothing is sent.
 */
export function makePlan(input: PlanInput) {
  const { inputs, release, ledger } = input
  const { combined, problems: conflicts } = combineArtifacts(input.artifacts)
  const artifacts = combined.map(artifact => {
    if (!isHashed(artifact)) return artifact
    return { ...artifact, outcome: ledger.outcomeOf(artifact.hash) }
  })
  const left = artifacts.filter(isPlanned)
  const problems: Problem[] = []
  const warnings: string[] = []

  if (release !== null) {
    problems.push(...tagProblems(release))
    if (artifacts.length === 0) {
      const text = `the release "${quote(release.tag)}" has no assets to notarize`
      const next = 'upload the assets first'
      problems.push(problemAt('release-tag', text, { next, needs: 'nothing' }))
    }
  }
  problems.push(...conflicts, ...ledger.problems)
  if (exceedsLimit(left, inputs)) {
    const tooMany = limitProblem(left, input)
    if (inputs.dryRun) warnings.push(tooMany.message)
    else problems.push(tooMany)
  }
  return { artifacts, problems, warnings }
}

/**
 * Combines artifacts of the same name: a failure takes precedence over a file, a file over a checksums entry. Returns them
 * by name, and the names that have two hashes as one problem.
 */
export function combineArtifacts(artifacts: readonly Artifact[]) {
  const combined: Artifact[] = []
  const conflicts: string[] = []
  for (const [name, same] of Map.groupBy(artifacts, artifact => artifact.name)) {
    const hashes = new Set(same.filter(isHashed).map(({ hash }) => hash))
    if (hashes.size > 1) {
      conflicts.push(`"${quote(name)}" has two hashes, ${[...hashes].join(' and ')}`)
    }
    const unread = same.filter(artifact => !isHashed(artifact))
    const files = same.filter(({ input }) => input !== 'checksums')
    combined.push(...unread.concat(files, same).slice(0, 1))
  }
  combined.sort((a, b) => compareCodeUnits(a.name, b.name))
  if (conflicts.length === 0) return { combined, problems: [] }
  const next = 'create the checksums again from the files to notarize'
  return { combined, problems: [problemAt('checksums', joinFirst(conflicts, 3), { next })] }
}

export function describePlan(artifacts: readonly Artifact[]): string {
  const planned = artifacts.filter(isPlanned)
  const found = pluralize(artifacts.length, 'artifact')
  const left = pluralize(onePerHash(planned).length, 'distinct hash', 'distinct hashes')
  const inDoubt = onePerHash(planned.filter(isInDoubt)).length
  const doubt = inDoubt === 0 ? '' : `, ${inDoubt} of them sent earlier, without a record`
  return `${found} found, ${left} left to register${doubt}`
}

/** Guards against a tag that moved, or was deleted, since the run of that tag began. */
function tagProblems({ tag, isDraft, tagCommit, runCommit }: Release): readonly Problem[] {
  if (runCommit === null || tagCommit === runCommit) return []
  const name = `the tag "${quote(tag)}"`
  if (tagCommit !== null) {
    const text = `${name} points to the commit ${tagCommit} now, but this run is for ${runCommit}`
    const next = 'find out who moved the tag, and notarize the commit that you release'
    return [problemAt('release-tag', text, { next })]
  }
  // Publishing a draft creates its tag.
  if (isDraft) return []
  const next = 'push the tag again'
  return [problemAt('release-tag', `${name} of this run was deleted`, { next, needs: 'nothing' })]
}

/** Whether more hashes are left than a run may register. */
export function exceedsLimit(artifacts: readonly Artifact[], inputs: NotarizeInputs): boolean {
  return onePerHash(artifacts.filter(isPlanned)).length > inputs.maxRegistrations
}

/** Guards against a stray pattern that would register far too much. */
function limitProblem(left: readonly Artifact[], { inputs, counts }: PlanInput): Problem {
  const count = onePerHash(left).length
  const areLeft = pluralize(count, 'registration is left', 'registrations are left')
  const shown = joinFirst(counts, 50, { separator: ', ' })
  const names = left.map(({ name }) => `"${quote(name, 100)}"`)
  const first = joinFirst(names, 3, { separator: ', ' })
  const text = `is ${inputs.maxRegistrations}, but ${areLeft} (${shown}): ${first}`
  const next = `decide whether you want to be charged for ${pluralize(count, 'registration')}`
  const hint = `if you do, set "max-registrations" to ${count} or more; if not, correct the patterns`
  return problemWith('max-registrations', text, { next, hint })
}
