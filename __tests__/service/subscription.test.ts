import { describe, expect, it } from '@jest/globals'
import { readSubscription } from '../../src/service/subscription.ts'
import { subscription as sample } from '../support/samples.ts'

const nowMs = Date.UTC(2026, 0, 15)
const nowSeconds = nowMs / 1000

/** Has characters that differ between base64 and base64url. */
const complete = { ...sample, planNickname: 'Straße ~ÿ>?', defaultPaymentMethod: null }
const { id } = complete
/** With other fields, in an order that objects do not keep. */
const json = `{ "z":1,"10":2,"9":1.7e9,"__proto__":{},${JSON.stringify(complete).slice(1)}`

const read = (text: string) => readSubscription(text, nowMs)
const base64 = (text: string): string => Buffer.from(text).toString('base64')

const severalLines =
  'has several lines, and the runner masks each of them everywhere in the log, even a single brace; store it on one line or as base64'

const canceled = 'is canceled (canceledAt); the service may reject it'
const canceledJson = json.replace('{', '{\n').replace('"canceledAt":0', '"canceledAt":1')

it.each<
  [string, text: string, sent: string, warnings?: readonly string[], refusal?: string | null]
>([
  ['JSON within white space', `\n  ${json}\r\n`, json],
  ['base64', base64(json), json],
  ['base64 of JSON with a final newline', base64(`${json}\n`), json],
  ['base64url', Buffer.from(json).toString('base64url'), json],
  ['JSON of several lines', canceledJson, canceledJson, [severalLines], canceled],
  ['base64 of several lines', base64(json).replace(/.{76}/g, '$&\r'), json, [severalLines]],
])('the text may be %s, and is sent unchanged', (_, text, sent, warnings = [], refusal = null) => {
  expect(read(text)).toMatchObject({ id, json: sent, warnings, refusal })
})

const listed =
  'sessionId id userId planId planNickname status created currentPeriodStart currentPeriodEnd canceledAt customer custumer defaultPaymentMethod latestInvoice'
it.each(listed.split(' '))('one of the listed fields is enough: %s', field => {
  expect(read(`{"${field}":"cs_123456"}`)).not.toBeNull()
})

const others = ['[{"id":"secret1"}]', '"secret1"', 'null', '{"id":"secret1"}{}', "{'id':1}", '']
const encoded = ['[]', 'id=secret1', '{"id":'].map(base64)
const tooDeep = `{"id":${'['.repeat(5000)}${']'.repeat(5000)}}`
const withoutListedField = '{"apiKey":"secret1"}'
it.each([...others, ...encoded, tooDeep, withoutListedField])(
  'other text is no subscription: %.30s',
  text => {
    expect(read(text)).toBeNull()
  },
)

describe('the fields of a subscription', () => {
  const status = 'has a status other than "active"'
  const ended = 'has a period that has ended (currentPeriodEnd)'
  it.each<[Readonly<Record<string, unknown>>, signs?: string]>([
    [{ canceledAt: false }],
    [{ id: null, customer: null, latestInvoice: null, canceledAt: null }],
    [{ id: 7, userId: '42', sessionId: undefined, status: undefined, currentPeriodEnd: '1' }],
    [{ canceledAt: 1700000000, defaultPaymentMethod: 'pm_1' }, 'is canceled (canceledAt)'],
    [{ canceledAt: true }, 'is canceled (canceledAt)'],
    [{ status: null }, status],
    [{ currentPeriodEnd: nowSeconds }],
    [{ currentPeriodEnd: nowSeconds - 1 }, ended],
    [{ currentPeriodEnd: -1 }, ended],
    [
      { status: 'x', canceledAt: 1, currentPeriodEnd: 1 },
      `${status} and is canceled (canceledAt) and ${ended}`,
    ],
  ])('get one warning if the service may reject them: %j', (changes, signs = '') => {
    const refusal = signs === '' ? null : `${signs}; the service may reject it`
    expect(read(JSON.stringify({ ...complete, ...changes }))?.refusal).toBe(refusal)
  })

  const { customer, latestInvoice, userId, planId } = complete
  it.each([
    { ...complete, customer: undefined, custumer: customer },
    { ...complete, custumer: 'cus_other' },
  ])('may have the misspelled custumer, which is sent only if there is no customer', data => {
    expect(JSON.parse(read(JSON.stringify(data))?.json ?? '')).toEqual(complete)
  })

  it('are secret or belong to the records, including numbers and nested values', () => {
    const defaultPaymentMethod = [{ id: 'pm_0001', brand: null }]
    const changes = { sessionId: 1234567890, custumer: 'cus_other', defaultPaymentMethod }
    expect(read(JSON.stringify({ ...complete, ...changes }))).toMatchObject({
      secrets: ['1234567890', customer, 'cus_other', latestInvoice, 'pm_0001'],
      exempt: [id, `${userId}`, planId],
    })
  })
})
