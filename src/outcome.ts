import type { Failure } from './failure.ts'
import type { JsonObject } from './text/json.ts'

/** The artifact has a notarization record. */
export interface Registered {
  readonly state: 'registered'
  readonly from: 'this-run' | 'records-file'
  /** What the service returned, every field kept, without secrets. */
  readonly record: JsonObject
  /** JSON Pointers of the places in the record where a secret was replaced. */
  readonly redacted: readonly string[]
  /** Whether the registration may have been charged more than once. */
  readonly maybeChargedAgain: boolean
}

/** The artifact is not known to be registered. */
export interface Failed {
  readonly state: 'failed'
  readonly failure: Failure
}

/** What can become of an artifact that is registered, or that failed. */
export type Outcome = Registered | Failed

/** An earlier run that sent a hash and has no record of it. */
export interface OpenRun {
  /** When it was sent, ISO time in UTC. */
  readonly at: string
  readonly runUrl: string | null
}

/** The artifact is to be registered; `open` if an earlier run may have registered it. */
export interface Planned {
  readonly state: 'planned'
  readonly open: OpenRun | null
}

/** In a dry run: the artifact has a record with problems, and would not be sent until a person has settled it. */
export interface Contradicted {
  readonly state: 'contradicted'
}

/** An artifact with what became of it. */
export interface Result {
  /** Path relative to the workspace with `/`, or the name in a checksums file or of a release asset. */
  readonly name: string
  /** Bytes; null when not read. */
  readonly size: number | null
  /** SHA-256, 64 lower-case hex digits; null when not read. */
  readonly hash: string | null
  readonly outcome: Outcome | Planned | Contradicted
}

/** A registered artifact. */
export interface RegisteredResult extends Result {
  readonly hash: string
  readonly outcome: Registered
}

/** An artifact that is not known to be registered. */
export interface FailedResult extends Result {
  readonly outcome: Failed
}

/** An artifact that failed. */
export function failed(failure: Failure): Failed {
  return { state: 'failed', failure }
}

/** Whether the artifact is registered. */
export function isRegistered(result: Result): result is RegisteredResult {
  return result.outcome.state === 'registered'
}

/** Whether the artifact failed. */
export function isFailed(result: Result): result is FailedResult {
  return result.outcome.state === 'failed'
}
