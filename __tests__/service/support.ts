/** Registrations over a transport with fixed replies, on a clock that advances only by sleeping and a disk in memory. */
import assert from 'node:assert'
import type { Failure } from '../../src/failure.ts'
import { readInputs } from '../../src/inputs/notarize-inputs.ts'
import type { Artifact } from '../../src/outcome.ts'
import { Ledger } from '../../src/records/ledger.ts'
import { register } from '../../src/register/register.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import {
  type Clock,
  type Disk,
  type HttpRequest,
  type Reply,
  systemClock,
  type Transport,
} from '../../src/runtime/outside.ts'
import { Secrets } from '../../src/runtime/secrets.ts'
import { parseJsonObject } from '../../src/text/json.ts'
import { hostIn } from '../artifacts/host.ts'
import { API_KEY, hashOf, makeRecord, source, subscription } from '../support/samples.ts'

/** The start of every test clock, in epoch milliseconds. */
export const START_MS = 1_800_000_000_000

export const service = 'https://notary.example'

export type Kind = 'login' | 'active' | 'request' | 'complete'

/** A request, and how much time had passed. */
interface Sent {
  readonly kind: Kind
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

const lost = { kind: 'lost', reason: 'connection reset' } as const
const tooLarge = { kind: 'response', retryAfterMs: null, body: null } as const

const namedReplies: Readonly<Record<string, Reply>> = {
  lost,
  ended: { ...lost, kind: 'ended' },
  unconnected: { ...lost, kind: 'not-sent' },
  unknown: { kind: 'not-sent', reason: 'the host name is unknown (ENOTFOUND)' },
  407: { kind: 'no-tunnel', reason: 'the proxy returned HTTP 407' },
  untrusted: { ...lost, kind: 'untrusted' },
  expired: { kind: 'untrusted', reason: 'CERT_HAS_EXPIRED' },
  204: respond(204, ''),
  page: respond(200, '<html>'),
  list: respond(200, []),
  useless: respond(200, { other: 1 }),
  unusable: respond(200, { token: 'two lines\n' }),
  foreign: respond(200, { token: 'no-latin-\u20ac' }),
  echo: respond(418, { message: `${API_KEY} token-1\n::x::` }),
  large: { ...tooLarge, status: 200 },
  'large-404': { ...tooLarge, status: 404 },
  'large-429': { ...tooLarge, status: 429 },
  noise: respond(0, ''),
}

/** A token, subscription data, or a record for the hash in the path that the subscription in the body paid for. */
function goodReply({ kind, path, body }: Sent): Reply {
  if (kind === 'login') return respond(200, { token: 'token-1' })
  if (kind !== 'complete') return respond(200, serviceData)
  const [hash = ''] = /[0-9a-f]{64}/.exec(path) ?? []
  return respond(200, makeRecord(hash, { paymentId: parseJsonObject(body ?? '')?.['id'] }))
}

/** Replies to each kind of call, by name or as functions of n, from 1. The default is `good`. */
export type Replies = string | Partial<Record<Kind, (nth: number) => Reply | Promise<Reply>>>

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
  return namedReplies[name] ?? respond(Number(status), { error: 'no' }, retryAfterMs)
}

function kindOf(path: string): Kind {
  if (path.endsWith('/auth/login')) return 'login'
  if (path.endsWith('?subscription=true')) return 'request'
  return path.endsWith('/active') ? 'active' : 'complete'
}

/** Makes artifacts with different hashes; `openSince` is when an earlier run sent them. */
export function makeArtifacts(count: number, openSince: string | null = null): readonly Artifact[] {
  return Array.from({ length: count }, (_, index) => {
    const outcome = { state: 'planned', openSince } as const
    return { input: 'path', name: `app-${index}.zip`, size: 7, hash: hashOf(index), outcome }
  })
}

export type Inputs = Readonly<Record<string, string>>

/** A run with three attempts per call and the longest jitter. */
export class TestRun implements Transport {
  readonly sent: Sent[] = []
  /** Every wait, in milliseconds, in order. */
  readonly waits: number[] = []
  readonly logged: string[] = []
  readonly noticed: string[] = []
  readonly warned: string[] = []
  readonly masked: string[] = []
  /** The lines of the records file. */
  readonly lines: string[] = []
  readonly halt = new Halt({ ...systemClock, sleep: () => new Promise(() => undefined) })
  /** Called when a request was sent. */
  onSend: (kind: Kind) => void = () => undefined
  /** Called for each line of the log. */
  onLog: (line: string) => void = () => undefined
  /** The environment of the runner. */
  env: NodeJS.ProcessEnv = {}
  /** What the records file holds before. */
  records = ''
  readonly #replies: Replies
  readonly #inputs: Inputs

  constructor(replies: Replies = '', inputs: Inputs = {}) {
    this.#replies = replies
    this.#inputs = inputs
  }

  async register(artifacts = makeArtifacts(1)): Promise<readonly Artifact[]> {
    const secretInputs = { 'api-key': API_KEY, subscription: JSON.stringify(subscription) }
    const usual = { ...secretInputs, 'base-url': service, path: '*', 'max-attempts': '3' }
    const { inputs, problems } = readInputs({ ...usual, ...this.#inputs }, START_MS)
    assert.deepEqual(problems, [])
    const base = hostIn('/')
    const runner = {
      ...base.runner,
      info: (line: string) => {
        this.logged.push(line)
        this.onLog(line)
      },
      notice: (line: string) => void this.noticed.push(line),
      warning: (line: string) => void this.warned.push(line),
      mask: (line: string) => void this.masked.push(line),
    }
    const secrets = new Secrets(runner.mask)
    secrets.add([API_KEY])
    const outside = { clock: this.#clock, disk: this.#disk, createTransport: this.#open }
    const environment = readEnvironment(this.env, '/')
    const own = { environment, runner, secrets, random: () => 1, halt: this.halt }
    const host = { ...base, ...outside, ...own }
    const { verificationUrl } = inputs
    const query = { path: '/records', name: 'records', service, source, verificationUrl }
    const ledger = Ledger.read({ ...query, others: [] }, host)
    return register(artifacts, { host, inputs, ledger })
  }

  /** The sum of all waits, in milliseconds. */
  get passedMs(): number {
    return this.waits.reduce((sum, ms) => sum + ms, 0)
  }

  get #clock(): Clock {
    return {
      now: () => START_MS + this.passedMs,
      monotonic: () => 5_000_000 + this.passedMs,
      sleep: ms => Promise.resolve(void this.waits.push(ms)),
    }
  }

  get #disk(): Disk {
    const done = (): Promise<void> => Promise.resolve()
    const append = (data: Uint8Array): Promise<void> => {
      if (data.length > 0) this.lines.push(...Buffer.from(data).toString().trimEnd().split('\n'))
      return done()
    }
    const file = { append, truncate: done, sync: done, close: done }
    const writeNew = (): Promise<string> => Promise.reject(new Error('this writes no other file'))
    return {
      read: () => Buffer.from(this.records),
      openForAppending: () => Promise.resolve(file),
      writeNew,
    }
  }

  readonly send = async (request: HttpRequest): Promise<Reply> => {
    const { url, body, token } = request
    const path = url.pathname + url.search
    const kind = kindOf(path)
    const sent = { kind, path, body, token, atMs: this.passedMs }
    this.sent.push(sent)
    const nth = this.count(kind)
    this.onSend(kind)
    const replies = this.#replies
    if (typeof replies === 'string') return namedReply(sent, nth, replies)
    return (await replies[kind]?.(nth)) ?? goodReply(sent)
  }

  /** Of each attempt. */
  timeoutMs = 0
  readonly #open = (timeoutMs: number): Transport => {
    this.timeoutMs = timeoutMs
    return this
  }

  isClosed = false
  readonly close = (): void => void (this.isClosed = true)

  count(kind: Kind): number {
    return this.sent.filter(call => call.kind === kind).length
  }

  /** The kinds of all requests except logins, in order. */
  get calls(): string {
    return this.sent.flatMap(({ kind }) => (kind === 'login' ? [] : [kind])).join(' ')
  }
}

/** The outcomes in short: who was charged and whether it may have been charged again, or the code and `registered`. */
export function wordsOf(artifacts: readonly Artifact[]): readonly string[] {
  return artifacts.map(({ outcome }) => {
    if (outcome.state === 'failed') {
      const { code, registered } = outcome.failure
      return `${code}/${registered}`
    }
    assert(outcome.state === 'registered')
    const payer = outcome.record['paymentId'] === serviceData.id ? ' by service data' : ''
    return `registered${outcome.maybeChargedAgain ? ' again' : ''}${payer}`
  })
}

/** The failure of the last artifact. */
export function failureIn(artifacts: readonly Artifact[]): Failure {
  const outcome = artifacts.at(-1)?.outcome
  assert(outcome?.state === 'failed')
  return outcome.failure
}
