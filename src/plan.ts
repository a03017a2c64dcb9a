import type { PatternCount } from './artifacts/collect.ts'
import type { HashedFile } from './artifacts/hash.ts'
import type { ChecksumEntry } from './artifacts/sources/checksums.ts'
import { compareCodeUnits, failed, type Outcome, type Problem } from './outcome.ts'
import { releaseProblems, unpublishedWarning, type ReleaseFacts } from './plan-release.ts'
import type { KnownRecord } from './records/known-records.ts'
import { quote } from './report/escape.ts'

/** All that the plan is made from; nothing else is looked at. */
export interface PlanInput {
  readonly files: readonly HashedFile[]
  readonly entries: readonly ChecksumEntry[]
  readonly counts: readonly PatternCount[]
  /** The records of this service by hash. */
  readonly known: ReadonlyMap<string, KnownRecord>
  /** Lines of the records file that a person must mend. */
  readonly damage: readonly string[]
  /** The records file as the user gave it. */
  readonly recordsPath: string
  readonly maxRegistrations: number
  readonly isDryRun: boolean
  /** The release whose assets are artifacts, too. */
  readonly release?: ReleaseFacts
  /** Whether a secret stands in a text. */
  readonly hasSecret: (text: string) => boolean
}

/** An artifact and what is to become of it: an outcome that stands already, or `register`. */
export interface PlannedArtifact {
  readonly name: string
  readonly size: number | null
  readonly hash: string | null
  readonly fate: Outcome | 'register'
}

/** One registration to make, under the first name by sort of those that share the hash. */
export interface Registration {
  readonly hash: string
  readonly name: string
  readonly size: number | null
}

/** What will be done. With any problem nothing is sent. */
export interface Plan {
  /** Sorted by name. */
  readonly artifacts: readonly PlannedArtifact[]
  /** What a checksums file may show: nothing where a name has two hashes or holds a secret. */
  readonly checksums: readonly PlannedArtifact[]
  readonly toRegister: readonly Registration[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

/** Holds the artifacts against the records and the limits. Pure; every guard before the spending stands here. */
export function makePlan(input: PlanInput): Plan {
  const { artifacts, conflicts } = mergeArtifacts(input)
  const toRegister = distinctRegistrations(artifacts)
  const limit = limitProblem(toRegister.length, input)
  const secrets = secretProblem(input)
  const problems = [
    ...(input.release === undefined ? [] : releaseProblems(input.release, input)),
    ...conflictProblem(conflicts),
    ...damageProblem(input),
    ...secrets,
    ...(input.isDryRun ? [] : limit),
  ]
  const warnings = [
    ...(input.isDryRun ? limit.map(({ message }) => message) : []),
    ...(input.release === undefined ? [] : unpublishedWarning(input.release, input)),
  ]
  const isSound = conflicts.length === 0 && secrets.length === 0
  const checksums = isSound ? artifacts : []
  return { artifacts, checksums, toRegister, problems, warnings }
}

function mergeArtifacts(input: PlanInput): {
  artifacts: readonly PlannedArtifact[]
  conflicts: readonly string[]
} {
  const byName = new Map<string, PlannedArtifact>()
  const conflicts = new Set<string>()
  for (const file of input.files) {
    byName.set(file.name, fileArtifact(file, input))
  }
  const listed = new Map<string, string>()
  for (const { name, hash } of input.entries) {
    const same = byName.get(name)
    const other = same?.hash ?? listed.get(name) ?? hash
    listed.set(name, hash)
    if (same === undefined) byName.set(name, { name, size: null, hash, fate: fateOf(hash, input) })
    // A file that could not be read keeps its failure: its checksum proves nothing about it.
    if (other !== hash) conflicts.add(`"${quote(name)}" has two hashes, ${other} and ${hash}`)
  }
  for (const asset of input.release?.assets ?? []) {
    // A local file of the same name is held against the asset by the guard of published bytes.
    if (byName.has(asset.name)) continue
    byName.set(asset.name, fileArtifact(asset, input))
  }
  const artifacts = [...byName.values()].sort((a, b) => compareCodeUnits(a.name, b.name))
  return { artifacts, conflicts: [...conflicts] }
}

function fileArtifact(file: HashedFile, input: PlanInput): PlannedArtifact {
  return 'failure' in file
    ? { name: file.name, size: null, hash: null, fate: file.failure }
    : { ...file, fate: fateOf(file.hash, input) }
}

function fateOf(hash: string, { known, recordsPath }: PlanInput): Outcome | 'register' {
  const match = known.get(hash)
  if (match === undefined) return 'register'
  const { record, redacted, problems } = match.entry
  if (problems.length === 0) return { state: 'registered', from: 'records-file', record, redacted }
  return failed(
    'record-mismatch',
    'unknown',
    `an earlier run was answered with a record that contradicts its request (${problems.join('; ')}), so it is not sent again; ask the service what became of this hash, then remove line ${match.line} of "${recordsPath}" to have it registered again`,
  )
}

function distinctRegistrations(artifacts: readonly PlannedArtifact[]): readonly Registration[] {
  const byHash = new Map<string, Registration>()
  for (const { name, size, hash, fate } of artifacts) {
    if (fate === 'register' && hash !== null && !byHash.has(hash))
      byHash.set(hash, { hash, name, size })
  }
  return [...byHash.values()]
}

function limitProblem(left: number, input: PlanInput): readonly Problem[] {
  if (left <= input.maxRegistrations) return []
  const brought = input.counts.slice(0, maxPatternsShown).map(describeCount)
  const more = input.counts.length - brought.length
  if (more > 0) brought.push(`and ${more} more patterns`)
  const message = `input "max-registrations" is ${input.maxRegistrations}, and ${left} distinct hashes are left to register (${brought.join(', ')}); mend the patterns, or raise the limit if each is to be paid for`
  return [{ input: 'max-registrations', message }]
}

const maxPatternsShown = 50

const nouns = {
  path: ['file', 'files'],
  checksums: ['checksums entry', 'checksums entries'],
  'release-tag': ['release asset', 'release assets'],
} as const

function describeCount({ input, text, count }: PatternCount): string {
  const [one, many] = nouns[input]
  return `"${quote(text, 100)}" brought ${count} ${count === 1 ? one : many}`
}

function conflictProblem(conflicts: readonly string[]): readonly Problem[] {
  if (conflicts.length === 0) return []
  const shown = conflicts.slice(0, 5).join('; ')
  const more = conflicts.length > 5 ? `; and ${conflicts.length - 5} more` : ''
  const message = `input "checksums": ${shown}${more}; one of them is not the artifact, make the checksums anew`
  return [{ input: 'checksums', message }]
}

function damageProblem({ damage, recordsPath }: PlanInput): readonly Problem[] {
  if (damage.length === 0) return []
  const message = `input "records-path": ${damage.join('; ')}; nothing is sent, as an artifact may be paid for twice; restore "${quote(recordsPath)}" or mend the line by hand`
  return [{ input: 'records-path', message }]
}

/** A masked value in the output `records` would make the platform drop it whole, and the file would publish it. */
function secretProblem({ files, entries, release, hasSecret }: PlanInput): readonly Problem[] {
  const sources = { path: files, checksums: entries, 'release-tag': release?.assets ?? [] } as const
  const inputs = ['path', 'checksums', 'release-tag'] as const
  return inputs.flatMap(input => {
    const count = sources[input].filter(
      one =>
        hasSecret(one.name) ||
        ('hash' in one && hasSecret(one.hash)) ||
        ('size' in one && hasSecret(String(one.size))),
    ).length
    const message = `input "${input}": ${count} artifacts have the value of a secret in their name, hash or size (they are not shown); the records would publish it, so rename or change them`
    return count === 0 ? [] : [{ input, message }]
  })
}
