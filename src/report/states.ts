import type { Failure } from '../failure.ts'
import type { Artifact, Outcome } from '../outcome.ts'

/** What is known about an artifact. */
export interface State {
  readonly sign: string
  /** For log and summary; they also follow a number. */
  readonly words: string
  /** What it may have cost, as a clause; null if there is nothing to do about it. */
  readonly cost: string | null
}

/** All states; the order is the rank: the most urgent first. */
export const states = {
  unsure: {
    sign: '❓',
    words: 'may be registered',
    cost: 'it may be registered and charged, and a re-run sends it again and may pay again',
  },
  contradicted: {
    sign: '❓',
    words: 'record in doubt',
    cost: 'it may be registered and charged, but it is not sent again until it is settled',
  },
  failed: {
    sign: '❌',
    words: 'not registered',
    cost: 'nothing was registered or charged for it in this run',
  },
  known: {
    sign: '❌',
    words: 'not registered',
    cost: 'the service has it already, and nothing was charged for it in this run',
  },
  open: {
    sign: '⚠️',
    words: 'would be sent again',
    cost: 'an earlier run sent it and saved no answer, so it may be charged again',
  },
  chargedAgain: {
    sign: '⚠️',
    words: 'registered, maybe charged more than once',
    cost: 'it may have been charged more than once',
  },
  planned: { sign: '🔎', words: 'would be registered', cost: null },
  registered: { sign: '✅', words: 'registered', cost: null },
  registeredBefore: { sign: '✅', words: 'registered before', cost: null },
} as const satisfies Readonly<Record<string, State>>

export function stateOf(outcome: Outcome): State {
  switch (outcome.state) {
    case 'planned':
      return outcome.openSince === null ? states.planned : states.open
    case 'contradicted':
      return states.contradicted
    case 'registered':
      if (outcome.maybeChargedAgain) return states.chargedAgain
      return outcome.from === 'this-run' ? states.registered : states.registeredBefore
    case 'failed':
      return stateOfFailure(outcome.failure)
  }
}

export function stateOfFailure({ code, registered, isKnown }: Failure) {
  if (registered === 'no') return isKnown ? states.known : states.failed
  return code === 'record-mismatch' ? states.contradicted : states.unsure
}

export function countState(artifacts: readonly Artifact[], state: State): number {
  return artifacts.filter(({ outcome }) => stateOf(outcome) === state).length
}

/** Sorts by urgency; artifacts of one state keep their order. */
export function rankArtifacts(artifacts: readonly Artifact[]): readonly Artifact[] {
  const order: readonly State[] = Object.values(states)
  const rankOf = ({ outcome }: Artifact): number => order.indexOf(stateOf(outcome))
  return artifacts.toSorted((a, b) => rankOf(a) - rankOf(b))
}
