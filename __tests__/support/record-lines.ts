/** Reads a records file by the rules of docs/records.md, without code of `src`. */
import { z } from 'zod'

const url = z.string().regex(/^https?:\/\/\S+$/)
const text = z.string().nullable()
const time = z.iso.datetime({ precision: 3 })

const head = {
  artifact: z.string().min(1),
  size: z.int().min(0).nullable(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  service: url,
  at: time,
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

const recordLineSchema = z.strictObject({
  ...head,
  record: z.record(z.string(), z.unknown()),
  confirmed: z.literal(true).optional(),
})

const doubtLineSchema = z.strictObject({
  ...head,
  state: z.literal('unknown'),
  why: z.string().min(1),
  response: z.record(z.string(), z.unknown()).nullable(),
})

export type RecordLine = z.infer<typeof recordLineSchema>
export type DoubtLine = z.infer<typeof doubtLineSchema>

/** The lines of a records file, in order. */
export interface RecordsFile {
  readonly records: readonly RecordLine[]
  readonly doubts: readonly DoubtLine[]
  /** What follows the last newline; empty unless a write was cut off. */
  readonly rest: string
}

/** Throws for a line that this action does not write. */
export function readRecordsText(text: string): RecordsFile {
  const lines = text.split('\n')
  const rest = lines.pop() ?? ''
  const records: RecordLine[] = []
  const doubts: DoubtLine[] = []
  for (const line of lines) {
    const value: unknown = JSON.parse(line)
    const isDoubt = typeof value === 'object' && value !== null && 'state' in value
    if (isDoubt) doubts.push(doubtLineSchema.parse(value))
    else records.push(recordLineSchema.parse(value))
  }
  return { records, doubts, rest }
}

/** Whether a hash was sent to a service, and nobody knows what became of it. */
export function isInDoubt(
  { records, doubts }: RecordsFile,
  { service, hash }: Pick<RecordLine, 'service' | 'hash'>,
): boolean {
  const isOwn = (line: RecordLine | DoubtLine): boolean =>
    line.hash === hash && line.service === service
  return doubts.some(isOwn) && !records.some(isOwn)
}

/** Whether these lines of one hash with a record say that it may have been charged more than once. */
export function isMaybeChargedAgain({ records, doubts }: RecordsFile): boolean {
  const countTimes = (lines: readonly (RecordLine | DoubtLine)[]): number =>
    new Set(lines.map(({ at }) => at)).size
  const charged = countTimes(records.filter(({ confirmed }) => confirmed !== true))
  // A person who confirms a hash has found what one doubt did.
  return charged > 1 || countTimes(doubts) > (charged === 0 ? 1 : 0)
}
