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

type Subscription = Readonly<z.infer<typeof listedFields>>

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
  latestInvoice: null,
}

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

/**
 * What the completion call returns, in the observed shape (service-api.md 2.1): the record of a registration just
 * completed, by rules 1 to 3 of 4.2. `paymentId` is the id of the subscription as it is, null included.
 */
export function newRecord(
  hash: string,
  { id = null, userId = 0 }: z.infer<typeof partialSubscriptionSchema>,
  nowMs: number,
) {
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
    paymentId: id,
    /** Epoch milliseconds. */
    creationDate: nowMs,
    payload: null,
    userId,
  }
}
