import { randomBytes } from 'node:crypto'
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
import type { ServiceRules } from './operations.ts'
import type { Simulator, SimulatorOptions } from './options.ts'
import { jsonReply } from './reply.ts'
import { DEFAULT_API_KEY } from './resources.ts'
import { decide, locate, readHash } from './routes.ts'
import { createTraffic } from './traffic.ts'
import type { Traffic } from './traffic.ts'

type Context = {
  readonly options: SimulatorOptions
  readonly memory: Memory
  readonly traffic: Traffic
  readonly nowMs: () => number
  /** Aborts when the simulator is closed. */
  readonly closing: AbortSignal
}

/** Starts a notarization service in memory that listens on 127.0.0.1 (service-api.md). */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, tls, requested = [], nowMs = Date.now } = options
  const rules = rulesOf(options)
  const memory = createMemory(rules, requested)
  const traffic = createTraffic()
  const closing = new AbortController()
  const context = { options, memory, traffic, nowMs, closing: closing.signal }

  const server = createServer(tls, (request, response) => {
    void serve(openExchange(context, request, response), request, context)
  })
  server.on('connection', socket => {
    traffic.sockets.enter(socket)
    socket.once('close', () => {
      traffic.sockets.leave(socket)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  const address = server.address()
  const boundPort = typeof address === 'object' && address !== null ? address.port : port
  const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${boundPort}${rules.prefix}`
  let closed: Promise<void> | undefined
  return simulatorOf(url, context, () => (closed ??= stop(server, traffic, closing)))
}

function rulesOf({
  prefix = '',
  apiKeys = [DEFAULT_API_KEY],
  tokenLifetimeSeconds = 36_000,
  tokensAcceptedSeconds = Infinity,
  repeat = 'refuse',
  repeatRequest = 'refuse',
  missingFields = 'refuse',
  record = () => ({}),
  plan = 'paid',
  activeSubscription = {},
}: SimulatorOptions): ServiceRules {
  return {
    prefix,
    apiKeys,
    tokenLifetimeSeconds,
    tokensAcceptedSeconds,
    repeat,
    repeatRequest,
    missingFields,
    record,
    plan,
    activeSubscription,
  }
}

function simulatorOf(
  url: string,
  { memory, traffic }: Context,
  close: () => Promise<void>,
): Simulator {
  return {
    url,
    requests: traffic.requests,
    registered: memory.registered,
    requestCounts: memory.requestCounts,
    completionCounts: memory.completionCounts,
    tokens: memory.tokens,
    get inFlight() {
      return traffic.inFlight.present.size
    },
    get maxInFlight() {
      return traffic.inFlight.max()
    },
    get connections() {
      return traffic.sockets.present.size
    },
    get maxConnections() {
      return traffic.sockets.max()
    },
    request: hash => {
      memory.requested.add(hash)
    },
    revokeTokens: () => {
      memory.validTokens.clear()
    },
    close,
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
  context: Context,
  request: IncomingMessage,
  response: ServerResponse,
): Exchange {
  const { memory, traffic, nowMs, options } = context
  const { method = '', url: path = '', headers, socket } = request
  const { endpoint, pathParams } = locate(memory.state.rules.prefix, path)
  const seen = traffic.see({
    endpoint,
    hash: pathParams['hash'],
    method,
    path,
    headers,
    at: nowMs(),
  })

  const controller = new AbortController()
  const leave = (): void => {
    traffic.inFlight.leave(seen)
  }
  response.once('finish', () => {
    seen.isAnswered = true
  })
  response.once('close', () => {
    leave()
    controller.abort()
    options.onFinished?.(seen)
  })
  const carryOut = () => {
    const nonce = randomBytes(32).toString('base64url')
    const { reply, change } = decide(memory.state, { ...seen, nowMs: nowMs(), nonce })
    memory.apply(change)
    if (change.kind !== 'nothing') seen.isAccepted = true
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
  const readBody = async (): Promise<void> => {
    seen.bodyText = (await buffer(request)).toString()
  }
  try {
    if (seen.endpoint === 'request') {
      await readBody()
      const hash = readHash(seen.bodyText)
      if (hash !== undefined) traffic.nameHash(seen, hash)
    }
    const fault = chooseFault(options.faults ?? [], seen)
    if (fault?.kind === 'reset' && fault.at === 'connect-accepted') {
      reset(exchange)
      return
    }
    if (seen.endpoint !== 'request') await readBody()
    const { latencyMs = 0 } = options
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
