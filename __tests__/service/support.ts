/** Registrations over a transport with fixed replies, on a clock that advances only by sleeping and a disk in memory. */
import assert from 'node:assert'
import { setImmediate } from 'node:timers/promises'
import type { Failure } from '../../src/failure.ts'
import { readInputs, type NotarizeInputs } from '../../src/inputs/notarize-inputs.ts'
import { mayBeRegistered, type Artifact } from '../../src/outcome.ts'
import { Ledger, type Charges } from '../../src/records/ledger.ts'
import { register } from '../../src/register/register.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Disk, Host, HttpRequest, Reply } from '../../src/runtime/outside.ts'
import { Secrets } from '../../src/runtime/secrets.ts'
import { parseJsonObject } from '../../src/text/json.ts'
import { hostIn } from '../artifacts/host.ts'
import { API_KEY, artifactOf, makeRecord, readCall } from '../support/samples.ts'
import { source, subscription } from '../support/samples.ts'

/** The start of every test clock, in epoch milliseconds. */
export const START_MS = 1_800_000_000_000

export const service = 'https://notary.example'

const [login, request] = ['login', 'request'] as const
const kinds = { login, retrieval: 'active', request, completion: 'complete' } as const
export type Kind = (typeof kinds)[keyof typeof kinds]

/** A request, and how much time had passed. */
interface Sent {
  readonly kind: Kind
  readonly hash: string
  readonly path: string
  readonly body: string | null
  readonly token: string | null
  readonly atMs: number
}

/** A response with a JSON body, or with this text. */
export function respond(status: number, body: unknown, retryAfterMs: number | null = null): Reply {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { kind: 'response', status, retryAfterMs, body: text }
}

/** Subscription data of the service, which differs from the input. */
export const serviceData = { ...subscription, id: 'sub_of_the_service' }

const lost = { kind: 'lost', detail: 'no response: connection reset' } as const
const tooLarge = { kind: 'response', retryAfterMs: null, body: null } as const

const namedReplies: Readonly<Record<string, Reply>> = {
  lost,
  ended: { ...lost, kind: 'canceled' },
  late: { kind: 'lost', reason: 'timeout', detail: 'no response within 60 s' },
  noise: { kind: 'lost', reason: 'protocol', detail: 'an HTTP or TLS error' },
  unconnected: { kind: 'unreachable', detail: 'connection reset' },
  unknown: { kind: 'unreachable', detail: 'the host name is unknown (ENOTFOUND)' },
  407: { kind: 'proxy', detail: 'the proxy refused the connection (HTTP 407)' },
  'proxy-noise': { kind: 'proxy', reason: 'protocol', detail: 'the proxy caused a TLS error' },
  untrusted: { kind: 'certificate', detail: 'CERT_UNTRUSTED' },
  expired: { kind: 'certificate-expired', detail: 'CERT_HAS_EXPIRED' },
  early: { kind: 'certificate-early', detail: 'CERT_NOT_YET_VALID' },
  misnamed: { kind: 'not-the-service', detail: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  204: respond(204, ''),
  page: respond(200, '<html>'),
  list: respond(200, []),
  useless: respond(200, { other: 1 }),
  sorry: respond(200, { success: false, message: `the quota of ${API_KEY} is used up` }),
  unusable: respond(200, { token: 'two lines\n' }),
  blank: respond(200, { token: '' }),
  foreign: respond(200, { token: '\u20ac-no-latin' }),
  echo: respond(418, { message: `${API_KEY} token-1\n::x::` }),
  large: { ...tooLarge, status: 200 },
  'large-404': { ...tooLarge, status: 404 },
  'large-409': { ...tooLarge, status: 409 },
  'large-429': { ...tooLarge, status: 429 },
}

/** A token, subscription data, or a record that the subscription in the body paid for. */
function goodReply({ kind, hash, body }: Sent): Reply {
  if (kind === 'login') return respond(200, { token: 'token-1' })
  if (kind !== 'complete') return respond(200, serviceData)
  return respond(200, makeRecord(hash, { paymentId: parseJsonObject(body ?? '')?.['id'] }))
}

/** Replies to each kind of call, by name or as functions of n, from 1. The default, and null, is `good`. */
type Replies = string | Partial<Record<Kind, (nth: number) => Reply | Promise<Reply> | null>>

/**
 * Finds the nth reply in a text such as `complete lost 429+5, active 500`: a named reply, or a status with the seconds of
 * its `Retry-After`. The last reply of each kind is repeated.
 */
function namedReply(sent: Sent, nth: number, replies: string): Reply {
  const names = new RegExp(`${sent.kind} ([^,]+)`).exec(replies)?.[1]?.split(' ') ?? []
  const name = names[nth - 1] ?? names.at(-1) ?? 'good'
  if (name === 'good') return goodReply(sent)
  const [status, seconds] = name.split('+')
  const retryAfterMs = seconds === undefined ? null : Number(seconds) * 1000
  if (status?.endsWith('-page')) return respond(parseInt(status), '\n<!DOCTYPE html><p>Blocked')
  return namedReplies[name] ?? respond(Number(status), { error: 'no' }, retryAfterMs)
}

export type Inputs = Readonly<Record<string, string>>

/** A run with three attempts per call and the longest jitter, and its service. */
export class TestRun {
  readonly sent: Sent[] = []
  /** Every wait, in milliseconds, in order. */
  readonly waits: number[] = []
  readonly logged: string[] = []
  readonly warned: string[] = []
  readonly masked: string[] = []
  /** The lines of the records file. */
  readonly lines: string[] = []
  readonly halt = new Halt({ ...systemClock, sleep: () => new Promise(() => undefined) })
  onSend: (kind: Kind) => void = () => undefined
  onLog: (line: string) => void = () => undefined
  /** The environment of the runner. */
  env: NodeJS.ProcessEnv = {}
  readonly inputs: NotarizeInputs
  readonly #replies: Replies
  /** Of the step, once it registers. */
  charges: Charges = { least: 0, most: 0 }
  /** Of each attempt. */
  timeoutMs = 0

  constructor(replies: Replies = '', changes: Inputs = {}) {
    this.#replies = replies
    const secretInputs = { 'api-key': API_KEY, subscription: JSON.stringify(subscription) }
    const usual = { ...secretInputs, 'base-url': service, path: '*', 'max-attempts': '3' }
    const { inputs, problems } = readInputs({ ...usual, ...changes })
    assert.deepEqual(problems, [])
    this.inputs = inputs
  }

  /** Registers these artifacts, or so many others. */
  async register(
    artifacts: number | readonly Artifact[] = 1,
    outside: Partial<Host> = {},
  ): Promise<readonly Artifact[]> {
    const { inputs } = this
    const host = { ...this.#host, ...outside }
    const query = { path: '/records', name: 'records', service, source, others: [] }
    const ledger = new Ledger(query, host)
    const others = (count: number): readonly Artifact[] =>
      Array.from({ length: count }, (_, number) => artifactOf(`app-${number}.zip`, number))
    const all = typeof artifacts === 'number' ? others(artifacts) : artifacts
    const ended = await register(all, { inputs, ledger }, host)
    this.charges = ledger.charges
    return ended
  }

  get #host(): Host {
    const base = hostIn('/')
    const runner = {
      ...base.runner,
      info: (line: string) => {
        this.logged.push(line)
        this.onLog(line)
      },
      warning: (line: string) => void this.warned.push(line),
      logWarning: (line: string) => void this.warned.push(line),
    }
    const secrets = new Secrets(line => this.masked.push(line))
    secrets.add([API_KEY])
    const environment = readEnvironment(this.env, '/')
    const clock = {
      now: () => START_MS + this.passedMs,
      monotonic: () => 5_000_000 + this.passedMs,
      // Not at once: what does not wait for it happens before.
      sleep: (ms: number) => setImmediate().then(() => void this.waits.push(ms)),
    }
    const createTransport = (timeoutMs: number) => {
      this.timeoutMs = timeoutMs
      return this.send
    }
    const nothing = (): never => assert.fail('a run that registers only appends to one file')
    const disk: Disk = {
      read: () => Buffer.alloc(0),
      append: (_, data) => {
        const lines = Buffer.from(data).toString().split('\n')
        this.lines.push(...lines.filter(line => line !== ''))
      },
      truncate: nothing,
      makeFolder: nothing,
      write: nothing,
    }
    const outside = { clock, disk, createTransport, random: () => 1 }
    return { ...base, ...outside, environment, runner, secrets, halt: this.halt }
  }

  /** The sum of all waits, in milliseconds. */
  get passedMs(): number {
    return this.waits.reduce((sum, ms) => sum + ms, 0)
  }

  readonly send = async (request: HttpRequest): Promise<Reply> => {
    const { url, body, token } = request
    const call = readCall(request)
    const [kind, path] = [kinds[call.kind], url.pathname + url.search]
    const sent = { kind, hash: call.hash, path, body, token, atMs: this.passedMs }
    this.sent.push(sent)
    const nth = this.count(kind)
    this.onSend(kind)
    const replies = this.#replies
    if (typeof replies === 'string') return namedReply(sent, nth, replies)
    return (await replies[kind]?.(nth)) ?? goodReply(sent)
  }

  count(kind: Kind): number {
    return this.sent.filter(call => call.kind === kind).length
  }

  /** The kinds of all requests except logins, in order. */
  get calls(): string {
    return this.sent.flatMap(({ kind }) => (kind === 'login' ? [] : [kind])).join(' ')
  }
}

/** The outcomes in short: the state and who was charged, or the code and whether the artifact may be registered. */
export function wordsOf(artifacts: readonly Artifact[]): readonly string[] {
  return artifacts.map(({ outcome }) => {
    if (outcome.state === 'failed') {
      return `${outcome.failure.code}/${mayBeRegistered(outcome) ? 'unknown' : 'no'}`
    }
    const record = outcome.state === 'registered' ? outcome.record : {}
    return record['paymentId'] === serviceData.id ? byService : outcome.state
  })
}
export const byService = 'registered by service data'

/** The failure of the last artifact. */
export function failureIn(artifacts: readonly Artifact[]): Failure {
  const outcome = artifacts.at(-1)?.outcome
  assert(outcome?.state === 'failed')
  return outcome.failure
}
