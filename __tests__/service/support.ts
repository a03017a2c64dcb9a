/** The calls of a run over a transport with fixed replies, on a clock that advances only by sleeping. */
import '../support/realms.ts'
import { failureIn as thrownIn, type Failure } from '../../src/failure.ts'
import { readInputs } from '../../src/inputs/notarize-inputs.ts'
import { systemDisk } from '../../src/records/disk.ts'
import { readRecords } from '../../src/records/store.ts'
import { chooseCalls, type RegisterTask } from '../../src/register/notarize.ts'
import { systemClock, type Clock } from '../../src/runtime/clock.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { Secrets } from '../../src/runtime/secrets.ts'
import type { Subject } from '../../src/service/attempts.ts'
import type { Notarization, Notarize } from '../../src/service/client.ts'
import type { HttpRequest, Reply, Transport } from '../../src/service/transport.ts'
import { hostIn } from '../artifacts/host.ts'
import { API_KEY, makeRecord, source, subscription, subscriptionText } from '../support/samples.ts'

export const HASH = 'ab'.repeat(32)

/** The start of every test clock, in epoch milliseconds. */
export const START_MS = 1_800_000_000_000

/** A clock that advances only by sleeping. */
export class TestClock implements Clock {
  /** Every wait, in milliseconds, in order. */
  readonly waits: number[] = []
  passedMs = 0
  readonly #startMs: number

  constructor(startMs = START_MS) {
    this.#startMs = startMs
  }

  readonly now = (): number => this.#startMs + this.passedMs

  readonly monotonic = (): number => 5_000_000 + this.passedMs

  readonly sleep = (ms: number): Promise<void> => {
    this.waits.push(ms)
    this.passedMs += ms
    return Promise.resolve()
  }
}

export type Kind = 'login' | 'active' | 'request' | 'complete'

/** An answer with a JSON body, or with this text. */
export function answer(
  status: number,
  body: unknown = { error: 'no' },
  retryAfterMs: number | null = null,
): Reply {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { kind: 'answer', status, retryAfterMs, body: text }
}

/** A correct record for {@link HASH} and the subscription of the samples. */
export const goodRecord = makeRecord(HASH, { paymentId: subscription.id })

/** Subscription data of the service, which differs from the input. */
export const serviceData = { ...subscription, id: 'sub_of_the_service' }

const unanswered = { kind: 'no-answer', wasSent: true, cause: 'connection' } as const
const lost = { ...unanswered, reason: 'ECONNRESET' }
const tooLarge = { kind: 'answer', retryAfterMs: null, body: null } as const

const namedReplies: Readonly<Record<string, Reply>> = {
  lost,
  unconnected: { ...lost, wasSent: false },
  untrusted: { ...lost, wasSent: false, cause: 'untrusted' },
  204: answer(204, ''),
  page: answer(200, '<html>'),
  list: answer(200, []),
  useless: answer(200, { other: 1 }),
  large: { ...tooLarge, status: 200 },
  'large-404': { ...tooLarge, status: 404 },
  'large-429': { ...tooLarge, status: 429 },
  noise: answer(0, ''),
}

const goodReplies: Readonly<Record<Kind, Reply>> = {
  login: answer(200, { token: 'token-1' }),
  active: answer(200, serviceData),
  request: answer(200, serviceData),
  complete: answer(200, goodRecord),
}

/** Replies to each kind of call, by name (see {@link replyOf}) or as functions of n, from 1. The default is `good`. */
export type Replies = string | Partial<Record<Kind, (nth: number) => Reply | Promise<Reply>>>

/**
 * Finds the nth reply in a text such as `complete lost 429+5, active 500`: a named reply, or a status with the seconds of
 * its `Retry-After`. The last reply of each kind is repeated.
 */
function replyOf(kind: Kind, nth: number, replies: string): Reply {
  const names = new RegExp(`${kind} ([^,]+)`).exec(replies)?.[1]?.split(' ') ?? []
  const name = names[nth - 1] ?? names.at(-1) ?? 'good'
  const [status, seconds] = name.split('+')
  const retryAfterMs = seconds === undefined ? null : Number(seconds) * 1000
  if (name === 'good') return goodReplies[kind]
  return namedReplies[name] ?? answer(Number(status), undefined, retryAfterMs)
}

interface Sent {
  readonly kind: Kind
  readonly path: string
  readonly body: string | null
  readonly token: string | null
  readonly atMs: number
}

function kindOf(path: string): Kind {
  if (path.endsWith('/auth/login')) return 'login'
  if (path.endsWith('?subscription=true')) return 'request'
  return path.endsWith('/active') ? 'active' : 'complete'
}

export type Inputs = Readonly<Record<string, string>>

/** The result of all calls for a hash. */
export type CompletedRun = Notarization | { readonly failure: Failure }

/** A run with three attempts per call and the longest jitter. */
export class TestRun implements Transport {
  readonly clock = new TestClock()
  readonly sent: Sent[] = []
  readonly logged: string[] = []
  readonly warned: string[] = []
  readonly masked: string[] = []
  readonly task: RegisterTask
  readonly halt: Halt
  /** Called when a request was sent. */
  onSend: (kind: Kind) => void = () => undefined
  readonly #grace = Promise.withResolvers<undefined>()
  readonly #replies: Replies
  readonly #notarize: Notarize

  constructor(replies: Replies = '', changes: Inputs = {}, path = '/nowhere', disk = systemDisk) {
    this.#replies = replies
    const service = 'https://notary.example'
    const secretInputs = { 'api-key': API_KEY, subscription: subscriptionText }
    const usual = { ...secretInputs, 'base-url': service, path: '*', 'max-attempts': '3' }
    const { inputs, problems } = readInputs({ ...usual, ...changes }, START_MS)
    if (problems.length > 0) throw new Error(JSON.stringify(problems))
    const base = hostIn('/')
    const runner = {
      ...base.runner,
      info: (line: string) => void this.logged.push(line),
      warning: (line: string) => void this.warned.push(line),
      mask: (line: string) => void this.masked.push(line),
    }
    const secrets = new Secrets(runner.mask)
    secrets.add([API_KEY])
    this.halt = new Halt({ ...systemClock, sleep: () => this.#grace.promise })
    const { clock, halt } = this
    const host = { ...base, runner, secrets, clock, random: () => 1, halt }
    const records = readRecords({ path, name: 'records.jsonl', others: [], service, disk })
    this.task = { host, inputs, recordsPath: path, source, records }
    this.#notarize = chooseCalls(this.task, this)
  }

  readonly send = async (request: HttpRequest, signal: AbortSignal): Promise<Reply> => {
    const { url, body, token } = request
    const path = url.pathname + url.search
    const kind = kindOf(path)
    this.sent.push({ kind, path, body, token, atMs: this.clock.passedMs })
    const nth = this.count(kind)
    this.onSend(kind)
    const replies = this.#replies
    const reply =
      typeof replies === 'string'
        ? replyOf(kind, nth, replies)
        : ((await replies[kind]?.(nth)) ?? goodReplies[kind])
    return signal.aborted ? { ...lost, cause: 'ended' } : reply
  }

  readonly close = (): void => undefined

  /** Ends the calls in flight of a canceled run. */
  endCalls(): void {
    this.#grace.resolve(undefined)
  }

  count(kind: Kind): number {
    return this.sent.filter(call => call.kind === kind).length
  }

  /** The kinds of all requests except logins, in order. */
  get calls(): string {
    return this.sent.flatMap(({ kind }) => (kind === 'login' ? [] : [kind])).join(' ')
  }

  /** Makes all calls for a hash. */
  notarize(logIntent: Subject['logIntent'] = () => Promise.resolve()): Promise<CompletedRun> {
    const subject = { hash: HASH, artifact: 'app.zip', isOpen: false, logIntent }
    return this.#notarize(subject).catch((error: unknown) => ({ failure: thrownIn(error) }))
  }
}

/** The outcome of a hash in short: who paid, or the code and certainty of the failure. */
export function wordOf(run: CompletedRun): string {
  if ('failure' in run) return `${run.failure.code}/${run.failure.registered}`
  return run.paymentId === subscription.id ? 'registered' : 'registered by service data'
}

export function failureIn(run: CompletedRun): Failure {
  if (!('failure' in run)) throw new Error('it did not fail')
  return run.failure
}
