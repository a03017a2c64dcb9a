import { isHashed, type Artifact, type PatternCount } from './artifacts/artifact.ts'
import type { Source } from './environment.ts'
import { makeFailure, type Failure } from './failure.ts'
import { failed, type Outcome, type Result } from './outcome.ts'
import { howToSettle, type Known, type KnownRecords, type OpenTries } from './records/known.ts'
import { releaseProblems, unpublishedWarning, type ReleaseFacts } from './release/guards.ts'
import { problemAt, problemWith, type Problem } from './stop.ts'
import { quote } from './text/escape.ts'
import { baseName, compareCodeUnits, counted, someOf } from './text/words.ts'

/** All that the plan is made from; nothing else is looked at. */
export interface PlanInput {
  /** From all sources, in any order. */
  readonly artifacts: readonly Artifact[]
  readonly counts: readonly PatternCount[]
  /** What the records files say of this service. */
  readonly known: Pick<KnownRecords, 'find' | 'hasEarlierAttempt'>
  /** Lines of the records files that a person must correct. */
  readonly damage: readonly string[]
  /** The records file as the user gave it. */
  readonly recordsPath: string
  readonly maxRegistrations: number
  readonly isDryRun: boolean
  /** False: a hash that was sent and got no answer is not sent again. */
  readonly retryUnanswered: boolean
  /** The release whose assets are artifacts, too; null without one. */
  readonly release: ReleaseFacts | null
  readonly ifNoFilesFound: 'error' | 'warn' | 'ignore'
  readonly source: Source
  /** Whether a secret stands in a text. */
  readonly hasSecret: (text: string) => boolean
}

/** An artifact and what is to become of it: an outcome that stands already, or that it is to be registered. */
export interface PlannedArtifact extends Pick<Result, 'name' | 'size' | 'hash'> {
  readonly fate: Outcome | { readonly state: 'to-register'; readonly open: OpenTries | null }
}

/** One registration to make, under the first name by sort of those that share the hash. */
export interface Registration {
  readonly hash: string
  readonly name: string
  readonly size: number | null
  /** What earlier runs sent for it, and read no answer of; null for most. */
  readonly open: OpenTries | null
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

/** Checks the artifacts against the records and the limits. Pure; every guard before the spending stands here. */
export function makePlan(input: PlanInput): Plan {
  const { merged, conflicts } = mergeArtifacts(input.artifacts)
  const artifacts = merged.map(artifact => planArtifact(artifact, input))
  const toRegister = distinctRegistrations(artifacts)
  const limit = limitProblem(toRegister.length, input)
  const secrets = secretProblem(input)
  const { release, ifNoFilesFound } = input
  const locals = input.artifacts.filter(({ source }) => source !== 'release-tag')
  const nothing = release !== null && artifacts.length === 0 ? [emptyRelease(release)] : []
  const problems = [
    ...(ifNoFilesFound === 'error' ? nothing : []),
    ...releaseProblems(release, locals),
    ...conflictProblem(conflicts),
    ...damageProblem(input),
    ...secrets,
    ...(input.isDryRun ? [] : limit),
  ]
  const warnings = [
    ...(input.isDryRun ? limit.map(({ message }) => message) : []),
    ...unpublishedWarning(release, locals),
    ...(toRegister.length > 0 ? lostAttemptWarning(input) : []),
    ...(ifNoFilesFound === 'warn' ? nothing.map(({ message }) => message) : []),
  ]
  const isSound = conflicts.length === 0 && secrets.length === 0
  return { artifacts, checksums: isSound ? artifacts : [], toRegister, problems, warnings }
}

/**
 * One artifact for each name, sorted. An asset of the release with the base name of a hashed local artifact is that
 * artifact: the guards stop the run where their hashes differ.
 */
export function mergeArtifacts(artifacts: readonly Artifact[]): {
  readonly merged: readonly Artifact[]
  readonly conflicts: readonly string[]
} {
  const byName = new Map<string, Artifact>()
  const hashes = new Map<string, string>()
  const conflicts = new Set<string>()
  const from = (input: Artifact['source']): readonly Artifact[] =>
    artifacts.filter(({ source }) => source === input)
  // A file that could not be read keeps its failure: its checksum proves nothing about it.
  for (const artifact of [...from('path'), ...from('checksums')]) {
    const { name } = artifact
    if (!byName.has(name)) byName.set(name, artifact)
    if (!isHashed(artifact)) continue
    const { hash } = artifact
    const other = hashes.get(name) ?? hash
    hashes.set(name, other)
    if (other !== hash) conflicts.add(`"${quote(name)}" has two hashes, ${other} and ${hash}`)
  }
  const assets = from('release-tag')
  const locals = assets.length === 0 ? [] : [...byName.values()].filter(isHashed)
  const localNames = new Set(locals.map(({ name }) => baseName(name)))
  for (const asset of assets) {
    if (!localNames.has(asset.name) && !byName.has(asset.name)) byName.set(asset.name, asset)
  }
  const merged = [...byName.values()].sort((a, b) => compareCodeUnits(a.name, b.name))
  return { merged, conflicts: [...conflicts] }
}

function planArtifact(artifact: Artifact, input: PlanInput): PlannedArtifact {
  const { name } = artifact
  if (!isHashed(artifact)) return { name, size: null, hash: null, fate: failed(artifact.failure) }
  const { size, hash } = artifact
  return { name, size, hash, fate: fateOf(input.known.find(hash), input) }
}

/** That of nearly all artifacts, of which there may be a million. */
const isNew = { state: 'to-register', open: null } as const

function fateOf(known: Known | undefined, input: PlanInput): PlannedArtifact['fate'] {
  switch (known?.state) {
    case undefined:
      return isNew
    case 'registered': {
      const { record, redacted, unansweredTries } = known.entry
      return { state: 'registered', from: 'records-file', record, redacted, unansweredTries }
    }
    case 'contradicted':
      return failed(contradicted(known.entry.problems, known.lines))
    case 'open':
      return input.retryUnanswered
        ? { state: 'to-register', open: known.tries }
        : failed(unanswered(known.tries))
  }
}

function contradicted(problems: readonly string[], lines: string): Failure {
  return makeFailure({
    code: 'record-mismatch',
    registered: 'unknown',
    what: `an earlier run was answered with a record that contradicts its request (${problems.join('; ')}), so it is not sent again`,
    remedy: `ask the service what became of this hash, then remove ${lines} to have it registered again`,
  })
}

function unanswered({ at, runUrl, lines }: OpenTries): Failure {
  return makeFailure({
    code: 'unavailable',
    registered: 'unknown',
    what: `the run of ${at}${runUrl === null ? '' : ` (${runUrl})`} sent it and read no answer, and with retry-unanswered: false it is not sent again`,
    remedy: howToSettle(lines),
  })
}

function distinctRegistrations(artifacts: readonly PlannedArtifact[]): readonly Registration[] {
  const byHash = new Map<string, Registration>()
  for (const { name, size, hash, fate } of artifacts) {
    if (fate.state !== 'to-register' || hash === null || byHash.has(hash)) continue
    byHash.set(hash, { hash, name, size, open: fate.open })
  }
  return [...byHash.values()]
}

/** A release without assets, where nothing else is an artifact. */
function emptyRelease({ tag }: ReleaseFacts): Problem {
  const text = `the release "${quote(tag)}" has no assets to notarize; upload them first, or set if-no-files-found`
  return problemAt('release-tag', text)
}

const maxPatternsShown = 50
const maxConflictsShown = 5

function limitProblem(left: number, input: PlanInput): readonly Problem[] {
  if (left <= input.maxRegistrations) return []
  const matched = someOf(input.counts.map(describeCount), maxPatternsShown, {
    separator: ', ',
    rest: 'more patterns',
  })
  const text = `is ${input.maxRegistrations}, and ${counted(left, 'distinct hash is', 'distinct hashes are')} left to register (${matched}); correct the patterns, or raise the limit if each is to be paid for`
  return [problemWith('max-registrations', text)]
}

const nouns = {
  path: ['file', 'files'],
  checksums: ['checksums entry', 'checksums entries'],
  'release-tag': ['release asset', 'release assets'],
} as const

function describeCount({ input, text, count }: PatternCount): string {
  const [one, many] = nouns[input]
  return `"${quote(text, 100)}" matches ${counted(count, one, many)}`
}

/** The problem of names with two hashes. */
export function conflictProblem(conflicts: readonly string[]): readonly Problem[] {
  if (conflicts.length === 0) return []
  const shown = someOf(conflicts, maxConflictsShown)
  const text = `${shown}; one of them is not the artifact, make the checksums anew`
  return [problemAt('checksums', text)]
}

function damageProblem({ damage, recordsPath }: PlanInput): readonly Problem[] {
  if (damage.length === 0) return []
  const text = `${damage.join('; ')}; nothing is sent, as an artifact may be paid for twice; restore "${quote(recordsPath)}" or correct the line by hand`
  return [problemAt('records-path', text)]
}

/** A re-run whose earlier attempts left no line here: what they registered is not known. */
function lostAttemptWarning({ source, known }: PlanInput): readonly string[] {
  const attempt = Number(source.runAttempt ?? 1)
  if (!(attempt >= 2) || known.hasEarlierAttempt(source)) return []
  return [
    `This is attempt ${attempt} of the run, and the records file has no line of an earlier attempt: if one of them reached this step, what it registered would be paid again. Bring its records back first: from the release (attach-to-release), the cache, or the artifact of that attempt`,
  ]
}

/** A masked value in the output `records` would make the platform drop it whole, and the file would publish it. */
function secretProblem({ artifacts, hasSecret }: PlanInput): readonly Problem[] {
  const holding: Artifact[] = []
  // Many at once, as each look costs more than the text is long.
  for (let at = 0; at < artifacts.length; at += secretsGroup) {
    const some = artifacts.slice(at, at + secretsGroup)
    if (hasSecret(some.map(publishedText).join('\n'))) {
      holding.push(...some.filter(one => hasSecret(publishedText(one))))
    }
  }
  return [...Map.groupBy(holding, ({ source }) => source)].map(([input, some]) => {
    const text = `${counted(some.length, 'artifact has', 'artifacts have')} the value of a secret in their name, hash or size (they are not shown); the records would publish it, so rename or change them`
    return problemAt(input, text)
  })
}

const secretsGroup = 100

function publishedText(one: Artifact): string {
  return isHashed(one) ? `${one.name}\n${one.hash}\n${one.size ?? ''}` : one.name
}

/** The results of a run: what stood already, and what became of each hash that was to be registered, else `lost`. */
export function resultsOf(
  { artifacts }: Plan,
  outcomes: ReadonlyMap<string, Outcome>,
  lost: Failure,
): readonly Result[] {
  return artifacts.map(({ name, size, hash, fate }) => ({
    ...{ name, size, hash },
    outcome: fate.state === 'to-register' ? (outcomes.get(hash ?? '') ?? failed(lost)) : fate,
  }))
}

/** The results of a dry run: what would be registered, and what would not be sent again until a person settles it. */
export function dryRunResults({ artifacts }: Plan): readonly Result[] {
  return artifacts.map(({ name, size, hash, fate }) => ({
    ...{ name, size, hash },
    outcome: dryRunOutcome(fate, hash),
  }))
}

const plannedNew = { state: 'planned', isOpen: false } as const
const plannedAgain = { state: 'planned', isOpen: true } as const

function dryRunOutcome(fate: PlannedArtifact['fate'], hash: string | null): Result['outcome'] {
  if (fate.state === 'to-register') return fate.open === null ? plannedNew : plannedAgain
  return fate.state === 'failed' && hash !== null ? { state: 'held' } : fate
}
