import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  formatChecksum,
  parseChecksums,
  type ChecksumEntry,
} from '../../src/artifacts/sources/checksums.ts'

const runs = { numRuns: 1000, seed: 23 } as const

const hash = fc.stringMatching(/^[0-9a-f]{64}$/)

/** Names as files and checksums files have them: not empty, no NUL, and without the `./` that is dropped. */
const name = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom(
        ...['\\', 'n', 'r', '\n', '\r', ' ', '*', '#', ')', '(', '=', '/', '.'],
      ),
      minLength: 1,
      maxLength: 12,
    }),
    fc.constantFrom('\ufeff', 'SHA256 (a) = b', 'a\u2028b', '\\', '\r', '\n', '..', '.x', '../x'),
  )
  .filter(text => !text.includes('\0') && !text.startsWith('./'))

const entry: fc.Arbitrary<ChecksumEntry> = fc.record({ name, hash })

/** The same line in BSD form. */
function formatBsd({ name, hash }: ChecksumEntry): string {
  const line = formatChecksum({ name, hash })
  const mark = line.startsWith('\\') ? '\\' : ''
  return `${mark}SHA256 (${line.slice(mark.length + 66, -1)}) = ${hash}\n`
}

describe('a checksums file', () => {
  it('never crashes its reader, whatever its bytes, and what is read makes sense', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 30 }).map(bytes => Buffer.from(bytes)),
      fc.string({ unit: 'binary', maxLength: 30 }).map(text => Buffer.from(text)),
      hash.map(text => Buffer.from(text)),
      hash.map(text => Buffer.from(`\n${text}  `)),
      fc
        .constantFrom('\n', '\r\n', '  ', ' *', '\\', '\\n', '#', 'SHA256 (', ') = ', 'x', '\ufeff')
        .map(text => Buffer.from(text)),
    )
    let read = 0
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
        const bytes = Buffer.concat(pieces)
        const lineCount = bytes.toString('latin1').split('\n').length
        const { entries, errors } = parseChecksums(bytes)
        expect(entries.length + errors.length).toBeLessThanOrEqual(lineCount)
        for (const one of entries) {
          expect(one.hash).toMatch(/^[0-9a-f]{64}$/)
          expect(one.name).not.toBe('')
          expect(one.name).not.toContain('\0')
        }
        for (const error of errors) {
          const [, line = ''] = /^line (\d+): \S/.exec(error) ?? []
          expect(Number(line)).toBeGreaterThanOrEqual(1)
          expect(Number(line)).toBeLessThanOrEqual(lineCount)
        }
        read += entries.length
      }),
      { ...runs, numRuns: 3000 },
    )
    expect(read).toBeGreaterThan(500)
  })

  it('gives back every name and hash that was formatted, in both forms, with LF and CRLF', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(entry, fc.boolean(), fc.constantFrom('\n', '\r\n')), { maxLength: 6 }),
        fc.boolean(),
        (list, hasBom) => {
          const lines = list.map(([one, isBsd, end]) => {
            const line = isBsd ? formatBsd(one) : formatChecksum(one)
            return `${line.slice(0, -1)}${end}`
          })
          const text = `${hasBom ? '\ufeff' : ''}${lines.join('')}`
          const entries = list.map(([one]) => one)
          expect(parseChecksums(Buffer.from(text))).toEqual({ entries, errors: [] })
        },
      ),
      runs,
    )
  })

  it('has one line for each entry, whatever its name', () => {
    fc.assert(
      fc.property(entry, one => {
        expect(formatChecksum(one)).toMatch(/^[^\r\n]+\n$/)
      }),
      runs,
    )
  })

  it('may have blank lines and comments anywhere', () => {
    const noise = fc.constantFrom('\n', '\r\n', '  \n', '#\n', `# ${'a'.repeat(64)}  x\n`, '#\\\n')
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.array(noise, { maxLength: 3 }), entry)), list => {
        const text = list.map(([lines, one]) => [...lines, formatChecksum(one)].join('')).join('')
        const entries = list.map(([, one]) => one)
        expect(parseChecksums(Buffer.from(text))).toEqual({ entries, errors: [] })
      }),
      runs,
    )
  })

  it('with one bad line gives an error with its number, and every good entry', () => {
    const bad = fc.constantFrom(
      (line: string) => line.slice(1),
      (line: string) => `0${line}`,
      (line: string) => `g${line.slice(1)}`,
      (line: string) => line.replace('  ', ' '),
      (line: string) => ` ${line}`,
      (line: string) => line.slice(0, 66),
    )
    const plainName = fc.stringMatching(/^[a-z]{1,9}$/)
    const plain = fc.record({ name: plainName, hash })
    fc.assert(
      fc.property(fc.array(plain), plain, fc.array(plain), bad, (before, one, after, spoil) => {
        const lines = [
          ...before.map(formatChecksum),
          `${spoil(formatChecksum(one).slice(0, -1))}\n`,
          ...after.map(formatChecksum),
        ]
        const { entries, errors } = parseChecksums(Buffer.from(lines.join('')))
        expect(entries).toEqual([...before, ...after])
        expect(errors).toHaveLength(1)
        expect(errors[0]).toMatch(new RegExp(`^line ${before.length + 1}: `))
      }),
      runs,
    )
  })
})
