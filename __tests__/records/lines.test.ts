import { describe, expect, it } from '@jest/globals'
import {
  formatLine,
  missingLines,
  parseRecords,
  withoutIncompleteLine,
  type Entry,
} from '../../src/records/lines.ts'
import { parseJsonObject, type JsonObject } from '../../src/text/json.ts'
import { hashOf, makeRecord, source } from '../support/samples.ts'
import { AT, entryOf, lineOf, SERVICE, stateLineOf, stateOf } from './entries.ts'

const read = (content: string | Uint8Array) =>
  parseRecords(Buffer.from(content), 'out/records.jsonl')

/** Returns the line of entry 1 with changed fields; undefined removes a field. */
const changed = (changes: JsonObject): string =>
  JSON.stringify({ ...parseJsonObject(lineOf(1)), ...changes })
const changedState = (changes: JsonObject): string =>
  JSON.stringify({ ...parseJsonObject(stateLineOf(1)), ...changes })
const withRecord = (changes: JsonObject): string =>
  changed({ record: makeRecord(hashOf(1), changes) })

describe('a written line', () => {
  const head = `{"artifact":"dist/app-1.zip","size":1,"hash":"${hashOf(1)}","service":"${SERVICE}","at":"${AT}",`
  const end = `"source":${JSON.stringify(source)}}\n`
  const fields = JSON.stringify(makeRecord(hashOf(1)))
  const record = `${head}"record":${fields},`
  const not = 'not-registered'
  const optional = { verificationUrl: 'https://x', maybeChargedAgain: true, confirmed: true }
  const full = `${record}"verificationUrl":"https://x","maybeChargedAgain":true,"confirmed":true,"problems":["x"],${end}`

  it.each<[string, Entry, string]>([
    ['a record', entryOf(1), `${record}"problems":[],${end}`],
    ['all fields', entryOf(1, { ...optional, problems: ['x'] }), full],
    ['sent', stateOf(1), `${head}"state":"sent",${end}`],
    ['not registered', stateOf(1, { state: not }), `${head}"state":"${not}",${end}`],
  ])('has the documented fields, and can be read again: %s', (_, entry, line) => {
    expect(formatLine(entry)).toBe(line)
    expect(read(line).entries).toEqual([entry])
  })

  it('keeps all fields of the record in order, and all digits of numbers', () => {
    const rest = '"":0,"big":12345678901234567890,"vast":[1E+400]'
    const text = `{"zebra":[1,{"b":null,"a":"ü"}],${fields.slice(1, -1)},${rest}}`
    const { entries } = read(changed({ record: parseJsonObject(text) }))
    expect(entries.map(formatLine).join('')).toContain(`"record":${text},`)
  })
})

describe('reading a line', () => {
  const upper = 'AB'.repeat(32)
  const deep = '['.repeat(201) + ']'.repeat(201)
  it.each<[string, string, object]>([
    ['a record with problems, unchecked', changed({ record: { status: 7 }, problems: ['x'] }), {}],
    ['surrounding spaces and a Windows line ending', `  ${lineOf(1).trimEnd()}\r`, entryOf(1)],
    ['a record line written by hand, without "at"', changed({ at: undefined }), { at: null }],
    ['unknown fields', changed({ note: 'by hand', state: 'odd' }), entryOf(1)],
    ['another payment id', withRecord({ paymentId: 'sub_of_last_year' }), {}],
    ['an empty source', changed({ source: {} }), { source: { sha: null } }],
    ['an upper-case hash', changedState({ hash: upper }), { hash: upper.toLowerCase() }],
  ])('accepts %s', (_, line, entry) => {
    expect(read(line).entries).toMatchObject([entry])
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
    ['confirmed', changed, [null, 1, 'true']],
    ['state', changedState, [null, 'Sent', 'registered']],
  ])('rejects wrong values of the field %s, and names it', (field, line, values) => {
    for (const value of values) {
      const damage = [expect.stringContaining(`(wrong: ${field}`)]
      expect(read(line({ [field]: value }))).toMatchObject({ damage, warnings: [] })
    }
  })

  it.each([
    ['is not an object', 'null', 'is not a line of a records file'],
    ['is nested too deep', withRecord({ payload: JSON.parse(deep) }), 'too deep'],
    ['has neither a record nor a state', '{}', 'is not a line of a records file'],
    ['has a record with another status', withRecord({ status: 'pending' }), 'status is "pending"'],
  ])('rejects a line without problems that %s', (_, line, damage) => {
    expect(read(line).damage).toEqual([expect.stringContaining(damage)])
  })
})

const first = lineOf(1)
const half = lineOf(2).slice(0, 60)

it('the entries of all lines are returned in order, also without the last newline', () => {
  const other = { service: 'https://other.example', problems: ['x'] }
  const text = first + stateLineOf(2) + lineOf(3, other)
  const whole = { entries: [entryOf(1), stateOf(2), entryOf(3, other)], damage: [], warnings: [] }
  expect(read(text)).toEqual(whole)
  expect(read(text.trimEnd())).toEqual(whole)
  expect(read('')).toEqual({ ...whole, entries: [] })
})

it.each<[string, string | Buffer]>([
  ['the start of a line', '{"artifact":'],
  ['half a character', Buffer.from('{"artifact":"漢').subarray(0, -1)],
  ['half an escape after a brace', '{"artifact":"}\\'],
])('a last line is incomplete if it is the beginning of a line: %s', (_, rest) => {
  const bytes = Buffer.concat([Buffer.from(first), Buffer.from(rest)])
  const warnings = [expect.stringContaining('"out/records.jsonl" is incomplete')]
  expect(read(bytes)).toEqual({ entries: [entryOf(1)], damage: [], warnings })
  expect(withoutIncompleteLine(bytes).toString()).toBe(first)
})

it.each<[string, string | Buffer, line: number]>([
  ['a byte order mark', `\ufeff${first}`, 1],
  ['a byte that is not UTF-8', Buffer.from(first.replace('app-1', 'app-\u00ff'), 'latin1'), 1],
  ['a line with other fields, without a newline', `${first}{}`, 2],
  ['another file with text', 'notes that somebody keeps here', 1],
  ['another file with JSON', '{"artifact": "x', 1],
  ['a whole line with a typo', first.trimEnd().replace(',"hash"', ',,"hash"'), 1],
  ['the beginning of a line after a space', ` ${half}`, 1],
])('damage is reported with the file and the line: %s', (_, content, line) => {
  const { damage, warnings } = read(content)
  expect(damage[0]).toMatch(`"out/records.jsonl", line ${line} `)
  expect(warnings).toEqual([])
})

it.each<[string, known: readonly string[], file: string, missing: string]>([
  ['a line once', [], first + first, first],
  ['no incomplete last line', [first], first + half, ''],
  ['no line that a known file has without a newline', [first.trimEnd()], first, ''],
  ['an incomplete line that is not the last', [], `${half}\n${first}`, `${half}\n${first}`],
  ['no blank line', [first], `\n${first}\n`, ''],
  ['bytes that are not UTF-8', [first], '"\xff\xfe\0\x80"\n', '"\xff\xfe\0\x80"\n'],
])('the missing lines include %s', (_, known, file, missing) => {
  const toBytes = (text: string) => Buffer.from(text, 'latin1')
  const bytes = missingLines(known.map(toBytes), [toBytes(file)])
  expect(bytes.toString('latin1')).toBe(missing)
})
