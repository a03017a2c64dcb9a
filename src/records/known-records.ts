import type { Outcome } from '../outcome.ts'
import type { Source } from '../runtime/environment.ts'
import { compareCodeUnits } from '../text/names.ts'
import { isGoodRecord, isRecord, type Entry, type RecordEntry } from './lines.ts'

/** The lines of all records files of a run. Equal lines, such as after a merge, count once. */
export class KnownRecords {
  readonly #all: readonly Entry[]
  readonly #byHash: ReadonlyMap<string, readonly Entry[]>

  /** Only lines of `service` count for {@link find} and {@link goodRecords}. */
  constructor(entries: readonly Entry[], service: string) {
    this.#all = entries
    const relevant = entries.filter(entry => entry.service === service)
    this.#byHash = Map.groupBy(relevant, ({ hash }) => hash)
  }

  /** Returns what is known about a hash; `planned` without `openSince` if nothing. */
  find(hash: string): Outcome {
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

/** Assesses all lines of one hash. A record without problems decides. */
export function assess(entries: readonly Entry[]): Outcome {
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
    return { state: 'registered', from: 'records-file', record: entry.record, maybeChargedAgain }
  }
  const contradicted = records.find(record => !refuted.has(keyOf(record)))
  if (contradicted !== undefined) {
    return { state: 'contradicted', problems: contradicted.problems }
  }
  const times = unsettled.map(({ at }) => at).sort(compareCodeUnits)
  return { state: 'planned', openSince: times.at(-1) ?? null }
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
