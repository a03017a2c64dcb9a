import * as z from 'zod/mini'
import type { Explanation } from '../failure.ts'
import type { Secrets } from '../runtime/secrets.ts'
import { maskWords, quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'

/** Why a release could not be read or completed. The message is `cause (detail)`; nothing in it is secret. */
export class ReleaseError extends Error {
  readonly explanation: Explanation
  /** HTTP status of GitHub; null without a usable answer, when GitHub may have carried out the call. */
  readonly status: number | null

  constructor(explanation: Explanation, status: number | null = null) {
    const { cause, detail } = explanation
    super(detail === '' ? cause : `${cause} (${detail})`)
    this.explanation = explanation
    this.status = status
  }
}

export const rerun = 're-run the failed jobs'

export const canceled = new ReleaseError({
  cause: 'the run was canceled',
  detail: '',
  remedy: rerun,
})

/** By HTTP status: the likely cause, and the remedy. */
const explanations: Readonly<Record<number, readonly [cause: string, remedy: string]>> = {
  401: ['GitHub rejected the token', `check the input "github-token", then ${rerun}`],
  403: [
    'the token probably lacks the permission "contents: {access}"',
    `give it that permission, then ${rerun}`,
  ],
  422: [
    'the release takes no more files',
    'download the records of this run, and keep them elsewhere, for example on a new release',
  ],
  429: ["GitHub's rate limit is used up", `wait until it is reset, at most an hour, then ${rerun}`],
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

/** Explains an error of octokit, of a download, or of zod about an answer in the wrong form. */
export function toReleaseError(error: unknown, secrets: Secrets): ReleaseError {
  if (error instanceof ReleaseError) return error
  const show = (text: string): string => quote(maskWords(secrets.redactText(text)), 200)
  const { request, response } = octokitErrorSchema.safeParse(error).data ?? {}
  const path = URL.parse(request?.url ?? '')?.pathname ?? ''
  const call = `${request?.method ?? ''} ${quote(path)}`.trim()
  if (response === undefined) {
    const reason = error instanceof z.core.$ZodError ? 'wrong form' : show(describeError(error))
    const detail = call === '' ? reason : `${reason}, ${call}`
    return new ReleaseError({ cause: 'GitHub gave no usable answer', detail, remedy: rerun })
  }
  const { status, data } = response
  const isLimit = status === 403 && /\brate limit\b/i.test(data.message)
  const meaning = isLimit ? 429 : status === 404 ? 403 : status
  const [likely, remedy] = explanations[meaning] ?? ['GitHub failed', rerun]
  const cause = likely.replace('{access}', request?.method === 'GET' ? 'read' : 'write')
  const text = data.message === '' ? '' : `: "${show(data.message)}"`
  return new ReleaseError({ cause, detail: `HTTP ${status} to ${call}${text}`, remedy }, status)
}
