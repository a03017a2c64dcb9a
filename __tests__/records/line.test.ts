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

describe('writing a line', () => {
  const start = `{"artifact":"dist/app-1.zip","size":1,"hash":"${hashOf(1)}","service":"${SERVICE}",`
  const end = `"source":${JSON.stringify(source)}}\n`
  const record = `"record":${JSON.stringify(makeRecord(hashOf(1)))},`
  const verificationUrl = 'https://notary.example/verification/1'

  it.each([
    ['a record', lineOf(1), `${start}${record}"problems":[],${end}`],
    [
      'a record with all that may be said of it',
      lineOf(1, { redacted: ['/a'], verificationUrl, unansweredTries: 2, problems: ['x'] }),
      `${start}${record}"redacted":["/a"],"verificationUrl":"${verificationUrl}","unansweredTries":2,"problems":["x"],${end}`,
    ],
    ['what is sent', stateLineOf(1), `${start}"state":"sent","at":"${AT}",${end}`],
    [
      'what was not registered',
      stateLineOf(1, { state: 'not-registered' }),
      `${start}"state":"not-registered","at":"${AT}",${end}`,
    ],
  ])(
    'has the fields in the order of the contract, on one line with a newline: %s',
    (_, line, text) => {
      expect(line).toBe(text)
      const reading = parse(line)
      expect('entry' in reading && formatLine(reading.entry)).toBe(line)
    },
  )

  it('writes null for a size that nobody knows, and for what the environment lacks', () => {
    const nothing = {
      ...{ repository: null, sha: null, ref: null, runId: null, runAttempt: null },
      ...{ commitUrl: null, runUrl: null },
    }
    for (const entry of [entryOf(1), stateOf(1)]) {
      const given = { ...entry, size: null, source: nothing }
      expect(parse(formatLine(given))).toEqual({ entry: given })
    }
  })

  it('keeps every field of the record as it was written, in its order', () => {
    const text = `{"zebra":[1,{"b":null,"a":"ü"}],${JSON.stringify(makeRecord(hashOf(1))).slice(1, -1)},"":0,"big":12345678901234567890,"vast":[1E+400]}`
    const line = lineOf(1, { record: parseJsonObject(text) ?? {} })
    expect(line).toContain(`"record":${text},`)
    const reading = parse(line)
    expect('entry' in reading && formatLine(reading.entry)).toBe(line)
  })

  it.each(['a\nb', 'a\r\nb', '\u2028', '\0', '"\\', '漢字/🎉.zip', '\ud800', '\ufeff'])(
    'is one line that reads back, whatever the name: %j',
    artifact => {
      const line = lineOf(1, { artifact })
      expect(line.indexOf('\n')).toBe(line.length - 1)
      expect(parse(line)).toEqual({ entry: entryOf(1, { artifact }) })
      expect(parse(stateLineOf(1, { artifact }))).toEqual({ entry: stateOf(1, { artifact }) })
    },
  )
})

describe('reading a line', () => {
  it.each<[string, string, unknown]>([
    ['a record with problems', lineOf(1, { problems: ['x'] }), { problems: ['x'] }],
    ['the line end of Windows, and spaces around', `  ${lineOf(1).trimEnd()}\r`, entryOf(1)],
    ['fields that it does not know', changed({ note: 'by hand', state: 'odd' }), entryOf(1)],
    ['such fields of a state line', changedState({ note: 'by hand' }), stateOf(1)],
    ['another payment id', withRecord({ paymentId: 'sub_of_last_year' }), {}],
    ['a payment id that is null', withRecord({ paymentId: null }), {}],
    [
      'a number as run id',
      changed({ source: { ...source, runId: 7 } }),
      { source: { ...source, runId: '7' } },
    ],
    [
      'a source without its fields',
      changed({ source: {} }),
      { source: { runId: null, runUrl: null } },
    ],
    [
      'a record that breaks the rules, in a line with problems',
      withRecord({ status: 'pending', hash: 7 }, { problems: ['x'] }),
      { problems: ['x'] },
    ],
    ['tries without an answer', lineOf(1, { unansweredTries: 3 }), { unansweredTries: 3 }],
  ])('takes %s', (_, line, entry) => {
    expect(parse(line)).toMatchObject({ entry })
  })

  it('reads a hash in upper case as the same hash', () => {
    const hash = 'AB'.repeat(32)
    const line = changed({ hash, record: makeRecord(hash.toLowerCase()) })
    expect(parse(line)).toMatchObject({ entry: { hash: hash.toLowerCase() } })
    expect(parse(changedState({ hash }))).toMatchObject({ entry: { hash: hash.toLowerCase() } })
  })

  it.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['spaces', '   '],
    ['a carriage return', '\r'],
    ['text', 'hello'],
    ['the first half of a line', lineOf(1).slice(0, 100)],
    ['all of a line but its last byte', stateLineOf(1).slice(0, -2)],
    ['two lines in one', lineOf(1).trimEnd() + lineOf(2)],
    ['an incomplete line and a whole one', lineOf(1).slice(0, 50) + lineOf(2)],
    ['null bytes before a line', `\0\0${lineOf(1)}`],
    ['a byte order mark before a line', `\ufeff${lineOf(1)}`],
    ['a byte that is no UTF-8', Buffer.from(lineOf(1).replace('app-1', 'app-\u00ff'), 'latin1')],
    [
      'a surrogate written as UTF-8',
      Buffer.from(lineOf(1), 'latin1').fill(Buffer.from([0xed, 0xa0, 0x80]), 13, 16),
    ],
    ['a line in UTF-16', Buffer.from(lineOf(1), 'utf16le')],
    ['a conflict marker of git', '<<<<<<< HEAD'],
  ])('finds that it does not parse: %s', (_, text) => {
    expect(parse(text)).toEqual({ damage: 'is not valid JSON', isJson: false })
  })

  it.each(['null', '1', '"x"', '[]', 'true', '{}', '{"state":1}'])(
    'finds JSON of the wrong shape: %s',
    text => {
      expect(parse(text)).toEqual({
        damage: expect.stringContaining('is not a line of a records file'),
        isJson: true,
      })
    },
  )

  const head: readonly [string, readonly unknown[]][] = [
    ['artifact', [undefined, null, 1, '', ['a']]],
    ['size', [undefined, '1', 1.5, -1, true, [1]]],
    [
      'hash',
      [undefined, null, 1, '', 'ab', `${hashOf(1)}0`, `${hashOf(1).slice(1)}g`, `${hashOf(1)}\n`],
    ],
    ['service', [undefined, null, 1, '', {}]],
    ['source', [undefined, null, 'x', 1, []]],
    ...['repository', 'sha', 'ref', 'runId', 'runAttempt', 'commitUrl', 'runUrl'].map(
      (field): [string, unknown[]] => [`source.${field}`, [{ a: 1 }, true]],
    ),
  ]
  const expectDamage = (line: string, field: string): void => {
    expect(parse(line)).toEqual({ damage: expect.stringContaining(field), isJson: true })
  }
  const changesOf = (field: string, value: unknown): JsonObject => {
    const [first = '', second] = field.split('.')
    return { [first]: second === undefined ? value : { ...source, [second]: value } }
  }

  it.each<[string, readonly unknown[]]>([
    ...head,
    ['record', [undefined, null, 'x', 1, []]],
    ['problems', [undefined, null, 'x', {}, [1], [null]]],
    ['redacted', [null, '/payload', {}, [1]]],
    ['verificationUrl', [null, 1, []]],
    ['unansweredTries', [null, -1, 1.5, '1', []]],
  ])('finds a wrong field of a record line and names it: %s', (field, values) => {
    for (const value of values) expectDamage(changed(changesOf(field, value)), field)
  })

  it.each<[string, readonly unknown[]]>([
    ...head,
    ['state', [null, 1, '', 'Sent', 'registered']],
    [
      'at',
      [
        undefined,
        null,
        1,
        '',
        '2026-01-31',
        '2026-01-31T12:00:00Z',
        '2026-01-31T12:00:00.000',
        `${AT}\n`,
      ],
    ],
  ])('finds a wrong field of a state line and names it: %s', (field, values) => {
    for (const value of values) expectDamage(changedState(changesOf(field, value)), field)
  })

  it.each<[string, JsonObject]>([
    ['hash', { hash: hashOf(2) }],
    ['hash', { hash: undefined }],
    ['custody', { custody: true }],
    ['signed', { signed: null }],
    ['status', { status: 'pending' }],
    ['paymentId', { paymentId: undefined }],
    ['paymentId', { paymentId: 1 }],
    ['creationDate', { creationDate: 'yesterday' }],
    ['tags', { tags: {} }],
  ])(
    'checks a line without problems, of any service, by the rules again: %s in %j',
    (field, record) => {
      expectDamage(withRecord(record), field)
      expectDamage(withRecord(record, { service: 'https://other.example' }), field)
    },
  )

  it('excuses the type of a place where a secret was replaced, and of no other', () => {
    const redacted = ['/creationDate', '/payload/a']
    expect(parse(withRecord({ creationDate: '***000' }, { redacted }))).toMatchObject({
      entry: { redacted },
    })
    expectDamage(withRecord({ creationDate: '***000' }), 'creationDate')
    expectDamage(withRecord({ userId: '***' }, { redacted }), 'userId')
  })

  it('reads back every record that is taken from the service, however deep; what is deeper is no line of ours', () => {
    const recordText = (levels: number): string => {
      const fields = JSON.stringify(makeRecord(hashOf(1), { payload: 0 }))
      return fields.replace(
        '"payload":0',
        `"payload":${'['.repeat(levels - 1)}1${']'.repeat(levels - 1)}`,
      )
    }
    const deepest = parseJsonObject(recordText(maxJsonDepth))
    expect(deepest).toBeDefined()
    expect(parseJsonObject(recordText(maxJsonDepth + 1))).toBeUndefined()
    expect(parse(lineOf(1, { record: deepest ?? {} }))).toHaveProperty('entry')
    for (const levels of [maxJsonDepth + 1, 100_000]) {
      const line = lineOf(1).replace(
        '"payload":null',
        () => /"payload":\[+1\]+/.exec(recordText(levels))?.[0] ?? '',
      )
      expect(parse(line)).toEqual({ damage: expect.stringContaining('nested'), isJson: true })
    }
  })
})
