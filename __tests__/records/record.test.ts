import { describe, expect, it } from '@jest/globals'
import { checkRecord, describeFields } from '../../src/records/record.ts'
import { parseJsonObject, type JsonObject } from '../../src/text/json.ts'
import { makeRecord } from '../support/samples.ts'

const HASH = 'ab'.repeat(32)
const upper = HASH.toUpperCase()
const observed: JsonObject = makeRecord(HASH, { paymentId: 'sub_1' })

describe('the binding rules', () => {
  it.each<[string, good: readonly unknown[], bad: readonly unknown[], expected: string]>([
    ['hash', [HASH, upper], [null, '', `${HASH}0`, ` ${HASH}`, 7], 'that of the request'],
    ['status', ['registered'], [null, 'pending', 'REGISTERED', '', ['registered']], '"registered"'],
    ['custody', [false, 'false'], [null, true, 'true', 0, ''], 'false'],
    ['signed', [false, 'false'], [null, true, 'true', 0, ''], 'false'],
    ['paymentId', ['sub_1', undefined, null], ['sub_2', '', 1, {}], 'the id of the subscription'],
  ])('accept good values of %s and reject others', (field, good, bad, expected) => {
    const check = (value: unknown) =>
      checkRecord({ ...observed, [field]: value }, { hash: HASH, paymentId: 'sub_1' })
    for (const value of good) expect(check(value)).toEqual([])
    for (const value of bad) {
      expect(check(value)).toEqual([`${field} is ${JSON.stringify(value)}, not ${expected}`])
    }
  })

  it('need four fields', () => {
    const missing = ['hash', 'status', 'custody', 'signed'].map(field => `${field} is missing`)
    expect(checkRecord({}, { hash: HASH, paymentId: 'sub_1' })).toEqual(missing)
  })

  it('compare all digits of paymentId, unless the subscription has no id', () => {
    const big = '12345678901234567890'
    const record = parseJsonObject(JSON.stringify(observed).replace('"sub_1"', big)) ?? {}
    expect(checkRecord(record, { hash: HASH, paymentId: big })).toEqual([])
    const other = `${big.slice(0, -1)}1`
    expect(checkRecord(record, { hash: HASH, paymentId: other })).toHaveLength(1)
    expect(checkRecord(record, { hash: HASH, paymentId: null })).toEqual([])
  })

  it.each([
    ['x'.repeat(98), true],
    // A part of a secret could stay in a truncated value, and could not be found in an escaped one.
    ['x'.repeat(99), false],
    ['{"customer":"xxx"}', false],
  ])('quote only short values without escapes: %j', (status, isQuoted) => {
    const problems = checkRecord({ ...observed, status }, { hash: HASH, paymentId: null })
    const quoted = `status is "${status}", not "registered"`
    expect(problems).toEqual([isQuoted ? quoted : 'status is not "registered"'])
  })
})

const none = ['', '', '']
it.each<[string, fields: JsonObject, shown: readonly string[]]>([
  ['have the types of the documentation', {}, ['2026-01-01 00:00:00', 'ALGORAND', 'T']],
  ['are missing', { creationDate: undefined, blockchainType: null, txId: null }, ['', '', 'H']],
  ['have other types', { creationDate: '1', blockchainType: {}, txId: {}, txHash: 7 }, none],
  ['say nothing', { creationDate: 1.5, blockchainType: ' ', txId: '', txHash: '' }, none],
  ['are out of range', { creationDate: 9e15 }, ['', 'ALGORAND', 'T']],
])('other fields never contradict, and are shown as documented if they %s', (_, changes, shown) => {
  const record = { ...observed, txId: 'T', txHash: 'H', ...changes }
  expect(Object.values(describeFields(record))).toEqual(shown)
  expect(checkRecord(record, { hash: HASH, paymentId: null })).toEqual([])
})
