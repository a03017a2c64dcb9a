import { describe, expect, it } from '@jest/globals'
import { readSubscription, type SubscriptionReading } from '../../src/service/subscription.ts'

const nowMs = Date.UTC(2026, 0, 15)
const nowSeconds = nowMs / 1000

/** All listed fields, as the service would want them. */
const complete = {
  sessionId: 'cs_live_a1b2c3',
  id: 'sub_0001',
  userId: 42,
  planId: 'plan_0001',
  planNickname: 'Straße ~ÿ>?',
  status: 'active',
  created: 1700000000,
  currentPeriodStart: nowSeconds - 1000,
  currentPeriodEnd: nowSeconds + 1000,
  canceledAt: 0,
  customer: 'cus_0001',
  defaultPaymentMethod: null,
  latestInvoice: 'in_0001',
} as const
const json = JSON.stringify(complete)

const read = (text: string): SubscriptionReading => readSubscription(text, nowMs)
const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('the text of a subscription', () => {
  it.each([
    ['JSON within white space', `\n  ${json}\r\n`],
    ['base64', base64(json)],
    ['base64 of JSON with a newline at its end', base64(`${json}\n`)],
    ['base64url', Buffer.from(json).toString('base64url')],
  ])('is read as %s, without a warning', (_, text) => {
    const reading = { subscription: { id: 'sub_0001', json }, error: null, warnings: [] }
    expect(read(text)).toMatchObject(reading)
  })

  it.each([JSON.stringify(complete, null, 2), base64(json).replace(/.{76}/g, '$&\n')])(
    'on several lines gets a warning about masks',
    text => {
      const { subscription, warnings } = read(text)
      expect(subscription?.id).toBe('sub_0001')
      expect(warnings).toEqual([expect.stringContaining('several lines')])
    },
  )

  it.each([
    '[{"id":"secret1"}]',
    '"secret1"',
    'null',
    '{"id":"secret1"}{}',
    "{'id':'secret1'}",
    base64('[]'),
    base64('id=secret1'),
    '',
    `{"id":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    // None of the listed fields.
    '{"apiKey":"secret1"}',
  ])('is refused without showing it: %.30s', text => {
    const { subscription, error } = read(text)
    expect(subscription).toBeNull()
    expect(error).toEqual(expect.not.stringContaining('secret1'))
  })

  it('is passed on to the character', () => {
    const text = '{ "z":1,"id" : "sub_1", "10":2,"9":1.7e9,"__proto__":{"b":1}}'
    expect(read(text).subscription).toEqual({ id: 'sub_1', json: text })
    expect(read(base64(text)).subscription).toEqual({ id: 'sub_1', json: text })
  })
})

describe('the fields of a subscription', () => {
  it.each<[Readonly<Record<string, unknown>>, named: readonly RegExp[]]>([
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
  ])('get warnings where the service may refuse them: %j', (changes, named) => {
    const { subscription, error, warnings } = read(JSON.stringify({ ...complete, ...changes }))
    expect([subscription === null, error]).toEqual([false, null])
    expect(warnings).toEqual(named.map(words => expect.stringMatching(words)))
  })

  it('may be misspelt as custumer, which is sent only if there is no customer', () => {
    const { subscription } = read(JSON.stringify({ ...complete, custumer: 'cus_other' }))
    expect(JSON.parse(subscription?.json ?? '')).toEqual(complete)
  })

  it('are secret or belong to the records, numbers and what is nested included', () => {
    const changes = {
      sessionId: 1234567890,
      custumer: 'cus_other',
      defaultPaymentMethod: [{ id: 'pm_0001', brand: null }],
    }
    const { secrets, exempt } = read(JSON.stringify({ ...complete, ...changes }))
    expect(secrets).toEqual(['1234567890', 'cus_0001', 'cus_other', 'in_0001', 'pm_0001'])
    expect(exempt).toEqual(['sub_0001', '42', 'plan_0001'])
  })
})
