import { describe, expect, it } from '@jest/globals'
import { readSubscription, type Subscription } from '../../src/service/subscription.ts'
import { subscription as sample } from '../support/samples.ts'

const nowMs = Date.UTC(2026, 0, 15)
const nowSeconds = nowMs / 1000

/** Has characters that differ between base64 and base64url. */
const complete = { ...sample, planNickname: 'Straße ~ÿ>?', defaultPaymentMethod: null }
const { id } = complete
const json = JSON.stringify(complete)

const read = (text: string): Subscription | null => readSubscription(text, nowMs)
const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('the text of a subscription', () => {
  it.each([
    ['JSON within white space', `\n  ${json}\r\n`],
    ['base64', base64(json)],
    ['base64 of JSON with a final newline', base64(`${json}\n`)],
    ['base64url', Buffer.from(json).toString('base64url')],
  ])('may be %s, without a warning', (_, text) => {
    expect(read(text)).toMatchObject({ id, json, warnings: [] })
  })

  it.each([
    ['JSON', JSON.stringify(complete, null, 2)],
    ['base64', base64(json).replace(/.{76}/g, '$&\n')],
  ])('gets a warning about masks if it is %s of several lines', (_, text) => {
    expect(read(text)).toMatchObject({ id, warnings: [expect.stringContaining('several lines')] })
  })

  const others = ['[{"id":"secret1"}]', '"secret1"', 'null', '{"id":"secret1"}{}', "{'id':1}", '']
  const encoded = ['[]', 'id=secret1', '{"id":'].map(base64)
  const tooDeep = `{"id":${'['.repeat(5000)}${']'.repeat(5000)}}`
  const withoutListedField = '{"apiKey":"secret1"}'
  it.each([...others, ...encoded, tooDeep, withoutListedField])('is rejected: %.30s', text => {
    expect(read(text)).toBeNull()
  })

  it('is passed on unchanged', () => {
    const text = '{ "z":1,"id" : "sub_1", "10":2,"9":1.7e9,"__proto__":{"b":1}}'
    expect(read(text)).toMatchObject({ id: 'sub_1', json: text })
    expect(read(base64(text))).toMatchObject({ id: 'sub_1', json: text })
  })
})

describe('the fields of a subscription', () => {
  it.each<[Readonly<Record<string, unknown>>, warnings: readonly RegExp[]]>([
    [{}, []],
    [{ id: null, customer: null, latestInvoice: null, defaultPaymentMethod: 'pm_1' }, []],
    [{ canceledAt: false }, []],
    [{ canceledAt: null }, []],
    [{ canceledAt: 1700000000 }, [/canceledAt/]],
    [{ canceledAt: true }, [/canceledAt/]],
    [{ status: 'past_due' }, [/status/]],
    [{ currentPeriodEnd: nowSeconds - 1 }, [/period.*2026-01-14/]],
    [{ currentPeriodEnd: `${nowSeconds - 1}` }, [/currentPeriodEnd/]],
    [{ id: 7, userId: '42', sessionId: undefined }, [/sessionId \(missing\), id, userId/]],
    [{ status: 'x', canceledAt: 1, currentPeriodEnd: 1 }, [/status/, /canceledAt/, /period/]],
  ])('get warnings if the service may reject them: %j', (changes, expected) => {
    const warnings = expected.map(words => expect.stringMatching(words))
    expect(read(JSON.stringify({ ...complete, ...changes }))?.warnings).toEqual(warnings)
  })

  const { customer, ...others } = complete
  it.each([
    { ...others, custumer: customer },
    { ...complete, custumer: 'cus_other' },
  ])('may have the misspelled custumer, which is sent only if there is no customer', data => {
    expect(JSON.parse(read(JSON.stringify(data))?.json ?? '')).toEqual(complete)
  })

  it('are secret or belong to the records, including numbers and nested values', () => {
    const defaultPaymentMethod = [{ id: 'pm_0001', brand: null }]
    const changes = { sessionId: 1234567890, custumer: 'cus_other', defaultPaymentMethod }
    const { latestInvoice, userId, planId } = complete
    expect(read(JSON.stringify({ ...complete, ...changes }))).toMatchObject({
      secrets: ['1234567890', customer, 'cus_other', latestInvoice, 'pm_0001'],
      exempt: [id, `${userId}`, planId],
    })
  })
})
