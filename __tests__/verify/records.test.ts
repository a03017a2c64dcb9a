import { expect, it } from '@jest/globals'
import { Stop } from '../../src/failure.ts'
import type { Entry } from '../../src/records/lines.ts'
import { selectRecords } from '../../src/verify/verify-records.ts'
import { hashOf } from '../support/samples.ts'
import { bad, record, select, sent } from './samples.ts'

const A = 'https://a.example'
const B = 'https://b.example'
const loopback = 'http://127.0.0.1:8080'
const service = (url: string) => ({ service: url })

const ofA = record('a', 1, service(A))
const ofB = record('b', 2, service(B))
const badOfA = record('c', 3, { ...service(A), ...bad })

it.each<[string, readonly Entry[], string | null, string, readonly number[]]>([
  ['the only one with records', [ofA, sent('b', 2, service(B))], null, `1 record from "${A}"`, [1]],
  ['the one in base-url', [ofA, ofB, badOfA], B, '1 record from "https://b.example"; 2 from', [2]],
  ['a loopback base-url', [record('a', 1, service(loopback))], loopback, '1 record from', [1]],
  ['none', [sent('a', 1, service(A))], null, '0 records', []],
])('the service whose records are used is %s', (_, entries, baseUrl, count, hashes) => {
  const records = select(entries, baseUrl)
  expect(records.count).toContain(count)
  expect(records.good.map(({ hash }) => hash)).toEqual(hashes.map(hashOf))
  for (const { hash } of entries) {
    expect(records.known.goodRecords(hash)).toHaveLength(hashes.map(hashOf).includes(hash) ? 1 : 0)
  }
})

it('records are sorted by age and counted by hash', () => {
  const old = record('a', 1, { at: '2026-01-01T00:00:00.000Z' })
  const entries = [record('b', 2), old, record('b', 2), record('c', 3, { at: null })]
  const { good, count } = select(entries)
  expect(good.map(({ artifact }) => artifact)).toEqual(['c', 'a', 'b', 'b'])
  expect(count).toMatch(/^3 records from /)
})

it.each<[string, readonly Entry[]]>([
  ['two services', [badOfA, ofB]],
  ['a loopback address', [record('a', 1, service(loopback))]],
])('records of %s stop the run, which asks for base-url', (_, entries) => {
  expect(() => select(entries)).toThrow(Stop)
  expect(() => select(entries)).toThrow(/^input "base-url" is empty/)
})

it('a damaged line stops the run and is named; an incomplete last line is a warning', () => {
  const source = (text: string) => [{ name: 'r.jsonl', bytes: Buffer.from(text) }]
  const { good, warnings } = selectRecords(source('{"artifact":"a'), null)
  expect([good.length, warnings]).toEqual([0, [expect.stringMatching(/"r\.jsonl" is incomplete/)]])
  const damage = /^input "records": "r\.jsonl", line 1 is not valid JSON; fetch an intact copy/
  expect(() => selectRecords(source('x\n'), null)).toThrow(damage)
})
