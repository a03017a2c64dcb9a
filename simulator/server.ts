import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Fault } from './faults.ts'
import type { AnyFields } from './resources.ts'
import { refuse, Service, type Reply, type SeenRequest, type ServiceRules } from './service.ts'

/** Options of a simulator; `service.ts` has the defaults of the rules. */
export interface SimulatorOptions extends Partial<ServiceRules> {
  /** Port on 127.0.0.1; by default a free one. */
  readonly port?: number
  /** PEM texts, which enable HTTPS. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Selects the fault of a request, if any. */
  readonly faults?: (request: SeenRequest) => Fault | undefined
  /** Delay between reading a request and processing it. */
  readonly latencyMs?: (request: SeenRequest) => number
  /** Called for each request that was answered or whose connection closed. */
  readonly onFinished?: (request: SeenRequest) => void
}

/** A running simulator. Collections and numbers are updated live. */
export interface Simulator extends Pick<Service, 'registered' | 'completionCounts' | 'tokens'> {
  /** The base URL with the prefix, without a trailing slash. */
  readonly url: string
  /** All requests, in order of arrival. */
  readonly requests: readonly SeenRequest[]
  /** Maximum number of open connections. */
  readonly maxConnections: number
  /** Stops, and breaks all open connections. Can be called again. */
  readonly close: () => Promise<void>
}

/** Starts a notarization service in memory on 127.0.0.1 (docs/service.md). */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, tls, prefix = '' } = options
  const service = new Service(options)
  const requests: SeenRequest[] = []
  const sockets = new Set<Socket>()
  let maxConnections = 0
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    void serve(request, response, { options, service, requests })
  }
  const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener)
  // Long, so that no idle connection closes at the moment when a client reuses it.
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket: Socket) => {
    maxConnections = Math.max(maxConnections, sockets.add(socket).size)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  const address = server.address()
  const boundPort = typeof address === 'object' && address !== null ? address.port : port
  const { registered, completionCounts, tokens } = service
  const stop = async (): Promise<void> => {
    const ended = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await ended
  }
  let closed: Promise<void> | undefined
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${boundPort}${prefix}`,
    requests,
    registered,
    completionCounts,
    tokens,
    get maxConnections() {
      return maxConnections
    },
    close: () => (closed ??= stop()),
  }
}

interface Context {
  readonly options: SimulatorOptions
  readonly service: Service
  readonly requests: SeenRequest[]
}

/** Reads a request, and answers it. */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { options, service, requests }: Context,
): Promise<void> {
  const { method = '', url: path = '', headers, socket } = request
  const { endpoint, parameter } = service.locate(path)
  const hash = endpoint === 'completion' ? parameter : undefined
  const nthOfEndpoint = requests.filter(earlier => earlier.endpoint === endpoint).length + 1
  const seen: SeenRequest = { endpoint, method, path, headers, hash, nthOfEndpoint, bodyText: '' }
  requests.push(seen)
  response.once('close', () => options.onFinished?.(seen))
  const send = ({ status, headers, body }: Reply, isCut = false): void => {
    if (!response.destroyed && !isCut) seen.answeredStatus = status
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
    if (isCut) response.write(body.slice(0, body.length / 2), () => socket.destroy())
    else response.end(body)
  }
  try {
    seen.bodyText = (await buffer(request)).toString()
    const fault = options.faults?.(seen)
    const waitMs = options.latencyMs?.(seen) ?? 0
    if (waitMs > 0) await delay(waitMs, undefined, { ref: false })
    if (fault?.kind === 'answer') {
      send(fault)
      return
    }
    const reply = service.answer(seen)
    if (fault?.kind === 'reset') socket.destroy()
    else if (fault?.kind === 'change') send(changeFields(reply, fault.fields))
    else send(reply, fault?.kind === 'cut')
  } catch (error) {
    // A client that disconnects is not a failure; anything else is a bug in the test, which its client sees.
    if (response.destroyed || (request.destroyed && !request.complete)) return
    if (response.headersSent) response.destroy()
    else send(refuse(500, `simulator: ${String(error)}`))
  }
}

/** Changes fields of a good answer. */
function changeFields(reply: Reply, fields: AnyFields): Reply {
  const honest = z.record(z.string(), z.unknown()).parse(JSON.parse(reply.body))
  return reply.status === 200 ? { ...reply, body: JSON.stringify({ ...honest, ...fields }) } : reply
}
