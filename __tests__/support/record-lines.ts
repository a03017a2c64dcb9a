/** Reads a records file by the rules of docs/records.md, without code of `src`. */
import { z } from 'zod'

const url = z.string().regex(/^https?:\/\/\S+$/)
const text = z.string().nullable()

const head = {
  artifact: z.string().min(1),
  size: z.int().min(0).nullable(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  service: url,
  source: z.strictObject({
    repository: text,
    sha: text,
    ref: text,
    runId: text,
    runAttempt: text,
    commitUrl: url.nullable(),
    runUrl: url.nullable(),
  }),
}
const time = z.iso.datetime({ precision: 3 })

const recordLineSchema = z.strictObject({
  ...head,
  at: time.optional(),
  record: z.record(z.string(), z.unknown()),
  verificationUrl: z.string().optional(),
  maybeChargedAgain: z.literal(true).optional(),
  confirmed: z.literal(true).optional(),
  problems: z.array(z.string().min(1)),
})

const stateLineSchema = z.strictObject({
  ...head,
  at: time,
  state: z.enum(['sent', 'not-registered']),
})

export type RecordLine = z.infer<typeof recordLineSchema>
export type StateLine = z.infer<typeof stateLineSchema>

/** The lines of a records file, in order. */
export interface RecordsFile {
  readonly records: readonly RecordLine[]
  readonly states: readonly StateLine[]
  /** What follows the last newline; empty unless a write was cut off. */
  readonly rest: string
}

/** Throws for a line that this action does not write. */
export function readRecordsText(text: string): RecordsFile {
  const lines = text.split('\n')
  const rest = lines.pop() ?? ''
  const records: RecordLine[] = []
  const states: StateLine[] = []
  for (const line of lines) {
    const value: unknown = JSON.parse(line)
    const isState = typeof value === 'object' && value !== null && 'state' in value
    if (isState) states.push(stateLineSchema.parse(value))
    else records.push(recordLineSchema.parse(value))
  }
  return { records, states, rest }
}

/** A hash at a service. */
type Place = Pick<RecordLine, 'service' | 'hash'>

/** Returns the `sent` lines of a hash that no other line settles. Equal lines count once. */
export function findUnsettled(
  { records, states }: RecordsFile,
  { service, hash }: Place,
): readonly StateLine[] {
  const isOwn = (line: RecordLine | StateLine): boolean =>
    line.hash === hash && line.service === service
  const settling = [...records, ...states.filter(({ state }) => state === 'not-registered')]
  const keyOf = ({ at, source }: RecordLine | StateLine): string =>
    [at, source.runId, source.runAttempt].join(' ')
  const settled = new Set(settling.filter(isOwn).map(keyOf))
  const confirmations = records.filter(isOwn).filter(({ confirmed }) => confirmed === true)
  const isConfirmed = (line: StateLine): boolean =>
    confirmations.some(({ at = '' }) => line.at <= at)
  const open = states.filter(line => {
    return isOwn(line) && line.state === 'sent' && !settled.has(keyOf(line)) && !isConfirmed(line)
  })
  return [...new Map(open.map(line => [keyOf(line), line])).values()]
}

/** Whether a registered hash may have been charged more than once. */
export function isMaybeChargedAgain(file: RecordsFile, place: Place): boolean {
  const own = file.records.filter(line => line.hash === place.hash && line.problems.length === 0)
  const isSaid = own.some(({ maybeChargedAgain }) => maybeChargedAgain === true)
  const times = new Set(own.filter(({ confirmed }) => confirmed !== true).map(({ at }) => at))
  return isSaid || times.size > 1 || findUnsettled(file, place).length > 0
}
