/** The calls of a run over a transport that answers as told, on a clock that passes by sleeping. */
import '../support/realms.ts'
import { failureIn as thrownIn, type Failure } from '../../src/failure.ts'
import { readInputs } from '../../src/inputs/notarize-inputs.ts'
import { systemDisk } from '../../src/records/disk.ts'
import { readRecords } from '../../src/records/store.ts'
import { chooseCalls, type RegisterTask } from '../../src/register/notarize.ts'
import { systemClock, type Clock } from '../../src/runtime/clock.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { Secrets } from '../../src/runtime/secrets.ts'
import type { Subject } from '../../src/service/attempts.ts'
import type { Notarization } from '../../src/service/client.ts'
import type { HttpRequest, Reply, Transport } from '../../src/service/transport.ts'
import { API_KEY, makeRecord, source, subscription, subscriptionText } from '../support/samples.ts'

/** A hash in the shape of SHA-256. */
export const HASH = 'ab'.repeat(32)

/** The start of every test clock: a whole second, in epoch milliseconds. */
export const START_MS = 1_800_000_000_000

/** A clock on which time passes by sleeping alone. */
export class TestClock implements Clock {
  /** Every wait that was asked for, in milliseconds, in order. */
  readonly waits: number[] = []
  /** Time that has passed since the start, in milliseconds. */
  passedMs = 0
  readonly #startMs: number

  constructor(startMs = START_MS) {
    this.#startMs = startMs
  }

  readonly now = (): number => this.#startMs + this.passedMs

  /** Its zero is not that of any other clock. */
  readonly monotonic = (): number => 5_000_000 + this.passedMs

  readonly sleep = (ms: number): Promise<void> => {
    this.waits.push(ms)
    this.passedMs += ms
    return Promise.resolve()
  }
}

/** A kind of call. */
export type Kind = 'login' | 'active' | 'request' | 'complete'

/** An answer with a status and a JSON body; text goes out as it is. */
export function answer(
  status: number,
  body: unknown = { error: 'no' },
  retryAfterMs: number | null = null,
): Reply {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { kind: 'answer', status, retryAfterMs, body: text }
}

/** A record that is right for {@link HASH} and the subscription of the samples. */
export const goodRecord = makeRecord(HASH, { paymentId: subscription.id })

/** The subscription data of the service is another one than that of the input. */
export const serviceData = { ...subscription, id: 'sub_of_the_service' }

const lost = {
  kind: 'no-answer',
  reason: 'ECONNRESET',
  wasSent: true,
  cause: 'connection',
} as const
const tooLarge = { kind: 'answer', retryAfterMs: null, body: null } as const

const namedReplies: Readonly<Record<string, Reply>> = {
  lost,
  unconnected: { ...lost, wasSent: false },
  untrusted: { ...lost, wasSent: false, cause: 'untrusted' },
  204: answer(204, ''),
  page: answer(200, '<html>'),
  list: answer(200, []),
  odd: answer(200, { other: 1 }),
  large: { ...tooLarge, status: 200 },
  'large-404': { ...tooLarge, status: 404 },
  'large-429': { ...tooLarge, status: 429 },
  noise: answer(0, ''),
}

const goodBodies: Readonly<Record<Kind, unknown>> = {
  login: { token: 'token-1' },
  active: serviceData,
  request: serviceData,
  complete: goodRecord,
}

/** The reply of a name: `good`, one of `namedReplies`, or a status with its `Retry-After`, as `429+5`. */
function replyOf(kind: Kind, name: string): Reply {
  if (name === 'good') return answer(200, goodBodies[kind])
  const [status, seconds] = name.split('+')
  const retryAfterMs = seconds === undefined ? null : Number(seconds) * 1000
  return namedReplies[name] ?? answer(Number(status), undefined, retryAfterMs)
}

/**
 * The replies to each kind of call: by their names, as in `complete lost 404, active 500`, of which the last one stays; or
 * what gives the n-th one, from 1. All others are good.
 */
export type Replies = string | Partial<Record<Kind, (nth: number) => Reply | Promise<Reply>>>

/** The names of the replies to a kind of call. */
function namesOf(kind: Kind, replies: string): readonly string[] {
  const parts = replies.split(', ').map(part => part.split(' '))
  return parts.find(([first]) => first === kind)?.slice(1) ?? ['good']
}

/** A request that was sent. */
interface Sent extends Pick<HttpRequest, 'body' | 'token'> {
  readonly kind: Kind
  readonly path: string
  readonly atMs: number
}

function kindOf(path: string): Kind {
  if (path.endsWith('/auth/login')) return 'login'
  if (path.endsWith('?subscription=true')) return 'request'
  return path.endsWith('/active') ? 'active' : 'complete'
}

/** Inputs by name. */
export type Inputs = Readonly<Record<string, string>>

/** The result of all calls for a hash. */
export type CompletedRun = Notarization | { readonly failure: Failure }

/** A run: three attempts, and a jitter that is the whole backoff. Each kind of call is good unless told otherwise. */
export class TestRun implements Transport {
  readonly clock = new TestClock()
  readonly sent: Sent[] = []
  readonly logged: string[] = []
  readonly warned: string[] = []
  readonly masked: string[] = []
  readonly task: RegisterTask
  readonly halt: Halt
  /** Ends the calls in flight of a run that was cancelled. */
  readonly endCalls: () => void
  /** Called when a request was sent. */
  onSend: (kind: Kind) => void = () => undefined
  readonly #replies: Replies
  readonly #notarize

  constructor(
    replies: Replies = '',
    given: Inputs = {},
    recordsPath = '/nowhere',
    disk = systemDisk,
  ) {
    this.#replies = replies
    const service = 'https://notary.example'
    const subscription = { subscription: subscriptionText }
    const usual = { 'api-key': API_KEY, 'base-url': service, path: '*', 'max-attempts': '3' }
    const { inputs, problems } = readInputs({ ...subscription, ...usual, ...given }, START_MS)
    if (problems.length > 0) throw new Error(JSON.stringify(problems))
    const runner = {
      info: (line: string) => void this.logged.push(line),
      warning: (line: string) => void this.warned.push(line),
      notice: () => undefined,
      mask: (line: string) => void this.masked.push(line),
      error: () => undefined,
      setOutput: () => undefined,
      writeSummary: () => Promise.resolve(),
    }
    const secrets = new Secrets(runner.mask)
    secrets.add([API_KEY])
    const { promise: grace, resolve } = Promise.withResolvers<undefined>()
    this.endCalls = () => {
      resolve(undefined)
    }
    this.halt = new Halt({ ...systemClock, sleep: () => grace })
    const environment = readEnvironment({}, '/')
    const workerFile = new URL('file:///none')
    const { clock, halt } = this
    const host = { environment, runner, secrets, clock, random: () => 1, halt, workerFile }
    const [path, name] = [recordsPath, 'records.jsonl']
    const records = readRecords({ path, name, others: [], service, disk })
    this.task = { host, inputs, recordsPath, source, records }
    this.#notarize = chooseCalls(this.task, this)
  }

  readonly send = async (request: HttpRequest, signal: AbortSignal): Promise<Reply> => {
    const { url, body, token } = request
    const path = url.pathname + url.search
    const kind = kindOf(path)
    this.sent.push({ kind, path, body, token, atMs: this.clock.passedMs })
    const nth = this.count(kind)
    this.onSend(kind)
    const reply = await this.#reply(kind, nth)
    return signal.aborted ? { ...lost, cause: 'ended' } : reply
  }

  readonly close = (): void => undefined

  #reply(kind: Kind, nth: number): Reply | Promise<Reply> {
    const replies = this.#replies
    if (typeof replies !== 'string') return replies[kind]?.(nth) ?? replyOf(kind, 'good')
    const names = namesOf(kind, replies)
    return replyOf(kind, names[nth - 1] ?? names.at(-1) ?? '')
  }

  count(kind: Kind): number {
    return this.sent.filter(one => one.kind === kind).length
  }

  /** The kinds of all requests but the logins, in order. */
  get calls(): string {
    return this.sent.flatMap(({ kind }) => (kind === 'login' ? [] : [kind])).join(' ')
  }

  /** Makes all calls for a hash; `logIntent` is called before each of them. */
  notarize(logIntent: Subject['logIntent'] = () => Promise.resolve()): Promise<CompletedRun> {
    const subject = { hash: HASH, artifact: 'app.zip', isOpen: false, logIntent }
    return this.#notarize(subject).catch((error: unknown) => ({ failure: thrownIn(error) }))
  }
}

/** What came of a hash, in a word: who paid, or the code and certainty of the failure. */
export function wordOf(ended: CompletedRun): string {
  if ('failure' in ended) return `${ended.failure.code}/${ended.failure.registered}`
  return ended.paymentId === subscription.id ? 'registered' : 'registered by service data'
}

/** The failure of a hash; there must be one. */
export function failureIn(ended: CompletedRun): Failure {
  if (!('failure' in ended)) throw new Error('it did not fail')
  return ended.failure
}
