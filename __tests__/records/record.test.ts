import { describe, expect, it } from '@jest/globals'
import { checkRecord } from '../../src/records/record.ts'
import { parseJsonObject, type JsonObject } from '../../src/text/json.ts'
import { makeRecord } from '../support/samples.ts'

const HASH = 'ab'.repeat(32)

const observed: JsonObject = makeRecord(HASH, { paymentId: 'sub_1' })
const required = ['hash', 'custody', 'signed', 'status', 'paymentId']
const texts = 'description signer signature txHash blockchainType holder txId assetId'.split(' ')
const optional = [...texts, 'creationDate', 'userId', 'tags', 'payload']

const check = (changes: JsonObject, paymentId: string | null = 'sub_1') =>
  checkRecord({ ...observed, ...changes }, { hash: HASH, paymentId })

/** Checks a record of these fields only. */
const checkOnly = (fields: readonly string[]) => {
  const record = Object.fromEntries(fields.map(field => [field, observed[field]]))
  return checkRecord(record, { hash: HASH, paymentId: 'sub_1' })
}
const without = (field: string) => checkOnly(Object.keys(observed).filter(name => name !== field))

describe('a record', () => {
  it('is right in the observed shape, with the five fields that must be there, and with unknown ones', () => {
    expect(check({})).toEqual([])
    expect(checkOnly(required)).toEqual([])
    expect(check({ extra: { a: [1] }, '': null, constructor: 1, toString: 'x' })).toEqual([])
  })

  it.each(required)('must have %s, and not as null', field => {
    expect(without(field)).toEqual([`${field} is missing`])
    expect(check({ [field]: null })).not.toEqual([])
  })

  it.each(optional)('may lack %s, or have it as null', field => {
    expect(without(field)).toEqual([])
    expect(check({ [field]: null })).toEqual([])
  })

  it('has everything named that it lacks, which cannot come from a prototype', () => {
    const missing = required.map(field => `${field} is missing`)
    const forged = parseJsonObject(`{"__proto__":${JSON.stringify(observed)}}`) ?? {}
    for (const record of [{}, forged])
      expect(checkRecord(record, { hash: HASH, paymentId: 'sub_1' })).toEqual(missing)
  })

  type Values = readonly unknown[]
  const integers: readonly [Values, Values] = [
    [0, -1, 1e15],
    [1.5, '1', true, [], {}],
  ]
  it.each<[string, Values, Values]>([
    ['hash', [], [7, true, [], {}]],
    ['custody', [], ['false', 0, [], {}]],
    ['signed', [], ['false', 0, [], {}]],
    ['status', [], [1, true, ['registered'], {}]],
    ['paymentId', [], [1, false, ['sub_1'], {}]],
    ...texts.map((field): [string, Values, Values] => [field, ['', 'x'], [1, true, [], {}]]),
    ['creationDate', ...integers],
    ['userId', ...integers],
    ['tags', [[], ['a', 1, null, {}]], [{}, 'a', 1]],
    ['payload', [0, '', 'x', true, [], {}], []],
  ])('has %s of the listed type only', (field, good, bad) => {
    for (const value of good) expect(check({ [field]: value })).toEqual([])
    for (const value of bad)
      expect(check({ [field]: value })).toEqual([`${field} has the wrong type`])
  })
})

describe('the rules of service-api.md 4.2', () => {
  it.each<[string, readonly unknown[]]>([
    ['hash', ['', 'cd'.repeat(32), `${HASH}0`, HASH.slice(1), ` ${HASH}`]],
    ['custody', [true]],
    ['signed', [true]],
    ['status', ['pending', 'REGISTERED', 'registered ', '']],
    ['paymentId', ['sub_2', 'SUB_1', '']],
  ])('refuse another %s', (field, values) => {
    for (const value of values)
      expect(check({ [field]: value })).toEqual([expect.stringMatching(`^${field} is`)])
  })

  it('compare the hash without regard to case', () => {
    expect(check({ hash: HASH.toUpperCase() })).toEqual([])
    expect(checkRecord(observed, { hash: HASH.toUpperCase() })).toEqual([])
  })

  it('do not compare the payment id where the subscription has none; null is one then', () => {
    for (const paymentId of ['sub_other', null]) {
      expect(check({ paymentId }, null)).toEqual([])
      expect(checkRecord({ ...observed, paymentId }, { hash: HASH })).toEqual([])
    }
  })

  it('name everything that is wrong at once', () => {
    const wrong = { hash: 'x', custody: true, signed: true, status: 's', paymentId: 'p' }
    expect(check(wrong)).toHaveLength(5)
  })

  it('take secrets out of what they show, and cut it after that', () => {
    const redact = (text: string): string => text.replaceAll('k'.repeat(90), '***')
    const status = `${'.'.repeat(50)}${'k'.repeat(90)}${'x'.repeat(100_000)}`
    const [problem = ''] = checkRecord({ ...observed, status }, { hash: HASH, redact })
    expect(problem).toMatch(/\*\*\*.*cut/)
    expect(problem).not.toContain('kk')
    expect(problem.length).toBeLessThan(300)
  })
})

it.each<[string, JsonObject, readonly string[], number]>([
  ['is excused from its type', { userId: '***' }, ['userId'], 0],
  ['excuses no other place', { creationDate: '***00', userId: '***' }, ['userId'], 1],
  ['excuses no place of the same name further down', { userId: '***' }, ['payload/userId'], 1],
  ['is not compared', { hash: '***ab', status: '***', paymentId: '***' }, required, 0],
  ['leaves the others compared', { hash: '***ab', status: '***' }, ['hash'], 1],
  ['excuses no flag that says the contrary', { custody: true, signed: true }, required, 2],
  ['must show it', { status: 'pending', userId: 'x' }, [...required, 'userId'], 2],
])('a place where a secret was replaced %s', (_, changes, fields, wrong) => {
  const redacted = fields.map(field => `/${field}`)
  expect(checkRecord({ ...observed, ...changes }, { hash: HASH, redacted })).toHaveLength(wrong)
  expect(checkRecord({}, { hash: HASH, redacted })).toHaveLength(required.length)
})
