/** The notarization service of the world: it accepts, refuses, loses an answer before or after it acted. */
import type { Reply, Transport } from '../../src/service/transport.ts'
import type { Answer, SentCall } from './oracle.ts'
import type { Scheduler, WorldDisk } from './world.ts'

/** What can go wrong with a call: whether the service carries it out, what its caller gets, and how that is judged. */
interface Fault {
  readonly name: string
  readonly isCarriedOut: boolean
  readonly reply: Reply
  readonly answer: Answer
}

function answerWith(status: number, body: string, retryAfter: string | null = null): Reply {
  return { kind: 'answer', status, retryAfter, date: null, body }
}

function noAnswer(wasSent: boolean): Reply {
  return { kind: 'no-answer', reason: 'the connection was reset', wasSent, cause: 'connection' }
}

const faults: readonly Fault[] = [
  { name: 'refuses', isCarriedOut: false, reply: answerWith(422, '{}'), answer: 'refused' },
  { name: 'is busy', isCarriedOut: false, reply: answerWith(503, ''), answer: 'unavailable' },
  {
    name: 'acts, then fails',
    isCarriedOut: true,
    reply: answerWith(500, ''),
    answer: 'unavailable',
  },
  { name: 'loses the request', isCarriedOut: false, reply: noAnswer(true), answer: 'lost' },
  { name: 'loses the answer', isCarriedOut: true, reply: noAnswer(true), answer: 'lost' },
  { name: 'is not reached', isCarriedOut: false, reply: noAnswer(false), answer: 'unconnected' },
  { name: 'answers nonsense', isCarriedOut: true, reply: answerWith(200, 'ok'), answer: 'garbage' },
  {
    name: 'asks to wait',
    isCarriedOut: false,
    reply: answerWith(429, '', '7'),
    answer: 'deferred',
  },
  {
    name: 'refuses the token',
    isCarriedOut: false,
    reply: answerWith(401, ''),
    answer: 'deferred',
  },
  {
    name: 'contradicts the request',
    isCarriedOut: true,
    reply: answerWith(200, '{"status":"pending"}'),
    answer: 'bad-record',
  },
]

/** What the service sees of a run. */
export interface RunInWorld {
  readonly number: number
  readonly concurrency: number
  readonly isCancelled: () => boolean
  /** Lines that the run printed so far. */
  readonly printed: readonly string[]
}

/** The service, with all completions that it was sent. */
export class WorldService {
  readonly #scheduler: Scheduler
  readonly #disk: WorldDisk
  readonly calls: SentCall[] = []
  /** What must not be when a call is sent, in words. */
  readonly faultyCalls: string[] = []
  readonly #faultsLeft = new Set<Fault>()
  #run: RunInWorld = { number: 0, isCancelled: () => false, concurrency: 1, printed: [] }
  #tokens = 0

  constructor(scheduler: Scheduler, disk: WorldDisk) {
    this.#scheduler = scheduler
    this.#disk = disk
  }

  /** A run begins: each fault may happen once more. */
  beginRun(run: RunInWorld): void {
    this.#run = run
    for (const fault of faults) this.#faultsLeft.add(fault)
  }

  /** The process was killed: what was on its way arrives, or does not. */
  kill(): void {
    for (const call of this.calls) {
      if (call.answer !== 'none' || call.run !== this.#run.number) continue
      if (this.#scheduler.choose(2) === 1) call.acted = true
    }
  }

  /** How the process of a run reaches the service. */
  transport(): Transport {
    return {
      send: (request, signal) => {
        const hash = /registration\/([0-9a-f]{64})\//.exec(request.url.pathname)?.[1]
        return hash === undefined ? this.#login() : this.#complete(hash, signal)
      },
      close: () => undefined,
    }
  }

  #login(): Promise<Reply> {
    return this.#scheduler.wait('the login is answered', () => {
      this.#tokens += 1
      return answerWith(200, JSON.stringify({ token: `token-${this.#tokens}` }))
    })
  }

  #complete(hash: string, signal: AbortSignal): Promise<Reply> {
    const name = hash.slice(0, 4)
    const { number } = this.#run
    this.#checkCall(hash)
    const call: SentCall = { run: number, hash, acted: false, answer: 'none' }
    this.calls.push(call)
    this.#scheduler.tell(`  ${name} is sent`)
    const answered = this.#scheduler.wait(`${name} is answered`, () => {
      if (!signal.aborted) return this.#answer(call)
      // Nobody reads the answer any more.
      call.acted = this.#scheduler.choose(2) === 1
      return noAnswer(true)
    })
    const aborted = new Promise<Reply>(resolve => {
      signal.addEventListener('abort', () => {
        resolve({ kind: 'no-answer', reason: 'ended', wasSent: true, cause: 'ended' })
      })
    })
    return Promise.race([answered, aborted])
  }

  /** Checks what must be on disk before a call is sent. */
  #checkCall(hash: string): void {
    const { number, concurrency, isCancelled, printed } = this.#run
    const ownLines = this.#disk.syncedLines.filter(line => line.includes(`"runId":"${number}"`))
    const has = (kind: string, other: string): boolean =>
      [...ownLines, ...printed].some(line => line.includes(other) && line.includes(kind))
    const own = this.calls.filter(call => call.run === number)
    const check = (isRight: boolean, what: string): void => {
      if (!isRight) this.faultyCalls.push(`run ${number}: ${hash} was sent ${what}`)
    }
    check(has('"state":"sent"', hash), 'before its intent was saved')
    check(!isCancelled(), 'after the run was cancelled')
    check(!own.some(call => call.hash === hash && call.answer === 'refused'), 'after a refusal')
    const answered = own.filter(({ answer }) => answer === 'record' || answer === 'bad-record')
    const isSaved = answered.every(call => has('"record"', call.hash))
    check(concurrency > 1 || isSaved, 'before the record of another one was saved')
  }

  #answer(call: SentCall): Reply {
    const possible = [...this.#faultsLeft]
    const fault = possible[this.#scheduler.choose(possible.length + 1) - 1]
    call.acted = fault?.isCarriedOut ?? true
    call.answer = fault?.answer ?? 'record'
    this.#scheduler.tell(`  ${call.hash.slice(0, 4)}: the service ${fault?.name ?? 'registers it'}`)
    if (fault === undefined) return answerWith(200, JSON.stringify(recordOf(call.hash)))
    this.#faultsLeft.delete(fault)
    return fault.reply
  }
}

function recordOf(hash: string): object {
  return { hash, status: 'registered', custody: false, signed: false, paymentId: 'sub_1' }
}
