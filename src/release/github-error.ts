import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'
import { decideNextStep, parseRetryAfter } from '../service/retry.ts'
import { problemAt, Stop } from '../stop.ts'
import { quote } from '../text/escape.ts'
import { describeError, errorCode } from '../text/system-error.ts'
import { formatDuration, formatTime } from '../text/time.ts'

const maxAttempts = 5

/** A longer wait that GitHub asks for, as for a rate limit that ends in half an hour, ends the tries. */
const maxWaitMs = 300_000

/** What is known of a failed call. */
export interface GitHubFailure {
  /** Of the answer; 0 if none came. */
  readonly status: number
  /** How long GitHub asks to wait. */
  readonly retryAfterMs: number | null
  /** Whether the same call may succeed when it is made again. */
  readonly mayPass: boolean
  /** What a person can do; null for nothing but to run the job again. */
  readonly remedy: string | null
}

/** A call to the GitHub API that failed; the message is fit for a user and free of secrets. */
export class GitHubError extends Error {
  // Not flat: octokit takes any error with the status 409 in a listing for an empty page.
  readonly failure: GitHubFailure

  constructor(message: string, failure: Partial<GitHubFailure> = {}, cause?: unknown) {
    super(message, { cause })
    this.name = 'GitHubError'
    this.failure = { status: 0, retryAfterMs: null, mayPass: false, remedy: null, ...failure }
  }
}

/** For `catch`: throws a `Stop` that says `what` a failed call means for an input; throws other errors as they are. */
export function orStop(input: string, what: string): (error: unknown) => never {
  return error => {
    if (!(error instanceof GitHubError)) throw error
    const remedy = error.failure.remedy ?? 'run the job again'
    throw new Stop(problemAt(input, `${what} (${error.message}); ${remedy}`))
  }
}

/** What calls to GitHub need of the run. */
export interface GitHubHost {
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  /** From 0 to 1. */
  readonly random: () => number
  readonly log: (line: string) => void
  /** Takes secrets out of a text; it must see the text whole, before it is cut. */
  readonly redact: (text: string) => string
}

const answeredSchema = z.object({
  status: z.number(),
  response: z.object({
    headers: z.record(z.string(), z.string()),
    data: z.catch(z.object({ message: z.string() }), { message: '' }),
  }),
})

const limitRemedy = 'run the job again when the limit has ended'
const rightsRemedy =
  'check the permissions of "github-token" (contents: read, but contents: write for a draft or to attach)'

/** The error of a call: the only place where words of GitHub become words of ours. */
export function toGitHubError(
  call: string,
  error: unknown,
  { clock, redact }: Pick<GitHubHost, 'clock' | 'redact'>,
): GitHubError {
  if (error instanceof GitHubError) return error
  const show = (text: string): string => quote(redact(text), 200)
  const answer = answeredSchema.safeParse(error).data
  if (answer === undefined) {
    const why = show(describeError(causeOf(error)))
    return new GitHubError(`${call}: ${why}`, { mayPass: true }, error)
  }
  const { status } = answer
  const { isRateLimit, retryAfterMs } = readRateLimit(answer, clock.now())
  const until = retryAfterMs === null ? '' : ` until ${formatTime(clock.now() + retryAfterMs)} UTC`
  const why = isRateLimit
    ? `the rate limit of GitHub is reached${until}`
    : show(answer.response.data.message)
  const lacksRights = [401, 403, 404].includes(status)
  const remedy = isRateLimit ? limitRemedy : lacksRights ? rightsRemedy : null
  const mayPass = isRateLimit || status >= 500 || status === 408
  const message = `${call}: HTTP ${status}${why === '' ? '' : `, ${why}`}`
  return new GitHubError(message, { status, retryAfterMs, mayPass, remedy }, error)
}

/**
 * Whether an answer says that the rate limit is reached, and how long to wait. The primary limit has
 * `x-ratelimit-remaining: 0` and its reset, a secondary one a `retry-after`, or nothing but its text ("Rate limits for
 * the REST API").
 */
function readRateLimit(
  { status, response: { headers, data } }: z.infer<typeof answeredSchema>,
  clockMs: number,
): { readonly isRateLimit: boolean; readonly retryAfterMs: number | null } {
  // The clock of GitHub, if it says one: the reset is a point of its time.
  const nowMs = Date.parse(headers['date'] ?? '') || clockMs
  const retryAfterMs = parseRetryAfter(headers['retry-after'] ?? null, nowMs)
  const isUsedUp = headers['x-ratelimit-remaining'] === '0'
  const says = retryAfterMs !== null || isUsedUp || /\brate limit\b/i.test(data.message)
  const isRateLimit = status === 429 || (status === 403 && says)
  const resetMs = Number(headers['x-ratelimit-reset'] ?? NaN) * 1000 - nowMs
  const hasReset = isRateLimit && isUsedUp && !Number.isNaN(resetMs)
  return { isRateLimit, retryAfterMs: retryAfterMs ?? (hasReset ? Math.max(0, resetMs) : null) }
}

/** The innermost cause that says more than that fetching failed. */
function causeOf(error: unknown): unknown {
  const hasMore = error instanceof Error && error.cause !== undefined && errorCode(error) === null
  return hasMore ? causeOf(error.cause) : error
}

/**
 * Does something again as long as its failure may pass, or `canRepeat` says so, and `signal` does not abort, by the policy
 * for all calls; what GitHub asks to wait is waited for, up to 5 minutes. What failed to the end passes no more.
 */
export async function repeat<T>(
  work: () => Promise<T>,
  { signal, clock, random, log }: GitHubHost & { readonly signal: AbortSignal },
  canRepeat = ({ mayPass }: GitHubFailure): boolean => mayPass,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof GitHubError) || signal.aborted) throw error
      const { failure, message } = error
      const { action, waitMs } = decideNextStep(
        { isRetryable: canRepeat(failure), retryAfterMs: failure.retryAfterMs },
        { tries, maxAttempts, random: random(), maxWaitMs },
      )
      if (action === 'done') throw new GitHubError(message, { ...failure, mayPass: false }, error)
      const wait = formatDuration(waitMs / 1000)
      log(`GitHub: ${message}; try ${tries} of ${maxAttempts}, next in ${wait}`)
      await clock.sleep(waitMs, signal)
    }
  }
}
