import type { getOctokit } from '@actions/github'
import * as z from 'zod/mini'
import { Failure, Stop } from '../failure.ts'
import type { Host } from '../runtime/host.ts'
import type { Secrets } from '../runtime/secrets.ts'
import { proxyProblem } from '../service/transport.ts'
import { maskWords, quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { formatDuration } from '../text/units.ts'

type Octokit = ReturnType<typeof getOctokit>
type Call = (
  route: string,
  parameters: Readonly<Record<string, unknown>>,
) => Promise<{ readonly data: unknown }>

/** What is used of octokit. Tests replace it. */
export interface GitHubClient {
  readonly request: Call
  /** The data are the items of all pages. */
  readonly paginate: Call
}

/** How long one try of a call may take, in milliseconds. */
const answerMs = 60_000
const transferMs = 600_000

/** A rate limit that lasts longer ends the call. */
const maxWaitSeconds = 60
const maxWaits = 3

export const octetStream = 'application/octet-stream'

/** Imports octokit, which most runs do not need. Rejects with a `Stop` for a proxy that cannot be used. */
export async function connectToGitHub(host: Host, token: string): Promise<GitHubClient> {
  const { apiUrl, proxies } = host.environment
  // With such a proxy, the import throws.
  const problem = proxyProblem(apiUrl, proxies)
  if (problem !== null) throw new Stop(problem)
  const { getOctokit } = await import('@actions/github')
  const { retry } = await import('@octokit/plugin-retry')
  const { throttling } = await import('@octokit/plugin-throttling')
  const silent = (): void => undefined
  const onLimit = (
    seconds: number,
    { request }: { readonly request: Record<string, unknown> },
  ): boolean => {
    const isShort = seconds <= maxWaitSeconds && Number(request['retryCount']) < maxWaits
    const what = isShort ? 'waiting' : 'too long to wait'
    host.runner.info(`GitHub's rate limit lasts ${formatDuration(seconds)} more: ${what}`)
    // Otherwise, the retry plug-in would repeat a 429.
    if (!isShort) request['retries'] = 0
    return isShort
  }
  const log = { debug: silent, info: silent, warn: silent, error: silent }
  const throttle = { onRateLimit: onLimit, onSecondaryRateLimit: onLimit }
  const limits = limitTries(host)
  // From the inside out, so that the wait that a 429 asks for comes before a retry.
  const octokit = getOctokit(token, { baseUrl: apiUrl, log, throttle }, limits, throttling, retry)
  return {
    request: (route, parameters) => octokit.request(route, parameters),
    paginate: async (route, parameters) => ({ data: await octokit.paginate(route, parameters) }),
  }
}

/** Creates the plug-in that ends each try in time, and rejects what octokit would read as empty. */
function limitTries({ halt, runner, secrets }: Host) {
  return ({ hook, request }: Pick<Octokit, 'hook' | 'request'>): void => {
    hook.wrap('request', async (send, options) => {
      const isTransfer = options.method === 'POST' || options.headers.accept === octetStream
      const limitMs = isTransfer ? transferMs : answerMs
      const timeout = AbortSignal.timeout(limitMs)
      options.request.signal = AbortSignal.any([timeout, halt.cancelled])
      // In the form of octokit's own errors, which its plug-ins repeat.
      const fail = (message: string): Error =>
        Object.assign(new Error(message), { status: 502, request: request.endpoint(options) })
      try {
        const answer = await send(options)
        const isWhole = typeof answer.data === 'object' && answer.data !== null
        if (!isWhole && answer.status !== 204) throw fail('the answer was cut off')
        return answer
      } catch (error) {
        const failure = toFailure(error, secrets)
        const { status } = failure
        if (status === null || status >= 500) runner.info(describeFailure(failure))
        // Pagination would read it as an empty list.
        if (status === 409) throw fail('HTTP 409')
        if (!timeout.aborted) throw error
        options.request['retries'] = 0
        throw fail(`no answer within ${formatDuration(limitMs / 1000)}`)
      }
    })
  }
}

const waitForGitHub = 'wait until GitHub is available again'

/** By HTTP status: the likely cause, and the remedy. */
const explanations: Readonly<Record<number, readonly [cause: string, remedy: string]>> = {
  401: ['GitHub rejected the token', 'check the input "github-token"'],
  403: ['the token probably lacks the permission "contents: {access}"', 'give it that permission'],
  422: [
    'the release takes no more files',
    'download the workflow artifact with the records from the page of this run, and keep it elsewhere',
  ],
  429: ["GitHub's rate limit is used up", 'wait until it is reset, at most an hour'],
}

/** What octokit throws; without a response if there was no answer. */
const octokitErrorSchema = z.object({
  request: z.object({ method: z.string(), url: z.string() }),
  response: z.optional(
    z.object({
      status: z.number(),
      data: z.catch(z.object({ message: z.string() }), { message: '' }),
    }),
  ),
})

/**
 * Explains an error of octokit, of a download, or of zod about an answer in the wrong form. The status is that of GitHub;
 * null without a usable answer, when GitHub may have carried out the call. Nothing in it is secret.
 */
export function toFailure(error: unknown, secrets: Secrets): Failure {
  if (error instanceof Failure) return error
  const code = 'unreadable'
  const show = (text: string): string => quote(maskWords(secrets.redactText(text)), 200)
  const { request, response } = octokitErrorSchema.safeParse(error).data ?? {}
  const path = URL.parse(request?.url ?? '')?.pathname ?? ''
  const call = `${request?.method ?? ''} ${quote(path)}`.trim()
  if (response === undefined) {
    const reason = error instanceof z.core.$ZodError ? 'wrong form' : show(describeError(error))
    const detail = call === '' ? reason : `${reason}, ${call}`
    return new Failure({
      code,
      cause: 'GitHub sent no valid answer',
      detail,
      remedy: waitForGitHub,
    })
  }
  const { status, data } = response
  const isLimit = status === 403 && /\brate limit\b/i.test(data.message)
  const meaning = isLimit ? 429 : status === 404 ? 403 : status
  const [likely, remedy] = explanations[meaning] ?? ['GitHub failed', waitForGitHub]
  // Trying again is useless where the release takes no more files.
  const rerun = status === 422 ? null : 'failed-jobs'
  const cause = likely.replace('{access}', request?.method === 'GET' ? 'read' : 'write')
  const text = data.message === '' ? '' : `: "${show(data.message)}"`
  return new Failure({
    code,
    cause,
    detail: `HTTP ${status} to ${call}${text}`,
    remedy,
    rerun,
    status,
  })
}

/** Returns what happened and what was observed, for messages that are one text. */
export function describeFailure({ cause, detail }: Failure): string {
  return detail === '' ? cause : `${cause} (${detail})`
}
