import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/** One request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  /** JSON; null for none. */
  readonly body: string | null
  /** Goes out as `Authorization`; null for none. */
  readonly token: string | null
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
      /** Whether the run ended it. */
      readonly isAborted: boolean
      /** Whether the name of the host is not known at all. */
      readonly isUnknownHost: boolean
    }
  | { readonly kind: 'untrusted'; readonly reason: string }

/** A larger body is refused. */
export const maxBodyBytes = 1024 * 1024

// One for all answers: it is costly to make, and keeps nothing of a text.
const decoder = new TextDecoder()

/** Bytes that never end, as interim answers that a server repeats, are read for so long after the deadline. */
const maxOverdueMs = 1_000

const cutShort = new Error('the answer was cut')

/** One request on its way, and what is known of it should it fail. */
export class Exchange {
  wasSent = false
  isLate = false
  isOver = false
  readonly #request: ClientRequest
  readonly #reply = Promise.withResolvers<Reply>()

  constructor({ method, url, body, token }: HttpRequest, agent: http.Agent, sockets: Set<Socket>) {
    const { resolve, reject } = this.#reply
    const headers = {
      ...{ accept: 'application/json', 'user-agent': 'notarize-release' },
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    }
    this.#request = moduleOf(url).request(url, { method, headers, agent })
    let hasBegun = false
    this.#request.once('response', message => {
      hasBegun = true
      this.#read(message)
    })
    this.#request.once('upgrade', message => {
      // It has no body, but a connection that stays open.
      message.destroy()
      resolve({ kind: 'answer', status: 101, retryAfter: null, body: '' })
    })
    this.#request.on('error', error => {
      // Later it is for the answer to say whether it came whole.
      if (!hasBegun) reject(error)
    })
    this.#request.once('socket', socket => {
      this.#watch(socket, sockets)
    })
    this.#request.end(body ?? undefined)
  }

  /** Rejects if the answer does not come, or not whole. */
  get reply(): Promise<Reply> {
    return this.#reply.promise
  }

  /** Ends the request, whatever has come. */
  end(): void {
    // Of a request that has no socket yet, as behind a silent proxy, Node reports no end.
    this.#reply.reject(cutShort)
    this.#request.destroy()
  }

  /**
   * The deadline has passed. What has arrived before is read first: after a pause of the machine the timer comes before
   * bytes that lie there for long.
   */
  expire(sinceMs = performance.now()): void {
    const seen = this.#bytesRead()
    // One turn reads what the system has; a turn without a byte ends it.
    setImmediate(() => {
      setImmediate(() => {
        if (this.isOver) return
        if (this.#bytesRead() > seen && performance.now() - sinceMs < maxOverdueMs) {
          this.expire(sinceMs)
          return
        }
        this.isLate = true
        this.end()
      })
    })
  }

  /** Not readBody() of the toolkit: it never settles when the connection dies. */
  #read(message: IncomingMessage): void {
    const { resolve, reject } = this.#reply
    const status = message.statusCode ?? 0
    const retryAfter = message.headers['retry-after'] ?? null
    const chunks: Buffer[] = []
    let bytes = 0
    message.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes <= maxBodyBytes) return
      resolve({ kind: 'too-large', status })
      message.destroy()
    })
    message.once('end', () => {
      const body = decoder.decode(Buffer.concat(chunks))
      if (message.complete) resolve({ kind: 'answer', status, retryAfter, body })
    })
    message.on('error', () => undefined)
    message.once('close', () => {
      reject(cutShort)
    })
  }

  #bytesRead(): number {
    return this.#request.socket?.bytesRead ?? 0
  }

  /** Notes the moment from which the body may leave through the socket: at once if it served before. */
  #watch(socket: Socket, sockets: Set<Socket>): void {
    const onReady = (): void => {
      this.wasSent = true
    }
    const isTls = socket instanceof TLSSocket
    const isShaking = isTls && !('secureConnecting' in socket && socket.secureConnecting === false)
    if (sockets.has(socket) || (socket.readyState === 'open' && !isShaking)) onReady()
    else socket.once(isTls ? 'secureConnect' : 'connect', onReady)
    if (sockets.has(socket)) return
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
}

/** The module that speaks the protocol of a URL. */
export function moduleOf({ protocol }: URL): typeof http | typeof https {
  return protocol === 'https:' ? https : http
}
