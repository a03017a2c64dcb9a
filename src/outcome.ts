import type { Failure } from './failure.ts'
import type { JsonObject } from './text/json.ts'

/** A record as the service returned it; `redacted` lists the JSON Pointers of places where a secret was replaced. */
export interface KeptRecord {
  readonly record: JsonObject
  readonly redacted: readonly string[]
}

/** The artifact has a notarization record. */
export interface Registered extends KeptRecord {
  readonly state: 'registered'
  readonly from: 'this-run' | 'records-file'
  /** Completions for this hash before this record that may have acted, and whose answer was lost; 0 for most. */
  readonly unansweredTries: number
}

/** The artifact is not known to be registered. */
export interface Failed {
  readonly state: 'failed'
  readonly failure: Failure
}

/** What can become of an artifact. Flows from the pool to every report. */
export type Outcome = Registered | Failed

/** Tries of earlier runs for a hash that has no record: each was sent, and no answer was read. */
export interface OpenTries {
  readonly count: number
  /** When the last one was sent, ISO time. */
  readonly at: string
  /** The run that sent it. */
  readonly runUrl: string | null
  /** All lines of the hash, in words: `line 3 of "records.jsonl"`. */
  readonly lines: string
}

/**
 * What a plan says of an artifact: it is to be registered (`open`: an earlier run sent it and read no answer), or, in a
 * dry run, it is `held`: not sent again, as a line of the records file needs a person.
 */
export type Planned =
  { readonly state: 'planned'; readonly open: OpenTries | null } | { readonly state: 'held' }

/** An artifact with its outcome. */
export interface Result {
  /** Path relative to the workspace with `/`, or the name in a checksums file. */
  readonly name: string
  /** Bytes; null when not read. */
  readonly size: number | null
  /** SHA-256, 64 lower-case hex digits; null when not read. */
  readonly hash: string | null
  readonly outcome: Outcome | Planned
  /** Where a person can look the registration up, if the author gave a template. */
  readonly verificationUrl?: string
}

/** An artifact that failed. */
export function failed(failure: Failure): Failed {
  return { state: 'failed', failure }
}

/** A registered artifact. */
export type RegisteredResult = Result & { readonly outcome: Registered }

/** An artifact that is not known to be registered. */
export type FailedResult = Result & { readonly outcome: Failed }

/** Whether the artifact is registered. */
export function isRegistered(result: Result): result is RegisteredResult {
  return result.outcome.state === 'registered'
}

/** Whether the artifact failed. */
export function isFailed(result: Result): result is FailedResult {
  return result.outcome.state === 'failed'
}
