import type { Clock } from '../../clock.ts'
import type { Reason } from './failures.ts'
import { decideNextStep } from './retry.ts'
import type { Reply, Transport } from './transport.ts'

/** What every call to the service shares. */
export interface CallContext {
  readonly transport: Transport
  readonly clock: Clock
  readonly random: () => number
  readonly maxAttempts: number
  /** Holds back all workers after a `Retry-After`. */
  readonly gate: Gate
  readonly halt: HaltView
}

/** When to stop, as far as a call needs to know. */
export interface HaltView {
  /** Aborts when nothing more may be sent; calls in flight go on. */
  readonly signal: AbortSignal
  /** Aborts when calls in flight must end, too. */
  readonly kill: AbortSignal
  /** Why; null while all goes on. */
  readonly reason: Reason | null
}

/** A moment before which no worker sends anything. */
export class Gate {
  #openAtMs = 0

  /** Keeps the gate shut until then, if it is not shut longer already. */
  holdUntil(epochMs: number): void {
    this.#openAtMs = Math.max(this.#openAtMs, epochMs)
  }

  /** Waits until the gate is open, or the signal aborts; says whether it was shut. */
  async pass(clock: Clock, signal: AbortSignal): Promise<boolean> {
    let wasShut = false
    for (let left = this.#left(clock); left > 0 && !signal.aborted; left = this.#left(clock)) {
      wasShut = true
      await clock.sleep(left, signal)
    }
    return wasShut
  }

  #left(clock: Clock): number {
    return this.#openAtMs - clock.now()
  }
}

/** What came of a call with all its tries. */
export interface CallResult {
  /** The last reply; null if nothing was sent. */
  readonly reply: Reply | null
  readonly tries: number
  /** Whether any try may have had an effect: not if all failed before their body went out or were answered with a 4xx. */
  readonly mayHaveActed: boolean
  /** Whether the call ended because nothing more may be sent. */
  readonly wasHalted: boolean
}

/** Sends one request with its tries. Never rejects. */
export async function call(
  context: CallContext,
  send: () => Promise<Reply | 'halted'>,
): Promise<CallResult> {
  const { clock, gate, maxAttempts, random } = context
  const halt = context.halt.signal
  let reply: Reply | null = null
  let mayHaveActed = false
  for (let tries = 1; ; tries++) {
    await gate.pass(clock, halt)
    const made = halt.aborted ? 'halted' : await send()
    if (made === 'halted') return { reply, tries: tries - 1, mayHaveActed, wasHalted: true }
    reply = made
    mayHaveActed ||= mayAct(made)
    const nowMs = clock.now()
    const next = decideNextStep({ reply: made, tries, maxAttempts, nowMs, random: random() })
    if (next.holdMs > 0) gate.holdUntil(nowMs + next.holdMs)
    if (next.action === 'done') {
      return { reply, tries, mayHaveActed, wasHalted: made.kind === 'aborted' }
    }
    await clock.sleep(next.waitMs, halt)
  }
}

/** Whether a reply leaves open that the request was carried out. */
function mayAct(reply: Reply): boolean {
  switch (reply.kind) {
    case 'lost':
    case 'aborted':
      return reply.wasSent
    case 'untrusted':
      return false
    case 'answer':
    case 'too-large':
      return reply.status < 400 || reply.status > 499
  }
}
