import type { Source } from '../runtime/environment.ts'
import { compareCodeUnits } from '../text/words.ts'
import { isGoodRecord, isRecord, type Entry, type RecordEntry, type StateEntry } from './line.ts'

/** What the records files say of a hash. */
export type Known =
  | {
      /** It has a record without problems. */
      readonly state: 'registered'
      readonly entry: RecordEntry
      readonly maybeChargedAgain: boolean
    }
  /** It has a record that contradicts its request, and a person has not settled it. */
  | { readonly state: 'contradicted'; readonly entry: RecordEntry }
  /** It was sent, and nothing settles that; `sent` is the last such line. */
  | { readonly state: 'open'; readonly sent: StateEntry }

/** What all records files of a run say together, by hash. Equal lines, as after a merge, count once. */
export class KnownRecords {
  readonly #all: readonly Entry[]
  readonly #byHash: ReadonlyMap<string, readonly Entry[]>

  /** Only entries of `services` say anything of a hash. */
  constructor(entries: readonly Entry[], services: ReadonlySet<string>) {
    this.#all = entries
    const counting = entries.filter(({ service }) => services.has(service))
    this.#byHash = Map.groupBy(counting, ({ hash }) => hash)
  }

  /** What is known of a hash; undefined for nothing. */
  find(hash: string): Known | undefined {
    return assess(this.#byHash.get(hash) ?? [])
  }

  /** The records of a hash without problems, in the order of the files. */
  goodRecords(hash: string): readonly RecordEntry[] {
    return (this.#byHash.get(hash) ?? []).filter(isGoodRecord)
  }

  /** Whether any line, of whatever service, is of an earlier attempt of this run. */
  hasEarlierAttempt({ runId, runAttempt }: Source): boolean {
    const attempt = Number(runAttempt)
    return this.#all.some(
      ({ source }) => source.runId === runId && Number(source.runAttempt) < attempt,
    )
  }
}

/** What the lines of one hash say of it; undefined for nothing. A record without problems outweighs everything. */
export function assess(entries: readonly Entry[]): Known | undefined {
  const records = entries.filter(isRecord)
  const states = entries.filter(entry => 'state' in entry)
  const refuted = new Set(states.filter(({ state }) => state === 'not-registered').map(keyOf))
  const settled = refuted.union(new Set(records.map(keyOf)))
  // Made by hand: it settles all lines of its hash.
  const isSettled = records.some(({ at }) => at === null)
  const unsettled = states.filter(
    one => !isSettled && one.state === 'sent' && !settled.has(keyOf(one)),
  )

  const good = records.filter(isGoodRecord)
  const [entry] = good
  if (entry !== undefined) {
    const maybeChargedAgain = unsettled.length > 0 || isChargedAgain(good)
    return { state: 'registered', entry, maybeChargedAgain }
  }
  const contradicted = records.find(one => !refuted.has(keyOf(one)))
  if (contradicted !== undefined) return { state: 'contradicted', entry: contradicted }
  const sent = unsettled.toSorted((a, b) => compareCodeUnits(a.at, b.at)).at(-1)
  return sent && { state: 'open', sent }
}

/** What a line has in common with the `sent` line that it settles; the hash is the same already. */
function keyOf({ at, service, source: { runId, runAttempt } }: Entry): string {
  return JSON.stringify([at, service, runId, runAttempt])
}

/** By the records alone: a call before one of them may have registered the hash, or several runs registered it. */
function isChargedAgain(good: readonly RecordEntry[]): boolean {
  const times = new Set(good.map(({ at }) => at))
  return times.size > 1 || good.some(({ maybeChargedAgain }) => maybeChargedAgain)
}
