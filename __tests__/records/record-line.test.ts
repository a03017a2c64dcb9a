import { describe, expect, it } from '@jest/globals'
import type { JsonObject } from '../../src/outcome.ts'
import { formatRecordLine, parseRecordLine, recordLine } from '../../src/records/record-line.ts'
import { entryOf, hashOf, lineOf, recordOf, source } from './entries.ts'

const parse = (text: string | Uint8Array) => parseRecordLine(Buffer.from(text))

/** The line of entry 1 with some fields changed; undefined takes one away. */
const changed = (changes: JsonObject): string =>
  JSON.stringify({ ...recordLine(entryOf(1), source), ...changes })

/** The line of entry 1 with its record changed. */
const withRecord = (changes: JsonObject, rest: JsonObject = {}): string =>
  changed({ record: { ...recordOf(hashOf(1)), ...changes }, ...rest })

describe('writing a line', () => {
  it('has the fields in the order of the contract, on one line with a newline', () => {
    expect(lineOf(1)).toBe(
      `{"artifact":"dist/app-1.zip","size":1,"hash":"${hashOf(1)}","service":"https://notary.example",` +
        `"record":${JSON.stringify(recordOf(hashOf(1)))},"problems":[],` +
        '"source":{"repository":"octo/app","sha":"6dcb09b5b57875f334f61aebed695e2e4193db5e",' +
        '"ref":"refs/tags/v1.2.3","runId":"1658821493","runAttempt":"1",' +
        `"commitUrl":"${source.commitUrl ?? ''}","runUrl":"${source.runUrl ?? ''}"}}\n`,
    )
  })

  it('lists redacted places beside the record, and only if there are any', () => {
    const fields = Object.keys(recordLine(entryOf(1, { redacted: ['/payload'] }), source))
    expect(fields).toEqual([
      ...['artifact', 'size', 'hash', 'service', 'record', 'redacted', 'problems', 'source'],
    ])
    expect(lineOf(1)).not.toContain('redacted')
  })

  it('writes null for a size that nobody knows, and for what the environment lacks', () => {
    const nothing = {
      ...{ repository: null, sha: null, ref: null, runId: null, runAttempt: null },
      ...{ commitUrl: null, runUrl: null },
    }
    const line = formatRecordLine(entryOf(1, { size: null }), nothing)
    expect(line).toContain('"size":null')
    expect(line).toContain(`"source":${JSON.stringify(nothing)}`)
    expect(parse(line)).toMatchObject({ entry: entryOf(1, { size: null }) })
  })

  it('has a link to look the registration up beside the record, if there is one', () => {
    const verificationUrl = 'https://notary.example/verification/1'
    const line = recordLine(entryOf(1, { verificationUrl }), source)
    expect(Object.keys(line)).toEqual([
      ...['artifact', 'size', 'hash', 'service', 'record', 'verificationUrl', 'problems', 'source'],
    ])
    expect(parse(JSON.stringify(line))).toMatchObject({ entry: entryOf(1) })
  })

  it('keeps every field of the record, in its order', () => {
    const record = {
      zebra: [1, { b: null, a: 'ü' }],
      ...recordOf(hashOf(1)),
      '': 0,
      constructor: {},
    }
    expect(lineOf(1, { record })).toContain(JSON.stringify(record))
    const reading = parse(lineOf(1, { record }))
    expect('entry' in reading && JSON.stringify(reading.entry.record)).toBe(JSON.stringify(record))
  })

  it.each(['a\nb', 'a\r\nb', '\u2028', '\0', '"\\', '漢字/🎉.zip', '\ud800', '\ufeff'])(
    'is one line that reads back, whatever the name: %j',
    artifact => {
      const line = lineOf(1, { artifact })
      expect(line.indexOf('\n')).toBe(line.length - 1)
      expect(parse(line)).toMatchObject({ entry: entryOf(1, { artifact }) })
    },
  )
})

describe('reading a line', () => {
  it.each([[], ['hash is "x", not that of the request']])(
    'gives back its entry (problems: %j)',
    (...problems) => {
      expect(parse(lineOf(1, { problems }))).toMatchObject({ entry: entryOf(1, { problems }) })
    },
  )

  it('takes the line end of Windows, and spaces around', () => {
    expect(parse(`  ${lineOf(1).trimEnd()}\r`)).toMatchObject({ entry: entryOf(1) })
  })

  it('reads a hash in upper case as the same hash', () => {
    const hash = 'AB'.repeat(32)
    const line = changed({ hash, record: recordOf(hash.toLowerCase()) })
    expect(parse(line)).toMatchObject({ entry: { hash: hash.toLowerCase() } })
  })

  it('does not mind fields that it does not know', () => {
    expect(parse(changed({ note: 'by hand' }))).toMatchObject({ entry: entryOf(1) })
  })

  it('does not compare the payment id: the subscription may be another by now', () => {
    expect(parse(withRecord({ paymentId: 'sub_of_last_year' }))).toHaveProperty('entry')
  })

  it.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['spaces', '   '],
    ['a carriage return', '\r'],
    ['text', 'hello'],
    ['the first half of a line', lineOf(1).slice(0, 100)],
    ['all of a line but its last byte', lineOf(1).slice(0, -2)],
    ['two lines in one', lineOf(1).trimEnd() + lineOf(2)],
    ['a torn line and a whole one', lineOf(1).slice(0, 50) + lineOf(2)],
    ['null bytes', '\0\0\0\0'],
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

  it.each(['null', '1', '"x"', '[]', 'true', '{}'])('finds JSON of the wrong shape: %s', text => {
    expect(parse(text)).toMatchObject({
      damage: expect.stringContaining('record line'),
      isJson: true,
    })
  })

  it.each<[string, readonly unknown[]]>([
    ['artifact', [undefined, null, 1, '', ['a']]],
    ['size', [undefined, '1', 1.5, -1, true, [1]]],
    [
      'hash',
      [undefined, null, 1, '', 'ab', `${hashOf(1)}0`, `${hashOf(1).slice(1)}g`, `${hashOf(1)}\n`],
    ],
    ['service', [undefined, null, 1, '', {}]],
    ['record', [undefined, null, 'x', 1, []]],
    ['problems', [undefined, null, 'x', {}, [1], [null]]],
    ['source', [undefined, null, 'x', 1, []]],
    ['redacted', [null, '/payload', {}, [1]]],
  ])('finds a wrong field and names it: %s', (field, values) => {
    for (const value of values) {
      expect(parse(changed({ [field]: value }))).toEqual({
        damage: expect.stringContaining(field),
        isJson: true,
      })
    }
  })

  it.each(['repository', 'sha', 'ref', 'runId', 'runAttempt'])(
    'finds a wrong field of the source and names it: %s',
    field => {
      const reading = parse(changed({ source: { ...source, [field]: { a: 1 } } }))
      expect(reading).toEqual({ damage: expect.stringContaining(field), isJson: true })
    },
  )

  it.each<[string, JsonObject]>([
    ['hash', { hash: hashOf(2) }],
    ['hash', { hash: undefined }],
    ['custody', { custody: true }],
    ['custody', { custody: undefined }],
    ['signed', { signed: true }],
    ['signed', { signed: null }],
    ['status', { status: 'pending' }],
    ['status', { status: undefined }],
    ['paymentId', { paymentId: undefined }],
    ['paymentId', { paymentId: 1 }],
    ['creationDate', { creationDate: 'yesterday' }],
    ['tags', { tags: {} }],
    ['txId', { txId: 5 }],
  ])('holds a line without problems against the rules again: %s in %j', (field, record) => {
    expect(parse(withRecord(record))).toEqual({
      damage: expect.stringContaining(field),
      isJson: true,
    })
  })

  it('does so for a line of any service', () => {
    const line = withRecord({ status: 'pending' }, { service: 'https://other.example' })
    expect(parse(line)).toMatchObject({ isJson: true })
  })

  it('does not hold a line with problems against the rules: it is known to be wrong', () => {
    const line = withRecord({ status: 'pending', hash: 7 }, { problems: ['status is "pending"'] })
    expect(parse(line)).toMatchObject({ entry: { problems: ['status is "pending"'] } })
  })

  it('excuses the type of a place where a secret was replaced, and of no other', () => {
    const redacted = ['/creationDate', '/payload/a']
    expect(parse(withRecord({ creationDate: '***000' }, { redacted }))).toMatchObject({
      entry: { redacted },
    })
    expect(parse(withRecord({ creationDate: '***000' }))).toMatchObject({ isJson: true })
    expect(parse(withRecord({ userId: '***' }, { redacted }))).toMatchObject({ isJson: true })
  })

  it('does not take a record that is nested deeper than anything here could walk', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const line = lineOf(1).replace('"paymentId"', `"payload":${deep},"paymentId"`)
    expect(Object.keys(parse(line))).toEqual(['damage', 'isJson'])
  })
})
