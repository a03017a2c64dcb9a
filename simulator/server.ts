import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { Fault } from './faults.ts'
import { refuse, Service, type Reply, type ServiceRules } from './service.ts'
import type { AnyFields } from './resources.ts'
import { Traffic, type SeenRequest } from './traffic.ts'

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
export interface Simulator {
  /** The base URL with the prefix, without a trailing slash. */
  readonly url: string
  /** All requests, in order of arrival. */
  readonly requests: readonly SeenRequest[]
  /** Records by hash, in order of registration. */
  readonly registered: ReadonlyMap<string, AnyFields>
  /** Number of processed completions by hash, with any answer. */
  readonly completionCounts: ReadonlyMap<string, number>
  /** All issued tokens, in order. */
  readonly tokens: readonly string[]
  /** Maximum number of completions in flight. */
  readonly maxInFlight: number
  /** Maximum number of open connections. */
  readonly maxConnections: number
  /** Stops, and breaks all open connections. Can be called again. */
  readonly close: () => Promise<void>
}

/** Starts a notarization service in memory on 127.0.0.1 (docs/service.md). */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, tls, prefix = '' } = options
  const service = new Service(options)
  const traffic = new Traffic()
  const context = { options, service, traffic }
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    void serve(request, response, context)
  }
  const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener)
  // Long, so that no idle connection closes at the moment when a client reuses it.
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket: Socket) => {
    traffic.connect(socket)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  const address = server.address()
  const boundPort = typeof address === 'object' && address !== null ? address.port : port
  const { registered, completionCounts, tokens } = service
  const stop = async (): Promise<void> => {
    const ended = once(server, 'close')
    server.close()
    for (const socket of traffic.sockets) socket.destroy()
    await ended
  }
  let closed: Promise<void> | undefined
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${boundPort}${prefix}`,
    requests: traffic.requests,
    registered,
    completionCounts,
    tokens,
    get maxInFlight() {
      return traffic.maxInFlight
    },
    get maxConnections() {
      return traffic.maxConnections
    },
    close: () => (closed ??= stop()),
  }
}

interface Context {
  readonly options: SimulatorOptions
  readonly service: Service
  readonly traffic: Traffic
}

/** Reads a request, and answers it. */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { options, service, traffic }: Context,
): Promise<void> {
  const { method = '', url: path = '', headers, socket } = request
  const { endpoint, parameter } = service.locate(path)
  const hash = endpoint === 'completion' ? parameter : undefined
  const seen = traffic.see({ endpoint, method, path, headers, hash })
  response.once('close', () => {
    traffic.completions.delete(seen)
    options.onFinished?.(seen)
  })
  const send = ({ status, headers, body }: Reply): void => {
    if (!response.destroyed) seen.answeredStatus = status
    // Before the answer: a client that continues at once must not count twice.
    traffic.completions.delete(seen)
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
    response.end(body)
  }
  try {
    seen.bodyText = (await buffer(request)).toString()
    const fault = options.faults?.(seen)
    const waitMs = options.latencyMs?.(seen) ?? 0
    if (waitMs > 0) await delay(waitMs, undefined, { ref: false })
    if (fault?.kind === 'answer') send(fault)
    else {
      const reply = service.answer(seen)
      if (fault?.kind === 'reset') socket.destroy()
      else send(reply)
    }
  } catch (error) {
    // A client that disconnects is not a failure; anything else is a bug in the test, which its client sees.
    if (response.destroyed || (request.destroyed && !request.complete)) return
    if (response.headersSent) response.destroy()
    else send(refuse(500, `simulator: ${String(error)}`))
  }
}
