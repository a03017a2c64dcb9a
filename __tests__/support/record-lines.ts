/** The lines of a records file, read by the letter of the contract and by nothing of ours. */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

const url = z.string().regex(/^https?:\/\/\S+$/)

const given = z.string().nullable()
const source = z.strictObject({
  ...{ repository: given, sha: given, ref: given, runId: given, runAttempt: given },
  ...{ commitUrl: url.nullable(), runUrl: url.nullable() },
})

const start = {
  artifact: z.string().min(1),
  size: z.int().min(0).nullable(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  service: url,
}

const recordLineSchema = z.strictObject({
  ...start,
  record: z.record(z.string(), z.unknown()),
  redacted: z.array(z.string()).min(1).optional(),
  verificationUrl: z.string().optional(),
  problems: z.array(z.string().min(1)),
  unansweredTries: z.int().min(1).optional(),
  source,
})

const stateLineSchema = z.strictObject({
  ...start,
  state: z.enum(['sent', 'not-registered']),
  at: z.iso.datetime({ precision: 3 }),
  source,
})

/** What the service answered for a hash. */
export type RecordLine = z.infer<typeof recordLineSchema>
/** What was asked for a hash, or that nothing came of it. */
export type StateLine = z.infer<typeof stateLineSchema>

/** The whole lines of a records file by their kind, in order. */
export interface RecordsFile {
  readonly records: readonly RecordLine[]
  readonly states: readonly StateLine[]
  /** What stands behind the last line end: empty unless a write was cut. */
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
interface Place {
  readonly service: string
  readonly hash: string
}

const isOf = (place: Place) => (line: Place) =>
  line.hash === place.hash && line.service === place.service

/** The `sent` lines of a hash that no `not-registered` line settles; equal lines count once. */
export function findUnsettled(
  { states }: Pick<RecordsFile, 'states'>,
  place: Place,
): readonly StateLine[] {
  const own = states.filter(isOf(place))
  const isSettled = ({ at, source: asked }: StateLine): boolean =>
    own.some(
      line =>
        line.state === 'not-registered' && line.at === at && isDeepStrictEqual(line.source, asked),
    )
  const sent = own.filter(line => line.state === 'sent' && !isSettled(line))
  return sent.filter(
    (line, index) => sent.findIndex(other => isDeepStrictEqual(other, line)) === index,
  )
}

/** Whether a hash may be registered although the file has no record of it. */
export function isOpen(file: RecordsFile, place: Place): boolean {
  return !file.records.some(isOf(place)) && findUnsettled(file, place).length > 0
}
