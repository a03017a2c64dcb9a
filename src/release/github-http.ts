import { HttpClient } from '@actions/http-client'
import type { IncomingMessage, OutgoingHttpHeaders, RequestOptions } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ReadableStream } from 'node:stream/web'
import { Stop } from '../failure.ts'
import type { Variables } from '../runtime/environment.ts'
import { proxyProblem } from '../service/proxy.ts'

/** A request as octokit gives it to `fetch`. */
export interface GitHubRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** The type of an asset, as it is uploaded and downloaded. */
export const octetStream = 'application/octet-stream'

const silenceMs = 60_000
/** An upload gets the time that a slow line takes. */
const minUploadBytesPerMs = 50
const maxJsonBytes = 64 * 1024 * 1024
const maxRedirects = 5
const statusesWithoutBody = [204, 205, 304]

/**
 * The `fetch` of octokit, through the client of the toolkit: each host, that of a redirect too, by the proxy that is set
 * for it. An answer in JSON comes whole within a minute, as octokit takes half of one for an empty one; a download is a
 * stream that ends after a minute without a byte. Rejects with a `Stop` for a proxy that cannot be used; `proxies` are
 * the variables that name them.
 */
export async function fetchGitHub(
  request: GitHubRequest,
  proxies: Variables,
  signal: AbortSignal,
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
  const sending = followRedirects(request, proxies, ended)
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
  return new Response(statusesWithoutBody.includes(status) ? null : body, { status, headers })
}

async function followRedirects(
  { method, body, ...request }: GitHubRequest,
  proxies: Variables,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const handler = {
    prepareRequest: (options: RequestOptions): void => {
      options.signal = signal
    },
    canHandleAuthentication: () => false,
    handleAuthentication: () => Promise.reject(new Error('there is no authentication')),
  }
  // Not by the client: it would send the token to another port of the same host.
  const client = new HttpClient('notarize-release', [handler], { allowRedirects: false })
  const headers: OutgoingHttpHeaders = { ...request.headers }
  if (body !== undefined) headers['content-length'] = body.length
  let url = new URL(request.url)
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
