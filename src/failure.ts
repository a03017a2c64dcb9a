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

/** Whether a failed artifact may be registered all the same: `no` only if that is certain. */
export type Certainty = 'no' | 'unknown'

/** What every failure says; clauses without a full stop. */
interface FailureText {
  readonly code: FailureCode
  /** What failed and why, the likely cause first. */
  readonly what: string
  /** What to do next. */
  readonly remedy: string
}

/** Why something failed: created where the answer is read or the fault is seen, and put into words by `report/` alone. */
export interface Failure extends FailureText {
  readonly registered: Certainty
  /** HTTP status of the last answer of the service; null if there was none. */
  readonly status: number | null
  /** Whether the service could not be reached or had an outage, so that a later run may succeed by itself. */
  readonly isDeferrable: boolean
  /** Whether no other artifact can succeed either, so that nothing more is sent. */
  readonly endsRun: boolean
}

/** What {@link makeFailure} takes. */
export interface FailureInput extends FailureText {
  readonly registered?: Certainty
  readonly status?: number | null
  readonly isDeferrable?: boolean
  readonly endsRun?: boolean
}

/** A failure; by default nothing is registered, and the other artifacts may still succeed. */
export function makeFailure(input: FailureInput): Failure {
  const { code, what, remedy } = input
  const { registered = 'no', status = null, isDeferrable = false, endsRun = false } = input
  return { code, what, remedy, registered, status, isDeferrable, endsRun }
}

/** Takes a failure from the call that failed to where it is handled. */
export class FailureError extends Error {
  readonly failure: Failure

  constructor(failure: Failure, cause?: unknown) {
    super(failure.what, { cause })
    this.name = 'FailureError'
    this.failure = failure
  }
}

/** The failure that was thrown; anything else is a bug, and is thrown on. */
export function failureIn(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure
  throw error
}

/** A bug in this action; `reportTo` is the address for reports. */
export function bugFailure(what: string, reportTo: string): Failure {
  return makeFailure({
    code: 'internal-error',
    registered: 'unknown',
    what: `a bug in this action: ${what}`,
    remedy: `run the job again, and please report this at ${reportTo}`,
    endsRun: true,
  })
}

/** Something that stops the run before anything is sent; `input` names the input to correct, null for none. */
export interface Problem {
  readonly input: string | null
  readonly message: string
}

/** A problem that says what an input is or must be. */
export function problemWith(input: string, text: string): Problem {
  return { input, message: `input "${input}" ${text}` }
}

/** A problem with what an input names or leads to. */
export function problemAt(input: string, text: string): Problem {
  return { input, message: `input "${input}": ${text}` }
}

/** Thrown where the run cannot go on, before anything is sent; each message is fit for a user. */
export class Stop extends Error {
  readonly problems: readonly Problem[]

  constructor(...problems: readonly Problem[]) {
    super(problems.map(({ message }) => message).join('; '))
    this.name = 'Stop'
    this.problems = problems
  }

  /** Throws if there is a problem. */
  static ifAny(problems: readonly Problem[]): void {
    if (problems.length > 0) throw new Stop(...problems)
  }
}
