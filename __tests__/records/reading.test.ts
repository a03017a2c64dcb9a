import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import { readRegularFile } from '../../src/records/disk.ts'
import { missingLines, parseRecords, tailWarning } from '../../src/records/reading.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { entryOf, lineOf, stateLineOf, stateOf } from './entries.ts'

afterAll(cleanUp)

const parse = (content: string | Uint8Array, name = 'out/records.jsonl') =>
  parseRecords(Buffer.from(content), name)

const first = lineOf(1)
const half = lineOf(2).slice(0, 60)

it('gives the entries of all lines in order', () => {
  const other = { service: 'https://other.example', problems: ['x'] }
  const text = first + stateLineOf(2) + lineOf(3, other)
  const entries = [entryOf(1), stateOf(2), entryOf(3, other)]
  const whole = { damage: [], tail: 'whole', goodBytes: text.length }
  expect(parse(text)).toEqual({ name: 'out/records.jsonl', entries, ...whole })
  expect(parse('')).toMatchObject({ entries: [], damage: [], tail: 'whole', goodBytes: 0 })
})

describe('a last line without its newline', () => {
  it.each<[string, string | Buffer]>([
    ['the start of a line', '{"artifact":'],
    ['half a line', half],
    ['half a character', Buffer.from('{"artifact":"漢').subarray(0, -1)],
    ['half an escape behind a brace', '{"artifact":"}\\'],
    ['all but its last brace', first.trimEnd().slice(0, -1)],
  ])('is an incomplete write if it begins like a line: %s', (_, rest) => {
    for (const before of ['', first]) {
      const reading = parse(Buffer.concat([Buffer.from(before), Buffer.from(rest)]))
      expect(reading).toMatchObject({ tail: 'incomplete', goodBytes: before.length, damage: [] })
      expect(reading.entries).toHaveLength(before === '' ? 0 : 1)
      expect(tailWarning(reading, 'cut off')).toEqual([
        expect.stringMatching(/"out\/records.jsonl" is incomplete and was cut off/),
      ])
    }
  })

  it('is kept if it parses', () => {
    const text = first + lineOf(2).trimEnd()
    const reading = parse(text)
    expect(reading).toMatchObject({ tail: 'unterminated', goodBytes: text.length, damage: [] })
    expect(reading.entries).toHaveLength(2)
    expect(tailWarning(reading)).toEqual([])
  })
})

describe('damage', () => {
  const broken = lineOf(2).replace('"status":"registered"', '"status":"pending"')
  const noState = stateLineOf(2).replace('"sent"', '"done"')
  it.each<[string, string | Buffer, line: number]>([
    ['a blank line at the end', `${first}\n`, 2],
    ['an incomplete line inside, as after a careless merge', `${half}\n${first}`, 1],
    ['a byte order mark', `\ufeff${first}`, 1],
    ['a byte that is not UTF-8', Buffer.from(first.replace('app-1', 'app-\u00ff'), 'latin1'), 1],
    ['null bytes at the end, as after a crash', `${first}\0\0\0`, 2],
    ['a wrong shape', `${first}{"artifact":"a"}\n`, 2],
    ['an unknown state without a newline', noState.trimEnd(), 1],
    ['a record that breaks the rules, without a newline', first + broken.trimEnd(), 2],
    ['another file: text', 'notes that somebody keeps here', 1],
    ['another file: JSON with our first field', '{"artifact": "x', 1],
    ['a whole line with a typing error', first.trimEnd().replace(',"hash"', ',,"hash"'), 1],
    ['the beginning of a line behind a space', ` ${half}`, 1],
  ])('is reported with file and line: %s', (_, content, line) => {
    const { damage, tail } = parse(content)
    expect(damage[0]).toMatch(`"out/records.jsonl", line ${line} `)
    expect(tail).not.toBe('incomplete')
  })

  it('is one harmless line, whatever the file and its name contain', () => {
    const status = `p\n\u0085::error::x ##[add-mask]y ${'z'.repeat(10_000)}`
    const text = lineOf(1, { record: { ...entryOf(1).record, status } })
    const { damage } = parse(text, 'a\n::set-output name=x::y')
    expect(damage.join()).not.toMatch(/\p{Cc}/u)
    expect(damage.join().length).toBeLessThan(1500)
  })
})

const [one, two, three] = [lineOf(1), lineOf(2), lineOf(3)]
const respaced = one.replace('"size":1', '"size": 1')
it.each<[string, known: readonly string[], file: string, missing: string]>([
  ['the lines that no file has, in their order', [one, three], three + two + one, two],
  ['every line without a known file', [], one + two, one + two],
  ['a line once', [], one + one, one],
  ['a line that differs in one byte', [one], respaced, respaced],
  ['no incomplete last line', [one], one + half, ''],
  ['a last line without its newline', [one], one + two.trimEnd(), two],
  ['no line that a known file has without its newline', [one.trimEnd()], one, ''],
  ['an incomplete line inside, for a person to see', [], `${half}\n${one}`, `${half}\n${one}`],
  ['no blank line', [one], `\n${one}\n`, ''],
  ['bytes that are not UTF-8', [one], '"\xff\xfe\0\x80"\n', '"\xff\xfe\0\x80"\n'],
])('the missing lines have %s', (_, known, file, missing) => {
  const bytes = missingLines(
    known.map(text => Buffer.from(text, 'latin1')),
    [Buffer.from(file, 'latin1')],
  )
  expect(bytes.toString('latin1')).toBe(missing)
})

it('reads nothing but regular files, also through a link, and does not hang on a FIFO', () => {
  const workspace = makeWorkspace({ 'records.jsonl': first, 'folder/x': '' })
  symlinkSync('records.jsonl', workspace.path('link'))
  expect(readRegularFile(workspace.path('link')).toString()).toBe(first)
  expect(() => readRegularFile(workspace.path('missing'))).toThrow('ENOENT')
  for (const path of [workspace.path('folder'), '/dev/null']) {
    expect(() => readRegularFile(path)).toThrow(/EISDIR|not a regular file/)
  }
  if (process.platform === 'win32') return
  execFileSync('mkfifo', [workspace.path('fifo')])
  expect(() => readRegularFile(workspace.path('fifo'))).toThrow('not a regular file')
})
