import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { perform, send } from './answer.ts'
import type { Exchange } from './answer.ts'
import { chooseFault } from './faults.ts'
import { Memory } from './memory.ts'
import { jsonReply } from './operations.ts'
import type { Simulator, SimulatorOptions } from './options.ts'
import { answerCall, locate, readHash } from './routes.ts'
import { Traffic } from './traffic.ts'

interface Context {
  readonly options: SimulatorOptions
  readonly memory: Memory
  readonly traffic: Traffic
  /** Aborts when the simulator is closed. */
  readonly closing: AbortSignal
}

/** Starts a notarization service in memory on 127.0.0.1 (docs/service.md). */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, tls } = options
  const memory = new Memory(options)
  const traffic = new Traffic()
  const closing = new AbortController()
  const context = { options, memory, traffic, closing: closing.signal }
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    void serve(request, response, context)
  }
  const server = tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener)
  // Long, so that no idle connection closes at the moment when a client reuses it.
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket: Socket) => {
    traffic.connect(socket)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  const address = server.address()
  const boundPort = typeof address === 'object' && address !== null ? address.port : port
  const { registered, completionCounts, tokens } = memory
  let closed: Promise<void> | undefined
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${boundPort}${memory.rules.prefix}`,
    requests: traffic.requests,
    registered,
    completionCounts,
    tokens,
    get inFlight() {
      return traffic.completions.size
    },
    get maxInFlight() {
      return traffic.maxInFlight
    },
    get maxConnections() {
      return traffic.maxConnections
    },
    close: () => (closed ??= stop(server, traffic, closing)),
  }
}

async function stop(server: Server, traffic: Traffic, closing: AbortController): Promise<void> {
  closing.abort()
  const sockets = [...traffic.sockets]
  const closings = [server, ...sockets].map(emitter => once(emitter, 'close'))
  server.close()
  for (const socket of sockets) socket.destroy()
  await Promise.allSettled(closings)
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  const { options, closing } = context
  const { faults = [], latencyMs = 0 } = options
  const exchange = openExchange(request, response, context)
  const { seen } = exchange
  try {
    seen.bodyText = (await buffer(request)).toString()
    const hash = seen.endpoint === 'request' ? readHash(seen.bodyText) : undefined
    if (hash !== undefined) context.traffic.nameHash(seen, hash)
    const fault = chooseFault(faults, seen)
    const waitMs = typeof latencyMs === 'number' ? latencyMs : latencyMs(seen)
    if (waitMs > 0) await delay(waitMs, undefined, { signal: closing })
    if (fault === undefined) send(exchange, exchange.carryOut())
    else perform(fault, exchange)
  } catch (error) {
    // A client that disconnects is not a failure; anything else is a bug in the test, which its client sees.
    if (closing.aborted || response.destroyed || (request.destroyed && !request.complete)) return
    if (response.headersSent) response.destroy()
    else send(exchange, jsonReply(500, { error: `simulator: ${String(error)}` }))
  }
}

function openExchange(
  { method = '', url: path = '', headers, socket }: IncomingMessage,
  response: ServerResponse,
  { memory, traffic, options: { nowMs = Date.now, onFinished } }: Context,
): Exchange {
  const { endpoint, parameter } = locate(memory.rules.prefix, path)
  const seen = traffic.see({ endpoint, method, path, headers, at: nowMs() })
  if (endpoint === 'completion') traffic.nameHash(seen, parameter)
  response.once('close', () => {
    traffic.completions.delete(seen)
    onFinished?.(seen)
  })
  return {
    seen,
    socket,
    response,
    carryOut: () => {
      const reply = answerCall(memory, seen, nowMs())
      if (reply.status === 200) seen.isAccepted = true
      return reply
    },
    leave: () => void traffic.completions.delete(seen),
  }
}
