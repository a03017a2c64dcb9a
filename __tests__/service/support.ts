/** Loopback servers, a clock that tests turn, and a client on top of them. */
import '../support/realms.ts'
import { once } from 'node:events'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { FailureError, failureIn as thrownIn, type Failure } from '../../src/failure.ts'
import { readInputs } from '../../src/inputs/notarize-inputs.ts'
import { systemDisk } from '../../src/records/disk.ts'
import { readRecords } from '../../src/records/store.ts'
import { chooseCalls } from '../../src/register/notarize.ts'
import type { RegisterTask } from '../../src/register/task.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt, notSavedFailure } from '../../src/runtime/halt.ts'
import { Secrets } from '../../src/runtime/secrets.ts'
import type { Subject } from '../../src/service/attempts.ts'
import type { Notarization } from '../../src/service/client.ts'
import { createTransport } from '../../src/service/transport.ts'
import { API_KEY, makeRecord, source, subscription, subscriptionText } from '../support/samples.ts'

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

/** A clock that goes on by `advance`; a `self-winding` one also by sleeping. */
export class TestClock implements Clock {
  /** Every wait that was asked for, in milliseconds, in order. */
  readonly waits: number[] = []
  /** Time that has passed since the start, in milliseconds. */
  passedMs = 0
  readonly #isSelfWinding: boolean
  /** Those who sleep, with the time when each wakes. */
  readonly #sleepers = new Map<() => void, number>()

  constructor(kind: 'self-winding' | 'manual' = 'self-winding') {
    this.#isSelfWinding = kind === 'self-winding'
  }

  readonly now = (): number => START_MS + this.passedMs

  /** Its zero is not that of any other clock. */
  readonly monotonic = (): number => 5_000_000 + this.passedMs

  readonly sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
    this.waits.push(ms)
    const { promise, resolve } = Promise.withResolvers<null>()
    const wakeUp = (): void => {
      resolve(null)
    }
    this.#sleepers.set(wakeUp, this.passedMs + ms)
    signal.addEventListener('abort', wakeUp)
    if (signal.aborted) wakeUp()
    else if (this.#isSelfWinding)
      setImmediate(() => {
        this.advance(ms)
      })
    await promise
  }

  /** How many wait. */
  get sleeping(): number {
    return this.#sleepers.size
  }

  advance(ms: number): void {
    this.passedMs += ms
    for (const [wakeUp, dueMs] of this.#sleepers) {
      if (dueMs <= this.passedMs && this.#sleepers.delete(wakeUp)) wakeUp()
    }
  }
}

/** A kind of call. */
export type Kind = 'login' | 'active' | 'request' | 'complete'

/** What answers the n-th request of its kind, from 1. */
export type Answerer = (response: ServerResponse, nth: number) => unknown

/** Answers with a status and a JSON body (text and bytes go out as they are). */
export function answer(
  status: number,
  body: unknown = { error: 'no' },
  headers: Readonly<Record<string, string>> = {},
): Answerer {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  return response => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(isRaw ? body : JSON.stringify(body))
  }
}

/** Writes these bytes and nothing more. */
export function raw(bytes: string): Answerer {
  return ({ socket }) => socket?.write(bytes)
}

/** Breaks the connection without an answer. */
export const breakOff: Answerer = ({ socket }) => socket?.resetAndDestroy()

/** Answers one request after the other; the last answer stays. */
export function inTurn(...answers: readonly Answerer[]): Answerer {
  return (response, nth) => (answers[nth - 1] ?? answers.at(-1))?.(response, nth)
}

/** A record that is right for {@link HASH} and the subscription of the samples. */
export const goodRecord = makeRecord(HASH, { paymentId: subscription.id })

/** The subscription data of the service is another one than that of the input. */
export const serviceData = { ...subscription, id: 'sub_of_the_service' }

const goodAnswers: Readonly<Record<Kind, Answerer>> = {
  login: (response, nth) => answer(200, { token: `token-${nth}` })(response, nth),
  active: answer(200, serviceData),
  request: answer(200, serviceData),
  complete: answer(200, goodRecord),
}

const largeBody = `{"token":"${'x'.repeat(1024 * 1024)}"}`

const namedAnswers: Readonly<Record<string, Answerer>> = {
  lost: breakOff,
  silent: () => undefined,
  page: answer(200, '<html>'),
  list: answer(200, []),
  odd: answer(200, { other: 1 }),
  large: answer(200, largeBody),
  'large-404': answer(404, largeBody),
  'large-429': answer(429, largeBody),
  noise: raw('SSH-2.0-OpenSSH_9.6\r\n'),
}

/** Answers in turn, by names: `good`, one of `namedAnswers`, or a status. */
function answersOf(kind: Kind, names: string): Answerer {
  const find = (name: string): Answerer =>
    name === 'good' ? goodAnswers[kind] : (namedAnswers[name] ?? answer(Number(name)))
  return inTurn(...names.split(' ').map(find))
}

/** A request that a server saw. */
export interface Seen {
  readonly kind: Kind
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Open connections to a server. */
export interface Connections {
  readonly now: number
  readonly most: number
  readonly all: number
}

/** A server on the loopback. */
export interface TestServer {
  readonly url: string
  readonly seen: readonly Seen[]
  /** The kinds of all requests but the logins, in order. */
  readonly calls: () => string
  readonly count: (kind: Kind) => number
  readonly connections: () => Connections
  readonly close: () => Promise<void>
}

/** Starts a notarization service; each kind of call is good unless `given` has an answerer or names for it. */
export async function startServer(
  given: Partial<Record<Kind, Answerer | string>> = {},
): Promise<TestServer> {
  const answers = { ...goodAnswers }
  for (const kind of ['login', 'active', 'request', 'complete'] as const) {
    const one = given[kind]
    if (one !== undefined) answers[kind] = typeof one === 'string' ? answersOf(kind, one) : one
  }
  const seen: Seen[] = []
  const count = (kind: Kind): number => seen.filter(one => one.kind === kind).length
  const server = createHttpServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const serve = async (): Promise<void> => {
      const { method = '', url: path = '', headers } = request
      const kind = kindOf(path)
      seen.push({ kind, method, path, headers, body: await text(request) })
      await answers[kind](response, count(kind))
    }
    serve().catch(() => response.destroy())
  })
  const { port, connections, close } = await listen(server)
  const calls = (): string => seen.flatMap(({ kind }) => (kind === 'login' ? [] : [kind])).join(' ')
  return { url: `http://127.0.0.1:${port}`, seen, calls, count, connections, close }
}

function kindOf(path: string): Kind {
  if (path.endsWith('/auth/login')) return 'login'
  if (path.endsWith('?subscription=true')) return 'request'
  return path.endsWith('/active') ? 'active' : 'complete'
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
  readonly connections: () => Connections
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

/** What a run reports to the runner. */
class Messages {
  readonly logged: string[] = []
  readonly warned: string[] = []
  readonly noticed: string[] = []
  readonly masked: string[] = []
}

/** A task of a run, and what tests look at. */
export interface TestTask extends RegisterTask {
  readonly clock: TestClock
  /** Ends the calls in flight of a run that was cancelled. */
  readonly endCalls: () => void
  readonly messages: Messages
}

type TaskInput =
  | 'base-url'
  | 'description'
  | 'max-attempts'
  | 'request-registration'
  | 'subscription'
  | 'timeout-seconds'
  | 'verification-url'

/** What a task is made of: inputs by name, and the rest. */
export type TaskOptions = Partial<Record<TaskInput, string>> & {
  readonly clock?: TestClock
  /** Absolute path of the records file; it is not opened. */
  readonly recordsPath?: string
}

/** A task for the service at a URL: three attempts, and a jitter that is the whole backoff. */
export function makeTask(url: string, options: TaskOptions = {}): TestTask {
  const { clock = new TestClock(), recordsPath = '/nowhere/records.jsonl', ...given } = options
  const base = { 'api-key': API_KEY, 'base-url': url, path: 'dist/*', 'max-attempts': '3' }
  const { inputs } = readInputs({ ...base, subscription: subscriptionText, ...given }, START_MS)
  if (inputs?.kind !== 'notarize') throw new Error('the inputs are wrong')
  const messages = new Messages()
  const runner = {
    info: (line: string) => void messages.logged.push(line),
    warning: (line: string) => void messages.warned.push(line),
    notice: (line: string) => void messages.noticed.push(line),
    mask: (line: string) => void messages.masked.push(line),
    error: () => undefined,
    setOutput: () => undefined,
    writeSummary: () => Promise.resolve(),
  }
  const secrets = new Secrets(runner.mask)
  secrets.add([API_KEY])
  const grace = new TestClock('manual')
  const host = {
    environment: readEnvironment({}, '/'),
    runner,
    secrets,
    clock,
    random: () => 1,
    halt: new Halt(grace),
    workerFile: new URL('file:///none'),
  }
  const records = readRecords({
    path: recordsPath,
    name: 'records.jsonl',
    others: [],
    service: inputs.baseUrl,
    disk: systemDisk,
  })
  const endCalls = (): void => {
    grace.advance(5000)
  }
  return { host, inputs, recordsPath, source, records, clock, endCalls, messages }
}

/** A subject that keeps in memory how often its intent was saved. */
export interface TestSubject extends Subject {
  readonly saved: () => number
}

/** A hash to register; `save` says whether its intent is saved. */
export function makeSubject(
  changes: Partial<Subject> = {},
  save: () => boolean | Promise<boolean> = () => true,
): TestSubject {
  let count = 0
  const logIntent = async (): Promise<void> => {
    if (count > 0) return
    if (!(await save())) throw new FailureError(notSavedFailure)
    count += 1
  }
  return {
    hash: HASH,
    artifact: 'app.zip',
    isOpen: false,
    logIntent,
    ...changes,
    saved: () => count,
  }
}

/** The result of all calls for a hash. */
export type Ended = Notarization | { readonly failure: Failure }

/** A run whose calls are made one by one. */
export interface TestRun extends TestTask {
  readonly notarize: (subject?: Subject) => Promise<Ended>
}

/** Makes a run for the service at a URL; see {@link makeTask}. */
export function makeRun(url: string, options: TaskOptions = {}): TestRun {
  const task = makeTask(url, options)
  const transport = createTransport(10_000)
  atEnd(transport.close)
  const notarize = chooseCalls(task, transport)
  const end = (error: unknown): Ended => ({ failure: thrownIn(error) })
  return { ...task, notarize: (subject = makeSubject()) => notarize(subject).catch(end) }
}

/** What came of a hash, in a word: who paid, or the code and certainty of the failure. */
export function wordOf(ended: Ended): string {
  if ('failure' in ended) return `${ended.failure.code}/${ended.failure.registered}`
  return ended.paymentId === subscription.id ? 'registered' : 'registered by service data'
}

/** The failure of a hash; there must be one. */
export function failureIn(ended: Ended): Failure {
  if (!('failure' in ended)) throw new Error('it did not fail')
  return ended.failure
}
