import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'
import { decideNextStep, parseRetryAfter } from '../service/retry.ts'
import { Stop } from '../stop.ts'
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
  readonly isRateLimit: boolean
  /** How long GitHub asks to wait. */
  readonly retryAfterMs: number | null
  /** Whether the same call may succeed when it is made again. */
  readonly mayPass: boolean
}

/** A call to the GitHub API that failed; the message is fit for a user and free of secrets. */
export class GitHubError extends Error {
  // Not flat: octokit takes any error with the status 409 in a listing for an empty page.
  readonly failure: GitHubFailure

  constructor(message: string, failure: Partial<GitHubFailure> = {}, cause?: unknown) {
    super(message, { cause })
    this.name = 'GitHubError'
    const unknown = { status: 0, isRateLimit: false, retryAfterMs: null, mayPass: false }
    this.failure = { ...unknown, ...failure }
  }

  /** What a person can do; null for nothing but to run the job again. */
  get remedy(): string | null {
    const { status, isRateLimit } = this.failure
    if (isRateLimit) return 'run the job again when the limit has ended'
    if (![401, 403, 404].includes(status)) return null
    return 'check the permissions of "github-token" (contents: read, but contents: write for a draft or to attach)'
  }
}

/** A `Stop` that says `what` a failed call means for an input; throws an error that is none of GitHub as it is. */
export function stopFor(error: unknown, input: string, what: string): Stop {
  if (!(error instanceof GitHubError)) throw error
  const remedy = error.remedy ?? 'run the job again'
  return new Stop({ input, message: `input "${input}": ${what} (${error.message}); ${remedy}` })
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

/** The error of a call: the only place where words of GitHub become words of ours. */
export function toGitHubError(
  call: string,
  error: unknown,
  { clock, redact }: Pick<GitHubHost, 'clock' | 'redact'>,
): GitHubError {
  if (error instanceof GitHubError) return error
  const answer = answeredSchema.safeParse(error).data
  if (answer === undefined) {
    const why = quote(redact(describeError(causeOf(error))), 200)
    return new GitHubError(`${call}: ${why}`, { mayPass: true }, error)
  }
  const { status, response } = answer
  const limit = readRateLimit(answer, clock.now())
  const { isRateLimit, retryAfterMs } = limit
  const until = retryAfterMs === null ? '' : ` until ${formatTime(clock.now() + retryAfterMs)} UTC`
  const why = isRateLimit
    ? `the rate limit of GitHub is reached${until}`
    : quote(redact(response.data.message), 200)
  const message = `${call}: HTTP ${status}${why === '' ? '' : `, ${why}`}`
  const mayPass = isRateLimit || status >= 500 || status === 408
  return new GitHubError(message, { status, mayPass, ...limit }, error)
}

/**
 * Whether an answer says that the rate limit is reached, and until when. The primary limit has `x-ratelimit-remaining:
 * 0` and its reset, a secondary one a `retry-after`, or nothing but its text ("Rate limits for the REST API").
 */
function readRateLimit(
  { status, response: { headers, data } }: z.infer<typeof answeredSchema>,
  clockMs: number,
): Pick<GitHubFailure, 'isRateLimit' | 'retryAfterMs'> {
  // The clock of GitHub, if it says one: the reset is a point of its time.
  const date = Date.parse(headers['date'] ?? '')
  const nowMs = Number.isNaN(date) ? clockMs : date
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
      if (!(error instanceof GitHubError) || signal.aborted || !canRepeat(error.failure))
        throw error
      const { failure, message } = error
      const { action, waitMs } = decideNextStep(
        { isRetryable: true, retryAfterMs: failure.retryAfterMs },
        { tries, maxAttempts, random: random(), maxWaitMs },
      )
      if (action === 'done') throw new GitHubError(message, { ...failure, mayPass: false }, error)
      const wait = formatDuration(waitMs / 1000)
      log(`GitHub: ${message}; try ${tries} of ${maxAttempts}, next in ${wait}`)
      await clock.sleep(waitMs, signal)
    }
  }
}
