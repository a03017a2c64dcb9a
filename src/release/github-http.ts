import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ReadableStream } from 'node:stream/web'
import { Stop } from '../failure.ts'
import type { Variables } from '../runtime/environment.ts'
import { proxyProblem } from '../service/proxy.ts'
import { createHttpClient } from '../service/transport.ts'

/** A request as octokit passes it to `fetch`. */
export interface GitHubRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** Options that all requests share. */
export interface FetchOptions {
  /** The variables that name proxies. */
  readonly proxies: Variables
  /** Ends the request. */
  readonly signal: AbortSignal
}

/** The media type of uploaded and downloaded assets. */
export const octetStream = 'application/octet-stream'

const silenceMs = 60_000
/** Extends the limit for an upload over a slow connection. */
const minUploadBytesPerMs = 50
const maxJsonBytes = 64 * 1024 * 1024
const maxRedirects = 5

/**
 * Replaces octokit's `fetch`. Uses the proxy of each host, even after a redirect. A JSON answer
 * must arrive within a minute, because octokit reads an incomplete one as empty; a
 * download ends after a minute without a byte. Rejects with a `Stop` for an unusable proxy.
 */
export async function fetchGitHub(
  url: string,
  request: GitHubRequest,
  { proxies, signal }: FetchOptions,
): Promise<Response> {
  const isDownload = request.headers['accept'] === octetStream
  const silence = new AbortController()
  const limitMs = silenceMs + (request.body?.length ?? 0) / minUploadBytesPerMs
  const timer = setTimeout(() => {
    silence.abort(new Error('no answer came for a minute'))
  }, limitMs).unref()
  const ended = AbortSignal.any([signal, silence.signal])
  ended.throwIfAborted()
  // A request without a socket, such as behind a silent proxy, does not report that it was aborted.
  const { promise: end, reject } = Promise.withResolvers<never>()
  ended.addEventListener('abort', () => {
    reject(ended.reason)
  })
  const sending = followRedirects(url, request, { proxies, signal: ended })
  const message = await Promise.race([sending, end])
  timer.refresh()

  const readBytes = async function* (): AsyncGenerator<Uint8Array> {
    const chunks: AsyncIterable<Uint8Array> = message
    let length = 0
    try {
      for await (const chunk of chunks) {
        length += chunk.length
        if (isDownload) timer.refresh()
        else if (length > maxJsonBytes) throw new Error('the answer is larger than 64 MiB')
        yield chunk
      }
    } finally {
      clearTimeout(timer)
      ended.throwIfAborted()
    }
    if (!message.complete) throw new Error('the answer was cut off')
  }
  const body = isDownload ? ReadableStream.from(readBytes()) : await buffer(readBytes())
  const { statusCode: status = 0 } = message
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers)) headers.set(name, String(value))
  return new Response(status === 204 ? null : body, { status, headers })
}

async function followRedirects(
  firstUrl: string,
  request: GitHubRequest,
  { proxies, signal }: FetchOptions,
): Promise<IncomingMessage> {
  // The client's own redirects would send the token to another port of the same host.
  const client = createHttpClient(options => {
    options.signal = signal
  })
  const { method, body } = request
  const headers: OutgoingHttpHeaders = { ...request.headers }
  if (body !== undefined) headers['content-length'] = body.length
  let url = new URL(firstUrl)
  for (let redirects = 0; ; redirects++) {
    const problem = proxyProblem(url.href, proxies)
    if (problem !== null) throw new Stop(problem)
    const stream = body === undefined ? null : Readable.from([body])
    const { message } = await client.request(method, url.href, stream, headers)
    const { statusCode = 0 } = message
    const { location } = message.headers
    const isRedirect = statusCode >= 300 && statusCode < 400 && location !== undefined
    if (!isRedirect || redirects === maxRedirects) return message
    message.destroy()
    const next = new URL(location, url)
    if (next.origin !== url.origin) delete headers.authorization
    url = next
  }
}
