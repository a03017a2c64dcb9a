import { describeCount, isHashed, type Artifact, type PatternCount } from './artifacts/artifact.ts'
import { conflictProblem, mergeArtifacts } from './artifacts/merge.ts'
import type { Source } from './environment.ts'
import { makeFailure, type Failure } from './failure.ts'
import type { UsableInputs } from './inputs.ts'
import { failed, type OpenTries, type Outcome, type Result } from './outcome.ts'
import { howToSettle, type Known, type KnownRecords } from './records/known.ts'
import type { RecordsStore } from './records/store.ts'
import {
  emptyRelease,
  releaseProblems,
  unpublishedWarning,
  type ReleaseFacts,
} from './release/guards.ts'
import { problemAt, problemWith, type Problem } from './stop.ts'
import { quote } from './text/escape.ts'
import { counted, someOf } from './text/words.ts'

/** All that the plan is made from; nothing else is looked at. */
export interface PlanInput
  extends
    Pick<UsableInputs, 'recordsPath' | 'maxRegistrations' | 'ifNoFilesFound'>,
    Pick<UsableInputs, 'isDryRun' | 'retryUnanswered'>,
    Pick<RecordsStore, 'damage'> {
  /** From all sources, in any order. */
  readonly artifacts: readonly Artifact[]
  readonly counts: readonly PatternCount[]
  /** What the records files say of this service. */
  readonly known: Pick<KnownRecords, 'find' | 'hasEarlierAttempt'>
  /** The release whose assets are artifacts, too; null without one. */
  readonly release: ReleaseFacts | null
  readonly source: Source
  /** Whether a secret stands in a text. */
  readonly hasSecret: (text: string) => boolean
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
  /** Sorted by name, with the outcome that stands already, or that it is planned to be registered. */
  readonly artifacts: readonly Result[]
  /** What a checksums file may show: nothing where a name has two hashes or holds a secret. */
  readonly checksums: readonly Result[]
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

function planArtifact(artifact: Artifact, input: PlanInput): Result {
  const { name } = artifact
  if (!isHashed(artifact)) {
    return { name, size: null, hash: null, outcome: failed(artifact.failure) }
  }
  const { size, hash } = artifact
  return { name, size, hash, outcome: outcomeOf(input.known.find(hash), input) }
}

/** That of nearly all artifacts, of which there may be a million. */
const isNew = { state: 'planned', open: null } as const

function outcomeOf(known: Known | undefined, input: PlanInput): Result['outcome'] {
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
        ? { state: 'planned', open: known.tries }
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

function distinctRegistrations(artifacts: readonly Result[]): readonly Registration[] {
  const byHash = new Map<string, Registration>()
  for (const { name, size, hash, outcome } of artifacts) {
    if (outcome.state !== 'planned' || hash === null || byHash.has(hash)) continue
    byHash.set(hash, { hash, name, size, open: outcome.open })
  }
  return [...byHash.values()]
}

const maxPatternsShown = 50

function limitProblem(left: number, input: PlanInput): readonly Problem[] {
  if (left <= input.maxRegistrations) return []
  const matched = someOf(input.counts.map(describeCount), maxPatternsShown, {
    separator: ', ',
    rest: 'more patterns',
  })
  const text = `is ${input.maxRegistrations}, and ${counted(left, 'distinct hash is', 'distinct hashes are')} left to register (${matched}); correct the patterns, or raise the limit if each is to be paid for`
  return [problemWith('max-registrations', text)]
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
  return artifacts.map(artifact =>
    artifact.outcome.state === 'planned'
      ? { ...artifact, outcome: outcomes.get(artifact.hash ?? '') ?? failed(lost) }
      : artifact,
  )
}

/** The results of a dry run: what would not be sent again until a person settles it did not fail. */
export function dryRunResults({ artifacts }: Plan): readonly Result[] {
  return artifacts.map(artifact =>
    artifact.outcome.state === 'failed' && artifact.hash !== null
      ? { ...artifact, outcome: { state: 'held' } }
      : artifact,
  )
}
