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
import { FailureError, failureIn as thrownIn, type Failure } from '../../src/failure.ts'
import { Halt, notNotedFailure } from '../../src/halt.ts'
import { Secrets } from '../../src/secrets.ts'
import {
  createClient,
  type Client,
  type ClientOptions,
  type Intent,
  type Notarization,
} from '../../src/service/client.ts'
import { createTransport } from '../../src/service/transport.ts'
import { DEFAULT_API_KEY } from '../../simulator/index.ts'
import { makeRecord, subscription } from '../support/samples.ts'

export { hashOf } from '../support/samples.ts'

/** A hash in the shape of SHA-256. */
export const HASH = 'ab'.repeat(32)

/** The start of every test clock: a whole second, in epoch milliseconds. */
export const START_MS = 1_800_000_000_000

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

/** A clock that goes on only by sleeping (`self-winding`) or by `advance` (`manual`); somebody may set it. */
export class TestClock implements Clock {
  /** Every wait that was asked for, in milliseconds, in order. */
  readonly waits: number[] = []
  readonly #kind: 'self-winding' | 'manual'
  readonly #sleepers = new Set<{ readonly dueMs: number; readonly wake: () => void }>()
  #passedMs = 0
  #setMs = 0

  constructor(kind: 'self-winding' | 'manual' = 'self-winding') {
    this.#kind = kind
  }

  readonly now = (): number => START_MS + this.#passedMs + this.#setMs

  /** Its zero is not that of any other clock. */
  readonly monotonic = (): number => 5_000_000 + this.#passedMs

  readonly sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
    this.waits.push(ms)
    const dueMs = this.#passedMs + ms
    if (this.#kind === 'self-winding') {
      await new Promise(resolve => setImmediate(resolve))
      if (!signal.aborted) this.#passedMs = Math.max(this.#passedMs, dueMs)
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

  /** Time that has passed since the start, in milliseconds. */
  get passedMs(): number {
    return this.#passedMs
  }

  advance(ms: number): void {
    this.#passedMs += ms
    for (const sleeper of [...this.#sleepers]) if (sleeper.dueMs <= this.#passedMs) sleeper.wake()
  }

  /** Somebody sets the clock: no time passes. */
  set(ms: number): void {
    this.#setMs += ms
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

/** Writes these bytes and nothing more. */
export const raw =
  (bytes: string): Answerer =>
  ({ socket }) =>
    socket?.write(bytes)

/** Breaks the connection without an answer. */
export const breakOff: Answerer = ({ socket }) => socket?.resetAndDestroy()

/** Answers one request after the other; the last answer stays. */
export const inTurn =
  (...answers: readonly Answerer[]): Answerer =>
  (response, seen, nth) =>
    (answers[nth - 1] ?? answers.at(-1))?.(response, seen, nth)

/**
 * What requests meet in turn, by their names: `lost`, `silent`, a `page`, a status, or one of those given; the last one
 * stays.
 */
export function meets(names: string, given: Readonly<Record<string, Answerer>>): Answerer {
  const known: Readonly<Record<string, Answerer>> = {
    lost: breakOff,
    silent: () => undefined,
    page: answer(200, '<html>'),
    ...given,
  }
  return inTurn(...names.split(' ').map(name => known[name] ?? answer(Number(name))))
}

/** A record that is right for {@link HASH} and {@link SUBSCRIPTION}. */
export const goodRecord = makeRecord(HASH, { paymentId: subscription.id })

/** Starts a server that logs everybody in with a new token each time, unless told otherwise. */
export async function startServer(
  complete: Answerer = answer(200, goodRecord),
  login: Answerer = (response, seen, nth) =>
    answer(200, { token: `token-${nth}` })(response, seen, nth),
): Promise<TestServer> {
  const seen: Seen[] = []
  const server = createHttpServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    void (async () => {
      const { method = '', url: path = '', headers } = request
      const body = await text(request)
      const isLogin = path.endsWith('/auth/login')
      const one: Seen = { isLogin, method, path, headers, body }
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
export async function startTcpServer(talk: (socket: Socket) => void): Promise<number> {
  const server = createTcpServer(socket => {
    socket.on('error', () => undefined)
    talk(socket)
  })
  return (await listen(server)).port
}

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

/** A halt whose calls in flight can be ended at once. */
export class TestHalt extends Halt {
  readonly #now = new AbortController()

  override readonly kill = this.#now.signal

  endCalls(): void {
    this.#now.abort()
  }
}

/** The API key that the simulator takes. */
export const API_KEY = DEFAULT_API_KEY

/** A subscription that the simulator takes. */
export const SUBSCRIPTION = JSON.stringify(subscription)

/** What a client of a test is made of; each part has a default. */
export type ClientParts = Partial<Omit<ClientOptions, 'transport' | 'clock'>> & {
  readonly clock?: TestClock
  readonly timeoutMs?: number
  readonly maxConnections?: number
}

/** An intent that is kept in memory: `notes` are the times of its notes; `save` says whether one is saved. */
export function makeIntent(
  save: (nth: number) => boolean | Promise<boolean> = () => true,
): Intent & { readonly notes: readonly number[] } {
  const notes: number[] = []
  let asked = 0
  return {
    notes,
    artifact: 'app.zip',
    get isNoted() {
      return notes.length > 0
    },
    note: async () => {
      if (!(await save(++asked))) throw new FailureError(notNotedFailure)
      notes.push(asked)
    },
  }
}

/** A client and all that it was made of. */
export interface ClientWorld {
  readonly client: Client
  readonly complete: (hash?: string, intent?: Intent) => Promise<Ended>
  readonly options: ClientOptions
  readonly clock: TestClock
  readonly halt: TestHalt
  readonly secrets: Secrets
  readonly masks: readonly string[]
  readonly retries: readonly string[]
}

/** Makes a client; it tries three times, and its jitter is the whole backoff. */
export function makeClient(baseUrl: string, parts: ClientParts = {}): ClientWorld {
  const { timeoutMs = 10_000, maxConnections = 16, clock = new TestClock(), ...changes } = parts
  const transport = createTransport({ timeoutMs, maxConnections })
  atEnd(() => {
    transport.close()
  })
  const masks: string[] = []
  const retries: string[] = []
  const secrets = new Secrets(line => masks.push(line))
  const halt = new TestHalt()
  const options = {
    ...{ transport, clock, halt, secrets, baseUrl, random: () => 1 },
    ...{ apiKey: API_KEY, maxAttempts: 3, retryUnanswered: true },
    onRetry: (line: string) => void retries.push(line),
    ...changes,
  }
  secrets.add([options.apiKey])
  const client = createClient(options)
  const completed = client.completeWith({ id: subscription.id, json: SUBSCRIPTION })
  const complete = (hash = HASH, intent: Intent = makeIntent()): Promise<Ended> =>
    ending(completed({ hash, name: 'app.zip' }, intent))
  return { client, complete, options, clock, halt, secrets, masks, retries }
}

/** What came of a registration. */
export type Ended = Notarization | { readonly failure: Failure }

/** What came of a registration, also if it was rejected with a failure. */
export function ending(made: Promise<Notarization>): Promise<Ended> {
  return made.catch((error: unknown) => ({ failure: thrownIn(error) }))
}

/** What came of a call, in a word: `ok`, or the code and certainty of its failure. */
export function wordOf(ended: Ended): string {
  return 'failure' in ended ? `${ended.failure.code}/${ended.failure.registered}` : 'ok'
}

/** The failure that a registration ended in; it must be one. */
export function failureIn(ended: Ended): Failure {
  if (!('failure' in ended)) throw new Error('it did not fail')
  return ended.failure
}
