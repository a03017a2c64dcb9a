import { describe, expect, it } from '@jest/globals'
import { formatLine, parseLine } from '../../src/records/lines.ts'
import { parseJsonObject, type JsonObject } from '../../src/text/json.ts'
import { hashOf, makeRecord, source } from '../support/samples.ts'
import { AT, entryOf, lineOf, SERVICE, stateLineOf } from './entries.ts'

const parse = (text: string) => parseLine(Buffer.from(text))

/** Returns the line of entry 1 with changed fields; undefined removes a field. */
const changed = (changes: JsonObject): string =>
  JSON.stringify({ ...parseJsonObject(lineOf(1)), ...changes })
const changedState = (changes: JsonObject): string =>
  JSON.stringify({ ...parseJsonObject(stateLineOf(1)), ...changes })
const withRecord = (changes: JsonObject, rest: JsonObject = {}): string =>
  changed({ record: makeRecord(hashOf(1), changes), ...rest })

/** Checks that a line is the same after it is parsed and formatted. */
function expectRoundTrip(line: string): void {
  const parsed = parse(line.trimEnd())
  expect('entry' in parsed && formatLine(parsed.entry)).toBe(line)
}

describe('a written line', () => {
  const head = `{"artifact":"dist/app-1.zip","size":1,"hash":"${hashOf(1)}","service":"${SERVICE}","at":"${AT}",`
  const end = `"source":${JSON.stringify(source)}}\n`
  const record = `"record":${JSON.stringify(makeRecord(hashOf(1)))},`
  const optional = { verificationUrl: 'https://x', maybeChargedAgain: true }
  const optionalText = JSON.stringify(optional).slice(1, -1)
  const full = lineOf(1, { ...optional, problems: ['x'] })
  const not = 'not-registered'

  it.each([
    ['a record', lineOf(1), `${head}${record}"problems":[],${end}`],
    ['all fields', full, `${head}${record}${optionalText},"problems":["x"],${end}`],
    ['sent', stateLineOf(1), `${head}"state":"sent",${end}`],
    [not, stateLineOf(1, { state: not }), `${head}"state":"not-registered",${end}`],
  ])('has the documented fields, and can be read again: %s', (_, line, text) => {
    expect(line).toBe(text)
    expectRoundTrip(line)
  })

  it('keeps all fields of the record in order, and all digits of numbers', () => {
    const fields = JSON.stringify(makeRecord(hashOf(1))).slice(1, -1)
    const text = `{"zebra":[1,{"b":null,"a":"ü"}],${fields},"":0,"big":12345678901234567890,"vast":[1E+400]}`
    const line = lineOf(1, { record: parseJsonObject(text) ?? {} })
    expect(line).toContain(`"record":${text},`)
    expectRoundTrip(line)
  })
})

describe('reading a line', () => {
  const upper = 'AB'.repeat(32)
  const deep = '['.repeat(201) + ']'.repeat(201)
  it.each<[string, string, object]>([
    ['a record with problems, unchecked', withRecord({ status: 7 }, { problems: ['x'] }), {}],
    ['surrounding spaces and a Windows line ending', `  ${lineOf(1).trimEnd()}\r`, entryOf(1)],
    ['a record line written by hand, without "at"', changed({ at: undefined }), { at: null }],
    ['unknown fields', changed({ note: 'by hand', state: 'odd' }), entryOf(1)],
    ['another payment id', withRecord({ paymentId: 'sub_of_last_year' }), {}],
    ['an empty source', changed({ source: {} }), { source: { sha: null } }],
    ['an upper-case hash', changedState({ hash: upper }), { hash: upper.toLowerCase() }],
  ])('accepts %s', (_, line, entry) => {
    expect(parse(line)).toMatchObject({ entry })
  })

  it.each<[field: string, line: (changes: JsonObject) => string, values: readonly unknown[]]>([
    ['artifact', changedState, [undefined, null, 1, '']],
    ['size', changedState, [undefined, '1', 1.5, -1]],
    ['hash', changed, [undefined, null, 'ab', `${hashOf(1)}0`, `${hashOf(1).slice(1)}g`]],
    ['service', changed, [undefined, null, 1, '']],
    ['at', changed, [1, '', '2026-01-31', '2026-01-31T12:00:00Z', `${AT}\n`]],
    ['at', changedState, [undefined, null, '']],
    ['source', changed, [undefined, null, 'x', { sha: true }, { runId: 7 }]],
    ['record', changed, [undefined, null, 'x', []]],
    ['problems', changed, [undefined, null, 'x', [1]]],
    ['verificationUrl', changed, [1, []]],
    ['maybeChargedAgain', changed, [null, 1, 'true']],
    ['state', changedState, [null, 'Sent', 'registered']],
  ])('rejects wrong values of the field %s, and names it', (field, line, values) => {
    for (const value of values) {
      const damage = expect.stringContaining(field)
      expect(parse(line({ [field]: value }))).toEqual({ damage, isBeginning: false })
    }
  })

  it.each([
    ['is not an object', 'null', 'is not a line of a records file'],
    ['is nested too deep', withRecord({ payload: JSON.parse(deep) }), 'too deep'],
    ['has neither a record nor a state', '{}', 'is not a line of a records file'],
    ['has a record that lacks a field', withRecord({ signed: undefined }), 'signed is missing'],
    ['has a record with another status', withRecord({ status: 'pending' }), 'status is "pending"'],
  ])('rejects a line without problems that %s', (_, line, damage) => {
    expect(parse(line)).toEqual({ damage: expect.stringContaining(damage), isBeginning: false })
  })
})
