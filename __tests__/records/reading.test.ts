import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
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
import { moduleUrl, runScript } from '../support/script.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { entryOf, lineOf, SERVICE, stateLineOf, stateOf } from './entries.ts'

afterAll(cleanUp)

const parse = (content: string | Uint8Array, name = 'records.jsonl'): RecordsReading =>
  parseRecords(Buffer.from(content), name)

const entriesOf = (reading: RecordsReading) => reading.lines.map(line => entryAt(reading, line))
const sizesOf = (reading: RecordsReading) => entriesOf(reading).map(({ size }) => size)
const other = { service: 'https://other.example' }

describe('a records file', () => {
  it('gives every line with its number, in order, and its entry again when it is asked for', () => {
    const text = lineOf(1) + stateLineOf(2) + lineOf(3, { ...other, problems: ['x'] })
    const visited: unknown[] = []
    const reading = parseRecords(Buffer.from(text), 'r', entry => visited.push(entry))
    const { runId, runAttempt } = source
    expect(reading).toMatchObject({
      lines: [1, 2, 3].map(number => ({ number, runId, runAttempt })),
      damage: [],
      tail: { state: 'whole', goodBytes: text.length },
    })
    expect(reading.lines.map(({ service }) => service)).toEqual([SERVICE, SERVICE, other.service])
    const entries = [entryOf(1), stateOf(2), entryOf(3, { ...other, problems: ['x'] })]
    expect([entriesOf(reading), visited]).toEqual([entries, entries])
  })

  it.each([
    ['that has no byte', '', []],
    [
      'merged with another by concatenation',
      lineOf(1) + lineOf(2) + lineOf(2) + lineOf(3),
      [1, 2, 2, 3],
    ],
    [
      'with the line ends of Windows',
      (lineOf(1) + stateLineOf(2)).replaceAll('\n', '\r\n'),
      [1, 2],
    ],
    ['with names beyond ASCII, counted in bytes', lineOf(1, { artifact: '漢字.zip' }), [1]],
  ])('may be one %s', (_, text, sizes) => {
    const reading = parse(text)
    expect(sizesOf(reading)).toEqual(sizes)
    const goodBytes = Buffer.byteLength(text)
    expect(reading).toMatchObject({ damage: [], tail: { state: 'whole', goodBytes } })
  })
})

describe('damage', () => {
  const broken = lineOf(2).replace('"status":"registered"', '"status":"pending"')
  it.each<[string, string | Buffer, number]>([
    ['a blank line at the start', `\n${lineOf(1)}`, 1],
    ['a blank line of Windows inside', `${lineOf(1)}\r\n${lineOf(2)}`, 2],
    ['a blank line at the end', `${lineOf(1)}\n`, 2],
    [
      'an incomplete line inside, as after a careless merge',
      `${lineOf(1).slice(0, 60)}\n${lineOf(2)}`,
      1,
    ],
    ['an incomplete line and the next in one', lineOf(1) + lineOf(2).slice(0, 60) + lineOf(3), 2],
    ['two lines in one for want of a newline', lineOf(1).trimEnd() + lineOf(2), 1],
    ['an incomplete last line that got a newline', `${lineOf(1)}${lineOf(2).slice(0, 60)}\n`, 2],
    ['a byte order mark', `\ufeff${lineOf(1)}`, 1],
    ['a comment', `${lineOf(1)}# merged by hand\n`, 2],
    ['bytes that are no UTF-8', Buffer.from(`${lineOf(1)}\xff\n`, 'latin1'), 2],
    ['null bytes', `${lineOf(1)}\0\0\0\n`, 2],
    ['a wrong shape', `${lineOf(1)}{"artifact":"a"}\n`, 2],
    ['a state that is none', lineOf(1) + stateLineOf(2).replace('"sent"', '"done"'), 2],
    ['a record that breaks the rules', lineOf(1) + broken, 2],
    ['such a record of another service', broken.replace(SERVICE, other.service), 1],
    // A last line that lacks its newline is checked by the same rules.
    ['a record that breaks the rules, without a newline', lineOf(1) + broken.trimEnd(), 2],
    ['a wrong shape without a newline', `${lineOf(1)}{"artifact":"a"}`, 2],
    [
      'a state that is none, without a newline',
      stateLineOf(2).replace('"sent"', '"x"').trimEnd(),
      1,
    ],
    // Only a beginning of a line of ours is an incomplete write of ours.
    ['a value without a newline', `${lineOf(1)}null`, 2],
    ['a text without a newline', 'notes that somebody keeps here', 1],
    ['a number without a newline', `${lineOf(1)}7`, 2],
    ['the beginning of another JSON', `${lineOf(1)}{"name":"x`, 2],
    ['a beginning with a space', `${lineOf(1)}{ "artifact":"x`, 2],
    ['our beginning behind a space', ` ${lineOf(1).slice(0, 40)}`, 1],
    ['our beginning in UTF-16', Buffer.from('{"artifact":', 'utf16le'), 1],
    ['binary data', Buffer.from([0x50, 0x4b, 0x03, 0x04]), 1],
    ['null bytes at the end, as after a crash of the machine', `${lineOf(1)}\0\0\0`, 2],
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
    const status = `p\n::error::x ##[add-mask]y ${'z'.repeat(10_000)}`
    const record = { ...entryOf(1).record, status }
    const { damage } = parse(lineOf(1, { record }), 'a\n::set-output name=x::y')
    expect(damage).toHaveLength(1)
    expect(damage[0]).not.toMatch(/\p{Cc}/u)
    expect(damage[0]?.length).toBeLessThan(1500)
  })
})

describe('the tail', () => {
  const good = lineOf(1)

  it.each([
    ['a record', lineOf(2)],
    ['a state line', stateLineOf(2)],
  ])('is open when only the newline is missing, and the line counts: %s', (_, line) => {
    const text = good + line.trimEnd()
    expect(parse(text)).toMatchObject({
      damage: [],
      tail: { state: 'open', goodBytes: text.length },
    })
    expect(sizesOf(parse(text))).toEqual([1, 2])
  })

  it.each<[string, string | Buffer]>([
    ['one byte', '{'],
    ['a part of our beginning', '{"artif'],
    ['our beginning', '{"artifact":'],
    ['half a line', lineOf(2).slice(0, 80)],
    ['half a state line', stateLineOf(2).slice(0, 150)],
    ['all but the last brace', lineOf(2).slice(0, -2)],
    ['half a character', Buffer.from('{"artifact":"漢').subarray(0, -1)],
  ])('is incomplete when the last line is a beginning of one of ours: %s', (_, rest) => {
    const bytes = Buffer.concat([Buffer.from(good), Buffer.from(rest)])
    expect(parse(bytes)).toMatchObject({
      damage: [],
      tail: { state: 'incomplete', goodBytes: good.length },
    })
    expect(sizesOf(parse(bytes))).toEqual([1])
    expect(parse(rest).tail).toEqual({ state: 'incomplete', goodBytes: 0 })
    const damaged = parse(Buffer.concat([Buffer.from('x\n'), bytes]))
    expect(damaged).toMatchObject({
      damage: [expect.stringContaining('line 1 ')],
      tail: { state: 'incomplete', goodBytes: good.length + 2 },
    })
  })
})

describe('reading from the disk', () => {
  const read = (path: string) => readRecordsFile(path, 'shown.jsonl')

  it('gives no byte where there is no file, and makes none', () => {
    const workspace = makeWorkspace()
    for (const name of ['none.jsonl', 'none/at/all.jsonl'])
      expect(read(workspace.path(name))).toHaveLength(0)
    expect(workspace.exists('none.jsonl')).toBe(false)
  })

  it('gives the bytes of a file, also through a link', () => {
    const workspace = makeWorkspace({ 'records.jsonl': lineOf(1) })
    symlinkSync('records.jsonl', workspace.path('link.jsonl'))
    for (const name of ['records.jsonl', 'link.jsonl'])
      expect(read(workspace.path(name)).toString()).toBe(lineOf(1))
  })

  it.each<[string, RegExp, (path: string) => void]>([
    [
      'a folder',
      /regular file|folder/,
      path => {
        mkdirSync(path)
      },
    ],
    [
      'a link to itself',
      /symbolic links/,
      path => {
        symlinkSync(path, path)
      },
    ],
    [
      'a device',
      /regular file/,
      path => {
        symlinkSync('/dev/null', path)
      },
    ],
    [
      'a file below a file',
      /not a folder/,
      path => {
        symlinkSync('/etc/passwd/x', path)
      },
    ],
  ])('stops at %s', (_, why, make) => {
    const path = makeWorkspace().path('records.jsonl')
    make(path)
    const attempt = (): unknown => read(path)
    expect(attempt).toThrow(Stop)
    expect(attempt).toThrow(why)
    expect(attempt).toThrow(/^input "records-path": "shown.jsonl" .*nothing was sent/)
  })

  it('stops at a FIFO without waiting for it', () => {
    const path = makeWorkspace().path('records.jsonl')
    spawnSync('mkfifo', [path])
    // In a process of its own: what waits for a FIFO could not be ended here.
    const { stdout } = runScript(`
      import { readRecordsFile } from ${JSON.stringify(moduleUrl('src/records/reading.ts'))}
      try {
        readRecordsFile(${JSON.stringify(path)}, 'shown.jsonl')
      } catch (error) {
        console.log(error.name, error.message)
      }`)
    expect(stdout).toMatch(/^Stop .*is not a regular file/)
  })
})
