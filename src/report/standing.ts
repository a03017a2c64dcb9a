import type { Failure } from '../failure.ts'
import type { Result } from '../outcome.ts'

/** What is known about an artifact, in the words of log and summary; the most urgent first. */
export const standings = {
  uncertain: '❓ may be registered',
  probable: '❓ known to the service and may be registered',
  known: '❓ known to the service',
  failed: '❌ not registered',
  'charged-again': '⚠️ registered, may have been charged more than once',
  contradicted: '⚠️ would not be sent, its record has problems',
  open: '⚠️ would be sent again, may be registered already',
  planned: '🔎 would be registered',
  registered: '✅ registered',
  'registered-before': '✅ registered before',
} as const

export type Standing = keyof typeof standings

export type FailedStanding = 'uncertain' | 'probable' | 'known' | 'failed'

/** Decides what is known about an artifact. */
export function standingOf(outcome: Result['outcome']): Standing {
  switch (outcome.state) {
    case 'planned':
      return outcome.open === null ? 'planned' : 'open'
    case 'contradicted':
      return 'contradicted'
    case 'registered':
      if (outcome.maybeChargedAgain) return 'charged-again'
      return outcome.from === 'this-run' ? 'registered' : 'registered-before'
    case 'failed':
      return standingOfFailure(outcome.failure)
  }
}

/** Decides what a failure says about its artifact. */
export function standingOfFailure({ code, status, endsRun, registered }: Failure): FailedStanding {
  // A refusal that ends the run says nothing about a single hash.
  const isKnown = status === 409 && !endsRun && (code === 'refused' || code === 'request-refused')
  if (registered === 'unknown') return isKnown ? 'probable' : 'uncertain'
  return isKnown ? 'known' : 'failed'
}

const order = Object.keys(standings)

/** Returns the rank of a standing: 0 for the most urgent. */
export function rankOf(standing: Standing): number {
  return order.indexOf(standing)
}

/** Whether a reader has nothing to do about an artifact. */
export function isPlain({ outcome }: Result): boolean {
  return rankOf(standingOf(outcome)) >= rankOf('planned')
}
