/** The notarization service of the world: it accepts, refuses, or loses requests and responses. */
import type { Reply, Transport } from '../../src/runtime/outside.ts'
import { readCall } from '../support/samples.ts'
import type { Scenario } from './run.ts'
import type { Scheduler } from './scheduler.ts'

export const serviceUrl = 'https://notary.example'

/** Answers after which a call is not repeated; `bad` is a record that contradicts its request. */
export const lastWords = ['record', 'bad', 'agreed', 'refused', 'unpaid', 'nonsense'] as const
/** After `wait` and `denied`, nothing was done; after `lost`, nobody can know; `none`: there is none yet. */
type Interim = 'busy' | 'lost' | 'wait' | 'denied' | 'none'

export interface SentCall {
  readonly kind: 'login' | 'retrieval' | 'request' | 'completion'
  /** Empty for a login and the retrieval of the subscription. */
  readonly hash: string
  /** Whether the service registered the hash and charged for it. */
  acted: boolean
  /** As the caller sees it. */
  answer: (typeof lastWords)[number] | Interim
}

/** What the service does with a call. */
interface Effect {
  readonly does: string
  readonly acts: boolean
  readonly answer: SentCall['answer']
  readonly reply: Reply
}

function status(code: number, body = '{}', retryAfterMs: number | null = null): Reply {
  return { kind: 'response', status: code, retryAfterMs, body }
}

function noAnswer(kind: 'not-sent' | 'lost' | 'ended'): Reply {
  return { kind, reason: 'the connection was reset' }
}

const exists: Effect = { does: 'says 409', acts: false, answer: 'refused', reply: status(409) }
const refuses: Effect = { does: 'refuses', acts: false, answer: 'refused', reply: status(422) }
const isUnpaid: Effect = { does: 'is unpaid', acts: false, answer: 'unpaid', reply: status(402) }
const isBusy: Effect = { does: 'is busy', acts: false, answer: 'busy', reply: status(503) }

const denied = { acts: false, answer: 'denied', reply: status(401) } as const
const denies: Effect = { does: 'refuses the token', ...denied }
const deniesAll: Effect = { does: 'refuses every token from now on', ...denied }

/** Each can happen once per run. */
const faults: readonly Effect[] = [
  refuses,
  isUnpaid,
  isBusy,
  { does: 'acts, then fails', acts: true, answer: 'busy', reply: status(500) },
  { does: 'loses the request', acts: false, answer: 'lost', reply: noAnswer('lost') },
  { does: 'loses the answer', acts: true, answer: 'lost', reply: noAnswer('lost') },
  { does: 'is not reached', acts: false, answer: 'wait', reply: noAnswer('not-sent') },
  { does: 'answers nonsense', acts: true, answer: 'nonsense', reply: status(200, 'ok') },
  { does: 'asks to wait', acts: false, answer: 'wait', reply: status(429, '', 7000) },
  denies,
  deniesAll,
]
const pending = status(200, '{"status":"pending"}')
const contradicts: Effect = { does: 'contradicts it', acts: true, answer: 'bad', reply: pending }
const completionFaults = [...faults, contradicts]

/** Subscription data and a token: each call uses what it needs. */
const consent = '{"id":"sub_1","sessionId":"session-1","status":"active","token":"token-1"}'
const agrees: Effect = { does: 'agrees', acts: true, answer: 'agreed', reply: status(200, consent) }

function registers(hash: string): Effect {
  const flags = { status: 'registered', custody: false, signed: false }
  const body = JSON.stringify({ hash, ...flags, paymentId: 'sub_1' })
  return { does: 'registers it', acts: true, answer: 'record', reply: status(200, body) }
}

export class WorldService {
  readonly #scheduler: Scheduler
  readonly #scenario: Scenario
  readonly #requested = new Set<string>()
  /** The hashes that it has registered. */
  readonly registered = new Set<string>()
  #deniesAll = false

  constructor(scheduler: Scheduler, scenario: Scenario) {
    this.#scheduler = scheduler
    this.#scenario = scenario
  }

  /** Connects the process of a run; `onSend` is called before each call is sent. */
  connect(onSend: (call: SentCall) => void): Transport {
    this.#deniesAll = false
    return {
      send: (request, signal) => {
        const call: SentCall = { ...readCall(request), acted: false, answer: 'none' }
        const { kind, hash } = call
        onSend(call)
        this.#scheduler.log(`  ${kind} ${hash.slice(0, 4)} is sent`)
        const reply = this.#scheduler.call(signal, isAwaited => this.#serve(call, isAwaited))
        return reply.catch(() => noAnswer('ended'))
      },
      close: () => undefined,
    }
  }

  #serve(call: SentCall, isAwaited: boolean): Reply {
    const { kind, hash } = call
    const wasRequested = this.#requested.has(hash)
    const isOutOfOrder = this.#scenario.requiresRequests && wasRequested === (kind === 'request')
    const usual = kind === 'completion' ? registers(hash) : agrees
    let right = isOutOfOrder && hash !== '' ? refuses : usual
    const isRepeat = this.#scenario.refusesRepeats && this.registered.has(hash)
    if (isRepeat && kind === 'completion') right = exists
    const { does, acts, answer, reply } = isAwaited ? this.#choose(call, right) : right
    if (acts && !isOutOfOrder && kind === 'request') this.#requested.add(hash)
    if (acts && !isOutOfOrder && kind === 'completion') {
      call.acted = true
      this.registered.add(hash)
    }
    if (!isAwaited) return reply
    call.answer = answer
    this.#scheduler.log(`  ${kind} ${hash.slice(0, 4)}: the service ${does}`)
    return reply
  }

  #choose({ kind, hash }: SentCall, right: Effect): Effect {
    if (this.#scenario.isUsuallyBusy && hash !== '') {
      return this.#scheduler.pick([isBusy, right, isUnpaid])
    }
    if (this.#deniesAll && kind !== 'login') return denies
    const fault = this.#scheduler.chooseFault(kind === 'completion' ? completionFaults : faults)
    this.#deniesAll ||= fault === deniesAll
    return fault ?? right
  }
}
