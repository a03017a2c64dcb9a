import { HttpClient } from '@actions/http-client'
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { TLSSocket } from 'node:tls'
import * as z from 'zod/mini'
import { describeError, errorCode } from '../../errors.ts'

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
      readonly status: number
      readonly retryAfter: string | null
      readonly body: string
    }
  | { readonly kind: 'too-large'; readonly status: number }
  | { readonly kind: 'lost'; readonly wasSent: boolean; readonly reason: string }
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

/** A larger body is refused. */
export const maxBodyBytes = 1024 * 1024

/** See {@link Transport}. */
export function createTransport({ timeoutMs, maxConnections }: TransportOptions): Transport {
  const client = new HttpClient('notarize-release', [], {
    allowRedirects: false,
    keepAlive: true,
    maxSockets: maxConnections,
    // Counts idle time only; the deadline of each request is shorter.
    socketTimeout: timeoutMs + 1000,
  })
  const sockets = new Set<Socket>()
  const readySockets = new WeakSet<Socket>()

  const send = async (request: HttpRequest, signal: AbortSignal): Promise<Reply> => {
    // Own signal and timer, ended with the request: those of AbortSignal would hold all of it until the deadline.
    const controller = new AbortController()
    const state = { isLate: false }
    const end = controller.signal
    const stop = (): void => {
      controller.abort()
    }
    const timer = setTimeout(() => {
      state.isLate = true
      stop()
    }, timeoutMs)
    signal.addEventListener('abort', stop)
    const progress = { wasSent: false }
    const broken = Promise.withResolvers<IncomingMessage>()
    // Of a request that has no socket yet, as behind a silent proxy, Node tells no end.
    end.addEventListener('abort', () => {
      broken.reject(new Error('aborted'))
    })
    if (signal.aborted) stop()
    const watch = (made: ClientRequest): ClientRequest => {
      made.once('upgrade', broken.resolve)
      made.once('close', () => {
        broken.reject(new Error('the connection was closed'))
      })
      return made.on('socket', socket => {
        if (!sockets.has(socket)) socket.once('close', () => sockets.delete(socket))
        sockets.add(socket)
        watchReadiness(socket, readySockets, () => (progress.wasSent = true))
      })
    }
    try {
      const started = startRequest({ client, request, watch, signal: end })
      const message = await Promise.race([started, broken.promise])
      return await readAnswer(message, end)
    } catch (error) {
      const { wasSent } = progress
      if (signal.aborted) return { kind: 'aborted', wasSent }
      if (state.isLate) {
        return { kind: 'lost', wasSent, reason: `no complete answer within ${timeoutMs / 1000} s` }
      }
      const code = errorCode(error)
      if (!wasSent && code !== null && certificateErrors.test(code))
        return { kind: 'untrusted', reason: code }
      if (code?.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') return garbled
      return { kind: 'lost', wasSent, reason: describeError(error) }
    } finally {
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

// The codes of Node for certificates (X509_V_ERR_*) and for a name that is not in the certificate.
const certificateErrors =
  /^(CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|ERROR_IN_CERT_|ERROR_IN_CRL_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|ERR_TLS_CERT_)/

interface Start {
  readonly client: HttpClient
  readonly request: HttpRequest
  readonly watch: (made: ClientRequest) => ClientRequest
  readonly signal: AbortSignal
}

async function startRequest({ client, request, watch, signal }: Start): Promise<IncomingMessage> {
  const { method, url, headers, body } = request
  const isSecure = url.protocol === 'https:'
  const options: RequestOptions = {
    method,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
    headers: { ...headers, 'user-agent': 'notarize-release' },
    agent: client.getAgent(url.href),
    signal,
  }
  const module = isSecure ? https : http
  type OnAnswer = (message: IncomingMessage) => void
  // The client calls this with `options` and a callback; the other form of `request` is there for its type.
  const start = (_: unknown, onAnswer?: RequestOptions | OnAnswer): ClientRequest =>
    watch(module.request(options, typeof onAnswer === 'function' ? onAnswer : undefined))
  const httpModule = { ...module, request: start }
  const { message } = await client.requestRaw({ options, parsedUrl: url, httpModule }, body)
  return message
}

/** Calls `onReady` as soon as the body may leave through this socket. */
function watchReadiness(socket: Socket, ready: WeakSet<Socket>, onReady: () => void): void {
  const isTls = socket instanceof TLSSocket
  const isShaking = isTls && !('secureConnecting' in socket && socket.secureConnecting === false)
  if (ready.has(socket) || (!socket.connecting && !isShaking)) {
    onReady()
    return
  }
  socket.once(isTls ? 'secureConnect' : 'connect', () => {
    ready.add(socket)
    onReady()
  })
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
  if (!message.complete) return { kind: 'lost', wasSent: true, reason: 'the answer was cut' }
  const retryAfter = message.headers['retry-after'] ?? null
  return {
    kind: 'answer',
    status,
    retryAfter,
    body: new TextDecoder().decode(Buffer.concat(chunks)),
  }
}
