/** What we take for true of the service, as far as answers can show it (docs/service.md). */
import { checkRecord } from '../src/records/record.ts'
import { parseJsonObject, type JsonObject } from '../src/text/json.ts'
import { isAsListed, readTypes, type Types } from './probe-shape.ts'

/** service-api.md 2.2; on a free plan four of them are null. */
const subscriptionTypes =
  readTypes(`sessionId string, id string|null, userId integer, planId string, planNickname string,
  status string, created integer, currentPeriodStart integer, currentPeriodEnd integer, canceledAt integer|boolean,
  customer string|null, defaultPaymentMethod string|null, latestInvoice string|null`)

/** service-api.md 2.1; `paymentId` is null on a free plan. */
const recordTypes =
  readTypes(`hash string, description string, custody boolean, signed boolean, signer string|null,
  signature string|null, txHash string|null, status string, blockchainType string, holder string|null,
  txId string|null, assetId string|null, tags array, paymentId string|null, creationDate integer,
  payload null|boolean|integer|number|string|array|object, userId integer`)

/** The calls, in order, with the fields of their answers; a hash stands as `{hash}`. */
export const calls: Readonly<Record<string, Types>> = {
  '/api/v2/auth/login': { token: 'string' },
  '/api/v2/payment/subscription/active': subscriptionTypes,
  '/api/v2/registration/?subscription=true': subscriptionTypes,
  '/api/v2/registration/{hash}/forfait': recordTypes,
}

/** Assumptions, and whether they held; undefined: it was not seen. */
export type Findings = readonly (readonly [string, boolean | undefined])[]

/** Compares the good answers of the calls with what we take for true. */
export function judge(answers: ReadonlyMap<string, JsonObject | null>, hash: string): Findings {
  const [login, data, requested, record] = Object.keys(calls).map(
    call => answers.get(call) ?? undefined,
  )
  return [
    ...judgeLogin(login),
    ...judgeSubscription('active subscription', data),
    ...judgeSubscription('request', requested),
    ...judgeRecord(record, { hash, subscription: requested ?? data }),
  ]
}

function judgeLogin(login: JsonObject | undefined): Findings {
  const value = login?.['token']
  const token = typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? value : undefined
  // Of the claims only exp is taken: the others hold personal data.
  const [header, claims, ...rest] = (token?.split('.') ?? []).map(part =>
    parseJsonObject(Buffer.from(part, 'base64url').toString()),
  )
  const isJwt = header !== undefined && claims !== undefined && rest.length === 1
  return [
    ['login: the token is a string that can stand in a header', login && token !== undefined],
    ['login: the token is a JWT', token === undefined ? undefined : isJwt],
    [
      'login: the JWT has exp, in epoch seconds',
      isJwt ? isBetween(claims['exp'], 1e9, 1e11) : undefined,
    ],
  ]
}

function judgeSubscription(call: string, data: JsonObject | undefined): Findings {
  const ids = ['id', 'customer', 'latestInvoice']
  const isFree = [...ids, 'defaultPaymentMethod'].every(field => data?.[field] === null)
  return [
    [`${call}: the fields and their types are as listed`, isAsListed(data, subscriptionTypes)],
    [
      `${call}: on a free plan id, customer, defaultPaymentMethod and latestInvoice are all null, and sessionId is digits`,
      ids.some(field => data?.[field] === null)
        ? isFree && /^"\d+"$/.test(JSON.stringify(data?.['sessionId']))
        : undefined,
    ],
  ]
}

function judgeRecord(
  record: JsonObject | undefined,
  asked: { readonly hash: string; readonly subscription: JsonObject | undefined },
): Findings {
  const problems = record && checkRecord(record, { hash: asked.hash, redact: () => 'not shown' })
  const why = problems === undefined || problems.length === 0 ? '' : `: ${problems.join(', ')}`
  const id = asked.subscription?.['id']
  return [
    ['completion: the fields and their types are as listed', isAsListed(record, recordTypes)],
    [`completion: the record says what was asked for${why}`, problems && why === ''],
    [
      'completion: paymentId is the id of the subscription, null included',
      record && (id === undefined ? undefined : record['paymentId'] === id),
    ],
    [
      'completion: creationDate is of the magnitude of milliseconds',
      record && isBetween(record['creationDate'], 1e12, 1e14),
    ],
  ]
}

function isBetween(value: unknown, least: number, limit: number): boolean {
  return typeof value === 'number' && least <= value && value < limit
}
