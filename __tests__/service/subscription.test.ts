import { describe, expect, it } from '@jest/globals'
import { readSubscription, type SubscriptionReading } from '../../src/service/subscription.ts'

const nowMs = Date.UTC(2026, 0, 15)
const nowSeconds = nowMs / 1000

/** All the fields of `service-api.md` 2.2, as the service would want them. */
const complete = {
  sessionId: 'cs_live_a1b2c3',
  id: 'sub_0001',
  userId: 42,
  planId: 'plan_0001',
  planNickname: 'Basic',
  status: 'active',
  created: 1700000000,
  currentPeriodStart: nowSeconds - 1000,
  currentPeriodEnd: nowSeconds + 1000,
  canceledAt: 0,
  customer: 'cus_0001',
  defaultPaymentMethod: null,
  latestInvoice: 'in_0001',
} as const

const read = (text: string): SubscriptionReading => readSubscription(text, nowMs)

/** Reads the complete data with some fields replaced; undefined takes a field away. */
const readWith = (changed: Readonly<Record<string, unknown>>): SubscriptionReading =>
  read(JSON.stringify({ ...complete, ...changed }))

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** The reading of one with nothing to complain about. */
const fine = { errors: [], warnings: [] }

/** Expects no subscription, and one error of this form. */
function expectRefused({ subscription, errors }: SubscriptionReading, form: RegExp): void {
  expect({ subscription, errors }).toEqual({
    ...{ subscription: null, errors: [expect.stringMatching(form)] },
  })
  // No part of a secret is shown.
  expect(errors.join()).not.toMatch(/secret1|12345678|70707/)
}

describe('the text of a subscription', () => {
  const json = JSON.stringify({ ...complete, planNickname: 'Straße ~ÿ>?' })

  it.each([
    ['JSON within white space', `\n  ${json}\r\n`],
    ['JSON after a BOM', `\ufeff${json}`],
    ['base64', base64(json)],
    ['base64 without padding', base64(json).replace(/=+$/, '')],
    ['base64 of JSON after a BOM', base64(`\ufeff${json}`)],
    ['base64 of JSON with a newline at its end', base64(`${json}\n`)],
    ['base64url', Buffer.from(json).toString('base64url')],
    ['base64 with spaces', `\n ${base64(json).replace(/.{60}/g, '$& ')}\n`],
  ])('is read as %s, without a warning', (_, text) => {
    expect(read(text)).toMatchObject({ subscription: { id: 'sub_0001', json }, ...fine })
  })

  it.each([
    ['pretty JSON', JSON.stringify(complete, null, 2), null],
    ['JSON with CRLF', JSON.stringify(complete).replace(',', ',\r\n'), null],
    ['JSON with bare CR', JSON.stringify(complete).replace(',', ',\r'), null],
    ['base64 in lines of 76', base64(json).replace(/.{76}/g, '$&\n'), json],
    ['base64 in lines of 64 with CRLF', base64(json).replace(/.{64}/g, '$&\r\n'), json],
    ['a field of a wrong type', '{\n"id": 7\n}', undefined],
    ['a fault in the JSON', '{\n"id": "sub_1",\n}', undefined],
  ])('on several lines gets a warning about masks: %s', (_, text, expected) => {
    const { subscription, errors, warnings } = read(text)
    expect(errors).toHaveLength(expected === undefined ? 1 : 0)
    expect(subscription?.json).toBe(expected === null ? text : expected)
    expect(warnings).toEqual([expect.stringMatching(/several lines.*mask/)])
  })

  const utf16 = Buffer.from('{"id":"sub_secret1"}', 'utf16le')
  const latin1 = Buffer.from('{"id":"sub_\u00e9"}', 'latin1')
  it.each([
    ['a list', JSON.stringify([complete])],
    ['a string', '"sub_secret1"'],
    ['a number', '12345678'],
    ['null', 'null'],
    ['two objects', '{"sessionId":"cs_secret1"}{}'],
    ['single quotes', "{'sessionId':'cs_secret1'}"],
    ['YAML', 'sessionId: cs_secret1'],
    ['base64 of a list', base64('[]')],
    ['base64 of no JSON', base64('sessionId=cs_secret1')],
    ['base64 of base64', base64(base64('{"sessionId":"cs_secret1"}'))],
    ['base64 of bytes that are no text', Buffer.of(0x7b, 0xff, 0xfe, 0x7d).toString('base64')],
    ['base64 of Latin-1', latin1.toString('base64')],
    ['base64 of UTF-16', utf16.toString('base64')],
    ['base64 with a foreign character', `${base64(json)}*`],
    ['padding alone', '=='],
    ['JSON nested too deep', `{"x":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('is refused as %s', (_, text) => {
    expectRefused(read(text), /one JSON object.*base64/)
  })

  it.each(['Active', 'ACTIVE', '"active"', "'active'", '"Active"', ' active" '])(
    'that means the word active is refused with the word: %s',
    text => {
      expectRefused(read(text), /the word active without quotes, in lower case/)
    },
  )

  it('that is cut is refused with its length', () => {
    const cut = '{"sessionId":"cs_secret1"'
    for (const text of [cut, base64(cut)])
      expectRefused(read(text), /ends after 25 characters without its closing brace/)
  })

  it.each([
    ['white space inside', '{ "id" : "sub_1" }'],
    ['unknown fields', '{"id":"sub_1","extra":{"a":[1,null]},"__proto__":{"b":1}}'],
    ['numbers in their form', '{"id":"sub_1","created":1.7e9,"x":1.0,"y":12345678901234567890}'],
    ['escapes in their form', '{"id":"sub\\u005f1","x":"\\/\\u00e9"}'],
    ['the order of fields', '{"z":1,"id":"sub_1","10":2,"9":3}'],
  ])('is passed on to the character, with %s', (_, text) => {
    expect(read(text).subscription).toEqual({ id: 'sub_1', json: text })
    expect(read(base64(text)).subscription).toEqual({ id: 'sub_1', json: text })
  })
})

describe('the fields of a subscription', () => {
  const nullable = ['id', 'customer', 'latestInvoice', 'defaultPaymentMethod']
  const strings = ['sessionId', 'planId', 'planNickname', 'status']
  const times = ['created', 'currentPeriodStart', 'currentPeriodEnd']
  const numbers = ['userId', ...times, 'canceledAt']

  it.each(nullable)('may be null: %s', field => {
    const { subscription, ...reading } = readWith({ [field]: null })
    expect(reading).toMatchObject(fine)
    expect(subscription?.json).toContain(`"${field}":null`)
  })

  it.each<[readonly string[], readonly unknown[]]>([
    [[...strings, 'userId', ...times], [null]],
    [
      [...strings, ...nullable],
      [70707, false, ['70707'], { id: '70707' }],
    ],
    [numbers, ['70707', '', 70707.5, ['70707'], {}]],
    [['userId', ...times], [true]],
  ])('are checked for their type: none of %j may be one of %j', (fields, values) => {
    for (const field of fields)
      for (const value of values)
        expectRefused(readWith({ [field]: value }), new RegExp(`\\b${field}\\b.*expected`))
  })

  it('are all named when several have the wrong type, numbers beyond all limits included', () => {
    const { errors } = read('{"id":1,"userId":1e999,"customer":[]}')
    expect(errors).toEqual(
      ['id', 'userId', 'customer'].map(field => expect.stringContaining(` ${field}: expected`)),
    )
  })

  it.each(numbers)('may be integers that JavaScript cannot count with: %s', field => {
    for (const number of ['12345678901234567890', '-12345678901234567890']) {
      const json = `{"id":"sub_1","${field}":${number}}`
      const { subscription, errors, warnings } = read(json)
      expect({ subscription, errors }).toEqual({ subscription: { id: 'sub_1', json }, errors: [] })
      const others = warnings.slice(1).join()
      const isOver = field === 'currentPeriodEnd' && number.startsWith('-')
      expect(others.includes('period')).toBe(isOver)
      expect(others.includes('cancelled')).toBe(field === 'canceledAt')
    }
  })

  it('give one warning when they are missing, one or all', () => {
    for (const field of Object.keys(complete)) {
      const { subscription, errors, warnings } = readWith({ [field]: undefined })
      expect(subscription).not.toBeNull()
      const lacking = [expect.stringMatching(`lacks ${field};`)]
      expect({ errors, warnings }).toEqual({ errors: [], warnings: lacking })
    }
    const { subscription, errors, warnings } = read('{}')
    expect({ subscription, errors }).toEqual({ subscription: { id: null, json: '{}' }, errors: [] })
    expect(warnings).toEqual([expect.stringMatching(Object.keys(complete).join('.*'))])
  })

  it('tell when the period has ended', () => {
    expect(readWith({ currentPeriodEnd: nowSeconds - 1 }).periodEndedMs).toBe(nowMs - 1000)
    expect(readWith({ currentPeriodEnd: nowSeconds + 1 }).periodEndedMs).toBeNull()
  })

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['', {}],
    ['', { currentPeriodEnd: nowSeconds + 1 }],
    ['period', { currentPeriodEnd: nowSeconds - 1 }],
    ...[0, false, null].map((canceledAt): [string, object] => ['', { canceledAt }]),
    ...[1, -1, true].map((canceledAt): [string, object] => ['cancelled', { canceledAt }]),
    ...['past_due', 'Active', ''].map((status): [string, object] => ['status', { status }]),
    ['status cancelled period', { status: 'x', canceledAt: 1700000000, currentPeriodEnd: 1 }],
  ])('that the service may refuse get a warning each: "%s" of %j', (words, changed) => {
    const { subscription, errors, warnings } = readWith(changed)
    expect(subscription).not.toBeNull()
    expect(errors).toEqual([])
    const expected = words.split(' ').filter(word => word !== '')
    expect(warnings).toEqual(expected.map(word => expect.stringContaining(word)))
  })
})

describe('custumer', () => {
  const { customer, ...others } = complete

  it.each<[Readonly<Record<string, unknown>>, string | null]>([
    [{ custumer: customer }, customer],
    [{ custumer: 'cus_other', customer }, customer],
    [{ custumer: null }, null],
  ])(
    'is read as customer, which it does not outweigh, and sent under that name: %j',
    (fields, is) => {
      const { subscription, ...reading } = read(JSON.stringify({ ...others, ...fields }))
      expect(reading).toMatchObject(fine)
      expect(JSON.parse(subscription?.json ?? '')).toEqual({ ...complete, customer: is })
    },
  )

  it('leaves every other field as it was given', () => {
    const rest = '"x":{"y":[1,{}]},"big":12345678901234567890,"__proto__":{"z":1}'
    const { subscription } = read(`{"custumer":"cus_0001",${rest}}`)
    expect(subscription?.json).toBe(`{${rest},"customer":"cus_0001"}`)
  })

  it('has the types of customer', () => {
    expectRefused(read(JSON.stringify({ ...others, custumer: 70707 })), /customer/)
  })
})

describe('what is secret in a subscription', () => {
  it.each<[string, string, readonly string[], readonly string[]]>([
    [
      'the session, the customer under both names, the invoice and the payment method',
      JSON.stringify({ ...complete, defaultPaymentMethod: 'pm_0001', custumer: 'cus_other' }),
      ['cs_live_a1b2c3', 'cus_0001', 'cus_other', 'in_0001', 'pm_0001'],
      ['sub_0001', '42', 'plan_0001'],
    ],
    [
      'known also when a field is wrong',
      JSON.stringify({ ...complete, userId: 'x', sessionId: 1234567890 }),
      ['1234567890', 'cus_0001', 'in_0001'],
      ['sub_0001', 'x', 'plan_0001'],
    ],
    [
      'known also as a number that JavaScript cannot count with',
      '{"sessionId":12345678901234567890,"userId":98765432109876543210}',
      ['12345678901234567890'],
      ['98765432109876543210'],
    ],
  ])('is %s', (_, text, expected, sparedOnes) => {
    const { secrets, spared } = read(text)
    expect({ secrets, spared }).toEqual({ secrets: expected, spared: sparedOnes })
  })
})
