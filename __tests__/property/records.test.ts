import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  formatLine,
  type Entry,
  type RecordEntry,
  type StateEntry,
} from '../../src/records/line.ts'
import { missingLines, parseRecords, type RecordsReading } from '../../src/records/reading.ts'
import { entryOf, stateOf } from '../records/entries.ts'
import { makeRecord } from '../support/samples.ts'

const hash = fc.stringMatching(/^[0-9a-f]{64}$/)
const anyText = fc.string({ unit: 'binary', maxLength: 20 })
const extras = fc.dictionary(anyText, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
const head = {
  artifact: fc
    .oneof(anyText, fc.constantFrom('\r\n', '\0', '\ud800', '"}', '\u2028', '\ufeff'))
    .map(text => text || 'a'),
  size: fc.option(fc.maxSafeNat()),
  hash,
}

const goodEntry: fc.Arbitrary<RecordEntry> = fc
  .record({ ...head, extras })
  .map(({ extras: fields, ...rest }) =>
    entryOf(1, { ...rest, record: { ...fields, ...makeRecord(rest.hash) } }),
  )
const badEntry: fc.Arbitrary<RecordEntry> = fc
  .record({
    ...head,
    record: extras,
    problems: fc.array(anyText, { minLength: 1, maxLength: 3 }),
    redacted: fc.array(anyText, { maxLength: 2 }),
    maybeChargedAgain: fc.boolean(),
  })
  .map(changes => entryOf(1, changes))
const stateEntry: fc.Arbitrary<StateEntry> = fc.record(head).map(changes => stateOf(1, changes))
const entries = fc.array(fc.oneof(goodEntry, badEntry, stateEntry), { maxLength: 8 })

const parse = (bytes: Buffer): RecordsReading => parseRecords(bytes, 'records.jsonl')
const bytesOf = (all: readonly Entry[]): Buffer => Buffer.from(all.map(formatLine).join(''))
const linesOf = (reading: RecordsReading): readonly string[] => reading.entries.map(formatLine)

/** Entries, and their file cut at any byte, ends and middles of lines alike. */
const cutFile = fc.tuple(entries, fc.nat(), fc.boolean()).map(([all, at, isNearEnd]) => {
  const bytes = bytesOf(all)
  const end = isNearEnd ? Math.max(0, bytes.length - (at % 3)) : at % (bytes.length + 1)
  return { all, bytes: bytes.subarray(0, end) }
})

describe('a records file', () => {
  it('that is cut at any byte gives every whole line exactly, and at most one incomplete tail', () => {
    fc.assert(
      fc.property(cutFile, ({ all, bytes }) => {
        const reading = parse(bytes)
        const wholeLines = bytes.filter(byte => byte === 0x0a).length
        const rest = bytes.length - bytes.lastIndexOf('\n') - 1
        const next = all[wholeLines]
        const lacksNewline = next !== undefined && rest === Buffer.from(formatLine(next)).length - 1
        expect(reading.damage).toEqual([])
        expect(linesOf(reading)).toEqual(
          all.slice(0, wholeLines + (lacksNewline ? 1 : 0)).map(formatLine),
        )
        const isIncomplete = rest > 0 && !lacksNewline
        expect(reading.goodBytes).toBe(bytes.length - (isIncomplete ? rest : 0))
        const unfinished = isIncomplete ? 'incomplete' : 'unterminated'
        expect(reading.tail).toBe(rest === 0 ? 'whole' : unfinished)
      }),
      { numRuns: 200, seed: 11 },
    )
  })

  it('of any bytes is read without an error, and its good bytes read the same again', () => {
    const pieces = fc.oneof(
      fc.uint8Array({ maxLength: 20 }).map(bytes => Buffer.from(bytes)),
      goodEntry.map(entry => bytesOf([entry])),
      fc.constantFrom('\n', '\r\n', '{', 'null', '\ufeff', '{}\n').map(text => Buffer.from(text)),
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), parts => {
        const bytes = Buffer.concat(parts)
        const reading = parse(bytes)
        const again = parse(bytes.subarray(0, reading.goodBytes))
        expect(linesOf(again)).toEqual(linesOf(reading))
        expect(again.damage).toEqual(reading.damage)
        expect(reading.damage.join('')).not.toMatch(/\p{Cc}/u)
      }),
      { numRuns: 200, seed: 16 },
    )
  })

  it('that gets the lines which it lacks of another has the entries of both, each line once', () => {
    const whole = entries.map(bytesOf)
    fc.assert(
      fc.property(whole, whole, (first, second) => {
        const merged = Buffer.concat([first, missingLines([first], [second])])
        const all = [first, second].flatMap(bytes => linesOf(parse(bytes)))
        expect(new Set(linesOf(parse(merged)))).toEqual(new Set(all))
        expect(merged.subarray(0, first.length).equals(first)).toBe(true)
        expect(missingLines([merged], [second])).toHaveLength(0)
        expect(missingLines([second, first], [merged])).toHaveLength(0)
      }),
      { numRuns: 100, seed: 15 },
    )
  })
})
