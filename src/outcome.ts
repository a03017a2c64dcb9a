/** Every code with which an artifact can fail; a closed set that workflows may branch on. */
export const failureCodes = [
  'login-refused',
  'refused',
  'request-refused',
  'unavailable',
  'invalid-response',
  'record-mismatch',
  'unreadable',
  'changed',
  'cancelled',
  'not-saved',
  'internal-error',
] as const

/** One of {@link failureCodes}. */
export type FailureCode = (typeof failureCodes)[number]

/** Whether a failed artifact may have been registered by what this run sent: never a guess, `no` only if certain. */
export type Certainty = 'no' | 'unknown'

/** A JSON object as it was parsed, every field kept. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A record as the service returned it; `redacted` lists the JSON Pointers of places where a secret was replaced. */
export interface KeptRecord {
  readonly record: JsonObject
  readonly redacted: readonly string[]
}

/** The artifact has a notarization record. */
export interface Registered extends KeptRecord {
  readonly state: 'registered'
  readonly from: 'this-run' | 'records-file'
}

/** The artifact is not known to be registered; `message` says why, what is affected and what to do next. */
export interface Failed {
  readonly state: 'failed'
  readonly code: FailureCode
  readonly registered: Certainty
  readonly message: string
  /** Whether the service could not be reached or answered 408, 425, 429 or 5xx to the end: a later run may succeed. */
  readonly isDeferrable?: boolean
}

/** What can become of an artifact. Flows from the pool to every report. */
export type Outcome = Registered | Failed

/**
 * What a dry run says of an artifact: it would be registered, or, `held`, its record has problems, so that it would be
 * reported as `record-mismatch`.
 */
export type Planned = { readonly state: 'planned' } | { readonly state: 'held' }

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

/** Something that stops the run before anything is sent; `input` names the input to mend, if there is one. */
export interface Problem {
  readonly input: string | null
  readonly message: string
}

/** Builds a failure. */
export function failed(code: FailureCode, registered: Certainty, message: string): Failed {
  return { state: 'failed', code, registered, message }
}

/** Sorts by UTF-16 code units, the order of every list that the action shows. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
