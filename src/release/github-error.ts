import * as z from 'zod/mini'
import { Stop } from '../failure.ts'
import type { Host } from '../runtime/host.ts'
import { maskWords } from '../service/error-text.ts'
import { backoffMs, parseRetryAfter } from '../service/retry.ts'
import { quote } from '../text/escape.ts'
import { describeError, errorCode } from '../text/system-error.ts'
import { formatDuration, formatTime } from '../text/time.ts'

/** What is known of a failed call. */
export interface GitHubFailure {
  /** Of the answer; 0 if none came. */
  readonly status: number
  /** Whether the same call may succeed later. */
  readonly mayPass: boolean
  /** How long GitHub asks to wait; 0 if it does not. */
  readonly waitMs: number
  /** What to do next, as a clause. */
  readonly remedy: string
}

const defaults = { status: 0, mayPass: false, waitMs: 0, remedy: 'run the job again' }

/** A call to GitHub that failed; the message is a clause without secrets. */
export class GitHubError extends Error {
  readonly failure: GitHubFailure

  constructor(message: string, failure: Partial<GitHubFailure> = {}, cause?: unknown) {
    super(message, { cause })
    this.name = 'GitHubError'
    this.failure = { ...defaults, ...failure }
  }
}

const answerSchema = z.object({
  status: z.number(),
  request: z._default(z.object({ method: z.string() }), { method: 'GET' }),
  response: z.object({
    headers: z.record(z.string(), z.string()),
    data: z.catch(z.object({ message: z.string() }), { message: '' }),
  }),
})

/** A secondary limit may come without a wait; GitHub asks for a minute then ("Rate limits for the REST API"). */
const secondaryLimitMs = 60_000

/** Describes the failure of a call such as `uploading "x"`; `error` is one of octokit or of the system. */
export function toGitHubError(call: string, error: unknown, host: Host): GitHubError {
  const show = (text: string): string => quote(host.secrets.redactText(text), 200)
  const answer = answerSchema.safeParse(error).data
  if (answer === undefined) {
    const cause = innermostCause(error)
    const mayPass = !(cause instanceof Stop)
    return new GitHubError(`${show(describeError(cause))} while ${call}`, { mayPass }, error)
  }
  const { status, response } = answer
  const { headers, data } = response
  // The waits of GitHub are points of its own clock.
  const nowMs = Date.parse(headers['date'] ?? '') || host.clock.now()
  const askedMs = parseRetryAfter(headers['retry-after'] ?? null, nowMs)
  const resetMs = Number(headers['x-ratelimit-reset']) * 1000 - nowMs
  const isUsedUp = headers['x-ratelimit-remaining'] === '0'
  const isNamed = askedMs !== null || isUsedUp || /\brate limit\b/i.test(data.message)
  if (status === 429 || (status === 403 && isNamed)) {
    const waitMs = askedMs ?? (isUsedUp && resetMs >= 0 ? resetMs : secondaryLimitMs)
    const until = `${formatTime(nowMs + waitMs)} UTC`
    const failure = { status, mayPass: true, waitMs, remedy: 'run the job again after that' }
    return new GitHubError(`GitHub's rate limit lasts until ${until}`, failure, error)
  }
  const reason = data.message === '' ? '' : `, ${show(maskWords(data.message))},`
  const mayPass = status >= 500 || status === 408
  const failure = { status, mayPass, waitMs: askedMs ?? 0, remedy: remedyOf(answer) }
  return new GitHubError(`HTTP ${status}${reason} while ${call}`, failure, error)
}

function remedyOf({ status, request }: z.infer<typeof answerSchema>): string {
  if (status === 401) return 'the token is not valid, or no longer; check the input "github-token"'
  if (status !== 403 && status !== 404) return defaults.remedy
  const permission =
    request.method === 'GET' ? 'contents: read (for a draft, write)' : 'contents: write'
  return `give the job the permission ${permission}`
}

/** Octokit wraps what happened. */
function innermostCause(error: unknown): unknown {
  const isWrapper = error instanceof Error && error.cause !== undefined && errorCode(error) === null
  return isWrapper ? innermostCause(error.cause) : error
}

/** The result of a call; null if its failure has this status. */
export async function nullForStatus<T>(status: number, call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof GitHubError && error.failure.status === status) return null
    throw error
  }
}

/** How long calls are repeated, and what that needs. */
export interface CallOptions {
  readonly host: Host
  /** On the monotonic clock. */
  readonly deadlineMs: number
  readonly maxTries: number
}

/**
 * Repeats `work` while its failure may pass, by the waits that GitHub asks for; after a signal it is tried once. Not by the
 * plug-ins of octokit: they count tries instead of time, sleep through signals, and hold back each write for a second.
 */
export async function repeat<T>(
  work: () => Promise<T>,
  { host, deadlineMs, maxTries }: CallOptions,
): Promise<T> {
  const { halt, clock, random, runner } = host
  const { cancelled } = halt
  for (let tries = 1; ; tries++) {
    const isLast = cancelled.aborted || tries === maxTries
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof GitHubError) || !error.failure.mayPass || isLast) throw error
      const waitMs = Math.max(backoffMs(tries, random()), error.failure.waitMs)
      if (clock.monotonic() + waitMs > deadlineMs) throw error
      const pause = halt.isCancelled ? 'now' : `in ${formatDuration(waitMs / 1000)}`
      runner.info(`GitHub: ${error.message}; next try ${pause}`)
      await clock.sleep(waitMs, cancelled)
    }
  }
}
