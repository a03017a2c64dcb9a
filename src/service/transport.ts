import { HttpClient } from '@actions/http-client'
import type { RequestOptions as ClientOptions } from '@actions/http-client/lib/interfaces'
import type { IncomingMessage, OutgoingHttpHeaders, RequestOptions } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { brotliDecompressSync, unzipSync } from 'node:zlib'
import { describeError, errorCode } from '../text/system-error.ts'

/** One request. */
export interface HttpRequest {
  readonly url: URL
  /** JSON, which makes it a POST; null for a GET. */
  readonly body: string | null
  /** Goes out as `Authorization`; null for none. */
  readonly token: string | null
}

/** An answer of whatever status. */
export interface Answer {
  readonly kind: 'answer'
  /** 0 for what is not HTTP. */
  readonly status: number
  /** The headers `Retry-After` and `Date`; null where there is none. */
  readonly retryAfter: string | null
  readonly date: string | null
  /** Null for a body over 1 MiB. */
  readonly body: string | null
}

/** No whole answer came. */
export interface NoAnswer {
  readonly kind: 'no-answer'
  readonly reason: string
  /** Whether the request may have reached the service; false only where the error proves that it did not. */
  readonly wasSent: boolean
  /** `untrusted`: the certificate is not trusted; `ended`: by the run itself. */
  readonly cause: 'connection' | 'untrusted' | 'ended'
}

/** The result of one request. */
export type Reply = Answer | NoAnswer

/** Makes requests over kept-alive connections; honours `https_proxy` and `no_proxy`; follows no redirect. */
export interface Transport {
  /** Never rejects. The answer is lost when `signal` aborts. There are as many connections as concurrent calls. */
  readonly send: (request: HttpRequest, signal: AbortSignal) => Promise<Reply>
  /** Closes the idle connections. */
  readonly close: () => void
}

/** A connection that was idle for longer is not used again, as a balancer may have closed it. */
const maxIdleMs = 10_000

/** A larger body is refused. */
const maxBodyBytes = 1024 * 1024

/** Drops a byte order mark: JSON may begin with one. */
const decoder = new TextDecoder()

/** Turns of the event loop after the deadline: each reads what has arrived before it, while this process was busy. */
const turnsAfterDeadline = 100

/** A client that follows no redirect; `prepare` changes the options of each request, for which the toolkit has handlers. */
export function createHttpClient(
  prepare: (options: RequestOptions) => void,
  options: ClientOptions = {},
): HttpClient {
  const handler = {
    prepareRequest: prepare,
    canHandleAuthentication: () => false,
    handleAuthentication: () => Promise.reject(new Error('there is no authentication')),
  }
  return new HttpClient('notarize-release', [handler], { ...options, allowRedirects: false })
}

/** Creates a transport; a request takes at most `timeoutMs`, from connecting to the last byte of the answer. */
export function createTransport(timeoutMs: number): Transport {
  const idle: Connection[] = []

  const takeConnection = (): Connection => {
    const last = idle.pop()
    if (last !== undefined && performance.now() - last.usedMs <= maxIdleMs) return last
    last?.close()
    return new Connection(timeoutMs)
  }
  return {
    send: async (request, signal) => {
      const connection = takeConnection()
      const reply = await connection.send(request, signal)
      if (reply.kind === 'answer') idle.push(connection)
      else connection.close()
      return reply
    },
    close: () => {
      for (const connection of idle.splice(0)) connection.close()
    },
  }
}

/** A client of its own for each connection, so that the one request it makes at a time can be aborted. */
class Connection {
  /** End of the last request, on the monotonic clock. */
  usedMs = 0
  readonly #client: HttpClient
  readonly #timeoutMs: number
  readonly #abort = new AbortController()

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
    const prepare = (options: RequestOptions): void => {
      options.signal = this.#abort.signal
      // Node takes an IPv6 address without the brackets that it has in a URL.
      options.host = options.host?.replace(/^\[|\]$/g, '')
    }
    // The deadline of a request comes before the timeout of its socket.
    const socketTimeout = timeoutMs + 60_000
    this.#client = createHttpClient(prepare, { keepAlive: true, maxSockets: 1, socketTimeout })
  }

  /** Makes one request, until its deadline or until `signal` aborts; then the connection must be closed. */
  async send(request: HttpRequest, signal: AbortSignal): Promise<Reply> {
    // Without waiting for the request: one without a socket, as behind a silent proxy, reports no abort.
    const ended = Promise.withResolvers<Reply>()
    const end = (cause: NoAnswer['cause'], reason: string): void => {
      ended.resolve({ kind: 'no-answer', reason, wasSent: true, cause })
    }
    const onAbort = (): void => {
      end('ended', 'the run ended the request')
    }
    const onDeadline = async (): Promise<void> => {
      for (let turn = 0; turn < turnsAfterDeadline; turn++) await setImmediate()
      end('connection', `no complete answer within ${this.#timeoutMs / 1000} s`)
    }
    const timer = setTimeout(() => void onDeadline(), this.#timeoutMs)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    const reply = await Promise.race([this.#exchange(request).catch(classify), ended.promise])
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    this.usedMs = performance.now()
    return reply
  }

  /** Ends the request that is under way, and the connection. */
  close(): void {
    this.#abort.abort()
    this.#client.dispose()
  }

  async #exchange({ url, body, token }: HttpRequest): Promise<Reply> {
    const headers: OutgoingHttpHeaders = {
      accept: 'application/json',
      'accept-encoding': 'identity',
    }
    const method = body === null ? 'GET' : 'POST'
    if (body !== null) headers['content-type'] = 'application/json'
    if (token !== null) headers.authorization = `Bearer ${token}`
    const { message } = await this.#client.request(method, url.href, body, headers)
    const bytes = await readBody(message)
    const packed = message.headers['content-encoding']
    return {
      kind: 'answer',
      status: message.statusCode ?? 0,
      retryAfter: message.headers['retry-after'] ?? null,
      date: message.headers.date ?? null,
      body: bytes === null ? null : decoder.decode(unpack(bytes, packed)),
    }
  }
}

/** The body; null if it is too large. Not `readBody()` of the toolkit: it never settles when the connection dies. */
async function readBody(message: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  const stream: AsyncIterable<Buffer> = message
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) return null
    chunks.push(chunk)
  }
  if (!message.complete) throw new Error('the connection was closed within the answer')
  return Buffer.concat(chunks)
}

/** Unpacks a body that is packed although that was not asked for, as it may be paid; what cannot be unpacked stays. */
function unpack(body: Buffer, encoding: string | undefined): Buffer {
  const limit = { maxOutputLength: maxBodyBytes }
  try {
    if (encoding === 'gzip' || encoding === 'deflate') return unzipSync(body, limit)
    if (encoding === 'br') return brotliDecompressSync(body, limit)
  } catch {
    // Parsing it says that it cannot be understood.
  }
  return body
}

function classify(error: unknown): Reply {
  const code = errorCode(error) ?? ''
  // A head that ends too early is a lost connection.
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') {
    return { kind: 'answer', status: 0, retryAfter: null, date: null, body: '' }
  }
  const wasSent = !isUnconnected(error)
  const cause = certificateErrors.has(code) ? 'untrusted' : 'connection'
  return { kind: 'no-answer', reason: describeError(error), wasSent, cause }
}

/** Whether an error proves that there was no connection: all its inner errors must do so. */
function isUnconnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(isUnconnected)
  }
  if (error.cause !== undefined) return isUnconnected(error.cause)
  if (certificateErrors.has(errorCode(error) ?? '')) return true
  return 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo')
}

/** The codes of Node for a certificate that is not trusted, and for a name that it does not have. */
const certificateErrors: ReadonlySet<string> = new Set(
  `
  CERT_CHAIN_TOO_LONG CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REJECTED CERT_REVOKED CERT_SIGNATURE_FAILURE
  CERT_UNTRUSTED CRL_HAS_EXPIRED CRL_NOT_YET_VALID CRL_SIGNATURE_FAILURE DEPTH_ZERO_SELF_SIGNED_CERT
  ERROR_IN_CERT_NOT_AFTER_FIELD ERROR_IN_CERT_NOT_BEFORE_FIELD ERROR_IN_CRL_LAST_UPDATE_FIELD
  ERROR_IN_CRL_NEXT_UPDATE_FIELD ERR_TLS_CERT_ALTNAME_FORMAT ERR_TLS_CERT_ALTNAME_INVALID HOSTNAME_MISMATCH
  INVALID_CA INVALID_PURPOSE PATH_LENGTH_EXCEEDED SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY
  UNABLE_TO_DECRYPT_CERT_SIGNATURE UNABLE_TO_DECRYPT_CRL_SIGNATURE UNABLE_TO_GET_CRL UNABLE_TO_GET_ISSUER_CERT
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE
  `
    .trim()
    .split(/\s+/),
)
