import type { getOctokit } from '@actions/github'
import * as z from 'zod/mini'
import { describeError, Failure, type Reason, type Remedy } from '../failure.ts'
import type { GitHubClient, Host } from '../runtime/outside.ts'
import { checkProxy } from '../service/proxy.ts'
import { maskWords, quote, quoteSaid } from '../text/escape.ts'
import { formatDuration } from '../text/phrases.ts'

/** How long GitHub may take to respond, in milliseconds. */
const responseMs = 60_000

/** A rate limit that lasts longer ends the call. */
const maxWaitSeconds = 60
const maxWaits = 3

/** Imports octokit, which most runs do not need. Rejects with a `Stop` for a proxy that cannot be used. */
export async function connectToGitHub(host: Host, token: string): Promise<GitHubClient> {
  const { apiUrl, proxies } = host.environment
  // With such a proxy, the import throws.
  checkProxy(apiUrl, proxies)
  const { getOctokit } = await import('@actions/github')
  const { retry } = await import('@octokit/plugin-retry')
  // From the inside out: each retry is limited anew.
  const octokit = getOctokit(token, { baseUrl: apiUrl }, limitTries(host), retry)
  return { request: octokit.request, pages: octokit.paginate.iterator }
}

/**
 * Creates the plug-in that ends each try in time, waits for a rate limit, and rejects what octokit would read as an empty
 * list: records would be overlooked, and their files charged again. The `signal` of a call ends all of its tries.
 */
function limitTries({ clock, halt, runner }: Host) {
  return ({ hook, request }: Pick<ReturnType<typeof getOctokit>, 'hook' | 'request'>): void => {
    hook.wrap('request', async (send, options) => {
      const ofCall = options.request
      const deadline = ofCall.signal ?? AbortSignal.timeout(responseMs)
      // In place: the innermost hook, which makes the request, is bound to these options.
      options.request = { ...ofCall, signal: AbortSignal.any([deadline, halt.canceled]) }
      // Octokit returns a body that breaks off as text.
      let problem = 'the response was incomplete'
      try {
        const response = await send(options)
        if (typeof response.data === 'object' && response.data !== null) return response
      } catch (error) {
        // Octokit's pagination would read a conflict as the end of a list.
        if (statusOf(error) === 409) problem = 'HTTP 409'
        else if (!deadline.aborted) throw error
      } finally {
        options.request = ofCall
      }
      if (deadline.aborted) {
        problem = `no response within ${formatDuration(responseMs / 1000)}`
        options.request['retries'] = 0
      }
      // In the form of octokit's own errors: the status makes its plug-in retry.
      throw Object.assign(new Error(problem), { status: 502, request: request.endpoint(options) })
    })
    hook.wrap('request', async (send, options) => {
      for (let waits = 0; ; waits++) {
        try {
          return await send(options)
        } catch (error) {
          const seconds = readRateLimit(error, clock.now())
          if (seconds === null) throw error
          if (seconds > maxWaitSeconds || waits === maxWaits) {
            options.request['retries'] = 0
            throw error
          }
          runner.info(`Waiting ${formatDuration(seconds)} for GitHub's rate limit`)
          await clock.sleep(seconds * 1000, halt.canceled)
        }
      }
    })
  }
}

/** What octokit throws; without a response if none arrived. */
const octokitErrorSchema = z.object({
  request: z.object({ method: z.string(), url: z.string() }),
  response: z.optional(
    z.object({
      status: z.number(),
      headers: z.record(z.string(), z.unknown()),
      data: z.catch(z.object({ message: z.string() }), { message: '' }),
    }),
  ),
})

/** Returns the HTTP status that an error of octokit reports; null if there was no usable response. */
export function statusOf(error: unknown): number | null {
  return octokitErrorSchema.safeParse(error).data?.response?.status ?? null
}

/** Returns how many seconds a rate limit lasts; null if the error is another one. */
function readRateLimit(error: unknown, nowMs: number): number | null {
  const { response } = octokitErrorSchema.safeParse(error).data ?? {}
  if (response?.status !== 403 && response?.status !== 429) return null
  const { headers, status, data } = response
  const afterSeconds = Number(headers['retry-after'])
  if (afterSeconds >= 0) return afterSeconds
  const resetSeconds = Number(headers['x-ratelimit-reset']) - nowMs / 1000
  // Both clocks may be a second off.
  if (headers['x-ratelimit-remaining'] === '0') return Math.max(Math.ceil(resetSeconds), 0) + 1
  // A secondary limit may come without a time; then GitHub's documentation asks for a minute.
  if (status === 429 || /\brate limit\b/i.test(data.message)) return 60
  return null
}

/** What to do if GitHub cannot be read, or a download cannot be used. */
export const releaseRemedies = {
  'asset-changed': {
    next: 'check the asset on the release, and upload it again if it is not complete',
    needs: 'nothing',
  },
  'github-token': { next: 'if you set "github-token", replace that token', needs: 'nothing' },
  'github-permission': {
    next: 'give the job the permission "contents: read"',
    needs: 'workflow',
  },
  'github-unavailable': { next: 'wait until GitHub responds', needs: 'nothing' },
} as const satisfies Partial<Record<Reason, Remedy>>

const reasonsByStatus: Readonly<Record<number, keyof typeof releaseRemedies>> = {
  401: 'github-token',
  403: 'github-permission',
  // GitHub hides what a token may not see.
  404: 'github-permission',
}

/** Converts an error of octokit, or of `what` after it responded. Nothing in the failure is secret. */
export function toFailure(error: unknown, what: string, { secrets }: Host): Failure {
  const redact = (text: string): string => secrets.redactText(text)
  const { request, response } = octokitErrorSchema.safeParse(error).data ?? {}
  let call = what
  if (request !== undefined) call = `${request.method} ${quote(new URL(request.url).pathname)}`
  if (response !== undefined) {
    const { status, data } = response
    const isRateLimit = readRateLimit(error, 0) !== null
    const reason = isRateLimit ? undefined : reasonsByStatus[status]
    const observed = `${call} returned HTTP ${status}${quoteSaid(data.message, redact)}`
    return new Failure('unreadable', reason ?? 'github-unavailable', { observed })
  }
  let detail = quote(maskWords(redact(describeError(error))), 200)
  if (error instanceof z.core.$ZodError) detail = 'the response has an unexpected form'
  return new Failure('unreadable', 'github-unavailable', { observed: `${call}: ${detail}` })
}
