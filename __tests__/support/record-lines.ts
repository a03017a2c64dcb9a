/** Reads a records file by the rules of docs/records.md, without code of `src`. */
import { z } from 'zod'

export const jsonObject = z.record(z.string(), z.unknown())
const url = z.string().regex(/^https?:\/\/\S+$/)
const text = z.string().nullable()

/** A file. */
export const file = {
  artifact: z.string().min(1),
  size: z.int().min(0).nullable(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
}

/** A file and the record of it. */
export const recorded = {
  ...file,
  at: z.iso.datetime({ precision: 3 }),
  record: jsonObject,
  confirmed: z.literal(true).optional(),
}

const head = {
  ...file,
  service: url,
  at: recorded.at,
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

const recordLineSchema = z.strictObject({ ...head, ...recorded })

const doubtLineSchema = z.strictObject({
  ...head,
  state: z.literal('unknown'),
  why: z.string().min(1),
  response: jsonObject.nullable(),
})

export type RecordLine = z.infer<typeof recordLineSchema>
export type DoubtLine = z.infer<typeof doubtLineSchema>

/** The lines of a records file, in order. */
export interface RecordsFile {
  readonly records: readonly RecordLine[]
  readonly doubts: readonly DoubtLine[]
}

/** Throws for a line that this action does not write, and for one that was cut off. */
export function readRecordsText(text: string): RecordsFile {
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new Error('the last line has no newline')
  const records: RecordLine[] = []
  const doubts: DoubtLine[] = []
  for (const line of lines) {
    const value: unknown = JSON.parse(line)
    const isDoubt = typeof value === 'object' && value !== null && 'state' in value
    if (isDoubt) doubts.push(doubtLineSchema.parse(value))
    else records.push(recordLineSchema.parse(value))
  }
  return { records, doubts }
}

/** Whether these lines of one hash with a record say that it may have been charged more than once. */
export function isMaybeChargedAgain({ records, doubts }: RecordsFile): boolean {
  const countTimes = (lines: readonly (RecordLine | DoubtLine)[]): number =>
    new Set(lines.map(({ at }) => at)).size
  const charged = countTimes(records.filter(({ confirmed }) => confirmed !== true))
  // A person who confirms a hash has found what one doubt did.
  return charged > 1 || countTimes(doubts) > (charged === 0 ? 1 : 0)
}
