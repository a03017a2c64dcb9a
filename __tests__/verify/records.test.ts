import { expect, it } from '@jest/globals'
import { hashOf } from '../support/samples.ts'
import { selectRecords } from '../../src/verify/compare.ts'
import { bad, record, select, sent } from './samples.ts'

const A = { service: 'https://a.example' }
const B = { service: 'https://b.example' }

it('only lines of the service count', () => {
  const entries = [
    record('a', 1, A),
    record('b', 2, B),
    record('c', 3, { ...A, ...bad }),
    record('d', 4, B),
    sent('e', 5, B),
  ]
  const { known, good, count } = select(entries, A.service)
  expect(good.map(({ artifact }) => artifact)).toEqual(['a'])
  expect(count).toMatch(/^1 record of "https:\/\/a\.example"; 2 of other services/)
  expect(known.goodRecords(hashOf(1))).toHaveLength(1)
  expect(known.goodRecords(hashOf(2))).toEqual([])
  expect(known.find(hashOf(5))).toMatchObject({ state: 'planned', openSince: null })
})

it('records are sorted by age and counted by hash', () => {
  const old = record('a', 1, { at: '2026-01-01T00:00:00.000Z' })
  const entries = [record('b', 2), old, record('b', 2), record('c', 3, { at: null })]
  const { good, count } = select(entries)
  expect(good.map(({ artifact }) => artifact)).toEqual(['c', 'a', 'b', 'b'])
  expect(count).toMatch(/^3 records of /)
})

it('damaged lines stop the run and are named; an incomplete last line is a warning', () => {
  const remedy = 'fetch it again'
  const source = (text: string) => [{ name: 'r.jsonl', bytes: Buffer.from(text), remedy }]
  const { good, warnings } = selectRecords(source('{"artifact":"a'), A.service)
  expect([good.length, warnings]).toEqual([0, [expect.stringMatching(/"r\.jsonl" is incomplete/)]])
  const damage = /^input "records": "r\.jsonl", line 1 is not valid JSON; fetch it again$/
  expect(() => selectRecords(source('x\n'), A.service)).toThrow(damage)
})
