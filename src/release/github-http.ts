import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ReadableStream } from 'node:stream/web'
import { Stop } from '../failure.ts'
import type { Variables } from '../runtime/environment.ts'
import { proxyProblem } from '../service/proxy.ts'
import { createHttpClient } from '../service/transport.ts'

/** A request as octokit gives it to `fetch`. */
export interface GitHubRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** What is the same for all requests. */
export interface FetchOptions {
  /** The variables that name proxies. */
  readonly proxies: Variables
  /** Ends the request. */
  readonly signal: AbortSignal
}

/** The type of an asset, as it is uploaded and downloaded. */
export const octetStream = 'application/octet-stream'

const silenceMs = 60_000
/** An upload gets the time that a slow line takes. */
const minUploadBytesPerMs = 50
const maxJsonBytes = 64 * 1024 * 1024
const maxRedirects = 5

/**
 * The `fetch` of octokit, through the client of the toolkit: each host, that of a redirect too, by the proxy that is set
 * for it. An answer in JSON comes whole within a minute, as octokit takes half of one for an empty one; a download is a
 * stream that ends after a minute without a byte. Rejects with a `Stop` for a proxy that cannot be used.
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
  // A request without a socket, as behind a silent proxy, does not report that it was aborted.
  const end = Promise.withResolvers<never>()
  ended.addEventListener('abort', () => {
    end.reject(ended.reason)
  })
  const sending = followRedirects(url, request, { proxies, signal: ended })
  const message = await Promise.race([sending, end.promise])
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
    if (!message.complete) throw new Error('the answer broke off')
  }
  const body = isDownload ? ReadableStream.from(readBytes()) : await buffer(readBytes())
  const { statusCode: status = 0 } = message
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers)) headers.set(name, String(value))
  return new Response(status === 204 ? null : body, { status, headers })
}

async function followRedirects(
  firstUrl: string,
  { method, headers: given, body }: GitHubRequest,
  { proxies, signal }: FetchOptions,
): Promise<IncomingMessage> {
  // Redirects are not followed by the client: it would send the token to another port of the same host.
  const client = createHttpClient(options => {
    options.signal = signal
  })
  const headers: OutgoingHttpHeaders = { ...given }
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
