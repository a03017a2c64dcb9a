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

describe('the text of a subscription', () => {
  const json = JSON.stringify({ ...complete, planNickname: 'Straße ~ÿ>?' })

  it.each([
    ['JSON on one line', json],
    ['JSON within white space', `\n  ${json}\r\n`],
    ['JSON after a BOM', `\ufeff${json}`],
    ['base64', base64(json)],
    ['base64 without padding', base64(json).replace(/=+$/, '')],
    ['base64 of JSON after a BOM', base64(`\ufeff${json}`)],
    ['base64 of JSON with a newline at its end', base64(`${json}\n`)],
    ['base64url', Buffer.from(json).toString('base64url')],
    ['base64 within white space', `\n ${base64(json)}\n`],
    ['base64 with spaces', base64(json).replace(/.{60}/g, '$& ')],
  ])('is read as %s, without a warning', (_, text) => {
    expect(read(text)).toMatchObject({
      subscription: { id: 'sub_0001', json },
      errors: [],
      warnings: [],
    })
  })

  it.each([
    ['pretty JSON', JSON.stringify(complete, null, 2), JSON.stringify(complete, null, 2)],
    ['JSON with CRLF', JSON.stringify(complete).replace(',', ',\r\n'), null],
    ['JSON with bare CR', JSON.stringify(complete).replace(',', ',\r'), null],
    ['base64 in lines of 76', base64(json).replace(/.{76}/g, '$&\n'), json],
    ['base64 in lines of 64 with CRLF', base64(json).replace(/.{64}/g, '$&\r\n'), json],
  ])('on several lines, as %s, gets a warning about masks', (_, text, expected) => {
    const { subscription, errors, warnings } = read(text)
    expect(errors).toEqual([])
    expect(subscription?.json).toBe(expected ?? text)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/several lines.*mask/)
  })

  it.each([
    ['a field of a wrong type', '{\n"id": 7\n}'],
    ['a fault in the JSON', '{\n"id": "sub_1",\n}'],
  ])('on several lines gets that warning also beside %s', (_, text) => {
    const { subscription, errors, warnings } = read(text)
    expect(subscription).toBeNull()
    expect(errors).toHaveLength(1)
    expect(warnings.join('\n')).toMatch(/several lines.*mask/)
  })

  it.each([
    ['a list', '[]'],
    ['a list of one', JSON.stringify([complete])],
    ['a string', '"sub_secret1"'],
    ['a number', '12345678'],
    ['null', 'null'],
    ['two objects', '{"sessionId":"cs_secret1"}{}'],
    ['single quotes', "{'sessionId':'cs_secret1'}"],
    ['YAML', 'sessionId: cs_secret1'],
    ['base64 of a list', base64('[]')],
    ['base64 of no JSON', base64('sessionId=cs_secret1')],
    ['base64 of base64', base64(base64('{"sessionId":"cs_secret1"}'))],
    ['base64 of bytes that are no text', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]).toString('base64')],
    ['base64 of JSON in Latin-1', Buffer.from('{"id":"sub_\u00e9"}', 'latin1').toString('base64')],
    ['base64 of UTF-16', Buffer.from('{"id":"sub_secret1"}', 'utf16le').toString('base64')],
    ['base64 with a foreign character', `${base64(json)}*`],
    ['padding alone', '=='],
    ['JSON nested too deep', `{"x":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('is refused as %s, and no part of it is shown', (_, text) => {
    const { subscription, errors } = read(text)
    expect(subscription).toBeNull()
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatch(/one JSON object.*base64/)
    expect(errors[0]).not.toMatch(/secret1|12345678/)
  })

  it.each(['Active', 'ACTIVE', '"active"', "'active'", '"Active"', ' active" '])(
    'that means the word active is refused with the word: %s',
    text => {
      expect(read(text)).toMatchObject({
        subscription: null,
        errors: [expect.stringMatching(/the word active without quotes, in lower case/)],
      })
    },
  )

  it.each([
    ['JSON', (cut: string) => cut],
    ['base64', base64],
  ])('that is cut, as %s, is refused with its length, and no part of it is shown', (_, encode) => {
    const cut = '{"sessionId":"cs_secret1"'
    const [error = ''] = read(encode(cut)).errors
    expect(error).toMatch(/ends after 25 characters without its closing brace/)
    expect(error).not.toContain('secret1')
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
  it('give no error and no warning when they are complete and right', () => {
    expect(readWith({})).toMatchObject({ errors: [], warnings: [] })
  })

  it.each(['id', 'customer', 'latestInvoice', 'defaultPaymentMethod'])('may be null: %s', field => {
    const { subscription, errors, warnings } = readWith({ [field]: null })
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] })
    expect(subscription?.json).toContain(`"${field}":null`)
  })

  it.each([
    ...['sessionId', 'planId', 'planNickname', 'status'].map(field => [field, null] as const),
    ...['userId', 'created', 'currentPeriodStart', 'currentPeriodEnd'].map(
      field => [field, null] as const,
    ),
    ...['sessionId', 'id', 'planId', 'planNickname', 'status', 'customer'].map(
      field => [field, 70707] as const,
    ),
    ...['latestInvoice', 'defaultPaymentMethod'].map(field => [field, 70707] as const),
    ...['sessionId', 'id', 'customer', 'status'].map(field => [field, ['70707']] as const),
    ...['defaultPaymentMethod', 'latestInvoice', 'customer'].map(
      field => [field, { id: '70707' }] as const,
    ),
    ...['userId', 'created', 'currentPeriodStart', 'currentPeriodEnd', 'canceledAt'].flatMap(
      field => [
        [field, '70707'] as const,
        [field, 70707.5] as const,
        [field, ['70707']] as const,
        [field, {}] as const,
      ],
    ),
    ...['userId', 'created', 'currentPeriodEnd'].map(field => [field, true] as const),
    ['status', false] as const,
    ['canceledAt', ''] as const,
  ])('are checked for their type: %s must not be %j', (field, value) => {
    const { subscription, errors } = readWith({ [field]: value })
    expect(subscription).toBeNull()
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatch(new RegExp(`\\b${field}\\b.*expected`))
    expect(errors[0]).not.toContain('70707')
  })

  it('are refused as numbers beyond all limits', () => {
    expect(read('{"userId":1e999}').errors).toHaveLength(1)
  })

  it.each(['userId', 'created', 'currentPeriodStart', 'currentPeriodEnd', 'canceledAt'])(
    'may be integers that JavaScript cannot count with: %s',
    field => {
      for (const number of ['12345678901234567890', '-12345678901234567890']) {
        const text = `{"id":"sub_1","${field}":${number}}`
        const { subscription, errors, warnings } = read(text)
        expect({ subscription, errors }).toEqual({
          subscription: { id: 'sub_1', json: text },
          errors: [],
        })
        const isOver = field === 'currentPeriodEnd' && number.startsWith('-')
        expect(warnings.slice(1).join('\n').includes('period')).toBe(isOver)
        expect(warnings.slice(1).join('\n').includes('cancelled')).toBe(field === 'canceledAt')
      }
    },
  )

  it('are all named when several have the wrong type', () => {
    const { errors } = readWith({ id: 1, userId: 'x', customer: [] })
    expect(errors).toHaveLength(3)
    for (const field of ['id', 'userId', 'customer']) {
      expect(errors.filter(error => new RegExp(`\\b${field}\\b`).test(error))).toHaveLength(1)
    }
  })

  it.each(Object.keys(complete))('give a warning when they are missing: %s', field => {
    const { subscription, errors, warnings } = readWith({ [field]: undefined })
    expect(subscription).not.toBeNull()
    expect(errors).toEqual([])
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(new RegExp(`\\b${field}\\b`))
  })

  it('give one warning when all are missing', () => {
    const { subscription, errors, warnings } = read('{}')
    expect({ subscription, errors }).toEqual({ subscription: { id: null, json: '{}' }, errors: [] })
    expect(warnings).toHaveLength(1)
    for (const field of Object.keys(complete)) expect(warnings[0]).toContain(field)
  })
})

describe('custumer', () => {
  const { customer, ...others } = complete

  it('is read as customer and sent under that name', () => {
    const { subscription, errors, warnings } = read(
      JSON.stringify({ ...others, custumer: customer }),
    )
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] })
    expect(JSON.parse(subscription?.json ?? '')).toEqual(complete)
    expect(subscription?.json).not.toContain('custumer')
  })

  it('leaves every other field as it was given', () => {
    const { subscription } = read(
      '{"custumer":"cus_0001","x":{"y":[1,{}]},"big":12345678901234567890,"__proto__":{"z":1}}',
    )
    expect(subscription?.json).toContain('"x":{"y":[1,{}]}')
    expect(subscription?.json).toContain('"__proto__":{"z":1}')
    expect(subscription?.json).toContain('"big":12345678901234567890')
  })

  it('does not outweigh customer', () => {
    const { subscription } = readWith({ custumer: 'cus_other' })
    expect(JSON.parse(subscription?.json ?? '')).toEqual(complete)
  })

  it('may be null', () => {
    const { subscription, errors } = read(JSON.stringify({ ...others, custumer: null }))
    expect(errors).toEqual([])
    expect(JSON.parse(subscription?.json ?? '')).toEqual({ ...complete, customer: null })
  })

  it('has the types of customer', () => {
    expect(read(JSON.stringify({ ...others, custumer: 5 })).errors).toHaveLength(1)
  })

  it('is masked, as is customer beside it', () => {
    const { secrets } = readWith({ custumer: 'cus_other' })
    expect(secrets).toEqual(expect.arrayContaining(['cus_other', 'cus_0001']))
  })
})

describe('canceledAt', () => {
  it.each([0, false, null])('means not cancelled as %j', canceledAt => {
    expect(readWith({ canceledAt })).toMatchObject({ errors: [], warnings: [] })
  })

  it.each([1, -1, true, 1700000000])('means cancelled, with a warning, as %j', canceledAt => {
    const { subscription, errors, warnings } = readWith({ canceledAt })
    expect(subscription).not.toBeNull()
    expect(errors).toEqual([])
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/cancelled/)
  })
})

describe('a subscription that the service may refuse', () => {
  it.each(['canceled', 'past_due', 'Active', ''])('gets a warning for the status %j', status => {
    const { subscription, errors, warnings } = readWith({ status })
    expect(subscription).not.toBeNull()
    expect(errors).toEqual([])
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/status/)
  })

  it('gets a warning when its period has ended, and none before', () => {
    expect(readWith({ currentPeriodEnd: nowSeconds + 1 }).warnings).toEqual([])
    const { subscription, warnings, periodEndedMs } = readWith({ currentPeriodEnd: nowSeconds - 1 })
    expect(subscription).not.toBeNull()
    expect(periodEndedMs).toBe(nowMs - 1000)
    expect(readWith({ currentPeriodEnd: nowSeconds + 1 }).periodEndedMs).toBeNull()
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/period/)
  })

  it('gets a warning for each reason', () => {
    const { warnings } = readWith({ status: 'x', canceledAt: true, currentPeriodEnd: 1 })
    expect(warnings).toHaveLength(3)
  })
})

describe('what is secret in a subscription', () => {
  it('is the session, the customer, the invoice and the payment method', () => {
    const { secrets, spared } = readWith({ defaultPaymentMethod: 'pm_0001' })
    expect([...secrets].sort()).toEqual(['cs_live_a1b2c3', 'cus_0001', 'in_0001', 'pm_0001'])
    expect([...spared].sort()).toEqual(['42', 'plan_0001', 'sub_0001'])
  })

  it('is given to be masked also when another field is wrong', () => {
    const { subscription, secrets } = readWith({ userId: 'x', sessionId: 1234567890 })
    expect(subscription).toBeNull()
    expect(secrets).toEqual(expect.arrayContaining(['1234567890', 'cus_0001', 'in_0001']))
  })

  it('is so also as a number that JavaScript cannot count with, and so is what is spared', () => {
    const { secrets, spared } = read(
      '{"sessionId":12345678901234567890,"userId":98765432109876543210}',
    )
    expect(secrets).toEqual(['12345678901234567890'])
    expect(spared).toEqual(['98765432109876543210'])
  })

  it('is never in an error or a warning', () => {
    const { errors, warnings } = readWith({
      sessionId: ['cs_live_a1b2c3'],
      status: { x: 'cus_0001' },
    })
    expect([...errors, ...warnings].join('\n')).not.toMatch(/cs_live|cus_0001|in_0001/)
  })
})
