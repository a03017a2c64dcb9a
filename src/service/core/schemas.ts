import * as z from 'zod/mini'
import { isInteger } from './json.ts'

const text = z.string()
const textOrNull = z.nullable(z.string())
const integer = z.custom<number>(isInteger, 'expected an integer')
const missing = <T extends z.ZodMiniType>(schema: T) => z.nullish(schema)

/** The answer of the login (`service-api.md` 4.1). Other fields are never read. */
export const loginReplySchema = z.looseObject({ token: z.string() })

/** The subscription data (`service-api.md` 2.2): which fields are mandatory is not shown, so none is; unknown ones stay. */
export const subscriptionSchema = z.looseObject({
  sessionId: z.optional(text),
  id: z.optional(textOrNull),
  userId: z.optional(integer),
  planId: z.optional(text),
  planNickname: z.optional(text),
  status: z.optional(text),
  created: z.optional(integer),
  currentPeriodStart: z.optional(integer),
  currentPeriodEnd: z.optional(integer),
  canceledAt: missing(z.union([integer, z.boolean()])),
  customer: z.optional(textOrNull),
  defaultPaymentMethod: z.optional(textOrNull),
  latestInvoice: z.optional(textOrNull),
})

/** See {@link subscriptionSchema}. Times are epoch seconds. */
export type SubscriptionData = z.infer<typeof subscriptionSchema>

/**
 * The types of a notarization record (`service-api.md` 2.1). What it must say is in `check-record.ts`.
 * `creationDate` is epoch milliseconds.
 */
export const recordSchema = z.looseObject({
  hash: text,
  custody: z.boolean(),
  signed: z.boolean(),
  status: text,
  paymentId: textOrNull,
  description: missing(text),
  signer: missing(text),
  signature: missing(text),
  txHash: missing(text),
  blockchainType: missing(text),
  holder: missing(text),
  txId: missing(text),
  assetId: missing(text),
  tags: missing(z.array(z.unknown())),
  creationDate: missing(integer),
  payload: z.optional(z.unknown()),
  userId: missing(integer),
})

/** See {@link recordSchema}. */
export type NotarizationRecord = z.infer<typeof recordSchema>
