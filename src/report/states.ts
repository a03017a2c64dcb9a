/** What is known about an artifact, as log and summary say it. */
import { isFailed, isRegistered, type Artifact, type Outcome } from '../outcome.ts'

export interface State {
  readonly sign: string
  /** For log and summary; they also follow a number. */
  readonly words: string
  /** What it cost: a clause, also before a list of names; empty if there is nothing to say. */
  readonly cost: string
}

/** States of which the table says nothing more. */
export function isPlain(state: State): boolean {
  return state.sign === '✅' || state === states.planned
}

/** All states; the order is the rank: the most serious first. */
export const states = {
  inDoubt: { sign: '❓', words: 'may be registered', cost: 'may be registered and charged' },
  known: { sign: '❌', words: 'without a record (409)', cost: 'not charged by this call' },
  failed: { sign: '❌', words: 'not registered', cost: 'neither registered nor charged' },
  plannedAgain: {
    sign: '⚠️',
    words: 'would be sent again',
    cost: 'sent earlier, without a record',
  },
  chargedAgain: { sign: '⚠️', words: 'maybe charged more than once', cost: '' },
  planned: { sign: '🔎', words: 'would be registered', cost: '' },
  registered: { sign: '✅', words: 'new', cost: '' },
  registeredBefore: { sign: '✅', words: 'registered before', cost: '' },
} as const satisfies Readonly<Record<string, State>>

export function stateOf(outcome: Outcome): State {
  switch (outcome.state) {
    case 'planned':
      return outcome.lastDoubtAt === null ? states.planned : states.plannedAgain
    case 'failed':
      if (outcome.failure.reason === 'already-registered') return states.known
      return outcome.failure.registered === 'unknown' ? states.inDoubt : states.failed
    case 'registered':
      if (outcome.maybeChargedAgain) return states.chargedAgain
      return outcome.from === 'this-run' ? states.registered : states.registeredBefore
  }
}

/** Whether this attempt registered an artifact. */
export function isNew({ outcome }: Artifact): boolean {
  return outcome.state === 'registered' && outcome.from === 'this-run'
}

/** Sorts by rank; artifacts of one state keep their order. */
export function rankArtifacts(artifacts: readonly Artifact[]): readonly Artifact[] {
  const order: readonly State[] = Object.values(states)
  const rankOf = ({ outcome }: Artifact): number => order.indexOf(stateOf(outcome))
  return artifacts.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Numbers of artifacts. `total` is the sum of the others, except in a dry run. */
export function countArtifacts(artifacts: readonly Artifact[]) {
  return {
    total: artifacts.length,
    registered: artifacts.filter(isRegistered).length,
    failed: artifacts.filter(isFailed).length,
  } as const
}

/** The number of charges for artifacts: one for each hash, and for each file that was not read. */
export function countCharges(artifacts: readonly Artifact[]): number {
  return new Set(artifacts.map(({ hash, name }) => hash ?? name)).size
}

/** The output `verdict` of a run that did not stop. */
export type Verdict = 'registered' | 'partial' | 'failed' | 'nothing-found' | 'dry-run'

/** Decides the verdict of a run that did not stop by the artifacts alone: saving and keeping do not change it. */
export function decideVerdict(artifacts: readonly Artifact[], isDryRun: boolean): Verdict {
  if (isDryRun) return 'dry-run'
  if (artifacts.length === 0) return 'nothing-found'
  if (!artifacts.some(isFailed)) return 'registered'
  return artifacts.some(isRegistered) ? 'partial' : 'failed'
}
