import { describe, expect, it } from '@jest/globals'
import { formatLine, lineOf as fieldsOf, parseLine } from '../../src/records/line.ts'
import { maxJsonDepth, parseJsonObject, type JsonObject } from '../../src/text/json.ts'
import { hashOf, makeRecord, source } from '../support/samples.ts'
import { AT, entryOf, lineOf, SERVICE, stateLineOf, stateOf } from './entries.ts'

const parse = (text: string | Uint8Array) => parseLine(Buffer.from(text))

/** The line of entry 1 with some fields changed; undefined takes one away. */
const changed = (changes: JsonObject): string =>
  JSON.stringify({ ...fieldsOf(entryOf(1)), ...changes })
const changedState = (changes: JsonObject): string =>
  JSON.stringify({ ...fieldsOf(stateOf(1)), ...changes })

/** The line of entry 1 with its record changed. */
const withRecord = (changes: JsonObject, rest: JsonObject = {}): string =>
  changed({ record: makeRecord(hashOf(1), changes), ...rest })

const reread = (line: string): string | false => {
  const reading = parse(line)
  return 'entry' in reading && formatLine(reading.entry)
}

describe('writing a line', () => {
  const start = `{"artifact":"dist/app-1.zip","size":1,"hash":"${hashOf(1)}","service":"${SERVICE}",`
  const end = `"source":${JSON.stringify(source)}}\n`
  const record = `"record":${JSON.stringify(makeRecord(hashOf(1)))},`
  const all = { redacted: ['/a'], verificationUrl: 'https://x.example', unansweredTries: 2 }
  const allText = JSON.stringify({ ...all, problems: ['x'] }).slice(1, -1)

  it.each([
    ['a record', lineOf(1), `${start}${record}"problems":[],${end}`],
    ['all of one', lineOf(1, { ...all, problems: ['x'] }), `${start}${record}${allText},${end}`],
    ['what is sent', stateLineOf(1), `${start}"state":"sent","at":"${AT}",${end}`],
    [
      'what was not registered',
      stateLineOf(1, { state: 'not-registered' }),
      `${start}"state":"not-registered","at":"${AT}",${end}`,
    ],
  ])('has the fields in the order of the contract, and reads back: %s', (_, line, text) => {
    expect(line).toBe(text)
    expect(reread(line)).toBe(line)
  })

  it('keeps every field of the record as it was written, in its order', () => {
    const text = `{"zebra":[1,{"b":null,"a":"ü"}],${JSON.stringify(makeRecord(hashOf(1))).slice(1, -1)},"":0,"big":12345678901234567890,"vast":[1E+400]}`
    const line = lineOf(1, { record: parseJsonObject(text) ?? {} })
    expect(line).toContain(`"record":${text},`)
    expect(reread(line)).toBe(line)
  })
})

describe('reading a line', () => {
  const upper = { hash: 'AB'.repeat(32) }
  const lower = { hash: 'ab'.repeat(32) }
  const odd = { status: 'pending', hash: 7 }
  it.each<[string, string, unknown]>([
    ['a record with problems, by no rule', withRecord(odd, { problems: ['x'] }), { record: odd }],
    ['the line end of Windows, and spaces around', `  ${lineOf(1).trimEnd()}\r`, entryOf(1)],
    ['fields that it does not know', changed({ note: 'by hand', state: 'odd' }), entryOf(1)],
    ['such fields of a state line', changedState({ note: 'by hand' }), stateOf(1)],
    ['another payment id', withRecord({ paymentId: 'sub_of_last_year' }), {}],
    ['a payment id that is null', withRecord({ paymentId: null }), {}],
    ['a number in the source', changed({ source: { runId: 7 } }), { source: { runId: '7' } }],
    ['a source without its fields', changed({ source: {} }), { source: { runUrl: null } }],
    ['a hash in upper case', changed({ ...upper, record: makeRecord(lower.hash) }), lower],
    ['such a hash of a state line', changedState(upper), lower],
  ])('takes %s', (_, line, entry) => {
    expect(parse(line)).toMatchObject({ entry })
  })

  const expectDamage = (line: string, field: string): void => {
    expect(parse(line)).toEqual({ damage: expect.stringContaining(field), isBeginning: false })
  }

  it.each(['null', '1', '"x"', '[]', 'true', '{}', '{"state":1}'])('finds %s odd', text => {
    expectDamage(text, 'is not a line of a records file')
  })

  type Values = readonly (readonly [string, readonly unknown[]])[]
  const hash = hashOf(1)
  const sourceFields = Object.keys(source).map(field => `source.${field}`)
  const head: Values = [
    ['artifact', [undefined, null, 1, '', ['a']]],
    ['size', [undefined, '1', 1.5, -1, true, [1]]],
    ['hash', [undefined, null, 1, '', 'ab', `${hash}0`, `${hash.slice(1)}g`, `${hash}\n`]],
    ['service', [undefined, null, 1, '', {}]],
    ['source', [undefined, null, 'x', 1, []]],
    ...sourceFields.map(field => [field, [{ a: 1 }, true]] as const),
  ]
  const ofRecord: Values = [
    ['record', [undefined, null, 'x', 1, []]],
    ['problems', [undefined, null, 'x', {}, [1], [null]]],
    ['redacted', [null, '/payload', {}, [1]]],
    ['verificationUrl', [null, 1, []]],
    ['unansweredTries', [null, -1, 1.5, '1', []]],
  ]
  const noTimes = ['', '2026-01-31', '2026-01-31T12:00:00Z', AT.slice(0, -1), `${AT}\n`]
  const ofState: Values = [
    ['state', [null, 1, '', 'Sent', 'registered']],
    ['at', [undefined, null, 1, ...noTimes]],
  ]
  describe.each([
    ['record', changed, [...head, ...ofRecord]],
    ['state', changedState, [...head, ...ofState]],
  ] as const)('finds a wrong field of a %s line and names it:', (_, change, fields) => {
    it.each(fields)('%s', (field, values) => {
      const [first = '', second] = field.split('.')
      for (const value of values) {
        const wrong = second === undefined ? value : { ...source, [second]: value }
        expectDamage(change({ [first]: wrong }), field)
      }
    })
  })

  it.each<[string, JsonObject]>([
    ['hash', { hash: hashOf(2) }],
    ['status', { status: 'pending' }],
    ['paymentId', { paymentId: undefined }],
    ['tags', { tags: {} }],
  ])('checks a line without problems, of any service, by the rules again: %s', (field, record) => {
    expectDamage(withRecord(record), field)
    expectDamage(withRecord(record, { service: 'https://other.example' }), field)
  })

  it('excuses the type of a place where a secret was replaced, and of no other', () => {
    const redacted = ['/creationDate', '/payload/a']
    const line = withRecord({ creationDate: '***000' }, { redacted })
    expect(parse(line)).toMatchObject({ entry: { redacted } })
    expectDamage(withRecord({ userId: '***' }, { redacted }), 'userId')
  })

  it('reads back every record that is taken from the service, however deep; what is deeper is no line of ours', () => {
    const nested = (levels: number): string => `${'['.repeat(levels - 1)}1${']'.repeat(levels - 1)}`
    const take = (levels: number) => parseJsonObject(`{"payload":${nested(levels)}}`)
    const payload = take(maxJsonDepth)?.['payload']
    expect(payload).toBeDefined()
    expect(take(maxJsonDepth + 1)).toBeUndefined()
    expect(parse(withRecord({ payload }))).toHaveProperty('entry')
    for (const levels of [maxJsonDepth + 1, 100_000]) {
      // A number with decimals has another parser, which is recursive.
      for (const deep of [nested(levels), `[1.5,${nested(levels)}]`]) {
        const line = lineOf(1).replace('"payload":null', () => `"payload":${deep}`)
        expectDamage(line, 'nested')
      }
    }
  })
})
