import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { RecordsFile } from '../../src/records/file.ts'
import { KnownRecords } from '../../src/records/known.ts'
import {
  formatLine,
  isRecord,
  type Entry,
  type RecordEntry,
  type StateEntry,
} from '../../src/records/line.ts'
import { mergeRecords, missingLines } from '../../src/records/merge.ts'
import {
  entryOf,
  parseRecords,
  readRecordsFile,
  type RecordsReading,
} from '../../src/records/reading.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeRecord, source } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

afterAll(cleanUp)

const NEWLINE = 0x0a

const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map(bytes => Buffer.from(bytes).toString('hex'))
const anyText = fc.string({ unit: 'binary', maxLength: 20 })
const extras = fc.dictionary(anyText, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
const nowhere = {
  ...{ repository: null, sha: null, ref: null, runId: null, runAttempt: null },
  ...{ commitUrl: null, runUrl: null },
}
const head = {
  artifact: fc
    .oneof(anyText, fc.constantFrom('\r\n', '\0', '\ud800', '"}', '\u2028', '\ufeff'))
    .map(text => text || 'a'),
  size: fc.option(fc.maxSafeNat()),
  hash,
  service: fc.constantFrom('https://one.example', 'https://two.example/path'),
  source: fc.constantFrom(source, nowhere),
}
const common = { ...head, unansweredTries: fc.constantFrom(0, 0, 1, 7) }

/** An entry that is right, with any other fields in its record. */
const rightEntry: fc.Arbitrary<RecordEntry> = fc
  .record({ ...common, extras })
  .map(({ extras: more, ...entry }) => ({
    ...entry,
    record: { ...more, ...makeRecord(entry.hash) },
    problems: [],
    redacted: [],
  }))

/** An entry with problems, and any record. */
const wrongEntry: fc.Arbitrary<RecordEntry> = fc.record({
  ...common,
  record: extras,
  problems: fc.array(anyText, { minLength: 1, maxLength: 3 }),
  redacted: fc.array(anyText, { maxLength: 2 }),
})

const stateEntry: fc.Arbitrary<StateEntry> = fc.record({
  ...head,
  state: fc.constantFrom('sent' as const, 'not-registered' as const),
  at: fc.constantFrom('2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.001Z'),
})

const anyEntry = fc.oneof(rightEntry, wrongEntry, stateEntry)
const entries = fc.array(anyEntry, { maxLength: 8 })

const parse = (bytes: Buffer): RecordsReading => parseRecords(bytes, 'records.jsonl')
const lineOf = (entry: Entry): Buffer => Buffer.from(formatLine(entry))
const bytesOf = (all: readonly Entry[]): Buffer => Buffer.concat(all.map(lineOf))

/** What must come back of entries, as text: the order of fields counts, and how a number was written does not. */
const essence = formatLine
const read = (reading: RecordsReading): readonly string[] =>
  reading.lines.map(line => essence(entryOf(line)))

/** A list of entries and a place to cut its file at, ends and middles of lines alike. */
const cutFile = fc.tuple(entries, fc.nat(), fc.boolean()).map(([all, at, isNearEnd]) => {
  const bytes = bytesOf(all)
  const end = isNearEnd ? Math.max(0, bytes.length - (at % 3)) : at % (bytes.length + 1)
  return { all, bytes: bytes.subarray(0, end) }
})

describe('any list of entries, cut at any byte', () => {
  it('gives back every whole line exactly, and at most one incomplete tail', () => {
    fc.assert(
      fc.property(cutFile, ({ all, bytes }) => {
        const reading = parse(bytes)
        const wholeLines = bytes.filter(byte => byte === NEWLINE).length
        const rest = bytes.subarray(bytes.lastIndexOf(NEWLINE) + 1)
        const next = all[wholeLines]
        const isOpen = next !== undefined && rest.length === lineOf(next).length - 1
        expect(reading.damage).toEqual([])
        expect(read(reading)).toEqual(all.slice(0, wholeLines + (isOpen ? 1 : 0)).map(essence))
        expect(reading.lines.map(({ number }) => number)).toEqual(
          reading.lines.map((_, index) => index + 1),
        )
        expect(reading.tail).toEqual(
          isOpen || rest.length === 0
            ? { state: isOpen ? 'open' : 'whole', goodBytes: bytes.length }
            : { state: 'incomplete', goodBytes: bytes.length - rest.length },
        )
      }),
      { numRuns: 400, seed: 11 },
    )
  })

  it('is a valid file again after it was opened, with what is appended at its end', async () => {
    const path = makeWorkspace().path('records.jsonl')
    await fc.assert(
      fc.asyncProperty(
        cutFile,
        fc.array(rightEntry, { minLength: 1, maxLength: 3 }),
        async ({ bytes }, more) => {
          writeFileSync(path, bytes)
          const before = parse(readRecordsFile(path, path))
          const options = { tail: before.tail, expectedBytes: 100, adopted: Buffer.alloc(0) }
          const file = await RecordsFile.open(path, options)
          const saved = await Promise.all(more.map(entry => file.append(formatLine(entry))))
          await file.close()
          expect(saved.every(({ isSaved }) => isSaved)).toBe(true)
          const after = parse(readRecordsFile(path, path))
          expect(after).toMatchObject({ damage: [], tail: { state: 'whole' } })
          expect(read(after)).toEqual([...read(before), ...more.map(essence)])
          const start = bytes.subarray(0, before.tail.goodBytes)
          expect(readFileSync(path).subarray(0, start.length).equals(start)).toBe(true)
        },
      ),
      { numRuns: 80, seed: 12 },
    )
  })
})

describe('any files of several jobs', () => {
  it('are damaged by a careless merge, at one line that is named, and the rest is read', () => {
    fc.assert(
      fc.property(
        cutFile,
        fc.array(rightEntry, { minLength: 1, maxLength: 3 }),
        ({ bytes }, more) => {
          const before = parse(bytes)
          fc.pre(before.tail.state !== 'whole')
          const whole = bytes.filter(byte => byte === NEWLINE).length
          const grown = parse(Buffer.concat([bytes, bytesOf(more)]))
          expect(grown.damage).toEqual([expect.stringContaining(`line ${whole + 1} `)])
          expect(read(grown)).toEqual([
            ...read(before).slice(0, whole),
            ...more.slice(1).map(essence),
          ])
        },
      ),
      { numRuns: 100, seed: 14 },
    )
  })

  it('are merged without repeating a line, whatever their tails, in any grouping', () => {
    const none = Buffer.alloc(0)
    const toCut = cutFile.map(({ bytes }) => bytes)
    fc.assert(
      fc.property(toCut, toCut, toCut, (first, second, third) => {
        const all = [...new Set([first, second].flatMap(bytes => read(parse(bytes))))]
        const merged = mergeRecords(first, second)
        expect(parse(merged)).toMatchObject({ damage: [], tail: { state: 'whole' } })
        expect(read(parse(merged))).toEqual(all)
        for (const known of [none, first, second, merged])
          expect(mergeRecords(merged, known).equals(merged)).toBe(true)
        const rightFirst = mergeRecords(first, mergeRecords(second, third))
        expect(mergeRecords(merged, third).equals(rightFirst)).toBe(true)
        const adopted = [mergeRecords(first, none), missingLines(first, second)]
        expect(Buffer.concat(adopted).equals(merged)).toBe(true)
      }),
      { numRuns: 200, seed: 15 },
    )
  })
})

describe('what is known of a hash, whatever the lines', () => {
  const HASH = 'ab'.repeat(32)
  const service = 'https://one.example'
  const ofOne = fc.array(
    anyEntry.map((entry): Entry => {
      if (!isRecord(entry)) return { ...entry, hash: HASH }
      return { ...entry, hash: HASH, record: { ...entry.record, hash: HASH } }
    }),
    { maxLength: 10 },
  )
  /** The state of the hash, or how many tries are open. */
  const know = (all: readonly Entry[]) => {
    const known = new KnownRecords([parse(bytesOf(all))], new Set([service])).find(HASH)
    return known?.state === 'open' ? known.tries.count : known?.state
  }

  it('goes by the rank of the contract, and does not change when the file is merged with itself', () => {
    fc.assert(
      fc.property(ofOne, all => {
        const own = all.filter(entry => entry.service === service)
        const records = own.filter(isRecord)
        const states = own.filter((entry): entry is StateEntry => !isRecord(entry))
        const isSettled = ({ at, source: run }: StateEntry): boolean =>
          states.some(one => one.state === 'not-registered' && one.at === at && one.source === run)
        const open = states.filter(one => one.state === 'sent' && !isSettled(one))
        const tries = new Set(open.map(essence)).size
        const isGood = records.some(({ problems }) => problems.length === 0)
        const unregistered = records.length > 0 ? 'contradicted' : tries || undefined
        const known = isGood ? 'registered' : unregistered
        for (const lines of [all, [...all, ...all]]) expect(know(lines)).toBe(known)
      }),
      { numRuns: 300, seed: 17 },
    )
  })
})

describe('any bytes at all', () => {
  const pieces = fc.oneof(
    fc.uint8Array({ maxLength: 20 }).map(bytes => Buffer.from(bytes)),
    anyEntry.map(lineOf),
    fc
      .constantFrom('\n', '\r\n', '{', '}', 'null', '\ufeff', '{}\n')
      .map(text => Buffer.from(text)),
  )

  it('are read without an error, and what is good of them is the same when read again', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), parts => {
        const bytes = Buffer.concat(parts)
        const reading = parse(bytes)
        const { state, goodBytes } = reading.tail
        expect(goodBytes).toBeLessThanOrEqual(bytes.length)
        if (state !== 'incomplete') expect(goodBytes).toBe(bytes.length)
        const ending = state === 'open' ? '\n' : ''
        const fixed = parse(Buffer.concat([bytes.subarray(0, goodBytes), Buffer.from(ending)]))
        expect(read(fixed)).toEqual(read(reading))
        expect(fixed.damage).toEqual(reading.damage)
        expect(reading.damage.length).toBeLessThanOrEqual(6)
        expect(reading.damage.join('')).not.toMatch(/\p{Cc}/u)
      }),
      { numRuns: 400, seed: 16 },
    )
  })
})
