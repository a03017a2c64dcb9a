/** The lines of a records file, read by the rules of docs/records.md and by nothing of `src`. */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

const url = z.string().regex(/^https?:\/\/\S+$/)
const given = z.string().nullable()

const head = {
  artifact: z.string().min(1),
  size: z.int().min(0).nullable(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  service: url,
  source: z.strictObject({
    repository: given,
    sha: given,
    ref: given,
    runId: given,
    runAttempt: given,
    commitUrl: url.nullable(),
    runUrl: url.nullable(),
  }),
}
const time = z.iso.datetime({ precision: 3 })

const recordLineSchema = z.strictObject({
  ...head,
  at: time.optional(),
  record: z.record(z.string(), z.unknown()),
  redacted: z.array(z.string()).min(1).optional(),
  verificationUrl: z.string().optional(),
  maybeChargedAgain: z.literal(true).optional(),
  problems: z.array(z.string().min(1)),
})

const stateLineSchema = z.strictObject({
  ...head,
  at: time,
  state: z.enum(['sent', 'not-registered']),
})

/** What the service answered for a hash. */
export type RecordLine = z.infer<typeof recordLineSchema>
/** What was sent for a hash, or that nothing was registered. */
export type StateLine = z.infer<typeof stateLineSchema>

/** The whole lines of a records file by their kind, in order. */
export interface RecordsFile extends Lines {
  /** What stands behind the last newline: empty unless a write was cut. */
  readonly rest: string
}

/** Reads the text of a records file; throws for a line that this action does not write. */
export function readRecordsText(text: string): RecordsFile {
  const lines = text.split('\n')
  const rest = lines.pop() ?? ''
  const records: RecordLine[] = []
  const states: StateLine[] = []
  for (const [index, line] of lines.entries()) {
    try {
      const value: unknown = JSON.parse(line)
      const isState = typeof value === 'object' && value !== null && 'state' in value
      if (isState) states.push(stateLineSchema.parse(value))
      else records.push(recordLineSchema.parse(value))
    } catch (error) {
      throw new Error(`line ${index + 1} of the records file is damaged: ${line}`, { cause: error })
    }
  }
  return { records, states, rest }
}

/** A hash of a service. */
export interface ServiceHash {
  readonly service: string
  readonly hash: string
}

/** Some lines of a records file. */
interface Lines {
  readonly records: readonly RecordLine[]
  readonly states: readonly StateLine[]
}

/** The lines of one hash at one service. */
function linesOf({ records, states }: Lines, { service, hash }: ServiceHash): Lines {
  const isOf = (line: ServiceHash): boolean => line.hash === hash && line.service === service
  return { records: records.filter(isOf), states: states.filter(isOf) }
}

/** Whether a line repeats the time and the run of another, and so settles it. */
function isSame(a: RecordLine | StateLine, b: RecordLine | StateLine): boolean {
  const { runId, runAttempt } = a.source
  return a.at === b.at && runId === b.source.runId && runAttempt === b.source.runAttempt
}

/** The `sent` lines of a hash that no other line settles; equal lines count once. */
export function findUnsettled(file: Lines, place: ServiceHash): readonly StateLine[] {
  const { records, states } = linesOf(file, place)
  if (records.some(({ at }) => at === undefined)) return []
  const settling = [...records, ...states.filter(({ state }) => state === 'not-registered')]
  const open = states.filter(
    line => line.state === 'sent' && !settling.some(other => isSame(line, other)),
  )
  return open.filter((line, at) => open.findIndex(other => isDeepStrictEqual(other, line)) === at)
}

/** Whether a hash may be registered although the file has no record of it. */
export function isOpen(file: Lines, place: ServiceHash): boolean {
  const { records, states } = linesOf(file, place)
  const isRefuted = (record: RecordLine): boolean =>
    states.some(line => line.state === 'not-registered' && isSame(line, record))
  return records.every(isRefuted) && findUnsettled(file, place).length > 0
}

/** Whether a registered hash may have been charged more than once. */
export function isMaybeChargedAgain(file: Lines, place: ServiceHash): boolean {
  const good = linesOf(file, place).records.filter(({ problems }) => problems.length === 0)
  const times = new Set(good.map(({ at }) => at))
  const isSaid = good.some(({ maybeChargedAgain }) => maybeChargedAgain === true)
  return isSaid || times.size > 1 || findUnsettled(file, place).length > 0
}
