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

/** What is said about anything that went wrong. `report/` joins the parts, once, where they are shown. */
export interface Explanation {
  /** Why it failed, the likely cause first: a clause without a period. */
  readonly cause: string
  /** What was observed, such as `the login returned HTTP 401`: a clause; empty if the cause says it. */
  readonly detail: string
  /** What to fix: an imperative clause without a period. `report/` adds how to run again. */
  readonly remedy: string
  /** How to run again after that: a re-run uses the workflow file and the commit of the first attempt. Null if it does not help. */
  readonly rerun: 'failed-jobs' | 'new-run' | null
}

interface FailureParts extends Partial<Failure> {
  readonly code: FailureCode
  readonly cause: string
  readonly remedy: string
}

/** Why an artifact is not known to be registered. Created, and thrown, where the reason is read. */
export class Failure extends Error implements Explanation {
  readonly code: FailureCode
  override readonly cause: string
  readonly detail: string
  readonly remedy: string
  readonly rerun: Explanation['rerun']
  /** Whether the artifact may still be registered: `no` only if that is certain. */
  readonly registered: 'no' | 'unknown'
  /** Whether the service answered that it has the hash already. */
  readonly isKnown: boolean
  /** HTTP status of the last answer of the service; null if none. */
  readonly status: number | null
  /** Whether all other artifacts would fail too, and nothing more is sent. */
  readonly endsRun: boolean

  /** By default, nothing is registered, a re-run helps, and the other artifacts may still succeed. */
  constructor(parts: FailureParts) {
    super(parts.cause)
    this.code = parts.code
    this.cause = parts.cause
    this.detail = parts.detail ?? ''
    this.remedy = parts.remedy
    this.rerun = parts.rerun === undefined ? 'failed-jobs' : parts.rerun
    this.registered = parts.registered ?? 'no'
    this.isKnown = parts.isKnown ?? false
    this.status = parts.status ?? null
    this.endsRun = parts.endsRun ?? false
  }

  /** Returns a copy with some parts replaced. */
  with(parts: Partial<Failure>): Failure {
    const { code, cause, detail, remedy, rerun, registered, isKnown, status, endsRun } = this
    const own = { code, cause, detail, remedy, rerun, registered, isKnown, status, endsRun }
    return new Failure({ ...own, ...parts })
  }

  /** Returns a thrown failure. Rethrows any other error, which is a bug. */
  static from(error: unknown): Failure {
    if (error instanceof Failure) return error
    throw error
  }
}

/** Creates the failure for a bug in this action; `reportTo` says where to report it. */
export function bugFailure(what: string, reportTo: string): Failure {
  return new Failure({
    code: 'internal-error',
    registered: 'unknown',
    cause: 'this action has a bug',
    detail: what,
    remedy: `report the bug at ${reportTo}`,
    endsRun: true,
  })
}

/** Creates the failure for a record that contradicts the request; `problems` have no secrets. */
export function mismatchFailure(problems: readonly string[]): Failure {
  return new Failure({
    code: 'record-mismatch',
    registered: 'unknown',
    cause: 'the record contradicts the request',
    detail: problems.join(', '),
    remedy: 'ask the service whether this hash is registered, then add the answer to the records',
    rerun: null,
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
