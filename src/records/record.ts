import * as z from 'zod/mini'
import { cut } from '../text/escape.ts'
import { isInteger, type JsonObject } from '../text/json.ts'

const text = z.string()
const integer = z.custom<number>(isInteger, 'expected an integer')
const mayMiss = <T extends z.ZodMiniType>(schema: T) => z.nullish(schema)

/**
 * The types of a notarization record (`service-api.md` 2.1); `creationDate` is epoch milliseconds. What it must say is in
 * {@link checkRecord}.
 */
const recordSchema = z.looseObject({
  hash: text,
  custody: z.boolean(),
  signed: z.boolean(),
  status: text,
  paymentId: z.nullable(text),
  description: mayMiss(text),
  signer: mayMiss(text),
  signature: mayMiss(text),
  txHash: mayMiss(text),
  blockchainType: mayMiss(text),
  holder: mayMiss(text),
  txId: mayMiss(text),
  assetId: mayMiss(text),
  tags: mayMiss(z.array(z.unknown())),
  creationDate: mayMiss(integer),
  payload: z.optional(z.unknown()),
  userId: mayMiss(integer),
})

/** What a record is checked against. */
export interface RecordRequest {
  /** The hash in the path of the call. */
  readonly hash: string
  /** The `id` of the subscription; null or undefined when `paymentId` cannot be compared. */
  readonly paymentId?: string | null
  /** JSON Pointers of places where a secret was replaced: their types say nothing any more. */
  readonly redacted?: readonly string[]
  /** Takes the secrets out of what is shown, before it is cut. */
  readonly redact?: (text: string) => string
}

/**
 * Checks a record against its request (`service-api.md` 4.2): each string says what is wrong, none means it is right.
 * Only `hash`, `custody`, `signed`, `status` and `paymentId` must be there; null stands for missing elsewhere.
 */
export function checkRecord(record: JsonObject, request: RecordRequest): readonly string[] {
  // Only a place that shows the replacement is excused: the list alone could hide anything.
  const redacted = new Set(request.redacted?.filter(place => isReplaced(record, place)))
  const parsed = recordSchema.safeParse(record)
  const problems = (parsed.success ? [] : parsed.error.issues)
    .filter(({ path }) => !redacted.has(`/${path.join('/')}`))
    .map(issue => {
      const field = String(issue.path[0])
      return Object.hasOwn(record, field) ? `${field} has the wrong type` : `${field} is missing`
    })
  const { redact = (given: string): string => given } = request
  const show = (value: string | null): string =>
    JSON.stringify(value === null ? null : cut(redact(value), 100))
  const said = (field: string): unknown => (redacted.has(`/${field}`) ? undefined : record[field])
  const [hash, status, paymentId] = [said('hash'), said('status'), said('paymentId')]
  const { custody, signed } = record
  if (typeof hash === 'string' && hash.toLowerCase() !== request.hash.toLowerCase()) {
    problems.push(`hash is ${show(hash)}, not that of the request`)
  }
  if (custody === true) problems.push('custody is true, not false')
  if (signed === true) problems.push('signed is true, not false')
  if (typeof status === 'string' && status !== 'registered') {
    problems.push(`status is ${show(status)}, not "registered"`)
  }
  const expected = request.paymentId ?? null
  const isComparable = typeof paymentId === 'string' || paymentId === null
  if (expected !== null && isComparable && paymentId !== expected) {
    problems.push(`paymentId is ${show(paymentId)}, not the id of the subscription`)
  }
  return [...new Set(problems)]
}

function isReplaced(record: JsonObject, place: string): boolean {
  const value = record[place.slice(1)]
  return typeof value === 'string' && value.includes('***')
}
