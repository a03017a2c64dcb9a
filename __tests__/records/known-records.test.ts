import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import { NotarizeError } from '../../src/errors.ts'
import {
  indexRecords,
  parseRecords,
  readRecordsFile,
  type RecordsReading,
} from '../../src/records/known-records.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { moduleUrl, runScript } from '../support/script.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { entryOf, hashOf, lineOf, SERVICE } from './entries.ts'

afterAll(cleanUp)

const parse = (content: string | Uint8Array, shown = 'records.jsonl'): RecordsReading =>
  parseRecords(Buffer.from(content), shown)

const numbersOf = ({ records }: RecordsReading): readonly number[] =>
  records.map(({ entry }) => entry.size ?? -1)

const whole = (goodBytes: number) => ({ state: 'whole', goodBytes })

describe('a records file', () => {
  it('without a byte has no records', () => {
    expect(parse('')).toEqual({ records: [], damage: [], tail: whole(0) })
  })

  it('gives every entry with its line number, in order', () => {
    const text = lineOf(1) + lineOf(2) + lineOf(3)
    expect(parse(text)).toMatchObject({
      records: [1, 2, 3].map(line => ({ entry: entryOf(line), line })),
      damage: [],
      tail: whole(text.length),
    })
  })

  it('counts the tail in bytes, not in characters', () => {
    const text = lineOf(1, { artifact: '漢字.zip' })
    expect(parse(text).tail.goodBytes).toBe(Buffer.byteLength(text))
  })

  it('may be merged with others by concatenation', () => {
    const [one, two] = [lineOf(1) + lineOf(2), lineOf(2) + lineOf(3)]
    expect(numbersOf(parse(one + two))).toEqual([1, 2, 2, 3])
    expect(parse(one + two)).toMatchObject({ damage: [], tail: whole((one + two).length) })
  })

  it('may hold lines of other services, and lines with problems', () => {
    const reading = parse(
      lineOf(1, { service: 'https://other.example' }) + lineOf(2, { problems: ['x'] }),
    )
    expect(numbersOf(reading)).toEqual([1, 2])
    expect(reading.damage).toEqual([])
  })

  it('may have the line ends of Windows', () => {
    const text = (lineOf(1) + lineOf(2)).replaceAll('\n', '\r\n')
    expect(numbersOf(parse(text))).toEqual([1, 2])
    expect(parse(text).damage).toEqual([])
  })
})

describe('damage', () => {
  it.each<[string, string | Buffer, number]>([
    ['a blank line at the start', `\n${lineOf(1)}`, 1],
    ['a blank line inside', `${lineOf(1)}\n${lineOf(2)}`, 2],
    ['a blank line at the end', `${lineOf(1)}\n`, 2],
    ['a blank line of Windows', `${lineOf(1)}\r\n${lineOf(2)}`, 2],
    ['nothing but a newline', '\n', 1],
    ['a torn line inside, as after a careless merge', `${lineOf(1).slice(0, 60)}\n${lineOf(2)}`, 1],
    ['a torn line grown together with the next', lineOf(1) + lineOf(2).slice(0, 60) + lineOf(3), 2],
    ['two lines grown together for want of a newline', lineOf(1).trimEnd() + lineOf(2), 1],
    ['a torn last line that got a newline', `${lineOf(1)}${lineOf(2).slice(0, 60)}\n`, 2],
    ['a byte order mark', `\ufeff${lineOf(1)}`, 1],
    ['a comment', `${lineOf(1)}# merged by hand\n`, 2],
    [
      'bytes that are no UTF-8',
      Buffer.concat([Buffer.from(lineOf(1)), Buffer.from([0xff, 0x0a])]),
      2,
    ],
    ['null bytes', `${lineOf(1)}\0\0\0\n`, 2],
    ['a wrong shape', `${lineOf(1)}{"artifact":"a"}\n`, 2],
    ['a wrong shape at the end, without a newline', `${lineOf(1)}{"artifact":"a"}`, 2],
    ['a wrong value at the end, without a newline', `${lineOf(1)}null`, 2],
    ['a record that breaks the rules', lineOf(1) + lineOf(2).replace('registered', 'pending'), 2],
    [
      'a record that breaks the rules, without a newline',
      (lineOf(1) + lineOf(2).replace('registered', 'pending')).trimEnd(),
      2,
    ],
    [
      'a record of another service that breaks the rules',
      lineOf(1, { service: 'https://other.example' }).replace('registered', 'pending'),
      1,
    ],
  ])('is found and named with file and line: %s', (_, content, line) => {
    const { damage } = parse(content, 'out/records.jsonl')
    expect(damage).toEqual([expect.stringContaining(`"out/records.jsonl", line ${line} `)])
  })

  it('is told of five lines, and the rest is counted', () => {
    const { damage, records } = parse('x\n'.repeat(5) + lineOf(1) + 'y\n'.repeat(300))
    expect(damage).toHaveLength(6)
    expect(damage[4]).toContain('line 5 ')
    expect(damage[5]).toContain('300 more')
    expect(records).toHaveLength(1)
  })

  it('is told of five lines without a count of none', () => {
    expect(parse('x\n'.repeat(5)).damage).toHaveLength(5)
  })

  it('is told in one harmless line, whatever stands in the file and its name', () => {
    const status = `p\n::error::x ##[add-mask]y ${'z'.repeat(10_000)}`
    const record = { ...entryOf(1).record, status }
    const { damage } = parse(lineOf(1, { record }), 'a\n::set-output name=x::y')
    expect(damage).toHaveLength(1)
    expect(damage[0]).not.toMatch(/[\n\r]/)
    expect(damage[0]?.length).toBeLessThan(1500)
  })
})

describe('the tail', () => {
  const good = lineOf(1)

  it('is open when only the newline is missing, and the line counts', () => {
    const text = good + lineOf(2).trimEnd()
    expect(parse(text)).toMatchObject({
      damage: [],
      tail: { state: 'open', goodBytes: text.length },
    })
    expect(numbersOf(parse(text))).toEqual([1, 2])
  })

  it.each<[string, string | Buffer]>([
    ['one byte', '{'],
    ['half a line', lineOf(2).slice(0, 80)],
    ['all but the last brace', lineOf(2).slice(0, -2)],
    ['half a character', Buffer.from('{"artifact":"漢').subarray(0, -1)],
    ['null bytes, as after a crash of the machine', '\0\0\0'],
  ])('is torn when the last line does not parse: %s', (_, torn) => {
    const bytes = Buffer.concat([Buffer.from(good), Buffer.from(torn)])
    expect(parse(bytes)).toMatchObject({
      damage: [],
      tail: { state: 'torn', goodBytes: good.length },
    })
    expect(numbersOf(parse(bytes))).toEqual([1])
    expect(parse(Buffer.from(torn)).tail).toEqual({ state: 'torn', goodBytes: 0 })
  })

  it('is still known when there is damage before it', () => {
    const reading = parse(`x\n${good}{`)
    expect(reading.damage).toHaveLength(1)
    expect(reading.tail).toEqual({ state: 'torn', goodBytes: good.length + 2 })
  })
})

describe('what is known of a hash', () => {
  const index = (content: string, service: string | null = SERVICE) =>
    indexRecords(parse(content).records, service)
  const bad = { problems: ['hash is missing'] }

  it('is what this service said, and no other', () => {
    const text = lineOf(1) + lineOf(2, { service: 'https://other.example' })
    expect([...index(text).keys()]).toEqual([hashOf(1)])
    expect([...index(text, 'https://other.example').keys()]).toEqual([hashOf(2)])
    expect(index(text, `${SERVICE}/`).size).toBe(0)
  })

  it('is nothing without a service', () => {
    expect(index(lineOf(1), null).size).toBe(0)
  })

  it.each([
    ['before', lineOf(1) + lineOf(1, bad), 1],
    ['after', lineOf(1, bad) + lineOf(1), 2],
    ['between', lineOf(1, bad) + lineOf(1) + lineOf(1, bad), 2],
  ])('is good if any line is, also one %s a line with problems', (_, text, line) => {
    expect(index(text).get(hashOf(1))).toMatchObject({ entry: entryOf(1), line })
  })

  it('is bad if all its lines have problems, and the first of them is named', () => {
    const text = lineOf(2) + lineOf(1, bad) + lineOf(1, { problems: ['other'] })
    expect(index(text).get(hashOf(1))).toMatchObject({ entry: entryOf(1, bad), line: 2 })
  })

  it('is not made good by a line of another service', () => {
    const text = lineOf(1, { service: 'https://other.example' }) + lineOf(1, bad)
    expect(index(text).get(hashOf(1))?.entry.problems).toEqual(bad.problems)
  })
})

describe('reading from the disk', () => {
  const read = (path: string) => readRecordsFile(path, 'shown.jsonl')

  it('finds no records where there is no file, and makes none', () => {
    const workspace = makeWorkspace()
    expect(read(workspace.path('none.jsonl'))).toEqual({ records: [], damage: [], tail: whole(0) })
    expect(read(workspace.path('none/at/all.jsonl')).records).toEqual([])
    expect(workspace.exists('none.jsonl')).toBe(false)
  })

  it('reads a file, also through a link', () => {
    const workspace = makeWorkspace({ 'records.jsonl': lineOf(1) })
    symlinkSync('records.jsonl', workspace.path('link.jsonl'))
    expect(numbersOf(read(workspace.path('records.jsonl')))).toEqual([1])
    expect(numbersOf(read(workspace.path('link.jsonl')))).toEqual([1])
  })

  it.each<[string, (path: string) => void]>([
    [
      'a folder',
      path => {
        mkdirSync(path)
      },
    ],
    [
      'a link to itself',
      path => {
        symlinkSync(path, path)
      },
    ],
    [
      'a device',
      path => {
        symlinkSync('/dev/null', path)
      },
    ],
  ])('refuses %s', (_, make) => {
    const path = makeWorkspace().path('records.jsonl')
    make(path)
    const attempt = (): unknown => read(path)
    expect(attempt).toThrow(NotarizeError)
    expect(attempt).toThrow(expect.objectContaining({ code: 'not-saved' }))
  })

  it('refuses a FIFO without waiting for it', () => {
    const path = makeWorkspace().path('records.jsonl')
    spawnSync('mkfifo', [path])
    // In a process of its own: what waits for a FIFO could not be ended here.
    const { stdout } = runScript(`
      import { readRecordsFile } from ${JSON.stringify(moduleUrl('src/records/known-records.ts'))}
      try {
        readRecordsFile(${JSON.stringify(path)}, 'shown.jsonl')
      } catch (error) {
        console.log(error.code, error.message)
      }`)
    expect(stdout).toBe('not-saved is not a regular file\n')
  })

  it('refuses a file below a file', () => {
    const workspace = makeWorkspace({ file: 'x' })
    expect(() => read(workspace.path('file/records.jsonl'))).toThrow(NotarizeError)
  })
})
