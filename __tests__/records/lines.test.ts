import { describe, expect, it } from '@jest/globals'
import { formatLine, readRecords, withoutIncompleteLine } from '../../src/records/lines.ts'
import type { Entry, FoundRecords } from '../../src/records/lines.ts'
import { parseJsonObject, type JsonObject } from '../../src/text/json.ts'
import { hashOf, makeRecord, source } from '../support/samples.ts'
import { AT, doubtLineOf, doubtOf, entryOf, lineOf, SERVICE } from './entries.ts'

const read = (content: string | Uint8Array) => {
  const bytes = Buffer.from(content)
  const found = readRecords([{ name: 'out/records.jsonl', bytes, input: 'records-path' }])
  const entries = Array.from(found.lines.values(), ({ entry }) => entry)
  return { entries, damage: found.problems.map(({ message }) => message), warnings: found.warnings }
}

/** Returns the line of entry 1 with changed fields; undefined removes a field. */
const changed = (changes: JsonObject): string =>
  JSON.stringify({ ...parseJsonObject(lineOf(1)), ...changes })
const changedDoubt = (changes: JsonObject): string =>
  JSON.stringify({ ...parseJsonObject(doubtLineOf(1)), ...changes })
const withRecord = (changes: JsonObject): string =>
  changed({ record: makeRecord(hashOf(1), changes) })

describe('a written line', () => {
  const head = `{"artifact":"dist/app-1.zip","size":1,"hash":"${hashOf(1)}","service":"${SERVICE}","at":"${AT}",`
  const end = `"source":${JSON.stringify(source)}}`
  const fields = JSON.stringify(makeRecord(hashOf(1)))
  const doubt = `"state":"unknown","why":"the registration returned HTTP 503","response":`

  it.each<[string, Entry, string]>([
    ['a record', entryOf(1), `"record":${fields},`],
    ['a confirmed record', entryOf(1, { confirmed: true }), `"record":${fields},"confirmed":true,`],
    ['a doubt', doubtOf(1), `${doubt}null,`],
    ['a doubt with a response', doubtOf(1, { response: { a: [1] } }), `${doubt}{"a":[1]},`],
  ])('has the documented fields, and can be read again: %s', (_, entry, middle) => {
    const line = head + middle + end
    expect(formatLine(entry)).toBe(line)
    expect(read(line).entries).toEqual([entry])
  })

  it('keeps all fields of the record in order, and all digits of numbers', () => {
    const rest = '"":0,"big":12345678901234567890,"vast":[1E+400],"exact":[-0.10,1e21]'
    const text = `{"zebra":[1,{"b":null,"a":"ü"}],${fields.slice(1, -1)},${rest}}`
    const { entries } = read(changed({ record: parseJsonObject(text) }))
    expect(entries.map(formatLine).join('')).toContain(`"record":${text},`)
  })
})

describe('reading a line', () => {
  const upper = 'AB'.repeat(32)
  it.each<[string, string, object]>([
    ['surrounding spaces and a Windows line ending', `  ${lineOf(1).trimEnd()}\r`, entryOf(1)],
    ['blank lines and byte order marks', `\ufeff\n \r\n\ufeff${lineOf(1)}\n`, entryOf(1)],
    ['unknown fields', changed({ note: 'x', state: 'odd', maybeChargedAgain: 1 }), entryOf(1)],
    ['another payment id', withRecord({ paymentId: 'sub_of_last_year' }), {}],
    ['an empty source', changed({ source: {} }), { source: { sha: null } }],
    ['an empty file', changedDoubt({ size: 0 }), { size: 0 }],
    ['an upper-case hash', changedDoubt({ hash: upper }), { hash: upper.toLowerCase() }],
    ['a doubt without a response', changedDoubt({ response: undefined }), doubtOf(1)],
  ])('accepts %s', (_, line, entry) => {
    expect(read(line).entries).toMatchObject([entry])
  })

  it.each<[field: string, line: (changes: JsonObject) => string, values: readonly unknown[]]>([
    ['artifact', changedDoubt, [undefined, null, 1, '']],
    ['size', changedDoubt, [undefined, '1', 1.5, -1]],
    ['hash', changed, [undefined, null, 'ab', `${hashOf(1)}0`, `${hashOf(1).slice(1)}g`]],
    ['service', changed, [undefined, null, 1, '']],
    ['at', changed, ['', '2026-01-31', '2026-01-31T12:00:00Z', `${AT}\n`, `x${AT}`]],
    ['at', changedDoubt, [undefined, null, 1]],
    ['source', changed, [undefined, null, 'x', { sha: true }]],
    ['source.runId', line => changed({ source: line['source.runId'] }), [{ runId: 7 }]],
    ['record', changed, [undefined, null, 'x', []]],
    ['confirmed', changed, [null, 1, 'true']],
    ['state', changedDoubt, [null, 'Unknown', 'sent', 'not-registered']],
    ['why', changedDoubt, [undefined, null, 1]],
    ['response', changedDoubt, ['x', []]],
  ])('rejects wrong values of the field %s, and names it', (field, line, values) => {
    for (const value of values) {
      const why = `line 1 is not a line of a records file (wrong: ${field}`
      const damage = [expect.stringContaining(why)]
      expect(read(line({ [field]: value }))).toMatchObject({ damage, warnings: [] })
    }
  })

  it.each([
    ['is not an object', 'null', 'line 1 is not a JSON object'],
    ['is neither a record nor a doubt', '{"size":1}', '(wrong: artifact, hash, service, at, '],
    ['has a wrong record', withRecord({ status: 'x' }), 'breaks the rules (status is "x", '],
  ])('rejects a line that %s', (_, line, damage) => {
    expect(read(line).damage).toEqual([expect.stringContaining(damage)])
  })
})

const first = lineOf(1)

it.each<[string, string | Buffer]>([
  ['its first character', '{'],
  ['its first field', '{"artifact":'],
  ['half a character', Buffer.from('{"artifact":"漢').subarray(0, -1)],
  ['half an escape after a brace', '{"artifact":"}\\'],
  ['a name', '{"artifact":"x"'],
  ['the next field', '{"artifact":"x","si'],
  ['the name of the next field', '{"artifact":"x","size":'],
  ['more', first.slice(0, -2)],
])('a last line is an incomplete write if it begins as a line does: %s', (_, rest) => {
  // Once, blank lines make the file larger than the largest line.
  const whole = Buffer.from(first + '\n'.repeat(rest === '{' ? 4_200_000 : 1))
  const bytes = Buffer.concat([whole, Buffer.from(rest)])
  const warnings = [expect.stringContaining('"out/records.jsonl" is incomplete')]
  expect(read(bytes)).toEqual({ entries: [entryOf(1)], damage: [], warnings })
  expect(withoutIncompleteLine(bytes)).toHaveLength(whole.length)
})

it.each<[string, string | Buffer, line: number]>([
  ['a last line of another program', '{"artifact":"app","version":"1.2', 1],
  ['a last line that is JSON', `${first}{"artifact":"app"}`, 2],
  ['a line that another one was appended to', first.trimEnd() + first.slice(0, 60), 1],
  ['a byte that is not UTF-8', Buffer.from(first.replace('app-1', 'app-\u00ff'), 'latin1'), 1],
  ['another file with text', 'notes that somebody keeps here', 1],
  ['another file with JSON', '{"artifact": "x', 1],
  ['a whole line with a typo', first.replace(',"hash"', ',,"hash"'), 1],
  ['an incomplete line with its newline', `${first.slice(0, 60)}\n`, 1],
  ['the beginning of a line after a space', ` ${first.slice(0, 60)}`, 1],
])('anything else is damage, which is reported with its file and line: %s', (_, content, line) => {
  const bytes = Buffer.from(content)
  const { damage, warnings } = read(bytes)
  expect(damage[0]).toMatch(`"out/records.jsonl": line ${line} `)
  expect(warnings).toEqual([])
  expect(withoutIncompleteLine(bytes)).toEqual(bytes)
})

const file = (input: FoundRecords['input'], text: string): FoundRecords => {
  return { name: `${input}.jsonl`, bytes: Buffer.from(text), input }
}

it('a damaged file is a problem with what to do, nothing of it is used, and the lines of others count', () => {
  const longest = 'x'.repeat(4 * 1024 * 1024)
  const { problems, warnings, lines } = readRecords([
    file('records-path', lineOf(1) + 'x\n'.repeat(300)),
    file('keep-records', 'x\n'),
    file('release-tag', `${lineOf(2)}x\n`),
    file('earlier-releases', 'x\n'),
    file('records', `${longest}\nx${longest}\n`),
    { ...file('records', ''), bytes: null },
    file('records', lineOf(3) + lineOf(4).slice(0, 30)),
  ])
  expect(problems).toMatchSnapshot()
  const why = 'is incomplete and is dropped: a run was stopped while writing it'
  expect(warnings).toEqual([`The last line of "records.jsonl" ${why}`])
  expect(Array.from(lines.keys(), text => `${text}\n`)).toEqual([lineOf(3)])
})
