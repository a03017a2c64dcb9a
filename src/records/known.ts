import type { Source } from '../environment.ts'
import type { OpenTries } from '../outcome.ts'
import { compareCodeUnits } from '../text/words.ts'
import { isRecord, isState, type RecordEntry, type StateEntry } from './line.ts'
import { entryOf, type Line, type RecordsReading } from './reading.ts'

/** What the records files say of a hash. */
export type Known = (
  | { readonly state: 'registered'; readonly entry: RecordEntry }
  | { readonly state: 'contradicted'; readonly entry: RecordEntry }
  | { readonly state: 'open'; readonly tries: OpenTries }
) & {
  /** All lines of the hash, in words: `line 3 of "records.jsonl"`. */
  readonly lines: string
}

interface Place {
  readonly reading: RecordsReading
  readonly line: Line
}

/**
 * What is known of the hashes of one service. Without a service nothing is. Entries are read again when they are asked for: some
 * hundred thousand of them would fill the memory.
 */
export class KnownRecords {
  readonly #places = new Map<string, Place[]>()
  readonly #attempts = new Map<string, number>()

  /** `readings`: the records file, and others that count as well, such as the one that a release holds. */
  constructor(readings: readonly RecordsReading[], service: string | null) {
    for (const reading of readings) {
      for (const line of reading.lines) {
        this.#noteAttempt(line)
        if (line.service !== service) continue
        const places = this.#places.get(line.hash)
        if (places === undefined) this.#places.set(line.hash, [{ reading, line }])
        else places.push({ reading, line })
      }
    }
  }

  /** What is known of a hash; undefined if nothing that counts. */
  find(hash: string): Known | undefined {
    const places = this.#places.get(hash)
    if (places === undefined) return undefined
    const entries = places.map(({ reading, line }) => entryOf(reading, line))
    const lines = describePlaces(places)
    const records = entries.filter(isRecord)
    // A record without problems outweighs one with problems, which outweighs state lines; of two equals the first counts.
    const good = records.find(({ problems }) => problems.length === 0)
    if (good !== undefined) return { state: 'registered', entry: good, lines }
    const [contradicted] = records
    if (contradicted !== undefined) return { state: 'contradicted', entry: contradicted, lines }
    const tries = openTries(entries.filter(isState), lines)
    return tries === null ? undefined : { state: 'open', tries, lines }
  }

  /** Whether any line is of an earlier attempt of this run. */
  hasEarlierAttempt({ runId, runAttempt }: Source): boolean {
    return (this.#attempts.get(runId ?? '') ?? Infinity) < Number(runAttempt ?? 1)
  }

  #noteAttempt({ runId, runAttempt }: Line): void {
    if (runId === null) return
    const attempt = Number(runAttempt ?? 1)
    this.#attempts.set(runId, Math.min(this.#attempts.get(runId) ?? Infinity, attempt))
  }
}

/** The `sent` lines that nothing settles. Equal lines, as after a merge, count once. */
function openTries(states: readonly StateEntry[], lines: string): OpenTries | null {
  const settled = new Set(states.filter(one => one.state === 'not-registered').map(keyOf))
  const sent = states.filter(one => one.state === 'sent' && !settled.has(keyOf(one)))
  const { size } = new Set(sent.map(one => JSON.stringify(one)))
  const last = sent.toSorted((a, b) => compareCodeUnits(a.at, b.at)).at(-1)
  return last === undefined ? null : { count: size, at: last.at, runUrl: last.source.runUrl, lines }
}

function keyOf({ at, source }: StateEntry): string {
  return JSON.stringify([at, source])
}

function describePlaces(places: readonly Place[]): string {
  return [...Map.groupBy(places, ({ reading }) => reading.name)]
    .map(([name, group]) => {
      const numbers = group.map(({ line }) => line.number).join(', ')
      return `${group.length === 1 ? 'line' : 'lines'} ${numbers} of "${name}"`
    })
    .join(' and ')
}

/** What a person does about a hash that was sent and got no answer, where it must not be sent again. */
export function howToSettle(lines: string): string {
  return `look its hash up at the service: if it is registered, append its record to the records file as a line; if not, remove ${lines}; then run the job again`
}
