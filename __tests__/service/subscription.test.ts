import { describe, expect, it } from '@jest/globals'
import { readSubscription } from '../../src/service/subscription.ts'
import { subscription as sample } from '../support/samples.ts'

/** Has characters that differ between base64 and base64url. */
const complete = { ...sample, planNickname: 'Straße ~ÿ>?', defaultPaymentMethod: null }
const { id } = complete
/** With other fields, in an order that objects do not keep. */
const json = `{ "z":1,"10":2,"9":1.7e9,"__proto__":{},${JSON.stringify(complete).slice(1)}`

const base64 = (text: string): string => Buffer.from(text).toString('base64')

it.each([
  ['JSON', json, json],
  ['base64', base64(json), json],
  ['base64 of JSON with a final newline', base64(`${json}\n`), json],
  ['base64url', Buffer.from(json).toString('base64url'), json],
  ['JSON of several lines', `{\n${json.slice(1)}`, `{\n${json.slice(1)}`],
  ['base64 of several lines', base64(json).replace(/.{76}/g, '$&\r'), json],
])('the text may be %s, and is sent unchanged', (_, text, sent) => {
  expect(readSubscription(text)).toMatchObject({ id, json: sent })
})

const listed =
  'sessionId id userId planId planNickname status created currentPeriodStart currentPeriodEnd canceledAt customer custumer defaultPaymentMethod latestInvoice'
it.each(listed.split(' '))('one of the listed fields is enough: %s', field => {
  expect(readSubscription(`{"${field}":"cs_123456"}`)).not.toBeNull()
})

const others = ['[{"id":"secret1"}]', '"secret1"', 'null', '{"id":"secret1"}{}', "{'id':1}", '']
const encoded = ['[]', 'id=secret1', '{"id":'].map(base64)
const tooDeep = `{"id":${'['.repeat(5000)}${']'.repeat(5000)}}`
const noSubscription = [...others, ...encoded, tooDeep, '{"apiKey":"secret1"}']
it.each(noSubscription)('other text is no subscription: %.30s', text => {
  expect(readSubscription(text)).toBeNull()
})

describe('the fields of a subscription', () => {
  const { customer, latestInvoice, userId } = complete
  it.each([
    { ...complete, customer: undefined, custumer: customer },
    { ...complete, custumer: 'cus_other' },
  ])('may have the misspelled custumer, which is sent only if there is no customer', data => {
    expect(JSON.parse(readSubscription(JSON.stringify(data))?.json ?? '')).toEqual(complete)
  })

  it('are secret or belong to the records, including numbers, flags and nested values', () => {
    const defaultPaymentMethod = [{ id: 'pm_0001', brand: null }]
    const others = { custumer: 'cus_other', defaultPaymentMethod }
    const changes = { sessionId: 1234567890, planId: false, ...others }
    expect(readSubscription(JSON.stringify({ ...complete, ...changes }))).toMatchObject({
      secrets: ['1234567890', customer, 'cus_other', latestInvoice, 'pm_0001'],
      exempt: [id, `${userId}`, 'false'],
    })
  })
})
