import { describe, expect, it } from '@jest/globals'
import { formatLine, parseLine } from '../../src/records/line.ts'
import { parseJsonObject, type JsonObject } from '../../src/text/json.ts'
import { hashOf, makeRecord, source } from '../support/samples.ts'
import { AT, entryOf, lineOf, SERVICE, stateLineOf, stateOf } from './entries.ts'

const parse = (text: string) => parseLine(Buffer.from(text))

/** The line of entry 1 with some fields changed; undefined takes one away. */
const changed = (changes: JsonObject): string =>
  JSON.stringify({ ...parseJsonObject(lineOf(1)), ...changes })
const changedState = (changes: JsonObject): string =>
  JSON.stringify({ ...parseJsonObject(stateLineOf(1)), ...changes })
const withRecord = (changes: JsonObject, rest: JsonObject = {}): string =>
  changed({ record: makeRecord(hashOf(1), changes), ...rest })

function expectSameAgain(line: string): void {
  const parsed = parse(line.trimEnd())
  expect('entry' in parsed && formatLine(parsed.entry)).toBe(line)
}

describe('writing a line', () => {
  const head = `{"artifact":"dist/app-1.zip","size":1,"hash":"${hashOf(1)}","service":"${SERVICE}","at":"${AT}",`
  const end = `"source":${JSON.stringify(source)}}\n`
  const record = `"record":${JSON.stringify(makeRecord(hashOf(1)))},`
  const optional = {
    redacted: ['/a'],
    verificationUrl: 'https://x.example',
    maybeChargedAgain: true,
  }
  const optionalText = JSON.stringify(optional).slice(1, -1)

  it.each([
    ['a record', lineOf(1), `${head}${record}"problems":[],${end}`],
    [
      'a record with every optional field',
      lineOf(1, { ...optional, problems: ['x'] }),
      `${head}${record}${optionalText},"problems":["x"],${end}`,
    ],
    ['what is sent', stateLineOf(1), `${head}"state":"sent",${end}`],
    [
      'what was not registered',
      stateLineOf(1, { state: 'not-registered' }),
      `${head}"state":"not-registered",${end}`,
    ],
  ])('has the fields of the contract, and reads back: %s', (_, line, text) => {
    expect(line).toBe(text)
    expectSameAgain(line)
  })

  it('keeps every field of the record in its order, and every digit of its numbers', () => {
    const fields = JSON.stringify(makeRecord(hashOf(1))).slice(1, -1)
    const text = `{"zebra":[1,{"b":null,"a":"ü"}],${fields},"":0,"big":12345678901234567890,"vast":[1E+400]}`
    const line = lineOf(1, { record: parseJsonObject(text) ?? {} })
    expect(line).toContain(`"record":${text},`)
    expectSameAgain(line)
  })
})

describe('reading a line', () => {
  const upper = 'AB'.repeat(32)
  it.each<[string, string, object]>([
    ['a record with problems, unchecked', withRecord({ status: 7 }, { problems: ['x'] }), {}],
    ['surrounding spaces and a Windows line end', `  ${lineOf(1).trimEnd()}\r`, entryOf(1)],
    ['a record line made by hand, without "at"', changed({ at: undefined }), { at: null }],
    ['unknown fields', changed({ note: 'by hand', state: 'odd' }), entryOf(1)],
    ['unknown fields of a state line', changedState({ note: 'by hand' }), stateOf(1)],
    ['another payment id', withRecord({ paymentId: 'sub_of_last_year' }), {}],
    ['other fields of the record, of any type', withRecord({ userId: '1', tags: {} }), {}],
    ['an empty source', changed({ source: {} }), { source: { sha: null } }],
    ['an upper-case hash', changedState({ hash: upper }), { hash: upper.toLowerCase() }],
    [
      'a record with a redacted status',
      withRecord({ status: '***' }, { redacted: ['/status'] }),
      {},
    ],
  ])('accepts %s', (_, line, entry) => {
    expect(parse(line)).toMatchObject({ entry })
  })

  type Values = readonly (readonly [field: string, values: readonly unknown[]])[]
  const head: Values = [
    ['artifact', [undefined, null, 1, '']],
    ['size', [undefined, '1', 1.5, -1]],
    ['hash', [undefined, null, 'ab', `${hashOf(1)}0`, `${hashOf(1).slice(1)}g`, `${hashOf(1)}\n`]],
    ['service', [undefined, null, 1, '']],
    ['at', [1, '', '2026-01-31', '2026-01-31T12:00:00Z', `${AT}\n`]],
    ['source', [undefined, null, 'x', { sha: true }, { runId: 7 }]],
  ]
  const ofRecord: Values = [
    ['record', [undefined, null, 'x', []]],
    ['problems', [undefined, null, 'x', [1]]],
    ['redacted', [null, '/payload', [1]]],
    ['verificationUrl', [1, []]],
    ['maybeChargedAgain', [null, 1, 'true']],
  ]
  const ofState: Values = [
    ['state', [null, 'Sent', 'registered']],
    ['at', [undefined, null]],
  ]
  const rows = [
    ...[...head, ...ofRecord].map(([field, values]) => ['record', field, values] as const),
    ...[...head, ...ofState].map(([field, values]) => ['state', field, values] as const),
  ]
  it.each(rows)('names the wrong field of a %s line: %s', (kind, field, values) => {
    for (const value of values) {
      const line =
        kind === 'record' ? changed({ [field]: value }) : changedState({ [field]: value })
      expect(parse(line)).toEqual({ damage: expect.stringContaining(field), isBeginning: false })
    }
  })

  it.each([
    ['is no object', 'null', 'is not a line of a records file'],
    ['has neither a record nor a state', '{}', 'is not a line of a records file'],
    ['has a record of another hash', withRecord({ hash: hashOf(2) }), 'hash is'],
    ['has a record of another status', withRecord({ status: 'pending' }), 'status is "pending"'],
    ['has a record in custody', withRecord({ custody: true }), 'custody is true'],
    ['has a signed record', withRecord({ signed: undefined }), 'signed is missing'],
    ['breaks the rules elsewhere', withRecord({ status: 's' }, { service: 'https://x' }), 'status'],
  ])('rejects a line without problems that %s', (_, line, damage) => {
    expect(parse(line)).toEqual({ damage: expect.stringContaining(damage), isBeginning: false })
  })
})
