import { HttpClient } from '@actions/http-client'
import { checkBypass } from '@actions/http-client/lib/proxy'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { TLSSocket } from 'node:tls'
import * as z from 'zod/mini'
import { Stop, type Problem } from '../stop.ts'
import { describeError, errorCode } from '../text/system-error.ts'

/** One request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/**
 * What came of one request. `wasSent`: the body may have reached the service; false only if the connection was never
 * ready (name look-up, connecting, TLS, proxy).
 */
export type Reply =
  | {
      readonly kind: 'answer'
      /** 0 for an answer that is no HTTP. */
      readonly status: number
      readonly retryAfter: string | null
      readonly body: string
    }
  | { readonly kind: 'too-large'; readonly status: number }
  | {
      readonly kind: 'lost'
      readonly wasSent: boolean
      readonly reason: string
      /** Whether the name of the host is not known at all. */
      readonly isUnknownHost: boolean
    }
  | { readonly kind: 'untrusted'; readonly reason: string }
  | { readonly kind: 'aborted'; readonly wasSent: boolean }

/** How requests are made. */
export interface TransportOptions {
  /** For one request, from connecting to the last byte. */
  readonly timeoutMs: number
  readonly maxConnections: number
}

/** Makes requests over kept-alive connections; honours `https_proxy` and `no_proxy`; follows no redirect. */
export interface Transport {
  /** Never rejects. Aborts when `signal` does. */
  readonly send: (request: HttpRequest, signal: AbortSignal) => Promise<Reply>
  /** Ends all connections. */
  readonly close: () => void
}

/**
 * Throws a `Stop` if a call to the URL would go through a proxy that cannot be used; the toolkit would go around some of
 * them. `problems`: by the protocol of the URL.
 */
export function checkProxy(url: string, problems: ReadonlyMap<string, Problem>): void {
  const parsed = new URL(url)
  const problem = problems.get(parsed.protocol)
  if (problem !== undefined && !checkBypass(parsed)) throw new Stop(problem)
}

/** A larger body is refused. */
export const maxBodyBytes = 1024 * 1024

/** See {@link Transport}. `@actions/http-client` gives the agent: proxy, keep-alive, TLS. */
export function createTransport({ timeoutMs, maxConnections }: TransportOptions): Transport {
  const client = new HttpClient('notarize-release', [], {
    keepAlive: true,
    maxSockets: maxConnections,
    // Counts idle time only; the deadline of each request is shorter.
    socketTimeout: timeoutMs + 1000,
  })
  const sockets = new Set<Socket>()

  const send = async (request: HttpRequest, signal: AbortSignal): Promise<Reply> => {
    const exchange = new Exchange()
    const stop = (): void => {
      exchange.end.abort()
    }
    const timer = setTimeout(() => {
      exchange.expire()
    }, timeoutMs)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    try {
      return await readAnswer(await exchange.start(request, client, sockets), exchange.end.signal)
    } catch (error) {
      const { wasSent } = exchange
      if (signal.aborted) return { kind: 'aborted', wasSent }
      const lost = { kind: 'lost', wasSent, isUnknownHost: false } as const
      if (exchange.isLate) {
        return { ...lost, reason: `no complete answer within ${timeoutMs / 1000} s` }
      }
      const code = errorCode(error)
      if (!wasSent && code !== null && certificateErrors.test(code))
        return { kind: 'untrusted', reason: code }
      if (code?.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') return garbled
      return { ...lost, isUnknownHost: code === 'ENOTFOUND', reason: describeError(error) }
    } finally {
      exchange.isOver = true
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  const close = (): void => {
    client.dispose()
    for (const socket of sockets) socket.destroy()
  }
  return { send, close }
}

/** An answer that is no HTTP. */
const garbled: Reply = { kind: 'answer', status: 0, retryAfter: null, body: '' }

const bytesSchema = z.instanceof(Buffer)

// One for all answers: it is costly to make, and keeps nothing of a text.
const decoder = new TextDecoder()

// The codes of Node for certificates (X509_V_ERR_*) and for a name that is not in the certificate.
const certificateErrors =
  /^(CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|ERROR_IN_CERT_|ERROR_IN_CRL_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|ERR_TLS_CERT_)/

/** Bytes that never end, as interim answers that a server repeats, are read for so long after the deadline. */
const maxOverdueMs = 1_000

const readySockets = new WeakSet<Socket>()

/** One request on its way, and what is known of it should it fail. */
class Exchange {
  /** Own, ended with the request: AbortSignal.any and its like would hold all of it until the deadline. */
  readonly end = new AbortController()
  wasSent = false
  isLate = false
  isOver = false
  #socket: Socket | null = null

  /**
   * The deadline has passed. What has arrived before is read first: after a pause of the machine the timer comes before
   * bytes that lie there for long.
   */
  expire(sinceMs = performance.now()): void {
    const seen = this.#socket?.bytesRead ?? 0
    // One turn reads what the system has; a turn without a byte ends it.
    setImmediate(() => {
      setImmediate(() => {
        if (this.isOver) return
        const hasMore = (this.#socket?.bytesRead ?? 0) > seen
        if (hasMore && performance.now() - sinceMs < maxOverdueMs) {
          this.expire(sinceMs)
          return
        }
        this.isLate = true
        this.end.abort()
      })
    })
  }

  async start(
    { method, url, headers, body }: HttpRequest,
    client: HttpClient,
    sockets: Set<Socket>,
  ): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    // Of a request that has no socket yet, as behind a silent proxy, Node reports no end.
    this.end.signal.addEventListener('abort', () => {
      reject(new Error('aborted'))
    })
    const { request } = url.protocol === 'https:' ? https : http
    const made: ClientRequest = request(url, {
      method,
      headers: { ...headers, 'user-agent': 'notarize-release' },
      agent: client.getAgent(url.href),
      signal: this.end.signal,
    })
    made.once('response', resolve)
    made.once('upgrade', resolve)
    made.once('error', reject)
    made.once('close', () => {
      reject(new Error('the connection was closed'))
    })
    made.on('socket', socket => {
      this.#socket = socket
      if (!sockets.has(socket)) socket.once('close', () => sockets.delete(socket))
      sockets.add(socket)
      this.#watch(socket)
    })
    made.end(body ?? undefined)
    return promise
  }

  /** Notes the moment from which the body may leave through the socket. */
  #watch(socket: Socket): void {
    if (readySockets.has(socket)) {
      this.wasSent = true
      return
    }
    const onReady = (): void => {
      readySockets.add(socket)
      this.wasSent = true
    }
    const isTls = socket instanceof TLSSocket
    const isShaking = isTls && !('secureConnecting' in socket && socket.secureConnecting === false)
    if (socket.readyState === 'open' && !isShaking) onReady()
    else socket.once(isTls ? 'secureConnect' : 'connect', onReady)
  }
}

async function readAnswer(message: IncomingMessage, signal: AbortSignal): Promise<Reply> {
  const status = message.statusCode ?? 0
  if (status === 101) {
    // An upgrade has no body, but a connection that stays open.
    message.destroy()
    return { kind: 'answer', status, retryAfter: null, body: '' }
  }
  addAbortSignal(signal, message)
  const chunks: Buffer[] = []
  let bytes = 0
  // Not readBody() of the client: it never settles when the connection dies.
  for await (const chunk of message) {
    const part = bytesSchema.parse(chunk)
    bytes += part.length
    if (bytes > maxBodyBytes) return { kind: 'too-large', status }
    chunks.push(part)
  }
  if (!message.complete) throw new Error('the answer was cut')
  const retryAfter = message.headers['retry-after'] ?? null
  const body = decoder.decode(Buffer.concat(chunks))
  return { kind: 'answer', status, retryAfter, body }
}
