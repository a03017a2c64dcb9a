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

export interface ServiceHash {
  readonly service: string
  readonly hash: string
}

/** Returns the `sent` lines of a hash that no other line settles. Equal lines count once. */
export function findUnsettled(
  { records, states }: RecordsFile,
  { service, hash }: ServiceHash,
): readonly StateLine[] {
  const settling = [...records, ...states.filter(({ state }) => state === 'not-registered')]
  const keyOf = (line: RecordLine | StateLine): string =>
    [line.service, line.hash, line.at, line.source.runId, line.source.runAttempt].join(' ')
  const settled = new Set(settling.map(keyOf))
  const own = states.filter(line => line.hash === hash && line.service === service)
  const open = own.filter(line => line.state === 'sent' && !settled.has(keyOf(line)))
  return [...new Map(open.map(line => [keyOf(line), line])).values()]
}

/** Whether a registered hash may have been charged more than once. */
export function isMaybeChargedAgain(file: RecordsFile, place: ServiceHash): boolean {
  const own = file.records.filter(line => line.hash === place.hash && line.problems.length === 0)
  const isSaid = own.some(({ maybeChargedAgain }) => maybeChargedAgain === true)
  return (
    isSaid || new Set(own.map(({ at }) => at)).size > 1 || findUnsettled(file, place).length > 0
  )
}
