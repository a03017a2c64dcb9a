import type { Failure } from './failure.ts'
import type { JsonObject } from './text/json.ts'

/** The artifact has a notarization record. */
export interface Registered {
  readonly state: 'registered'
  readonly from: 'this-run' | 'records-file'
  /** As the service returned it, with every field, without secrets. */
  readonly record: JsonObject
  /** JSON Pointers to replaced secrets in the record. */
  readonly redacted: readonly string[]
  /** Whether the registration may have been charged more than once. */
  readonly maybeChargedAgain: boolean
}

/** The artifact is not known to be registered. */
export interface Failed {
  readonly state: 'failed'
  readonly failure: Failure
}

/** The final state of an artifact. */
export type Outcome = Registered | Failed

/** An earlier run that sent a hash but has no record of it. */
export interface OpenRun {
  /** When the hash was sent, ISO time in UTC. */
  readonly at: string
  readonly runUrl: string | null
}

/** The artifact will be registered; `open` if an earlier run may already have registered it. */
export interface Planned {
  readonly state: 'planned'
  readonly open: OpenRun | null
}

/** Only in a dry run: the record has problems, and the artifact is not sent until it is settled. */
export interface Contradicted {
  readonly state: 'contradicted'
}

export interface Result {
  /** Path relative to the workspace with `/`, or the name in a checksums file or of a release asset. */
  readonly name: string
  /** Bytes; null if unknown. */
  readonly size: number | null
  /** SHA-256, 64 lower-case hex digits; null if the artifact was not read. */
  readonly hash: string | null
  readonly outcome: Outcome | Planned | Contradicted
}

export interface RegisteredResult extends Result {
  readonly hash: string
  readonly outcome: Registered
}

export interface FailedResult extends Result {
  readonly outcome: Failed
}

export function failed(failure: Failure): Failed {
  return { state: 'failed', failure }
}

export function isRegistered(result: Result): result is RegisteredResult {
  return result.outcome.state === 'registered'
}

export function isFailed(result: Result): result is FailedResult {
  return result.outcome.state === 'failed'
}
