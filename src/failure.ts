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

/** Whether a failed artifact may be registered all the same: never a guess, `no` only if certain. */
export type Certainty = 'no' | 'unknown'

/**
 * Why something failed. Made once, where the answer is read or the fault is seen, and kept as it is up to the report,
 * which alone puts the text together. `what` and `remedy` are clauses without a full stop, free of secrets.
 */
export interface Failure {
  readonly code: FailureCode
  readonly registered: Certainty
  /** What failed, and why. */
  readonly what: string
  /** What to do next. */
  readonly remedy: string
  /** What is known of the hash that was called for, and of no other one; a clause. */
  readonly ofHash?: string
  /** Whether no other artifact can succeed either, so that nothing more is sent. */
  readonly endsRun: boolean
  /** Whether the breaker counts it: no good answer, or refused with 402 or 403. */
  readonly isOutage: boolean
  /** Whether a later run may succeed by itself, as the service could not be reached or was in trouble. */
  readonly isDeferrable: boolean
  /** HTTP status of the last answer of the service, if there was one. */
  readonly status?: number
}

/** Whether the service refuses a hash, whatever it has against it. */
export function isRefusal({ code }: Pick<Failure, 'code'>): boolean {
  return code === 'refused' || code === 'request-refused'
}

/** A failure; what is not given is `registered: 'no'` and false. */
export function makeFailure(
  given: Pick<Failure, 'code' | 'what' | 'remedy'> & Partial<Failure>,
): Failure {
  return { registered: 'no', endsRun: false, isOutage: false, isDeferrable: false, ...given }
}

/** Takes a failure from the call that failed to where something is done about it. */
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

/** Waits for some work; should it fail, its failure is thrown on with the changes. */
export async function changeFailure<T>(
  work: Promise<T>,
  change: (failure: Failure) => Partial<Failure>,
): Promise<T> {
  try {
    return await work
  } catch (error) {
    const failure = failureIn(error)
    throw new FailureError({ ...failure, ...change(failure) }, error)
  }
}

/** A bug of ours, named as such; `reportTo` is the address for reports. */
export function bugFailure(what: string, reportTo: string): Failure {
  return makeFailure({
    code: 'internal-error',
    registered: 'unknown',
    what: `a bug in this action: ${what}`,
    remedy: `please report it at ${reportTo}`,
    endsRun: true,
  })
}

/** A bug as a text of its own. */
export function describeBug({ code, what, remedy }: Failure): string {
  return `${code}: ${what}; ${remedy}`
}
