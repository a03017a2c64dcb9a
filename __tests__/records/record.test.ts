import { describe, expect, it } from '@jest/globals'
import { checkRecord } from '../../src/records/record.ts'
import { parseJsonObject, type JsonObject } from '../../src/text/json.ts'
import { makeRecord } from '../support/samples.ts'

const HASH = 'ab'.repeat(32)

const observed: JsonObject = makeRecord(HASH, { paymentId: 'sub_1' })
const required = ['hash', 'custody', 'signed', 'status', 'paymentId']
const texts = [
  ...[
    'description',
    'signer',
    'signature',
    'txHash',
    'blockchainType',
    'holder',
    'txId',
    'assetId',
  ],
]
const optional = [...texts, 'creationDate', 'userId', 'tags', 'payload']

const check = (changes: JsonObject, paymentId: string | null = 'sub_1') =>
  checkRecord({ ...observed, ...changes }, { hash: HASH, paymentId })

const without = (field: string) => {
  const rest = Object.entries(observed).filter(([name]) => name !== field)
  return checkRecord(Object.fromEntries(rest), { hash: HASH, paymentId: 'sub_1' })
}

describe('a record', () => {
  it('is right in the observed shape, with the five fields that must be there, and with unknown ones', () => {
    const smallest = Object.fromEntries(required.map(field => [field, observed[field]]))
    expect(check({})).toEqual([])
    expect(checkRecord(smallest, { hash: HASH, paymentId: 'sub_1' })).toEqual([])
    expect(check({ extra: { a: [1] }, '': null, constructor: 1, toString: 'x' })).toEqual([])
  })

  it.each(required)('must have %s, and not as null', field => {
    expect(without(field)).toEqual([`${field} is missing`])
    expect(check({ [field]: null })).not.toEqual([])
  })

  it('has everything named that it lacks, which cannot come from a prototype', () => {
    const missing = required.map(field => `${field} is missing`)
    const forged = parseJsonObject(`{"__proto__":${JSON.stringify(observed)}}`) ?? {}
    for (const record of [{}, forged])
      expect(checkRecord(record, { hash: HASH, paymentId: 'sub_1' })).toEqual(missing)
  })

  it.each(optional)('may lack %s, or have it as null', field => {
    expect(without(field)).toEqual([])
    expect(check({ [field]: null })).toEqual([])
  })

  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['hash', [], [7, true, [], {}]],
    ['custody', [], ['false', 0, [], {}]],
    ['signed', [], ['false', 0, [], {}]],
    ['status', [], [1, true, ['registered'], {}]],
    ['paymentId', [], [1, false, ['sub_1'], {}]],
    ...texts.map((field): [string, unknown[], unknown[]] => [field, ['', 'x'], [1, true, [], {}]]),
    ['creationDate', [0, -1, 1e15], [1.5, '1', true, [], {}]],
    ['userId', [0, -1, 1e15], [1.5, '1', true, [], {}]],
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
    for (const field of ['hash', 'custody', 'signed', 'status'])
      expect(check({ [field]: null }, null)).not.toEqual([])
  })

  it('name everything that is wrong at once, and cut a long foreign value', () => {
    const wrong = { hash: 'x', custody: true, signed: true, status: 's', paymentId: 'p' }
    expect(check(wrong)).toHaveLength(5)
    const [problem = ''] = check({ status: 'x'.repeat(100_000) })
    expect(problem.length).toBeLessThan(300)
    expect(problem).toContain('cut')
  })

  it('take secrets out of what they show, before it is cut', () => {
    const redact = (text: string): string => text.replaceAll('k'.repeat(90), '***')
    const record = { ...observed, status: `${'.'.repeat(50)}${'k'.repeat(90)}` }
    const [problem = ''] = checkRecord(record, { hash: HASH, redact })
    expect(problem).toContain('***')
    expect(problem).not.toContain('kk')
  })
})

describe('places where a secret was replaced', () => {
  const places = required.map(field => `/${field}`)
  it.each<[string, JsonObject, readonly string[], number]>([
    [
      'are excused from their type',
      { creationDate: '***00', userId: '***' },
      ['/creationDate', '/userId'],
      0,
    ],
    ['excuse no other place', { creationDate: '***00', userId: '***' }, ['/creationDate'], 1],
    ['excuse no place of the same name further down', { userId: '***' }, ['/payload/userId'], 1],
    ['are not compared', { hash: '***ab', status: '***', paymentId: '***' }, places, 0],
    ['are compared where they are not listed', { hash: '***ab', status: '***' }, ['/hash'], 1],
    ['do not excuse a flag that says the contrary', { custody: true, signed: true }, places, 2],
    [
      'do not excuse what shows no replacement',
      { status: 'pending', userId: 'x' },
      [...places, '/userId'],
      2,
    ],
  ])('%s', (_, changes, redacted, wrong) => {
    const problems = checkRecord({ ...observed, ...changes }, { hash: HASH, redacted })
    expect(problems).toHaveLength(wrong)
  })

  it('do not excuse a field that is missing', () => {
    expect(checkRecord({}, { hash: HASH, redacted: places })).toHaveLength(5)
  })
})
