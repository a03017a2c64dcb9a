/** The notarization service of the world: it accepts, refuses, or loses requests and responses. */
import type { Reply, Transmit } from '../../src/runtime/outside.ts'
import { readCall } from '../support/samples.ts'
import type { Run } from './run.ts'
import type { Scenario } from './scenarios.ts'
import type { Scheduler } from './scheduler.ts'

export const serviceUrl = 'https://notary.example'

/** A call to the service. */
export interface SentCall {
  readonly kind: 'login' | 'retrieval' | 'request' | 'completion'
  /** Empty for a login and the retrieval of the subscription. */
  readonly hash: string
  /**
   * As the caller sees it. After `wait` and `denied`, nothing was done; after `exists`, nothing by this call; after `busy`, `lost`,
   * `nonsense` and `bad`, a record that contradicts its request, nobody can know; `none`: there is none yet.
   */
  answer:
    | ('record' | 'agreed' | 'refused' | 'exists' | 'unpaid' | 'wait' | 'denied')
    | ('busy' | 'lost' | 'nonsense' | 'bad' | 'none')
}

/** What the service does with a call. */
export interface Effect {
  readonly does: string
  /** Whether it is carried out; false by default. */
  readonly acts?: boolean
  readonly answer: SentCall['answer']
  readonly reply: Reply
}

function status(code: number, body = '{}', retryAfterMs: number | null = null): Reply {
  return { kind: 'response', status: code, retryAfterMs, body }
}

function noAnswer(kind: 'unreachable' | 'lost' | 'canceled'): Reply {
  return { kind, detail: 'the connection was reset' }
}

const exists: Effect = { does: 'says 409', answer: 'exists', reply: status(409) }
const refuses: Effect = { does: 'refuses', answer: 'refused', reply: status(422) }
export const isUnpaid: Effect = { does: 'is unpaid', answer: 'unpaid', reply: status(402) }
export const isBusy: Effect = { does: 'is busy', answer: 'busy', reply: status(503) }
const losesRequest: Effect = { does: 'loses the request', answer: 'lost', reply: noAnswer('lost') }

const denied = { answer: 'denied', reply: status(401) } as const
const denies: Effect = { does: 'refuses the token', ...denied }
const deniesAll: Effect = { does: 'refuses every token from now on', ...denied }

/** Each can happen once per run. */
const faults: readonly Effect[] = [
  refuses,
  isUnpaid,
  isBusy,
  { does: 'acts, then fails', acts: true, answer: 'busy', reply: status(500) },
  losesRequest,
  { does: 'loses the answer', acts: true, answer: 'lost', reply: noAnswer('lost') },
  { does: 'is not reached', answer: 'wait', reply: noAnswer('unreachable') },
  { does: 'answers nonsense', acts: true, answer: 'nonsense', reply: status(200, 'ok') },
  { does: 'asks to wait', answer: 'wait', reply: status(429, '', 7000) },
  { does: 'is busy and asks to wait', answer: 'wait', reply: status(503, '', 7000) },
  denies,
  deniesAll,
]
const pending = status(200, '{"status":"pending"}')
const isPending: Effect = { does: 'accepts it', acts: true, answer: 'bad', reply: pending }
const actsBusy: Effect = { ...isBusy, does: 'acts, then is busy', acts: true }
const completionFaults = [...faults, isPending, actsBusy]

/** Subscription data and a token: each call uses what it needs. */
const consent = '{"id":"sub_1","sessionId":"session-1","status":"active","token":"token-1"}'
const agrees: Effect = { does: 'agrees', acts: true, answer: 'agreed', reply: status(200, consent) }

function registers(hash: string): Effect {
  const flags = { status: 'registered', custody: false, signed: false }
  const body = JSON.stringify({ hash, ...flags, paymentId: 'sub_1' })
  return { does: 'registers it', acts: true, answer: 'record', reply: status(200, body) }
}

/** A completion that was carried out: the service wants money for it. */
export interface Charge {
  readonly run: Run
  readonly hash: string
}

export class WorldService {
  readonly #scheduler: Scheduler
  readonly #scenario: Scenario
  readonly #requested = new Set<string>()
  /** The hashes that it has registered. */
  readonly registered = new Set<string>()
  readonly charges: Charge[] = []
  #deniesAll = false

  constructor(scheduler: Scheduler, scenario: Scenario) {
    this.#scheduler = scheduler
    this.#scenario = scenario
  }

  /** Connects the process of a run, which judges each call before it is sent. */
  connect(run: Run): Transmit {
    this.#deniesAll = false
    return (request, signal) => {
      if (this.#scheduler.hasEnded) return new Promise(() => undefined)
      const call: SentCall = { ...readCall(request), answer: 'none' }
      run.onSend(call)
      this.#scheduler.log(`  ${call.kind} ${call.hash.slice(0, 4)} is sent`)
      const reply = this.#scheduler.call(signal, isAwaited => {
        const { does, answer, reply } = this.#serve(call, isAwaited, run)
        if (!isAwaited) return reply
        call.answer = answer
        run.answered.push(call)
        this.#scheduler.log(`  ${call.kind} ${call.hash.slice(0, 4)}: the service ${does}`)
        return reply
      })
      return reply.catch(() => noAnswer('canceled'))
    }
  }

  #serve(call: SentCall, isAwaited: boolean, run: Run): Effect {
    const right = this.#rightFor(call)
    const effect = isAwaited ? this.#choose(call, right) : right
    const act = (): void => {
      this.#act(call, run)
    }
    if (effect.acts === true) act()
    const isLate = effect === losesRequest && call.kind === 'completion'
    const arrives = `the lost completion ${call.hash.slice(0, 4)} arrives after all`
    if (isLate) this.#scheduler.interrupt(arrives, act, true)
    return effect
  }

  #act(call: SentCall, run: Run): void {
    const { kind, hash } = call
    if (this.#rightFor(call).acts !== true) return
    if (kind === 'request') this.#requested.add(hash)
    if (kind !== 'completion') return
    this.registered.add(hash)
    this.charges.push({ run, hash })
  }

  /** What it does if nothing goes wrong. */
  #rightFor({ kind, hash }: SentCall): Effect {
    const { requiresRequests, refusesRepeats, isSlow } = this.#scenario
    const wasRequested = this.#requested.has(hash)
    if (hash !== '' && requiresRequests && wasRequested === (kind === 'request')) return refuses
    if (kind !== 'completion') return agrees
    const isRepeat = this.registered.has(hash)
    if (isRepeat && refusesRepeats) return exists
    return isSlow && !isRepeat ? isPending : registers(hash)
  }

  #choose({ kind, hash }: SentCall, right: Effect): Effect {
    const { usual } = this.#scenario
    if (usual !== null && hash !== '') return this.#scheduler.pick(usual(right))
    if (this.#deniesAll && kind !== 'login') return denies
    const fault = this.#scheduler.chooseFault(kind === 'completion' ? completionFaults : faults)
    this.#deniesAll ||= fault === deniesAll
    return fault ?? right
  }
}
