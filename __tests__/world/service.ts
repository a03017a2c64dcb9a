/** The notarization service of the world: it accepts, refuses, loses a request or its answer. */
import type { Reply, Transport } from '../../src/service/transport.ts'
import { countOutages, maxOutages, type Answer, type SentCall } from './oracle.ts'
import { Faults, type Scheduler, type WorldDisk } from './world.ts'

/** What a call is answered with, and whether it was carried out. */
interface Course {
  readonly name: string
  readonly isCarriedOut: boolean
  readonly reply: Reply
  readonly answer: Answer
  /** Whether only a completion can be answered so. */
  readonly isOfCompletion?: boolean
}

function answerWith(status: number, body: string, retryAfter: string | null = null): Reply {
  return { kind: 'answer', status, retryAfter, date: null, body }
}

function noAnswer(wasSent: boolean): Reply {
  return { kind: 'no-answer', reason: 'the connection was reset', wasSent, cause: 'connection' }
}

function notDone(name: string, answer: Answer, reply: Reply): Course {
  return { name, isCarriedOut: false, reply, answer }
}

function done(name: string, answer: Answer, reply: Reply): Course {
  return { name, isCarriedOut: true, reply, answer }
}

const isBusy = notDone('is busy', 'unavailable', answerWith(503, ''))
const wantsMoney = notDone('wants money', 'unpaid', answerWith(402, '{}'))
const refuses = notDone('refuses', 'refused', answerWith(422, '{}'))
const ended: Reply = { kind: 'no-answer', reason: 'ended', wasSent: true, cause: 'ended' }

const faults: readonly Course[] = [
  refuses,
  wantsMoney,
  isBusy,
  done('acts, then fails', 'unavailable', answerWith(500, '')),
  notDone('loses the request', 'lost', noAnswer(true)),
  done('loses the answer', 'lost', noAnswer(true)),
  notDone('is not reached', 'unconnected', noAnswer(false)),
  done('answers nonsense', 'garbage', answerWith(200, 'ok')),
  notDone('asks to wait', 'deferred', answerWith(429, '', '7')),
  notDone('refuses the token', 'deferred', answerWith(401, '')),
  notDone('refuses the token again', 'deferred', answerWith(401, '')),
  {
    ...done('contradicts the request', 'bad-record', answerWith(200, '{"status":"pending"}')),
    isOfCompletion: true,
  },
]

/** How the path of each kind of call ends. */
const kinds = [
  ['login', '/login'],
  ['retrieval', '/active'],
  ['completion', '/forfait'],
] as const

/** Subscription data and a token: each call takes of it what it needs. */
const consent = '{"id":"sub_1","sessionId":"session-1","status":"active","token":"token-1"}'

/** What the service sees of a run. */
export interface ServedRun {
  readonly number: number
  readonly concurrency: number
  readonly disk: WorldDisk
  /** Lines that the run printed so far. */
  readonly printed: readonly string[]
  /** Whether anything may be sent: the run is not cancelled, and what is attached can be. */
  readonly maySend: () => boolean
}

/** How the service is. */
export interface ServiceMood {
  /** Whether it is busy as a rule. */
  readonly isOut: boolean
  /** Whether it completes only what was requested. */
  readonly wantsRequests: boolean
}

/** The service, with all calls that it was sent. */
export class WorldService {
  readonly #scheduler: Scheduler
  readonly #mood: ServiceMood
  readonly #faults = new Faults(faults)
  readonly #requested = new Set<string>()
  readonly calls: SentCall[] = []

  constructor(scheduler: Scheduler, mood: ServiceMood) {
    this.#scheduler = scheduler
    this.#mood = mood
  }

  /** How the process of a run reaches the service. */
  connect(run: ServedRun): Transport {
    this.#faults.renew()
    return {
      send: ({ url: { pathname }, body }, signal) => {
        const [hash = ''] = /[0-9a-f]{64}/.exec(pathname + (body ?? '')) ?? []
        const kind = kinds.find(([, end]) => pathname.endsWith(end))?.[0] ?? 'request'
        const call: SentCall = { run: run.number, kind, hash, acted: false, answer: 'none' }
        if (hash !== '') this.#check(call, run)
        this.calls.push(call)
        this.#scheduler.tell(`  ${kind} ${hash.slice(0, 4)} is sent`)
        return this.#scheduler.call(signal, {
          arrive: () => {
            this.#act(call)
          },
          answer: () => this.#answer(call),
          end: () => ended,
        })
      },
      close: () => undefined,
    }
  }

  /** Checks what must be before a call is sent. */
  #check({ kind, hash }: SentCall, run: ServedRun): void {
    const { number, concurrency, disk, printed, maySend } = run
    const lines = [...disk.syncedLines, ...printed]
    const ownLines = lines.filter(line => line.includes(`"runId":"${number}"`))
    const has = (what: string, other: string): boolean =>
      ownLines.some(line => line.includes(other) && line.includes(what))
    const calls = this.calls.filter(call => call.run === number)
    const own = calls.filter(call => call.hash === hash)
    const require = (isTrue: boolean, what: string): void => {
      this.#scheduler.require(isTrue, `run ${number}: a ${kind} of ${hash} was sent ${what}`)
    }
    require(has('"state":"sent"', hash), 'before its intent was saved')
    require(maySend(), 'after a cancel, or before the release was known to take files')
    require(!own.some(one => one.kind === kind && one.answer === 'refused'), 'after a refusal')
    require(!own.some(({ answer }) => answer === 'unpaid'), 'after one that was not paid')
    require(kind === 'completion' ||
      !own.some(({ answer }) => answer === 'agreed'), 'although it is requested')
    const saved = calls.filter(({ answer }) => answer === 'record' || answer === 'bad-record')
    const areSaved = saved.every(call => has('"record"', call.hash))
    require(own.length > 0 ||
      concurrency > 1 ||
      areSaved, 'before the record of another one was saved')
    // With several at a time, what was answered may not have ended yet.
    const isKnown = concurrency === 1 || saved.length === 0
    require(own.length > 0 ||
      !isKnown ||
      countOutages(calls) < maxOutages + concurrency - 1, 'after too many outages')
  }

  /** Whether it does nothing for a call: it completes what was requested, and takes each request once. */
  #isOdd({ kind, hash }: SentCall): boolean {
    return this.#mood.wantsRequests && this.#requested.has(hash) === (kind === 'request')
  }

  #act(call: SentCall): void {
    if (this.#isOdd(call)) return
    if (call.kind === 'request') this.#requested.add(call.hash)
    call.acted = call.kind === 'completion'
  }

  #answer(call: SentCall): Reply {
    const { name, isCarriedOut, reply, answer } = this.#choose(call)
    this.#scheduler.tell(`  ${call.kind} ${call.hash.slice(0, 4)}: the service ${name}`)
    if (isCarriedOut) this.#act(call)
    call.answer = answer
    return reply
  }

  #choose(call: SentCall): Course {
    const { hash, kind } = call
    const isCompletion = kind === 'completion'
    const usual = isCompletion
      ? done('registers it', 'record', answerWith(200, JSON.stringify(recordOf(hash))))
      : done('agrees', 'agreed', answerWith(200, consent))
    const right = hash !== '' && this.#isOdd(call) ? refuses : usual
    const { isOut } = this.#mood
    if (isOut && hash !== '') return [isBusy, right, wantsMoney][this.#scheduler.choose(3)] ?? right
    const isPossible = (one: Course): boolean => isCompletion || one.isOfCompletion !== true
    return this.#faults.draw(this.#scheduler, isPossible) ?? right
  }
}

function recordOf(hash: string): object {
  return { hash, status: 'registered', custody: false, signed: false, paymentId: 'sub_1' }
}
