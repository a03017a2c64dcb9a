import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import { readRegularFile } from '../../src/records/disk.ts'
import { missingLines, parseRecords } from '../../src/records/lines.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { entryOf, lineOf, stateLineOf, stateOf } from './entries.ts'

afterAll(cleanUp)

const parse = (content: string | Uint8Array) =>
  parseRecords(Buffer.from(content), 'out/records.jsonl')

const first = lineOf(1)
const half = lineOf(2).slice(0, 60)

it('the entries of all lines are returned in order', () => {
  const other = { service: 'https://other.example', problems: ['x'] }
  const text = first + stateLineOf(2) + lineOf(3, other)
  const entries = [entryOf(1), stateOf(2), entryOf(3, other)]
  const whole = { damage: [], warnings: [], tail: 'whole', goodBytes: text.length }
  expect(parse(text)).toEqual({ entries, ...whole })
  expect(parse('')).toMatchObject({ entries: [], damage: [], tail: 'whole', goodBytes: 0 })
})

describe('a last line without its newline', () => {
  it.each<[string, string | Buffer]>([
    ['the start of a line', '{"artifact":'],
    ['half a character', Buffer.from('{"artifact":"漢').subarray(0, -1)],
    ['half an escape after a brace', '{"artifact":"}\\'],
  ])('is an incomplete write if it is the beginning of a line: %s', (_, rest) => {
    const reading = parse(Buffer.concat([Buffer.from(first), Buffer.from(rest)]))
    expect(reading).toMatchObject({ tail: 'incomplete', goodBytes: first.length, damage: [] })
    expect(reading.entries).toHaveLength(1)
    expect(reading.warnings).toMatchObject([
      expect.stringMatching(/"out\/records.jsonl" is incomplete/),
    ])
  })

  it('is kept if it is valid', () => {
    const text = first + lineOf(2).trimEnd()
    const reading = parse(text)
    expect(reading).toMatchObject({ tail: 'unterminated', goodBytes: text.length, damage: [] })
    expect(reading.entries).toHaveLength(2)
    expect(reading.warnings).toEqual([])
  })
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
  const { damage, tail } = parse(content)
  expect(damage[0]).toMatch(`"out/records.jsonl", line ${line} `)
  expect(tail).not.toBe('incomplete')
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

it('only regular files are read, also through links, and a FIFO does not hang the run', () => {
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
