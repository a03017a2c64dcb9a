/** What records files say about one hash; pure. */
import type { Outcome } from '../outcome.ts'
import { compareCodeUnits } from '../text/names.ts'
import { isGoodRecord, isRecord, type Entry, type RecordEntry } from './lines.ts'

/** Returns the entries of a service by hash. */
export function groupByHash(entries: readonly Entry[], service: string): Map<string, Entry[]> {
  const relevant = entries.filter(entry => entry.service === service)
  return Map.groupBy(relevant, ({ hash }) => hash)
}

/** Assesses all lines of one hash at one service. Equal lines, such as after a merge, count once. */
export function assess(entries: readonly Entry[]): Outcome {
  const records = entries.filter(isRecord)
  const states = entries.filter(entry => 'state' in entry)
  const refuted = new Set(states.filter(({ state }) => state === 'not-registered').map(keyOf))
  const settled = refuted.union(new Set(records.map(keyOf)))
  // Lines until then are settled, whatever run wrote them.
  const settledUntil = records.map(settlesUntil).sort(compareCodeUnits).at(-1) ?? ''
  const unsettled = states.filter(
    line => line.state === 'sent' && !settled.has(keyOf(line)) && line.at > settledUntil,
  )

  const good = records.filter(isGoodRecord)
  const entry = good.find(({ confirmed }) => !confirmed) ?? good[0]
  if (entry !== undefined) {
    const { record, confirmed: isConfirmed } = entry
    const maybeChargedAgain = unsettled.length > 0 || isChargedAgain(good)
    return { state: 'registered', from: 'records-file', record, maybeChargedAgain, isConfirmed }
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

/** Returns until when a record that a person added settles all lines: one without a time, without end. */
function settlesUntil({ at, confirmed }: RecordEntry): string {
  if (at === null) return '~'
  return confirmed ? at : ''
}

/** Whether an earlier call may have registered the hash too, or several runs registered it. */
function isChargedAgain(good: readonly RecordEntry[]): boolean {
  const times = new Set(good.filter(({ confirmed }) => !confirmed).map(({ at }) => at))
  return times.size > 1 || good.some(({ maybeChargedAgain }) => maybeChargedAgain)
}
