import { HttpClient } from '@actions/http-client'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { OutgoingHttpHeaders, RequestOptions } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { brotliDecompressSync, inflateRawSync, unzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import { describeError, errorCode } from '../failure.ts'
import type { HttpRequest, NoResponse, Reply, Transmit } from '../runtime/outside.ts'
import { parseHttpDate, parseRetryAfter } from './retry.ts'

const maxBodyBytes = 1024 * 1024

/** Event loop turns after the deadline, to read what arrived in time while the process was busy. */
const turnsAfterDeadline = 100

/** Where Node tells of each new request. */
const createdChannel = 'http.client.request.created'
const createdSchema = z.object({ request: z.custom<ClientRequest>() })

/** The handler of the toolkit that prepares requests. */
const preparing = {
  prepareRequest: (options: RequestOptions): void => {
    // Node expects an IPv6 address without the brackets of a URL.
    options.host = options.host?.replace(/^\[|\]$/g, '')
    const { agent } = options
    if (typeof agent !== 'object' || !('proxyOptions' in agent)) return
    // By default, the certificate of an https proxy would have to have the name of the service.
    if (agent.proxyOptions instanceof Object) Object.assign(agent.proxyOptions, { servername: '' })
  },
  canHandleAuthentication: () => false,
  handleAuthentication: () => Promise.reject(new Error()),
}

/**
 * Creates a transport. A request takes at most `timeoutMs`, from connecting to the last byte of the response. Each one has a
 * connection of its own: on a used one that the service closes meanwhile, nobody knows whether the request arrived.
 */
export function createTransport(timeoutMs: number): Transmit {
  // The timeout of a socket comes after every deadline.
  const options = { allowRedirects: false, keepAlive: false, socketTimeout: 3_600_000 }
  const within = `within ${timeoutMs / 1000} s`
  return async (request, signal) => {
    const client = new HttpClient('notarize-release', [preparing], options)
    const { promise: ended, resolve: end } = Promise.withResolvers<Reply>()
    const endSoon = async (describe: () => Reply): Promise<void> => {
      for (let turn = 0; turn < turnsAfterDeadline; turn++) await setImmediate()
      end(describe())
    }
    // That of a tunnel comes first.
    const made: ClientRequest[] = []
    const note = (message: unknown): void => {
      made.push(createdSchema.parse(message).request)
    }
    subscribe(createdChannel, note)
    const exchanged = exchange(client, request).catch(classify)
    unsubscribe(createdChannel, note)
    const onAbort = () => void endSoon(() => ({ kind: 'canceled', detail: '' }))
    const timer = setTimeout(() => void endSoon(() => describeLate(made.at(-1), within)), timeoutMs)
    signal.addEventListener('abort', onAbort)
    // A race, because a request without a socket, such as one to a silent proxy, does not report its abort.
    const reply = await Promise.race([exchanged, ended])
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    if (reply.kind !== 'response') for (const each of made) each.destroy()
    return reply
  }
}

/** Says what a request is when it is ended at its deadline. Without a connection, nothing was sent. */
function describeLate(request: ClientRequest | undefined, within: string): NoResponse {
  // A request through a proxy gets its socket when the tunnel is open.
  if (request?.socket === null)
    return { kind: 'proxy', detail: `the proxy did not connect ${within}` }
  if (request?.socket.connecting) return { kind: 'unreachable', detail: `no connection ${within}` }
  return { kind: 'lost', reason: 'timeout', detail: `no response ${within}` }
}

async function exchange(client: HttpClient, { url, body, token }: HttpRequest): Promise<Reply> {
  const json = 'application/json'
  const headers: OutgoingHttpHeaders = { accept: json, 'accept-encoding': 'identity' }
  if (body !== null) headers['content-type'] = json
  if (token !== null) headers.authorization = `Bearer ${token}`
  const method = body === null ? 'GET' : 'POST'
  const { message } = await client.request(method, url.href, body, headers)
  const { 'retry-after': retryAfter = '', date = '' } = message.headers
  // A date is relative to the clock of the service.
  const retryAfterMs = parseRetryAfter(retryAfter, parseHttpDate(date) ?? Date.now())
  const text = await readBody(message).catch(() => undefined)
  if (text === undefined) return { kind: 'lost', detail: 'a response that was cut off or damaged' }
  return { kind: 'response', status: message.statusCode ?? 0, retryAfterMs, body: text }
}

/** Reads and unpacks a body as text; null if too large. The toolkit's own `readBody()` never ends if the connection dies. */
async function readBody(message: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  const stream: AsyncIterable<Buffer> = message
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) return null
    chunks.push(chunk)
  }
  let body = Buffer.concat(chunks)
  const encoding = message.headers['content-encoding'] ?? ''
  // Some proxies in front of a service compress responses although nobody asked for it.
  if (bytes > 0 && /^\s*(?:(?:x-)?gzip|deflate|br)\s*$/i.test(encoding)) {
    let unpack = /br/i.test(encoding) ? brotliDecompressSync : unzipSync
    // Some servers send deflate without the header of zlib, whose first byte ends with 8, or with that of gzip, 0x1f.
    const hasHeader = [0x08, 0x0f].includes(body.readUInt8() & 0x0f)
    if (/deflate/i.test(encoding) && !hasHeader) unpack = inflateRawSync
    try {
      body = unpack(body, { maxOutputLength: maxBodyBytes })
    } catch (error) {
      if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') return null
      throw error
    }
  }
  // The decoder drops a byte order mark.
  return new TextDecoder().decode(body)
}

/** How an error begins if a proxy did not connect. */
const noTunnel = 'tunneling socket could not be established, '

/** Errors of the connection to a proxy, by the message of the error that the toolkit makes of each, without its code. */
const proxyErrors = new Map<string, Error>()

const requestErrorSchema = z.object({
  request: z.object({ method: z.string() }),
  error: z.instanceof(Error),
})

subscribe('http.client.request.error', message => {
  const { request, error } = requestErrorSchema.parse(message)
  if (request.method === 'CONNECT') proxyErrors.set(`${noTunnel}cause=${error.message}`, error)
})

/** Node's error codes for the certificate of a server: nothing was sent. Without a revocation list, Node has no others. */
const certificateErrors: Readonly<Record<string, NoResponse['kind']>> = {
  CERT_HAS_EXPIRED: 'certificate-expired',
  CERT_NOT_YET_VALID: 'certificate-early',
  ERR_TLS_CERT_ALTNAME_INVALID: 'not-the-service',
  CERT_SIGNATURE_FAILURE: 'certificate',
  CERT_UNTRUSTED: 'certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate',
  INVALID_CA: 'certificate',
  INVALID_PURPOSE: 'certificate',
  PATH_LENGTH_EXCEEDED: 'certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate',
}

/** Finds what the HTTP parser and OpenSSL say about the other end. */
const protocolErrors = /(?<=^Parse Error: |:SSL routines:[^:]*:)[^:]+/

/** Says what an error of a request means. */
function classify(error: unknown): NoResponse {
  if (!(error instanceof Error)) return { kind: 'lost', detail: describeError(error) }
  const ofProxy = proxyErrors.get(error.message)
  const cause = ofProxy ?? error
  const { message } = cause
  const code = errorCode(cause) ?? ''
  const certificate = certificateErrors[code]
  if (certificate !== undefined) {
    const detail = `the certificate of the ${ofProxy ? 'proxy' : 'service'} was rejected (${code})`
    const isAddress = ofProxy !== undefined && certificate === 'not-the-service'
    return isAddress ? { kind: 'proxy', reason: 'protocol', detail } : { kind: certificate, detail }
  }
  const [wrong] = protocolErrors.exec(message) ?? []
  if (message.includes('response body from proxy')) {
    return { kind: 'proxy', detail: 'the proxy responded in place of the service' }
  }
  if (wrong !== undefined) {
    const detail = `an HTTP or TLS error: ${wrong}`
    if (ofProxy === undefined) return { kind: 'lost', reason: 'protocol', detail }
    return { kind: 'proxy', reason: 'protocol', detail: `the proxy caused ${detail}` }
  }
  if (message.startsWith(noTunnel)) {
    return { kind: 'proxy', detail: `the proxy refused the connection (HTTP ${message.slice(-3)})` }
  }
  const detail = describeError(cause)
  if (ofProxy !== undefined)
    return { kind: 'proxy', detail: `the proxy did not connect: ${detail}` }
  if (isUnconnected(error)) return { kind: 'unreachable', detail }
  return { kind: 'lost', detail: `no response: ${detail}` }
}

/** Whether an error, or each of its inner errors, proves that there was no connection. */
function isUnconnected(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnconnected)
  if (!(error instanceof Error) || !('syscall' in error)) return false
  return error.syscall === 'connect' || error.syscall === 'getaddrinfo'
}
