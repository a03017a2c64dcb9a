import { symlinkSync } from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import {
  entryOf as entryAt,
  parseRecords,
  readRecordsFile,
  type RecordsReading,
} from '../../src/records/reading.ts'
import { Stop } from '../../src/stop.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { source } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { entryOf, lineOf, SERVICE, stateLineOf, stateOf } from './entries.ts'

afterAll(cleanUp)

const parse = (content: string | Uint8Array, name = 'records.jsonl'): RecordsReading =>
  parseRecords(Buffer.from(content), name)

const entriesOf = (reading: RecordsReading) => reading.lines.map(entryAt)
const sizesOf = (reading: RecordsReading) => entriesOf(reading).map(({ size }) => size)
const other = { service: 'https://other.example' }

describe('a records file', () => {
  it('gives every line with its number, in order, and its entry again when it is asked for', () => {
    const text = lineOf(1) + stateLineOf(2) + lineOf(3, { ...other, problems: ['x'] })
    const visited: unknown[] = []
    const reading = parseRecords(Buffer.from(text), 'r', entry => visited.push(entry))
    const { runId, runAttempt } = source
    expect(reading).toMatchObject({
      lines: [1, 2, 3].map(number => ({ number, runId, runAttempt: Number(runAttempt) })),
      damage: [],
      tail: { state: 'whole', goodBytes: text.length },
    })
    expect(reading.lines.map(({ service }) => service)).toEqual([SERVICE, SERVICE, other.service])
    const entries = [entryOf(1), stateOf(2), entryOf(3, { ...other, problems: ['x'] })]
    expect([entriesOf(reading), visited]).toEqual([entries, entries])
  })
})

describe('damage', () => {
  const first = lineOf(1)
  const half = lineOf(2).slice(0, 60)
  const broken = lineOf(2).replace('"status":"registered"', '"status":"pending"')
  const noState = stateLineOf(2).replace('"sent"', '"done"')
  const surrogate = Buffer.from(first, 'latin1').fill(Buffer.from([0xed, 0xa0, 0x80]), 13, 16)
  it.each<[string, string | Buffer, number]>([
    ['a blank line at the start', `\n${first}`, 1],
    ['a blank line of Windows inside', `${first}\r\n${lineOf(2)}`, 2],
    ['a blank line at the end', `${first}\n`, 2],
    ['an incomplete line inside, as after a careless merge', `${half}\n${first}`, 1],
    ['an incomplete line and the next in one', first + half + lineOf(3), 2],
    ['two lines in one for want of a newline', first.trimEnd() + lineOf(2), 1],
    ['an incomplete last line that got a newline', `${first}${half}\n`, 2],
    ['a byte order mark', `\ufeff${first}`, 1],
    ['a line in UTF-16', Buffer.from(first.trimEnd(), 'utf16le'), 1],
    ['a byte that is no UTF-8', Buffer.from(first.replace('app-1', 'app-\u00ff'), 'latin1'), 1],
    ['a surrogate written as UTF-8', surrogate, 1],
    ['null bytes before a line', `${first}\0\0${lineOf(2)}`, 2],
    ['a wrong shape', `${first}{"artifact":"a"}\n`, 2],
    ['a state that is none', first + noState, 2],
    ['a record that breaks the rules', first + broken, 2],
    // A last line that lacks its newline is checked by the same rules.
    ['a record that breaks the rules, without a newline', first + broken.trimEnd(), 2],
    ['a wrong shape without a newline', `${first}{"artifact":"a"}`, 2],
    ['a state that is none, without a newline', noState.trimEnd(), 1],
    // Only a beginning of a line of ours is an incomplete write of ours.
    ['a value without a newline', `${first}null`, 2],
    ['a text without a newline', 'notes that somebody keeps here', 1],
    ['the beginning of another JSON', `${first}{"name":"x`, 2],
    ['a beginning with a space', `${first}{ "artifact":"x`, 2],
    ['our beginning behind a space', ` ${half}`, 1],
    ['our beginning in UTF-16', Buffer.from('{"artifact":', 'utf16le'), 1],
    ['binary data', Buffer.from([0x50, 0x4b, 0x03, 0x04]), 1],
    ['null bytes at the end, as after a crash of the machine', `${first}\0\0\0`, 2],
    ['a document on several lines', '{\n"artifact":"x"\n}', 1],
  ])('is found and named with file and line: %s', (_, content, line) => {
    const { damage, tail } = parse(content, 'out/records.jsonl')
    expect(damage).toHaveLength(1)
    expect(damage[0]).toMatch(new RegExp(`^"out/records.jsonl", line ${line} `))
    expect(tail.state).not.toBe('incomplete')
  })

  it('is shown of five lines, and the rest is counted', () => {
    const reading = parse('x\n'.repeat(5) + lineOf(1) + 'y\n'.repeat(300))
    expect(reading.damage.join()).toMatch(/line 5 .*300 more/)
    expect(reading.damage.join()).not.toContain('line 7 ')
    expect(reading.lines).toHaveLength(1)
    expect(parse('x\n'.repeat(5)).damage.join()).not.toContain('more')
  })

  it('is shown in one harmless line, whatever stands in the file and its name', () => {
    const status = `p\n\u0085::error::x ##[add-mask]y ${'z'.repeat(10_000)}`
    const record = { ...entryOf(1).record, status }
    const { damage } = parse(lineOf(1, { record }), 'a\n::set-output name=x::y')
    expect(damage).toHaveLength(1)
    expect(damage[0]).not.toMatch(/\p{Cc}/u)
    expect(damage[0]?.length).toBeLessThan(1500)
  })
})

describe('the tail', () => {
  // What holds for a file that is cut anywhere is in property/records.test.ts.
  const good = lineOf(1)
  it.each<[string, string | Buffer]>([
    ['one byte', '{'],
    ['our beginning', '{"artifact":'],
    ['half a character', Buffer.from('{"artifact":"漢').subarray(0, -1)],
  ])('is incomplete when the last line is a beginning of one of ours: %s', (_, rest) => {
    for (const before of ['', good, `x\n${good}`]) {
      const reading = parse(Buffer.concat([Buffer.from(before), Buffer.from(rest)]))
      expect(reading.tail).toEqual({ state: 'incomplete', goodBytes: before.length })
      expect(reading.damage).toHaveLength(before.startsWith('x') ? 1 : 0)
      expect(sizesOf(reading)).toEqual(before === '' ? [] : [1])
    }
  })
})

describe('reading from the disk', () => {
  // A folder, a FIFO, and a file in the place of a folder stop a run in e2e/records.test.ts.
  function makeFolder() {
    const workspace = makeWorkspace({ 'records.jsonl': lineOf(1) })
    symlinkSync('records.jsonl', workspace.path('link'))
    symlinkSync('loop', workspace.path('loop'))
    symlinkSync('/dev/null', workspace.path('device'))
    return workspace
  }

  it.each([
    ['records.jsonl', lineOf(1)],
    ['link', lineOf(1)],
    ['none/at/all.jsonl', ''],
  ])('gives the bytes of %s, and makes none', (name, text) => {
    const workspace = makeFolder()
    expect(readRecordsFile(workspace.path(name), name).toString()).toBe(text)
    expect(workspace.exists(name)).toBe(text !== '')
  })

  it.each([
    ['loop', /symbolic links/],
    ['device', /regular file/],
  ])('stops at what is no file: %s', (name, why) => {
    const attempt = (): unknown => readRecordsFile(makeFolder().path(name), 'shown.jsonl')
    expect(attempt).toThrow(Stop)
    expect(attempt).toThrow(why)
    expect(attempt).toThrow(/^input "records-path": "shown.jsonl" .*nothing was sent/)
  })
})
