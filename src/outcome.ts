import type { Failure } from './failure.ts'
import type { JsonObject } from './text/json.ts'

/** What is known about an artifact, from its hash to the report. */
export type Outcome = Planned | Registered | Failed

export interface Planned {
  readonly state: 'planned'
  /** The time of the newest doubt line, if an earlier run sent the hash and nobody knows what became of it: ISO, in UTC; else null. */
  readonly lastDoubtAt: string | null
}

export interface Registered {
  readonly state: 'registered'
  readonly from: 'this-run' | 'records-file'
  /** As the service returned it, with every field, without secrets. */
  readonly record: JsonObject
  /** Another call that may have been charged for it, at this ISO time, with a record or in doubt; null if there is none. */
  readonly otherCharge: { readonly isDoubt: boolean; readonly at: string } | null
  /** Whether the record is not from the service: a person confirmed it after a look-up. */
  readonly isConfirmed: boolean
}

export interface Failed {
  readonly state: 'failed'
  readonly failure: Failure
  /** As in {@link Planned}: an earlier run may have registered the artifact. */
  readonly lastDoubtAt: string | null
}

export interface Artifact {
  /** The input that named it. */
  readonly input: 'path' | 'checksums' | 'release-tag'
  /** Path relative to the workspace (absolute outside it) with `/`, name in a checksums file, or name of an asset. */
  readonly name: string
  /** Bytes; null if unknown. */
  readonly size: number | null
  /** SHA-256, 64 lower-case hex digits; null if the artifact was not read. */
  readonly hash: string | null
  /** First planned, or failed if it was not read; then what the records say; then how its registration ended. */
  readonly outcome: Outcome
}

export interface HashedArtifact extends Artifact {
  readonly hash: string
}

export type PlannedArtifact = HashedArtifact & { readonly outcome: Planned }
export type RegisteredArtifact = HashedArtifact & { readonly outcome: Registered }
export type FailedArtifact = Artifact & { readonly outcome: Failed }

/** The outcome of a hash that nothing is known about. */
export const planned: Planned = { state: 'planned', lastDoubtAt: null }

export function failed(failure: Failure, lastDoubtAt: string | null = null): Failed {
  return { state: 'failed', failure, lastDoubtAt }
}

/** Whether an artifact may be registered, by a call of this run, of an earlier one, or, after a 409, by whomever. */
export function mayBeRegistered({ failure, lastDoubtAt }: Failed): boolean {
  const { mayHaveActed, reason } = failure
  return mayHaveActed || reason === 'already-registered' || lastDoubtAt !== null
}

export function isHashed(artifact: Artifact): artifact is HashedArtifact {
  return artifact.hash !== null
}

export function isPlanned(artifact: Artifact): artifact is PlannedArtifact {
  return artifact.outcome.state === 'planned'
}

export function isRegistered(artifact: Artifact): artifact is RegisteredArtifact {
  return artifact.outcome.state === 'registered'
}

export function isFailed(artifact: Artifact): artifact is FailedArtifact {
  return artifact.outcome.state === 'failed'
}

/** Whether the service answered the completion of an artifact with 409. */
export function isConflict(artifact: Artifact): artifact is FailedArtifact {
  return isFailed(artifact) && artifact.outcome.failure.reason === 'already-registered'
}

/** Whether a call of this run or of an earlier one may have registered an artifact. */
export function isInDoubt(artifact: Artifact): boolean {
  const { outcome } = artifact
  if (outcome.state === 'planned') return outcome.lastDoubtAt !== null
  return isFailed(artifact) && mayBeRegistered(artifact.outcome) && !isConflict(artifact)
}

/** Whether this attempt registered an artifact. */
export function isNew({ outcome }: Artifact): boolean {
  return outcome.state === 'registered' && outcome.from === 'this-run'
}

/** Whether a file was not sent because something else ended the run. */
export function isUntried({ outcome }: FailedArtifact): boolean {
  return outcome.failure.code === 'not-tried'
}

/** Whether trust was lost before the first record. */
export function isServiceDown(artifacts: readonly Artifact[]): boolean {
  return artifacts.filter(isFailed).some(isUntried) && !artifacts.some(isNew)
}

/** Returns what is charged once each: the first artifact of each hash, and each file that was not read. */
export function onePerHash<T extends Artifact>(artifacts: readonly T[]): readonly T[] {
  const groups = Map.groupBy(artifacts, ({ hash, name }) => hash ?? name)
  return [...groups.values()].flatMap(group => group.slice(0, 1))
}

/** The output `verdict`; a run that `stopped` sent nothing. */
export type Verdict = 'registered' | 'partial' | 'failed' | 'nothing-found' | 'dry-run' | 'stopped'

/** Decides the verdict of a run that did not stop by the artifacts alone: saving and keeping do not change it. */
export function decideVerdict(artifacts: readonly Artifact[], isDryRun: boolean): Verdict {
  if (isDryRun) return 'dry-run'
  if (artifacts.length === 0) return 'nothing-found'
  if (!artifacts.some(isFailed)) return 'registered'
  return artifacts.some(isRegistered) ? 'partial' : 'failed'
}
