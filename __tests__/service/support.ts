/** Calls over a transport with fixed replies, on a clock that advances only by sleeping. */
import assert from 'node:assert'
import { Failure } from '../../src/failure.ts'
import { readInputs, type NotarizeInputs } from '../../src/inputs/notarize-inputs.ts'
import { failed, mayBeRegistered, planned, type PlannedArtifact } from '../../src/outcome.ts'
import type { Completed } from '../../src/records/ledger.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Host, HttpRequest, Reply, Transport } from '../../src/runtime/outside.ts'
import { Secrets } from '../../src/runtime/secrets.ts'
import { Client } from '../../src/service/client.ts'
import { Payers } from '../../src/service/payers.ts'
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
  foreign: respond(200, { token: 'no-latin-\u20ac' }),
  echo: respond(418, { message: `${API_KEY} token-1\n::x::` }),
  large: { ...tooLarge, status: 200 },
  'large-404': { ...tooLarge, status: 404 },
  'large-409': { ...tooLarge, status: 409 },
  'large-429': { ...tooLarge, status: 429 },
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
  if (status?.endsWith('-page')) return respond(parseInt(status), '\n<!DOCTYPE html><p>Blocked')
  return namedReplies[name] ?? respond(Number(status), { error: 'no' }, retryAfterMs)
}

function kindOf(path: string): Kind {
  if (path.endsWith('/auth/login')) return 'login'
  if (path.endsWith('?subscription=true')) return 'request'
  return path.endsWith('/active') ? 'active' : 'complete'
}

export type Inputs = Readonly<Record<string, string>>

/** What became of a registration. */
export type Ended = Completed | Failure

/** Artifacts with different hashes. */
function artifactOf(index: number): PlannedArtifact {
  return { input: 'path', name: `app-${index}.zip`, size: 7, hash: hashOf(index), outcome: planned }
}

/** The service of a run with three attempts per call and the longest jitter. */
export class TestService implements Transport {
  readonly sent: Sent[] = []
  /** Every wait, in milliseconds, in order. */
  readonly waits: number[] = []
  readonly logged: string[] = []
  readonly warned: string[] = []
  readonly masked: string[] = []
  readonly halt = new Halt({ ...systemClock, sleep: () => new Promise(() => undefined) })
  /** Called when a request was sent. */
  onSend: (kind: Kind) => void = () => undefined
  /** Called for each line of the log. */
  onLog: (line: string) => void = () => undefined
  /** Called for each wait. */
  onWait: (ms: number) => void = () => undefined
  /** The environment of the runner. */
  env: NodeJS.ProcessEnv = {}
  readonly inputs: NotarizeInputs
  readonly #replies: Replies

  constructor(replies: Replies = '', changes: Inputs = {}) {
    this.#replies = replies
    const secretInputs = { 'api-key': API_KEY, subscription: JSON.stringify(subscription) }
    const usual = { ...secretInputs, 'base-url': service, path: '*', 'max-attempts': '3' }
    const { inputs, problems } = readInputs({ ...usual, ...changes })
    assert.deepEqual(problems, [])
    this.inputs = inputs
  }

  get host(): Host {
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
    const outside = { clock: this.#clock, createTransport: this.#open, random: () => 1 }
    return { ...base, ...outside, environment, runner, secrets, halt: this.halt }
  }

  /** Makes so many registrations, at most `concurrency` at the same time. */
  async complete(count = 1, concurrency = count): Promise<readonly Ended[]> {
    const { host, inputs } = this
    const client = new Client(host, this, inputs)
    const payers = new Payers(client, host, inputs)
    const makeOne = async (index: number): Promise<Ended> => {
      const artifact = artifactOf(index)
      try {
        const payer = await payers.obtain(artifact, source)
        return await client.complete(artifact, payer)
      } catch (error) {
        return Failure.orRethrow(error)
      }
    }
    const ended: Ended[] = []
    const indexes = Array(count).keys()
    const work = async (): Promise<void> => {
      for (const index of indexes) ended[index] = await makeOne(index)
    }
    await Promise.all(Array.from({ length: concurrency }, work))
    return ended
  }

  /** The sum of all waits, in milliseconds. */
  get passedMs(): number {
    return this.waits.reduce((sum, ms) => sum + ms, 0)
  }

  get #clock(): Clock {
    return {
      now: () => START_MS + this.passedMs,
      monotonic: () => 5_000_000 + this.passedMs,
      sleep: ms => {
        this.waits.push(ms)
        this.onWait(ms)
        return Promise.resolve()
      },
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

/** The results in short: who was charged, or the code and whether the hash may be registered. */
export function wordsOf(all: readonly Ended[]): readonly string[] {
  return all.map(ended => {
    if (ended instanceof Failure) return wordOf(ended)
    return ended.paymentId === serviceData.id ? 'registered by service data' : 'registered'
  })
}

/** A failure in short; `lastDoubtAt` is when an earlier run sent the hash. */
export function wordOf(failure: Failure, lastDoubtAt: string | null = null): string {
  const isUnknown = mayBeRegistered(failed(failure, lastDoubtAt))
  return `${failure.code}/${isUnknown ? 'unknown' : 'no'}`
}

/** The last result, a failure. */
export function failureIn(all: readonly Ended[]): Failure {
  const ended = all.at(-1)
  assert(ended instanceof Failure)
  return ended
}
