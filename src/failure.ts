import { getSystemErrorMap } from 'node:util'
import type { JsonObject } from './text/json.ts'

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
  'not-tried',
  'internal-error',
] as const

export type FailureCode = (typeof failureCodes)[number]

/** Why something failed, more precisely than its code. `report/words.ts` has the words for each. */
export const reasons = [
  // The login.
  'wrong-key',
  'not-the-service',
  // A call that was refused.
  'blocked',
  'unpaid',
  'forbidden',
  'already-registered',
  'no-request',
  'rejected',
  'request-rejected',
  'no-subscription',
  // Any other response, or none.
  'unexpected-response',
  'not-yet-registered',
  'record-mismatch',
  'rate-limit',
  'unavailable',
  'timeout',
  // The way to the service.
  'unreachable',
  'protocol',
  'proxy',
  'certificate',
  'certificate-expired',
  'certificate-early',
  // Files, and assets of a release.
  'file-unreadable',
  'file-changed',
  'asset-changed',
  'github-token',
  'github-permission',
  'github-unavailable',
  // The run.
  'not-saved',
  'canceled',
  'bug',
] as const

export type Reason = (typeof reasons)[number]

/** Why an artifact is not known to be registered. Created, and thrown, where the reason is read. It has no words for users. */
export class Failure extends Error {
  readonly code: FailureCode
  readonly reason: Reason
  /** What was observed, such as `the login returned HTTP 401`: a clause without secrets; empty if the reason says it all. */
  readonly observed: string = ''
  /** What continues it: what the service said, such as `: "quota exceeded"`, without secrets, and other observations. */
  readonly said: string = ''
  /** Whether a completion may have registered the artifact, and been charged, without a record. */
  readonly mayHaveActed: boolean = false
  /** HTTP status of the last response of the service; null if none. */
  readonly status: number | null = null
  /** The object that a completion returned, if it contradicts the request or cannot be understood; null if none. */
  readonly response: JsonObject | null = null
  /** Whether it is that of the login, so that the address of the service may be wrong. */
  readonly isOfLogin: boolean = false

  constructor(code: FailureCode, reason: Reason, parts: Partial<Failure> = {}) {
    super(reason)
    this.code = code
    this.reason = reason
    Object.assign(this, parts)
  }

  /** Whether it only says that something else ended the run before the service could do anything. */
  get isOfRun(): boolean {
    return this.code === 'not-tried' || (this.code === 'cancelled' && !this.mayHaveActed)
  }

  /** Returns a copy with some parts replaced. */
  with(parts: Partial<Failure>): Failure {
    return Object.assign(new Failure(this.code, this.reason, this), parts)
  }

  /** Returns a copy that also tells what else was observed. */
  followedBy({ observed, said }: Failure): Failure {
    return this.with({ said: `${this.said}; ${observed}${said}` })
  }

  /** Returns a thrown failure. Rethrows any other error, which is a bug. */
  static orRethrow(error: unknown): Failure {
    if (error instanceof Failure) return error
    throw error
  }
}

/** The run was canceled before the artifact was sent, or before its response arrived. */
export const canceledFailure = new Failure('cancelled', 'canceled')

/** Creates the failure for a bug in this action. */
export function bugFailure(error: unknown): Failure {
  return new Failure('internal-error', 'bug', { observed: describeError(error) })
}

export interface Remedy {
  /** An imperative clause, without how to run again: `report/` adds that. */
  readonly next: string
  /** More about it: a clause. */
  readonly hint?: string
  /**
   * What has to change before another run can do better: the `workflow` (file, inputs or commit, which a re-run takes from
   * the first attempt), or `nothing` that a re-run does not read anew. By default the workflow for a problem with an input.
   */
  readonly needs?: 'nothing' | 'workflow'
  /** The section of the docs that has more, such as `reference.md#patterns`. */
  readonly docs?: string
}

/** A reason to stop the run before anything is sent. */
export interface Problem extends Remedy {
  /** The input to correct, or that led to what is at fault; null if none. */
  readonly input: string | null
  /** What is wrong: a clause. */
  readonly message: string
}

/** Creates a problem with an input; `text` continues the sentence: "must be …". */
export function problemWith(input: string, text: string, remedy: Remedy): Problem {
  return { needs: 'workflow', ...remedy, input, message: `input "${input}" ${text}` }
}

/** Creates a problem with what an input refers to; `text` is a separate sentence. */
export function problemAt(input: string, text: string, remedy: Remedy): Problem {
  return { needs: 'workflow', ...remedy, input, message: `input "${input}": ${text}` }
}

/** Stops the run before anything is sent. Without a problem, the run was canceled. */
export class Stop extends Error {
  readonly problems: readonly Problem[]

  constructor(...problems: readonly Problem[]) {
    super(problems.map(({ message }) => message).join())
    this.problems = problems
  }

  static ifAny(problems: readonly Problem[]): void {
    if (problems.length > 0) throw new Stop(...problems)
  }
}

/** System error messages by code. */
const systemMessages = new Map(getSystemErrorMap().values())
  .set('EAI_AGAIN', 'the name lookup failed temporarily')
  .set('ENOTFOUND', 'the host name is unknown')

/** Returns the code of a system error, such as `ENOENT`, or null. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/** Describes any thrown value. Omits a system error's own message: it repeats paths and URLs. */
export function describeError(error: unknown): string {
  const code = errorCode(error)
  if (code !== null) {
    const message = systemMessages.get(code)
    return message === undefined ? code : `${message} (${code})`
  }
  return error instanceof Error ? error.message || error.name : 'an unknown error'
}
