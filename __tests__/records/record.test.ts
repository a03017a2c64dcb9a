import { describe, expect, it } from '@jest/globals'
import { checkRecord, unexpectedTypes } from '../../src/records/record.ts'
import { parseJsonObject, type JsonObject } from '../../src/text/json.ts'
import { makeRecord } from '../support/samples.ts'

const HASH = 'ab'.repeat(32)
const observed: JsonObject = makeRecord(HASH, { paymentId: 'sub_1' })

describe('the binding rules', () => {
  it.each<[string, good: readonly unknown[], bad: readonly unknown[], expected: string]>([
    [
      'hash',
      [HASH, HASH.toUpperCase()],
      [null, '', `${HASH}0`, ` ${HASH}`, 7],
      'that of the request',
    ],
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

it.each<[JsonObject, readonly string[]]>([
  [{}, []],
  [{ txHash: 'x', txId: 'y', tags: ['a', 1], creationDate: -1, payload: 7, extra: {} }, []],
  [{ tags: undefined, paymentId: null, txId: null }, []],
  [{ userId: null, description: null }, ['description', 'userId']],
  [{ description: 1, signer: true, holder: 0 }, ['description', 'signer', 'holder']],
  [{ signature: [], txHash: {} }, ['signature', 'txHash']],
  [{ tags: 'a', creationDate: '1', userId: 1.5 }, ['tags', 'creationDate', 'userId']],
])('other fields never contradict, but unexpected types are named: %j', (changes, names) => {
  const record = { ...observed, ...changes }
  expect(unexpectedTypes(record)).toEqual(names)
  expect(checkRecord(record, { hash: HASH, paymentId: null })).toEqual([])
})
