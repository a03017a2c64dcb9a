import { z } from 'zod'

/** The one API key that logs in unless `apiKeys` says otherwise. */
export const DEFAULT_API_KEY = 'sim-api-key-0123456789'

/** Body of the login call (service-api.md 4.1). */
export const loginSchema = z.looseObject({ apiKey: z.string() })

const epochSeconds = z.int()

const listedFields = z.looseObject({
  sessionId: z.string(),
  id: z.string().nullable(),
  userId: z.int(),
  planId: z.string(),
  planNickname: z.string(),
  status: z.string(),
  created: epochSeconds,
  currentPeriodStart: epochSeconds,
  currentPeriodEnd: epochSeconds,
  canceledAt: z.union([z.int(), z.boolean(), z.null()]),
  customer: z.string().nullable(),
  defaultPaymentMethod: z.string().nullable(),
  latestInvoice: z.string().nullable(),
})

/** Section 2.2 spells the field both ways: `custumer` stands in where `customer` is absent. */
function readCustumer(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || 'customer' in body) return body
  return 'custumer' in body ? { ...body, customer: body.custumer } : body
}

/** Subscription data with every listed field (service-api.md 2.2); unknown fields may be there. */
export const subscriptionSchema = z.preprocess(readCustumer, listedFields)

/** The same, but any listed field may be absent: which ones are mandatory is "not shown". */
export const partialSubscriptionSchema = z.preprocess(readCustumer, listedFields.partial())

/** Subscription data as sent in the completion request (service-api.md 2.2); times in epoch seconds. */
export type Subscription = Readonly<z.infer<typeof listedFields>>

type PartialSubscription = Readonly<z.infer<typeof partialSubscriptionSchema>>

/** A valid subscription in the observed shape of service-api.md 2.2, with values easy to spot in a log. */
export const exampleSubscription: Subscription = {
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
}

/** The same on a free plan (EXTENSIONS.md): no payment data, and digits for a session. */
export const exampleFreeSubscription: Subscription = {
  ...exampleSubscription,
  sessionId: '170000000042',
  id: null,
  planId: 'plan_simulator_free',
  planNickname: 'Simulator free plan',
  customer: null,
  defaultPaymentMethod: null,
  latestInvoice: null,
}

/** What the account pays with. */
export type Plan = 'paid' | 'free'

/** The subscription that comes with each plan. */
export const subscriptionOf: Readonly<Record<Plan, Subscription>> = {
  paid: exampleSubscription,
  free: exampleFreeSubscription,
}

/** Subscription data after the option `activeSubscription` had its say: any field may be anything. */
export type AnsweredSubscription = Readonly<Record<string, unknown>>

/** The documented example sends the flags as strings; their declared type is boolean. */
const falseFlag = z.literal([false, 'false'])

/** Body of the request for a registration (EXTENSIONS.md): exactly these fields. */
export const requestSchema = z.strictObject({
  blockchainType: z.literal('ALGORAND'),
  custody: falseFlag,
  description: z.string(),
  hash: z.string().regex(/^[0-9a-f]{64}$/i),
  signed: falseFlag,
  status: z.literal('not_registered'),
})

/** What the completion call returns, in the observed shape (service-api.md 2.1). */
export type NotarizationRecord = {
  readonly hash: string
  readonly description: string
  readonly custody: boolean
  readonly signed: boolean
  readonly signer: string | null
  readonly signature: string | null
  readonly txHash: string | null
  readonly status: string
  readonly blockchainType: string
  readonly holder: string | null
  readonly txId: string | null
  readonly assetId: string | null
  readonly tags: readonly unknown[]
  readonly paymentId: string | null
  /** Epoch milliseconds. */
  readonly creationDate: number
  readonly payload: unknown
  readonly userId: number
}

/** A record after the option `record` had its say: any field may be anything. */
export type AnsweredRecord = Readonly<Record<string, unknown>>

/**
 * The record of a registration just completed: rules 1 to 3 of service-api.md 4.2.
 * `paymentId` is the id of the subscription as it is, null included.
 */
export function newRecord(
  hash: string,
  subscription: PartialSubscription,
  creationDate: number,
): NotarizationRecord {
  return {
    hash,
    description: 'Registered by the simulator',
    custody: false,
    signed: false,
    signer: null,
    signature: null,
    txHash: null,
    status: 'registered',
    blockchainType: 'ALGORAND',
    holder: null,
    txId: null,
    assetId: null,
    tags: [],
    paymentId: subscription.id ?? null,
    creationDate,
    payload: null,
    userId: subscription.userId ?? 0,
  }
}
