/** What the tests of the service layer share: servers on the loopback, a clock that tests turn, a client with its world. */
import '../support/realms.ts'
import { once } from 'node:events'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { startSimulator } from '../../simulator/index.ts'
import type { Simulator, SimulatorOptions } from '../../simulator/index.ts'
import type { Clock } from '../../src/clock.ts'
import { Secrets } from '../../src/secrets.ts'
import { Gate, type CallContext, type HaltView } from '../../src/service/core/call.ts'
import { createClient, type Client, type Completion } from '../../src/service/core/client.ts'
import type { Reason } from '../../src/service/core/failures.ts'
import { createTransport, type Transport } from '../../src/service/core/transport.ts'

/** A hash in the shape of SHA-256. */
export const HASH = 'ab'.repeat(32)

/** The start of every test clock: a whole second, in epoch milliseconds. */
export const START_MS = 1_800_000_000_000

/** The hash with this number. */
export function hashOf(number: number): string {
  return number.toString(16).padStart(64, '0')
}

const endings: (() => unknown)[] = []

/** Ends an open thing with the test, newest first. */
export function atEnd(end: () => unknown): void {
  endings.push(end)
}

/** For `afterEach`: closes every server and transport of the test. */
export async function closeAll(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end()
}

/** Settles when the condition holds; the time limit of jest ends a wait in vain. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 2))
}

/** A clock that goes on only by sleeping (`self-winding`) or by `advance` (`manual`). */
export class TestClock implements Clock {
  /** Every wait that was asked for, in milliseconds, in order. */
  readonly waits: number[] = []
  readonly #kind: 'self-winding' | 'manual'
  readonly #sleepers = new Set<{ readonly dueMs: number; readonly wake: () => void }>()
  #nowMs = START_MS

  constructor(kind: 'self-winding' | 'manual' = 'self-winding') {
    this.#kind = kind
  }

  readonly now = (): number => this.#nowMs

  readonly sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
    this.waits.push(ms)
    const dueMs = this.#nowMs + ms
    if (this.#kind === 'self-winding') {
      await new Promise(resolve => setImmediate(resolve))
      if (!signal.aborted) this.#nowMs = Math.max(this.#nowMs, dueMs)
      return
    }
    await new Promise<void>(resolve => {
      const sleeper = {
        dueMs,
        wake: () => {
          this.#sleepers.delete(sleeper)
          resolve()
        },
      }
      this.#sleepers.add(sleeper)
      if (signal.aborted || ms <= 0) sleeper.wake()
      else signal.addEventListener('abort', sleeper.wake, { once: true })
    })
  }

  get sleeping(): number {
    return this.#sleepers.size
  }

  advance(ms: number): void {
    this.#nowMs += ms
    for (const sleeper of [...this.#sleepers]) if (sleeper.dueMs <= this.#nowMs) sleeper.wake()
  }
}

/** Starts the simulator until the end of the test; any hash may be completed, and again. */
export async function startService(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ requested: 'any', repeat: 'accept', ...options })
  atEnd(() => simulator.close())
  return simulator
}

/** A request that a {@link startServer} saw, its body read. */
export interface Seen {
  readonly isLogin: boolean
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly socket: Socket
}

/** An HTTP server on the loopback. */
export interface TestServer {
  readonly url: string
  readonly seen: readonly Seen[]
  readonly logins: () => number
  readonly completions: () => readonly Seen[]
  readonly connections: () => { readonly now: number; readonly most: number; readonly all: number }
  readonly close: () => Promise<void>
}

/** What answers the n-th request of its kind, from 1. */
export type Answerer = (response: ServerResponse, seen: Seen, nth: number) => unknown

/** Answers with a status and a JSON body (a string goes out as it is). */
export function answer(
  status: number,
  body: unknown = { error: 'no' },
  headers: Readonly<Record<string, string>> = {},
): Answerer {
  return response => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(
      typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    )
  }
}

/** Breaks the connection without an answer. */
export const breakOff: Answerer = (_, { socket }) => socket.resetAndDestroy()

/** A record that is right for {@link HASH}. */
export const goodRecord = {
  hash: HASH,
  custody: false,
  signed: false,
  status: 'registered',
  paymentId: 'sub_1',
} as const

/** Starts a server that logs everybody in with a new token each time, unless told otherwise. */
export async function startServer(
  complete: Answerer = answer(200, goodRecord),
  login: Answerer = (response, seen, nth) =>
    answer(200, { token: `token-${nth}` })(response, seen, nth),
): Promise<TestServer> {
  const seen: Seen[] = []
  const server = createHttpServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    void (async () => {
      const { method = '', url: path = '', headers, socket } = request
      const body = await text(request)
      const isLogin = path.endsWith('/auth/login')
      const one: Seen = { isLogin, method, path, headers, body, socket }
      seen.push(one)
      const nth = seen.filter(other => other.isLogin === isLogin).length
      await (isLogin ? login : complete)(response, one, nth)
    })().catch(() => response.destroy())
  })
  const { port, connections, close } = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    logins: () => seen.filter(({ isLogin }) => isLogin).length,
    completions: () => seen.filter(({ isLogin }) => !isLogin),
    connections,
    close,
  }
}

/** Starts a server that speaks whatever `talk` writes; gives its port. */
export async function startTcpServer(talk: (socket: Socket, nth: number) => void): Promise<number> {
  let count = 0
  const server = createTcpServer(socket => {
    socket.on('error', () => undefined)
    talk(socket, ++count)
  })
  return (await listen(server)).port
}

/** Starts a TCP server that answers each request on a connection by its number, from 1 for each connection. */
export async function startRawServer(
  talk: (socket: Socket, nth: number) => void,
): Promise<{ readonly url: URL; readonly requests: () => number }> {
  let requests = 0
  const port = await startTcpServer(socket => {
    let nth = 0
    let received = ''
    socket.on('data', chunk => {
      received += chunk.toString('latin1')
      // Every test body is the same short text, so that its end is easily seen.
      for (let end = received.indexOf(RAW_BODY); end !== -1; end = received.indexOf(RAW_BODY)) {
        received = received.slice(end + RAW_BODY.length)
        requests += 1
        nth += 1
        talk(socket, nth)
      }
    })
  })
  return { url: new URL(`http://127.0.0.1:${port}/`), requests: () => requests }
}

/** The body of every request to a {@link startRawServer}. */
export const RAW_BODY = '{"raw":"body"}'

/** A port of the loopback that nobody listens on. */
export async function refusedPort(): Promise<number> {
  const { port, close } = await listen(createTcpServer())
  await close()
  return port
}

/** Listens on a free port of the loopback until the end of the test. */
export async function listen(server: Server): Promise<{
  readonly port: number
  readonly connections: TestServer['connections']
  readonly close: () => Promise<void>
}> {
  const open = new Set<Socket>()
  let [most, all] = [0, 0]
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    all += 1
    most = Math.max(most, open.size)
    socket.once('close', () => open.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const close = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of open) socket.destroy()
    await closed
  }
  atEnd(close)
  return { port: address.port, connections: () => ({ now: open.size, most, all }), close }
}

/** When a test stops its client. */
export interface TestHalt extends HaltView {
  /** Nothing more may be sent. */
  readonly stop: (reason: Reason) => void
  /** Calls in flight end, too. */
  readonly kill_: () => void
}

/** Nothing is stopped, until the test does. */
export function makeHalt(): TestHalt {
  const begun = new AbortController()
  const kill = new AbortController()
  let why: Reason | null = null
  return {
    signal: begun.signal,
    kill: kill.signal,
    get reason() {
      return why
    },
    stop: reason => {
      why ??= reason
      begun.abort()
    },
    kill_: () => {
      kill.abort()
    },
  }
}

/** The API key that the simulator takes. */
export const API_KEY = 'sim-api-key-0123456789'

/** What a client of a test is made of; each part has a default. */
export interface ClientParts {
  readonly clock?: TestClock
  readonly random?: () => number
  readonly maxAttempts?: number
  readonly timeoutMs?: number
  readonly maxConnections?: number
  readonly apiKey?: string
}

/** A client and all that it was made of. */
export interface ClientWorld {
  readonly client: Client
  readonly complete: (hash?: string) => Promise<Completion>
  readonly context: CallContext
  readonly transport: Transport
  readonly clock: TestClock
  readonly gate: Gate
  readonly halt: TestHalt
  readonly secrets: Secrets
  readonly masks: readonly string[]
}

/** Makes a client; it tries three times, and its jitter is the whole backoff. */
export function makeClient(baseUrl: string, parts: ClientParts = {}): ClientWorld {
  const { clock = new TestClock(), random = () => 1, maxAttempts = 3, apiKey = API_KEY } = parts
  const { timeoutMs = 10_000, maxConnections = 16 } = parts
  const transport = createTransport({ timeoutMs, maxConnections })
  atEnd(() => {
    transport.close()
  })
  const masks: string[] = []
  const secrets = new Secrets(line => masks.push(line))
  secrets.add([apiKey])
  const gate = new Gate()
  const halt = makeHalt()
  const context = { transport, clock, random, maxAttempts, gate, halt }
  const client = createClient({ context, baseUrl, apiKey, secrets })
  const complete = (hash = HASH): Promise<Completion> => client.complete(hash, SUBSCRIPTION)
  return { client, complete, context, transport, clock, gate, halt, secrets, masks }
}

/** A subscription that the simulator takes. */
export const SUBSCRIPTION = JSON.stringify({
  sessionId: 'cs_test_unit_session',
  id: 'sub_1',
  userId: 1,
  planId: 'plan_1',
  planNickname: 'Plan',
  status: 'active',
  created: 1_700_000_000,
  currentPeriodStart: 1_700_000_000,
  currentPeriodEnd: 4_102_444_800,
  canceledAt: 0,
  customer: 'cus_unit_customer',
  defaultPaymentMethod: null,
  latestInvoice: 'in_unit_invoice',
})

/** What a test usually asks of a completion. */
export function told(completion: Completion): {
  readonly code: string
  readonly registered: string
  readonly message: string
} {
  return completion.kind === 'record'
    ? { code: 'ok', registered: 'yes', message: '' }
    : completion.failure
}
