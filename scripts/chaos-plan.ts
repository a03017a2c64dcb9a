/** What goes wrong in a campaign, picked by a seed. */
import {
  rawFault,
  redirectFault,
  resetFault,
  silenceFault,
  statusFault,
} from '../simulator/index.ts'
import type { Endpoint, Fault, SeenRequest } from '../simulator/index.ts'
import { makeRandom } from './random.ts'

/** Longest wait of the simulator before it carries out a request. */
export const MAX_LATENCY_MS = 30

/** How the runs of a campaign are set up. */
export interface Setup {
  /** Picks the contents of the artifacts and the faults. */
  readonly seed: number
  readonly retryUnanswered: boolean
  readonly requestRegistration: boolean
  readonly hasFaults: boolean
  readonly artifacts: number
  /** Runs that are disturbed, before it is made green. */
  readonly disturbedRuns: number
}

/** How a run is disturbed. */
export interface Moment {
  /** Null: by faults alone. */
  readonly signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT' | null
  /** While completions are under way, right after an answer (when its line is written), or whenever. */
  readonly kind: 'in-flight' | 'writing' | 'any-time'
  /** Counted from 1 in one process. */
  readonly atCompletion: number
  readonly afterMs: number
  /** Which part of a line is left at the end of the file after a SIGKILL, from 0 to 1; null for none. */
  readonly tear: number | null
}

/** Sets up the nth campaign, from 0: each second one sends at most once, each third one requests what it completes. */
export function planCampaign(nth: number, seed: number, onlyKills: boolean): Setup {
  return {
    seed: Math.imul(seed, 65_537) + nth,
    retryUnanswered: onlyKills || nth % 2 === 0,
    requestRegistration: !onlyKills && nth % 3 === 2,
    hasFaults: !onlyKills,
    ...(onlyKills
      ? { artifacts: 60, disturbedRuns: Infinity }
      : { artifacts: 24, disturbedRuns: 6 }),
  }
}

/** Picks how the nth run is disturbed; with kills only, every second one is in flight. */
export function pickMoment(nth: number, seed: number, onlyKills: boolean): Moment {
  const random = makeRandom(Math.imul(seed, 1_000_003) + nth)
  const signals = onlyKills
    ? (['SIGKILL'] as const)
    : (['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGINT', null] as const)
  const signal = pick(signals, random()) ?? null
  const which = random()
  const kind =
    nth % 2 === 0 ? ('in-flight' as const) : which < 0.6 ? ('writing' as const) : 'any-time'
  const spreadMs = { 'in-flight': MAX_LATENCY_MS, writing: 4, 'any-time': 600 }[kind]
  const atCompletion = 1 + Math.floor(random() * 12)
  const afterMs = random() * spreadMs
  const tears = random()
  return { signal, kind, atCompletion, afterMs, tear: tears < 0.25 ? random() : null }
}

/** Faults of a call that may act: half of them come after it has acted. */
const CALL_FAULTS: readonly Fault[] = [
  statusFault(503, { effect: 'after' }),
  statusFault(500, { effect: 'after' }),
  statusFault(502),
  statusFault(429, { headers: { 'retry-after': '0' } }),
  statusFault(408),
  statusFault(400),
  statusFault(409),
  resetFault('connect-accepted'),
  resetFault('request-read'),
  resetFault('done'),
  resetFault('mid-headers'),
  resetFault('mid-body'),
  resetFault('mid-body', 'chunked'),
  silenceFault({ done: true }),
  silenceFault(),
  rawFault('<html>busy</html>', { contentType: 'text/html', effect: 'after' }),
  rawFault('', { effect: 'after' }),
  redirectFault('http://127.0.0.1:9/', { effect: 'after' }),
]

const LOGIN_FAULTS: readonly Fault[] = [statusFault(503), resetFault('done'), rawFault('{}')]

/** Which share of the requests meets one of these faults. */
const SHARES: Readonly<
  Partial<Record<Endpoint, readonly [share: number, faults: readonly Fault[]]>>
> = {
  completion: [0.35, CALL_FAULTS],
  request: [0.35, CALL_FAULTS],
  login: [0.15, LOGIN_FAULTS],
}

/** Picks what a request meets: nothing, for two out of three. */
export function pickFault(seed: number, { number, endpoint }: SeenRequest): Fault | undefined {
  const random = makeRandom(Math.imul(seed, 7_368_787) + number)
  const [share, faults] = SHARES[endpoint] ?? [0, []]
  return random() < share ? pick(faults, random()) : undefined
}

function pick<T>(all: readonly T[], share: number): T | undefined {
  return all[Math.floor(share * all.length)]
}
