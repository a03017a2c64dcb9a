import { HttpClient } from '@actions/http-client'
import { getProxyUrl } from '@actions/http-client/lib/proxy'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, OutgoingHttpHeaders, RequestOptions } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { brotliDecompressSync, unzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import { describeError, errorCode } from '../failure.ts'
import type { HttpRequest, NoResponse, Reply, Transport } from '../runtime/outside.ts'
import { parseHttpDate, parseRetryAfter } from './retry.ts'

/** A connection that was idle for longer is not reused, because a load balancer may have closed it. */
const maxIdleMs = 1000

const maxBodyBytes = 1024 * 1024

/** Event loop turns after the deadline, to read what arrived in time while the process was busy. */
const turnsAfterDeadline = 100

/** Creates a transport. A request takes at most `timeoutMs`, from connecting to the last byte of the response. */
export function createTransport(timeoutMs: number): Transport {
  const idle: Connection[] = []
  return {
    send: async (request, signal) => {
      let connection = idle.pop()
      if (connection !== undefined && performance.now() - connection.usedMs > maxIdleMs) {
        connection.close()
        connection = undefined
      }
      connection ??= new Connection(timeoutMs)
      const reply = await connection.send(request, signal)
      if (reply.kind === 'response') idle.push(connection)
      else connection.close()
      return reply
    },
    close: () => {
      for (const connection of idle.splice(0)) connection.close()
    },
  }
}

/** One connection with its own client, whose request can be aborted. */
class Connection {
  /** End of the last request, on the monotonic clock. */
  usedMs = 0
  readonly #client: HttpClient
  readonly #timeoutMs: number
  readonly #abort = new AbortController()

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
    const handler = {
      prepareRequest: (options: RequestOptions): void => {
        options.signal = this.#abort.signal
        // Node expects an IPv6 address without the brackets of a URL.
        options.host = options.host?.replace(/^\[|\]$/g, '')
      },
      canHandleAuthentication: () => false,
      handleAuthentication: () => Promise.reject(new Error()),
    }
    // The deadline of a request must come before the timeout of its socket.
    const socketTimeout = timeoutMs + 60_000
    const options = { allowRedirects: false, keepAlive: true, maxSockets: 1, socketTimeout }
    this.#client = new HttpClient('notarize-release', [handler], options)
  }

  /** Sends one request. After its deadline, or after `signal` aborts, the connection must be closed. */
  async send(request: HttpRequest, signal: AbortSignal): Promise<Reply> {
    const { promise: ended, resolve: end } = Promise.withResolvers<Reply>()
    const onAbort = (): void => {
      end({ kind: 'canceled', detail: 'the run ended the request' })
    }
    const onDeadline = async (): Promise<void> => {
      for (let turn = 0; turn < turnsAfterDeadline; turn++) await setImmediate()
      end({ kind: 'lost', detail: `timeout after ${this.#timeoutMs / 1000} s` })
    }
    const timer = setTimeout(() => void onDeadline(), this.#timeoutMs)
    signal.addEventListener('abort', onAbort)
    // A race, because a request without a socket, such as one to a silent proxy, does not report its abort.
    const reply = await Promise.race([
      this.#exchange(request).catch((error: unknown) => classify(error, request.url)),
      ended,
    ])
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    this.usedMs = performance.now()
    return reply
  }

  close(): void {
    this.#abort.abort()
    this.#client.dispose()
  }

  async #exchange({ url, body, token }: HttpRequest): Promise<Reply> {
    const json = 'application/json'
    const headers: OutgoingHttpHeaders = { accept: json, 'accept-encoding': 'identity' }
    if (body !== null) headers['content-type'] = json
    if (token !== null) headers.authorization = `Bearer ${token}`
    const method = body === null ? 'GET' : 'POST'
    const { message } = await this.#client.request(method, url.href, body, headers)
    const { 'retry-after': retryAfter = '', date = '' } = message.headers
    // A date is relative to the clock of the service.
    const retryAfterMs = parseRetryAfter(retryAfter, parseHttpDate(date) ?? Date.now())
    const text = await readBody(message)
    return { kind: 'response', status: message.statusCode ?? 0, retryAfterMs, body: text }
  }
}

/** Reads a body as text; null if too large. The toolkit's own `readBody()` never ends if the connection dies. */
async function readBody(message: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  const stream: AsyncIterable<Buffer> = message
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) return null
    chunks.push(chunk)
  }
  const body = unpack(Buffer.concat(chunks), message.headers['content-encoding'] ?? '')
  // The decoder drops a byte order mark.
  return body && new TextDecoder().decode(body)
}

/** Some proxies in front of a service compress responses although nobody asked for it. Null if too large. */
function unpack(body: Buffer, encoding: string): Buffer | null {
  const isPacked = /^\s*(gzip|deflate|br)\s*$/i.test(encoding)
  if (!isPacked || body.length === 0) return body
  const unpacker = /br/i.test(encoding) ? brotliDecompressSync : unzipSync
  try {
    return unpacker(body, { maxOutputLength: maxBodyBytes })
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') return null
    throw new Error('its compressed body is damaged')
  }
}

/** Errors of requests before their TLS handshake. Nothing was sent, but only where a proxy is in between does this say more. */
const earlyErrors = new WeakSet<Error>()

const earlyErrorSchema = z.object({
  request: z.object({ socket: z.object({ secureConnecting: z.literal(true) }) }),
  error: z.instanceof(Error),
})

subscribe('http.client.request.error', message => {
  const { data } = earlyErrorSchema.safeParse(message)
  if (data !== undefined) earlyErrors.add(data.error)
})

/** Says what an error means; `url` is that of the request. */
function classify(error: unknown, url: URL): Reply {
  const code = errorCode(error) ?? ''
  // Not HTTP. A head that ends too early, however, is a lost connection.
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') {
    return { kind: 'response', status: 0, retryAfterMs: null, body: '' }
  }
  const ofProxy = getProxyUrl(url) === undefined ? null : classifyProxy(error)
  if (ofProxy !== null) return ofProxy
  let kind = certificateErrors[code] ?? 'lost'
  if (isUnconnected(error)) kind = 'unreachable'
  return { kind, detail: describeError(error) }
}

/** Returns what a proxy did in place of connecting; null if it connected. Only the message of an error tells. */
function classifyProxy(error: unknown): NoResponse | null {
  if (!(error instanceof Error)) return null
  const { message } = error
  // The service or something else that speaks TLS may send an alert.
  const isNotTls = errorCode(error) === 'EPROTO' && !message.includes('alert')
  if (message.includes('response body from proxy') || (isNotTls && earlyErrors.has(error))) {
    return { kind: 'proxy', detail: 'the proxy responded in place of the service' }
  }
  if (!message.startsWith('tunneling socket')) return null
  const [, status, cause = message] = /statusCode=(\d+)|cause=([^;]*)/.exec(message) ?? []
  if (status !== undefined) {
    return { kind: 'proxy', detail: `the proxy refused the connection (HTTP ${status})` }
  }
  const kind = cause.includes('certificate') ? 'proxy-certificate' : 'proxy'
  return { kind, detail: `the proxy did not connect: ${cause}` }
}

/** Whether an error, or each of its inner errors, proves that there was no connection. */
function isUnconnected(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnconnected)
  if (!(error instanceof Error) || !('syscall' in error)) return false
  return error.syscall === 'connect' || error.syscall === 'getaddrinfo'
}

/** Node's error codes for the certificate of a server: nothing was sent. Without a revocation list, Node has no others. */
const certificateErrors: Readonly<Record<string, NoResponse['kind']>> = {
  CERT_HAS_EXPIRED: 'certificate-expired',
  CERT_NOT_YET_VALID: 'certificate-early',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate-name',
  CERT_SIGNATURE_FAILURE: 'certificate-untrusted',
  CERT_UNTRUSTED: 'certificate-untrusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate-untrusted',
  INVALID_CA: 'certificate-untrusted',
  INVALID_PURPOSE: 'certificate-untrusted',
  PATH_LENGTH_EXCEEDED: 'certificate-untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate-untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate-untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate-untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate-untrusted',
}
