import * as z from 'zod/mini'
import { Stop } from '../failure.ts'
import type { Host } from '../runtime/host.ts'
import { maskWords } from '../service/error-text.ts'
import { parseRetryAfter } from '../service/retry.ts'
import { quote } from '../text/escape.ts'
import { describeError, errorCode } from '../text/system-error.ts'
import { formatTime } from '../text/time.ts'

/** Facts about a failed call. */
export interface GitHubFailure {
  /** HTTP status; 0 without a complete answer. */
  readonly status: number
  /** Whether the same call may succeed later. */
  readonly mayPass: boolean
  /** Whether GitHub may have carried out the call. */
  readonly mayHaveActed: boolean
  /** The wait that GitHub asks for; 0 if none. */
  readonly waitMs: number
  /** What to do next, as a clause. */
  readonly remedy: string
}

const defaults: GitHubFailure = {
  status: 0,
  mayPass: false,
  mayHaveActed: false,
  waitMs: 0,
  remedy: 'run the job again',
}

/** A failed call to GitHub; the message is a clause without secrets. */
export class GitHubError extends Error {
  readonly failure: GitHubFailure

  constructor(message: string, failure: Partial<GitHubFailure> = {}, cause?: unknown) {
    super(message, { cause })
    this.failure = { ...defaults, ...failure }
  }
}

const errorSchema = z.object({
  status: z.number(),
  request: z._default(z.object({ method: z.string() }), { method: 'GET' }),
  response: z.object({
    headers: z.record(z.string(), z.string()),
    data: z.catch(z.object({ message: z.string() }), { message: '' }),
  }),
})

/** GitHub asks for a minute if a secondary rate limit names no wait ("Rate limits for the REST API"). */
const secondaryLimitMs = 60_000

/** Converts an error from octokit or the system; `call` names the call, such as `uploading "x"`. */
export function toGitHubError(call: string, error: unknown, host: Host): GitHubError {
  const show = (text: string): string => quote(host.secrets.redactText(text), 200)
  const answered = errorSchema.safeParse(error).data
  if (answered === undefined) {
    const cause = innermostCause(error)
    const mayPass = !(cause instanceof Stop)
    const message = `${show(describeError(cause))} while ${call}`
    return new GitHubError(message, { mayPass, mayHaveActed: mayPass }, error)
  }
  const { status, request, response } = answered
  const { headers, data } = response
  // The times that GitHub names are on its own clock.
  const nowMs = Date.parse(headers['date'] ?? '') || host.clock.now()
  const retryAfterMs = parseRetryAfter(headers['retry-after'] ?? null, nowMs)
  const resetMs = Number(headers['x-ratelimit-reset']) * 1000 - nowMs
  const isUsedUp = headers['x-ratelimit-remaining'] === '0'
  const isLimit = retryAfterMs !== null || isUsedUp || /\brate limit\b/i.test(data.message)
  if (status === 429 || (status === 403 && isLimit)) {
    const waitMs = retryAfterMs ?? (isUsedUp && resetMs >= 0 ? resetMs : secondaryLimitMs)
    const message = `GitHub's rate limit lasts until ${formatTime(nowMs + waitMs)} UTC`
    const failure = { status, mayPass: true, waitMs, remedy: 'run the job again after that' }
    return new GitHubError(message, failure, error)
  }
  const reason = data.message === '' ? '' : `, ${show(maskWords(data.message.replace(/\.$/, '')))},`
  const mayPass = status >= 500 || status === 408
  const remedy = findRemedy(status, request.method)
  const failure = { status, mayPass, mayHaveActed: mayPass, waitMs: retryAfterMs ?? 0, remedy }
  return new GitHubError(`HTTP ${status}${reason} while ${call}`, failure, error)
}

function findRemedy(status: number, method: string): string {
  if (status === 401) return 'the token is invalid or has expired; check the input "github-token"'
  if (status !== 403 && status !== 404) return defaults.remedy
  const permission = method === 'GET' ? 'contents: read (for a draft, write)' : 'contents: write'
  return `give the job the permission ${permission}`
}

/** Unwraps the errors of octokit. */
function innermostCause(error: unknown): unknown {
  const isWrapper = error instanceof Error && error.cause !== undefined && errorCode(error) === null
  return isWrapper ? innermostCause(error.cause) : error
}

/** Returns the result of a call; null if it fails with this status. */
export async function nullForStatus<T>(status: number, call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof GitHubError && error.failure.status === status) return null
    throw error
  }
}
