import type { Source } from '../runtime/environment.ts'
import { compareCodeUnits } from '../text/words.ts'
import {
  isGoodRecord,
  isRecord,
  isState,
  type Entry,
  type RecordEntry,
  type StateEntry,
} from './line.ts'

/** The hash has a record without problems. */
export interface KnownRegistered {
  readonly state: 'registered'
  readonly entry: RecordEntry
  /** Whether the registration may have been charged more than once. */
  readonly maybeChargedAgain: boolean
}

/** The hash has a record that contradicts its request, and a person has not settled it. */
export interface KnownContradicted {
  readonly state: 'contradicted'
  readonly entry: RecordEntry
}

/** The hash was sent, and nothing settles that. */
export interface KnownOpen {
  readonly state: 'open'
  /** The last `sent` line that nothing settles. */
  readonly sent: StateEntry
}

/** What the records files say of a hash. */
export type Known = KnownRegistered | KnownContradicted | KnownOpen

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

  /** What is known of a hash; undefined for nothing. A record without problems outweighs everything. */
  find(hash: string): Known | undefined {
    const entries = this.#byHash.get(hash) ?? []
    const good = entries.filter(isGoodRecord)
    const unsettled = unsettledLines(entries)
    const [entry] = good
    if (entry !== undefined) {
      const maybeChargedAgain = unsettled.length > 0 || isChargedAgain(good)
      return { state: 'registered', entry, maybeChargedAgain }
    }
    const refuted = new Set(notRegistered(entries).map(keyOf))
    const contradicted = entries.filter(isRecord).find(one => !refuted.has(keyOf(one)))
    if (contradicted !== undefined) return { state: 'contradicted', entry: contradicted }
    const sent = unsettled.toSorted((a, b) => compareCodeUnits(a.at, b.at)).at(-1)
    return sent && { state: 'open', sent }
  }

  /** The records of a hash without problems, in the order of the files. */
  goodRecords(hash: string): readonly RecordEntry[] {
    return (this.#byHash.get(hash) ?? []).filter(isGoodRecord)
  }

  /** Whether any line, of whatever service, is of an earlier attempt of this run. */
  hasEarlierAttempt({ runId, runAttempt }: Source): boolean {
    if (runId === null) return false
    const attempt = attemptOf(runAttempt)
    return this.#all.some(
      ({ source }) => source.runId === runId && attemptOf(source.runAttempt) < attempt,
    )
  }
}

/** The number of an attempt, from 1. */
function attemptOf(runAttempt: string | null): number {
  return Math.max(Number(runAttempt) || 1, 1)
}

/** The `sent` lines that neither a record nor a `not-registered` line settles. */
function unsettledLines(entries: readonly Entry[]): readonly StateEntry[] {
  const records = entries.filter(isRecord)
  // Made by hand: it settles all lines of its hash.
  if (records.some(({ at }) => at === null)) return []
  const settled = new Set([...records, ...notRegistered(entries)].map(keyOf))
  return entries.filter(isState).filter(one => one.state === 'sent' && !settled.has(keyOf(one)))
}

function notRegistered(entries: readonly Entry[]): readonly StateEntry[] {
  return entries.filter(isState).filter(({ state }) => state === 'not-registered')
}

/** What a line has in common with the `sent` line that it settles; service and hash are the same already. */
function keyOf({ at, service, source: { runId, runAttempt } }: Entry): string {
  return JSON.stringify([at, service, runId, runAttempt])
}

/** By the records alone: a call before one of them may have registered the hash, or several runs registered it. */
function isChargedAgain(good: readonly RecordEntry[]): boolean {
  const times = new Set(good.map(({ at }) => at))
  return times.size > 1 || good.some(({ maybeChargedAgain }) => maybeChargedAgain)
}
