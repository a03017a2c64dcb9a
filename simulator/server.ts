import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { perform, reset, send } from './answer.ts'
import type { Exchange } from './answer.ts'
import { chooseFault } from './faults.ts'
import { createMemory } from './memory.ts'
import type { Memory } from './memory.ts'
import { jsonReply } from './operations.ts'
import type { Simulator, SimulatorOptions } from './options.ts'
import { answerCall, locate, readHash } from './routes.ts'
import { Traffic } from './traffic.ts'

type Context = {
  readonly options: SimulatorOptions
  readonly memory: Memory
  readonly traffic: Traffic
  /** Aborts when the simulator is closed. */
  readonly closing: AbortSignal
}

/** Starts a notarization service in memory that listens on 127.0.0.1 (service-api.md). */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, tls, requested = [] } = options
  const memory = createMemory(options, requested)
  const traffic = new Traffic()
  const { sockets, completions, requests } = traffic
  const closing = new AbortController()
  const context = { options, memory, traffic, closing: closing.signal }

  const server = createServer(tls, (request, response) => {
    void serve(openExchange(context, request, response), request, context)
  })
  server.on('connection', socket => {
    sockets.enter(socket)
    socket.once('close', () => {
      sockets.leave(socket)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  const address = server.address()
  const boundPort = typeof address === 'object' && address !== null ? address.port : port
  const { registered, requestCounts, completionCounts, tokens } = memory
  let closed: Promise<void> | undefined
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${boundPort}${memory.rules.prefix}`,
    ...{ requests, registered, requestCounts, completionCounts, tokens },
    get inFlight() {
      return completions.present.size
    },
    get maxInFlight() {
      return completions.max
    },
    get maxConnections() {
      return sockets.max
    },
    request: hash => {
      memory.requested.add(hash)
    },
    revokeTokens: () => {
      memory.validTokens.clear()
    },
    close: () => (closed ??= stop(server, traffic, closing)),
  }
}

function createServer(tls: SimulatorOptions['tls'], listener: RequestListener): Server {
  // Long: an idle connection that closes while a client takes it again would be a fault nobody asked for.
  const settings = { keepAliveTimeout: 60_000 }
  return tls === undefined
    ? createHttpServer(settings, listener)
    : createHttpsServer({ ...settings, ...tls }, listener)
}

async function stop(server: Server, traffic: Traffic, closing: AbortController): Promise<void> {
  closing.abort()
  const sockets = [...traffic.sockets.present]
  const closings = [server, ...sockets].map(emitter => once(emitter, 'close'))
  server.close()
  for (const socket of sockets) socket.destroy()
  await Promise.allSettled(closings)
}

function openExchange(
  { memory, traffic, options }: Context,
  request: IncomingMessage,
  response: ServerResponse,
): Exchange {
  const { nowMs = Date.now, onFinished } = options
  const { method = '', url: path = '', headers, socket } = request
  const { endpoint, parameter } = locate(memory.rules.prefix, path)
  const seen = traffic.see({ endpoint, method, path, headers, at: nowMs() })
  if (endpoint === 'completion') traffic.nameHash(seen, parameter)

  const controller = new AbortController()
  const leave = (): void => {
    traffic.completions.leave(seen)
  }
  response.once('finish', () => {
    seen.isAnswered = true
  })
  response.once('close', () => {
    leave()
    controller.abort()
    onFinished?.(seen)
  })
  const carryOut = () => {
    const reply = answerCall(memory, { ...seen, nowMs: nowMs() })
    if (reply.status === 200) seen.isAccepted = true
    return reply
  }
  return { seen, socket, response, signal: controller.signal, carryOut, leave }
}

async function serve(
  exchange: Exchange,
  request: IncomingMessage,
  { options, traffic, closing }: Context,
): Promise<void> {
  const { seen, signal, response } = exchange
  const { faults = [], latencyMs = 0 } = options
  const readBody = async (): Promise<void> => {
    seen.bodyText = (await buffer(request)).toString()
  }
  try {
    if (seen.endpoint === 'request') {
      await readBody()
      const hash = readHash(seen.bodyText)
      if (hash !== undefined) traffic.nameHash(seen, hash)
    }
    const fault = chooseFault(faults, seen)
    if (fault?.kind === 'reset' && fault.at === 'connect-accepted') {
      reset(exchange)
      return
    }
    if (seen.endpoint !== 'request') await readBody()
    const waitMs = typeof latencyMs === 'number' ? latencyMs : latencyMs(seen)
    // A client that leaves meanwhile changes nothing: the service has its request.
    if (waitMs > 0) await delay(waitMs, undefined, { signal: closing })
    if (fault === undefined) send(exchange, exchange.carryOut())
    else await perform(fault, exchange)
  } catch (error) {
    // A client that went away is no failure; anything else is a mistake of the test, which its client gets.
    if (closing.aborted || signal.aborted || (request.destroyed && !request.complete)) return
    if (response.headersSent) response.destroy()
    else send(exchange, jsonReply(500, { error: `simulator: ${String(error)}` }))
  }
}
