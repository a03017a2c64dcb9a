import type { Source } from '../environment.ts'
import type { OpenTries } from '../outcome.ts'
import { compareCodeUnits } from '../text/words.ts'
import type { RecordEntry, StateEntry } from './line.ts'
import { entryOf, recordOf, type Line, type RecordsReading } from './reading.ts'

/** What the records files say of a hash; `lines` as in {@link OpenTries}. */
export type Known =
  | { readonly state: 'registered'; readonly entry: RecordEntry }
  | { readonly state: 'contradicted'; readonly entry: RecordEntry; readonly lines: string }
  | { readonly state: 'open'; readonly tries: OpenTries }

/** The lines of all records files of a run that are of services which count, by hash. */
export class KnownRecords {
  readonly #readings: readonly RecordsReading[]
  readonly #byHash: ReadonlyMap<string, readonly Line[]>

  /** `readings`: the records file, and others that count as well, such as the one that a release holds. */
  constructor(readings: readonly RecordsReading[], services: ReadonlySet<string>) {
    this.#readings = readings
    const counting = readings.flatMap(({ lines }) =>
      lines.filter(({ service }) => services.has(service)),
    )
    this.#byHash = Map.groupBy(counting, ({ hash }) => hash)
  }

  /** The lines of a hash, in the order of the files. */
  linesOf(hash: string): readonly Line[] {
    return this.#byHash.get(hash) ?? []
  }

  /** What is known of a hash; undefined if nothing that counts. */
  find(hash: string): Known | undefined {
    const lines = this.linesOf(hash)
    // A record without problems outweighs one with problems, which outweighs state lines; of two equals the first counts.
    const good = lines.find(({ kind }) => kind === 'registered')
    if (good !== undefined) return { state: 'registered', entry: recordOf(good) }
    const bad = lines.find(({ kind }) => kind === 'contradicted')
    if (bad === undefined) return openTries(lines)
    return { state: 'contradicted', entry: recordOf(bad), lines: describePlaces(lines) }
  }

  /** Whether any line, of whatever service, is of an earlier attempt of this run. */
  hasEarlierAttempt({ runId, runAttempt }: Source): boolean {
    const isEarlier = (line: Line): boolean =>
      line.runId === runId && line.runAttempt < Number(runAttempt ?? 1)
    return runId !== null && this.#readings.some(({ lines }) => lines.some(isEarlier))
  }
}

/** The `sent` lines that nothing settles. Equal lines, as after a merge, count once. */
function openTries(lines: readonly Line[]): Known | undefined {
  const states = lines.map(entryOf).filter(entry => 'state' in entry)
  const settled = new Set(states.filter(one => one.state === 'not-registered').map(keyOf))
  const sent = states.filter(one => one.state === 'sent' && !settled.has(keyOf(one)))
  const { size: count } = new Set(sent.map(one => JSON.stringify(one)))
  const last = sent.toSorted((a, b) => compareCodeUnits(a.at, b.at)).at(-1)
  if (last === undefined) return undefined
  const { at, source } = last
  const tries = { count, at, runUrl: source.runUrl, lines: describePlaces(lines) }
  return { state: 'open', tries }
}

/** What a `not-registered` line has in common with the `sent` line that it settles. */
function keyOf({ at, service, source }: StateEntry): string {
  return JSON.stringify([at, service, source])
}

function describePlaces(lines: readonly Line[]): string {
  return [...Map.groupBy(lines, ({ file }) => file.name)]
    .map(([name, group]) => {
      const numbers = group.map(({ number }) => number).join(', ')
      return `${group.length === 1 ? 'line' : 'lines'} ${numbers} of "${name}"`
    })
    .join(' and ')
}

/** What a person does about a hash that was sent and got no answer, where it must not be sent again. */
export function howToSettle(lines: string): string {
  return `look its hash up at the service: if it is registered, append its record to the records file as a line; if not, remove ${lines}; then run the job again`
}
