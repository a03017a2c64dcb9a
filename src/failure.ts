/** All failure codes. The set is closed, because workflows may branch on them. */
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

export type FailureCode = (typeof failureCodes)[number]

/** Whether a failed artifact may still be registered: `no` only if that is certain. */
export type Certainty = 'no' | 'unknown'

/** The parameters of {@link makeFailure}. The texts are clauses without a period. */
export interface FailureInput {
  readonly code: FailureCode
  /** What failed and why, the likely cause first. */
  readonly what: string
  /** What to do next. */
  readonly remedy: string
  readonly registered?: Certainty
  /** HTTP status of the last answer of the service; null if none. */
  readonly status?: number | null
  /** Whether an outage was the cause, and a later run may succeed. */
  readonly isDeferrable?: boolean
  /** Whether all other artifacts would fail too, and nothing more is sent. */
  readonly endsRun?: boolean
}

/** Why an artifact failed: created where the error is detected; only `report/` composes the message. */
export interface Failure extends FailureInput {
  readonly registered: Certainty
  readonly status: number | null
  readonly isDeferrable: boolean
  readonly endsRun: boolean
}

const defaults = { registered: 'no', status: null, isDeferrable: false, endsRun: false } as const

/** Creates a failure. By default, nothing is registered, and the other artifacts may still succeed. */
export function makeFailure(input: FailureInput): Failure {
  return { ...defaults, ...input }
}

/** Carries a failure from the call that failed to its handler. */
export class FailureError extends Error {
  readonly failure: Failure

  constructor(failure: Failure, cause?: unknown) {
    super(failure.what, { cause })
    this.failure = failure
  }
}

/** Returns the failure of a {@link FailureError}. Rethrows any other error, which is a bug. */
export function failureIn(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure
  throw error
}

/** Rethrows a failure as one that ends the run. */
export function failRun(error: unknown): never {
  throw new FailureError({ ...failureIn(error), endsRun: true }, error)
}

/** Creates the failure for a bug in this action; `reportTo` says where to report it. */
export function bugFailure(what: string, reportTo: string): Failure {
  return makeFailure({
    code: 'internal-error',
    registered: 'unknown',
    what: `a bug in this action: ${what}`,
    remedy: `run the job again, and report the bug at ${reportTo}`,
    endsRun: true,
  })
}

/** Creates the failure for a record that contradicts the request; `problems` have no secrets. */
export function mismatchFailure(problems: readonly string[]): Failure {
  return makeFailure({
    code: 'record-mismatch',
    registered: 'unknown',
    what: `the record contradicts the request; ${problems.join('; ')}`,
    remedy: 'ask the service what happened to this hash, then settle it in the records file',
  })
}

/** A reason to stop the run before anything is sent; `input` is the input to correct, null if none. */
export interface Problem {
  readonly input: string | null
  readonly message: string
}

/** Creates a problem with an input; `text` continues the sentence: "must be …". */
export function problemWith(input: string, text: string): Problem {
  return { input, message: `input "${input}" ${text}` }
}

/** Creates a problem with what an input refers to; `text` is a separate sentence. */
export function problemAt(input: string, text: string): Problem {
  return { input, message: `input "${input}": ${text}` }
}

/** Stops the run before anything is sent. The messages are for the user. */
export class Stop extends Error {
  readonly problems: readonly Problem[]

  constructor(...problems: readonly Problem[]) {
    super(problems.map(({ message }) => message).join('; '))
    this.problems = problems
  }

  static ifAny(problems: readonly Problem[]): void {
    if (problems.length > 0) throw new Stop(...problems)
  }
}
