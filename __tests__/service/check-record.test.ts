import { describe, expect, it } from '@jest/globals'
import type { JsonObject } from '../../src/outcome.ts'
import { checkRecord } from '../../src/service/core/check-record.ts'
import { parseJsonObject } from '../../src/service/core/json.ts'

const HASH = 'ab'.repeat(32)

/** A record in the observed shape (`service-api.md` 2.1). */
const observed: JsonObject = {
  hash: HASH,
  description: 'a release',
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
  paymentId: 'sub_1',
  creationDate: 1_700_000_000_000,
  payload: null,
  userId: 7,
}

const required = ['hash', 'custody', 'signed', 'status', 'paymentId'] as const
const texts = [
  ...['description', 'signer', 'signature', 'txHash', 'blockchainType'],
  ...['holder', 'txId', 'assetId'],
]
const integers = ['creationDate', 'userId']

const check = (changes: JsonObject, paymentId: string | null = 'sub_1') =>
  checkRecord({ ...observed, ...changes }, { hash: HASH, paymentId })

const without = (field: string) =>
  checkRecord(Object.fromEntries(Object.entries(observed).filter(([name]) => name !== field)), {
    hash: HASH,
    paymentId: 'sub_1',
  })

it('finds nothing wrong with a record in the observed shape', () => {
  expect(check({})).toEqual([])
})

it('finds nothing wrong with a record of the five fields that must be there', () => {
  const smallest = Object.fromEntries(required.map(field => [field, observed[field]]))
  expect(checkRecord(smallest, { hash: HASH, paymentId: 'sub_1' })).toEqual([])
})

it('lets unknown fields of any kind pass', () => {
  expect(check({ extra: { a: [1] }, '': null, constructor: 1, toString: 'x' })).toEqual([])
})

describe('fields that must be there', () => {
  it.each(required)('are missed: %s', field => {
    expect(without(field)).toEqual([`${field} is missing`])
  })

  it('are all named when the record is empty', () => {
    expect(checkRecord({}, { hash: HASH, paymentId: 'sub_1' })).toEqual(
      required.map(field => `${field} is missing`),
    )
  })

  it.each(required)('must not be null: %s', field => {
    expect(check({ [field]: null })).not.toEqual([])
  })

  it('may be null where the subscription has no id, for that is what paymentId is then', () => {
    expect(check({ paymentId: null }, null)).toEqual([])
    for (const field of ['hash', 'custody', 'signed', 'status'])
      expect(check({ [field]: null }, null)).not.toEqual([])
  })

  it('do not come from the prototype', () => {
    const forged = parseJsonObject(`{"__proto__":${JSON.stringify(observed)}}`) ?? {}
    expect(checkRecord(forged, { hash: HASH })).toHaveLength(5)
  })

  it.each([
    ['hash', [7, true, [], {}]],
    ['custody', ['false', 0, [], {}]],
    ['signed', ['false', 0, [], {}]],
    ['status', [1, true, ['registered'], {}]],
    ['paymentId', [1, false, ['sub_1'], {}]],
  ])('are checked for their type: %s', (field, values) => {
    for (const value of values)
      expect(check({ [field]: value })).toEqual([`${field} has the wrong type`])
  })
})

describe('fields that may be missing', () => {
  it.each([...texts, ...integers, 'tags', 'payload'])('may be missing or null: %s', field => {
    expect(without(field)).toEqual([])
    expect(check({ [field]: null })).toEqual([])
  })

  it.each(texts)('must be text: %s', field => {
    expect(check({ [field]: '' })).toEqual([])
    for (const value of [1, true, [], {}])
      expect(check({ [field]: value })).toEqual([`${field} has the wrong type`])
  })

  it.each(integers)('must be an integer: %s', field => {
    for (const value of [0, -1, 1e15]) expect(check({ [field]: value })).toEqual([])
    for (const value of [1.5, '1', true, [], {}])
      expect(check({ [field]: value })).toEqual([`${field} has the wrong type`])
  })

  it('tags must be an array, of anything', () => {
    expect(check({ tags: ['a', 1, null, {}] })).toEqual([])
    for (const value of [{}, 'a', 1])
      expect(check({ tags: value })).toEqual(['tags has the wrong type'])
  })

  it.each([0, '', 'x', true, [], {}])('payload may be anything: %j', payload => {
    expect(check({ payload })).toEqual([])
  })
})

describe('the rules of service-api.md 4.2', () => {
  it('compare the hash without regard to case', () => {
    expect(check({ hash: HASH.toUpperCase() })).toEqual([])
    expect(checkRecord(observed, { hash: HASH.toUpperCase(), paymentId: 'sub_1' })).toEqual([])
  })

  it.each(['', 'cd'.repeat(32), `${HASH}0`, HASH.slice(1), ` ${HASH}`])(
    'refuse another hash: %j',
    hash => {
      expect(check({ hash })).toEqual([expect.stringContaining('hash is')])
    },
  )

  it('refuse custody and signature', () => {
    expect(check({ custody: true })).toEqual([expect.stringContaining('custody')])
    expect(check({ signed: true })).toEqual([expect.stringContaining('signed')])
  })

  it.each(['pending', 'REGISTERED', 'registered ', ''])('refuse the status %j', status => {
    expect(check({ status })).toEqual([expect.stringContaining('status')])
  })

  it.each(['sub_2', 'SUB_1', ''])('refuse the payment id %j', paymentId => {
    expect(check({ paymentId })).toEqual([expect.stringContaining('paymentId')])
  })

  it.each([null, undefined])('do not compare the payment id with %s', expected => {
    const record = { ...observed, paymentId: 'sub_other' }
    const request = expected === undefined ? { hash: HASH } : { hash: HASH, paymentId: expected }
    expect(checkRecord(record, request)).toEqual([])
  })

  it('name everything that is wrong at once', () => {
    const problems = check({ hash: 'x', custody: true, signed: true, status: 's', paymentId: 'p' })
    expect(problems).toHaveLength(5)
  })

  it('cut a long foreign value in the report', () => {
    const [problem = ''] = check({ status: 'x'.repeat(100_000) })
    expect(problem.length).toBeLessThan(300)
    expect(problem).toContain('cut')
  })
})

describe('places where a secret was replaced', () => {
  const withRedacted = (record: JsonObject, ...redacted: string[]) =>
    checkRecord({ ...observed, ...record }, { hash: HASH, redacted })

  it('are excused from their type', () => {
    expect(
      withRedacted({ creationDate: '***00', userId: '***' }, '/creationDate', '/userId'),
    ).toEqual([])
  })

  it('excuse no other place', () => {
    expect(withRedacted({ creationDate: '***00', userId: '***' }, '/creationDate')).toEqual([
      'userId has the wrong type',
    ])
    expect(withRedacted({ userId: '***' }, '/payload/userId')).toEqual([
      'userId has the wrong type',
    ])
  })

  it('do not excuse a field that is missing', () => {
    const places = required.map(field => `/${field}`)
    expect(checkRecord({}, { hash: HASH, redacted: places })).toHaveLength(5)
  })

  it('are not compared: the secret may have been a part of the value', () => {
    const changes = { hash: '***ab', status: '***', paymentId: '***' }
    expect(withRedacted(changes, '/hash', '/status', '/paymentId')).toEqual([])
    expect(withRedacted(changes, '/hash')).toHaveLength(1)
  })

  it('do not excuse a flag that says the contrary', () => {
    expect(withRedacted({ custody: true }, '/custody')).not.toEqual([])
    expect(withRedacted({ signed: true }, '/signed')).not.toEqual([])
  })
})
