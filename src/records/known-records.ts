import type { Source } from '../runtime/environment.ts'
import { compareCodeUnits } from '../text/words.ts'
import { isGoodRecord, isRecord, type Entry, type RecordEntry, type StateEntry } from './line.ts'

/** What the records files say about a hash. */
export type Known =
  /** It has a record without problems. */
  | {
      readonly state: 'registered'
      readonly entry: RecordEntry
      readonly maybeChargedAgain: boolean
    }
  /** It has a record that contradicts its request and is not settled. */
  | { readonly state: 'contradicted'; readonly entry: RecordEntry }
  /** It was sent, and nothing settles it; `sent` is the last such line. */
  | { readonly state: 'open'; readonly sent: StateEntry }

/** The lines of all records files of a run. Equal lines, such as after a merge, count once. */
export class KnownRecords {
  readonly #all: readonly Entry[]
  readonly #byHash: ReadonlyMap<string, readonly Entry[]>

  /** Only lines of `services` count for {@link find} and {@link goodRecords}. */
  constructor(entries: readonly Entry[], services: ReadonlySet<string>) {
    this.#all = entries
    const relevant = entries.filter(({ service }) => services.has(service))
    this.#byHash = Map.groupBy(relevant, ({ hash }) => hash)
  }

  /** Returns what is known about a hash; undefined if nothing. */
  find(hash: string): Known | undefined {
    return assess(this.#byHash.get(hash) ?? [])
  }

  /** Returns the records of a hash that have no problems, in the order of the files. */
  goodRecords(hash: string): readonly RecordEntry[] {
    return (this.#byHash.get(hash) ?? []).filter(isGoodRecord)
  }

  /** Whether an earlier attempt of this run wrote a line, for any service. */
  hasEarlierAttempt({ runId, runAttempt }: Source): boolean {
    const attempt = Number(runAttempt)
    return this.#all.some(
      ({ source }) => source.runId === runId && Number(source.runAttempt) < attempt,
    )
  }
}

/** Assesses all lines of one hash; returns undefined if they say nothing. A record without problems decides. */
export function assess(entries: readonly Entry[]): Known | undefined {
  const records = entries.filter(isRecord)
  const states = entries.filter(entry => 'state' in entry)
  const refuted = new Set(states.filter(({ state }) => state === 'not-registered').map(keyOf))
  const settled = refuted.union(new Set(records.map(keyOf)))
  // A record line without a time was written by hand, and settles all lines of its hash.
  const isSettled = records.some(({ at }) => at === null)
  const unsettled = states.filter(
    line => !isSettled && line.state === 'sent' && !settled.has(keyOf(line)),
  )

  const good = records.filter(isGoodRecord)
  const [entry] = good
  if (entry !== undefined) {
    const maybeChargedAgain = unsettled.length > 0 || isChargedAgain(good)
    return { state: 'registered', entry, maybeChargedAgain }
  }
  const contradicted = records.find(record => !refuted.has(keyOf(record)))
  if (contradicted !== undefined) return { state: 'contradicted', entry: contradicted }
  const sent = unsettled.toSorted((a, b) => compareCodeUnits(a.at, b.at)).at(-1)
  return sent && { state: 'open', sent }
}

/** Returns what a line has in common with the `sent` line that it settles. */
function keyOf({ at, service, source: { runId, runAttempt } }: Entry): string {
  return JSON.stringify([at, service, runId, runAttempt])
}

/** Whether an earlier call may have registered the hash too, or several runs registered it. */
function isChargedAgain(good: readonly RecordEntry[]): boolean {
  const times = new Set(good.map(({ at }) => at))
  return times.size > 1 || good.some(({ maybeChargedAgain }) => maybeChargedAgain)
}
