import { z } from 'zod'

/** An object with any fields. */
export type AnyFields = Readonly<Record<string, unknown>>

/** The API key that logs in, unless `apiKeys` has others. */
export const DEFAULT_API_KEY = 'sim-api-key-0123456789'

/** The listed fields of the subscription data; on a free plan, those about the payment are null. */
export const subscriptionFields = {
  sessionId: z.string(),
  id: z.string().nullable(),
  userId: z.int(),
  planId: z.string(),
  planNickname: z.string(),
  status: z.string(),
  created: z.int(),
  currentPeriodStart: z.int(),
  currentPeriodEnd: z.int(),
  canceledAt: z.union([z.int(), z.boolean(), z.null()]),
  customer: z.string().nullable(),
  defaultPaymentMethod: z.string().nullable(),
  latestInvoice: z.string().nullable(),
} as const

/** A valid subscription in the observed form, with values that are easy to spot in a log. */
export const exampleSubscription = {
  sessionId: 'cs_test_simulator_session',
  id: 'sub_simulator',
  userId: 4242,
  planId: 'plan_simulator',
  planNickname: 'Simulator plan',
  status: 'active',
  created: 1_700_000_000,
  currentPeriodStart: 1_700_000_000,
  currentPeriodEnd: 4_102_444_800,
  canceledAt: 0,
  customer: 'cus_simulator',
  defaultPaymentMethod: null,
  latestInvoice: 'in_simulator',
} as const

/** The documented example sends the flags as strings, but declares them as boolean. */
const falseFlag = z.literal([false, 'false'])

/** The body of a request for a registration has exactly these fields. */
export const requestSchema = z.strictObject({
  blockchainType: z.literal('ALGORAND'),
  custody: falseFlag,
  description: z.string(),
  hash: z.string().regex(/^[0-9a-f]{64}$/i),
  signed: falseFlag,
  status: z.literal('not_registered'),
})

const flags = { status: 'registered', custody: false, signed: false, assetId: null }
const unset = { signer: null, signature: null, txHash: null, holder: null, txId: null }

/** Returns the record of a completed registration in the observed form. */
export function newRecord(hash: string, subscription: AnyFields): AnyFields {
  const { id: paymentId = null, userId = 0 } = subscription
  const description = 'Registered by the simulator'
  const time = { blockchainType: 'ALGORAND', creationDate: Date.now() }
  const ofAccount = { paymentId, userId, tags: [], payload: null }
  return { hash, description, ...flags, ...unset, ...time, ...ofAccount }
}
