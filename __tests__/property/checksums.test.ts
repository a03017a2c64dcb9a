import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { formatChecksum, parseChecksums } from '../../src/artifacts/checksums.ts'

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

interface Entry {
  readonly name: string
  readonly hash: string
}

const entry: fc.Arbitrary<Entry> = fc.record({ name, hash })

/** The same entry in each form that is read. */
const forms: readonly ((entry: Entry) => string)[] = [
  formatChecksum,
  ...[
    (name: string, digest: string) => `sha256:${digest}  ${name}`,
    (name: string, digest: string) => `${digest} *${name}`,
    (name: string, digest: string) => `SHA256 (${name}) = ${digest}`,
    (name: string, digest: string) => `SHA2-256(${name})= ${digest}`,
    (name: string, digest: string) => `SHA256(${name})= sha256:${digest}`,
    (name: string, digest: string) =>
      /^[ *]/.test(name) ? `${digest}  ${name}` : `${digest} ${name}`,
  ].map(toLine => (entry: Entry) => {
    const line = formatChecksum(entry)
    const mark = line.startsWith('\\') ? '\\' : ''
    return `${mark}${toLine(line.slice(mark.length + 66, -1), entry.hash)}\n`
  }),
]

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
        const { entries, errors, errorCount } = parseChecksums(bytes, 'a.sha256')
        expect(entries.length + errorCount).toBeLessThanOrEqual(lineCount)
        expect(errors.length).toBe(Math.min(errorCount, 5))
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

  it('gives back every name and hash that was formatted, in all forms, between blank lines and comments', () => {
    const noise = fc.constantFrom('\n', '\r\n', '  \n', '#\n', `# ${'a'.repeat(64)}  x\n`, '#\\\n')
    const part = fc.tuple(
      ...([fc.array(noise, { maxLength: 2 }), entry] as const),
      ...([fc.constantFrom(...forms), fc.constantFrom('\n', '\r\n')] as const),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.boolean(), (list, hasBom) => {
        const lines = list.map(([before, one, format, end]) => {
          expect(formatChecksum(one)).toMatch(/^[^\r\n]+\n$/)
          return `${before.join('')}${format(one).slice(0, -1)}${end}`
        })
        const text = `${hasBom ? '\ufeff' : ''}${lines.join('')}`
        const entries = list.map(([, one]) => one)
        expect(parseChecksums(Buffer.from(text), 'SHA256SUMS')).toMatchObject({
          ...{ entries, errorCount: 0 },
        })
      }),
      { ...runs, numRuns: 2000 },
    )
  })

  it('with one bad line gives an error with its number, and every good entry', () => {
    const bad = fc.constantFrom(
      (line: string) => line.slice(1),
      (line: string) => `0${line}`,
      (line: string) => `g${line.slice(1)}`,
      (line: string) => line.replace('  ', '\t'),
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
        const { entries, errors } = parseChecksums(Buffer.from(lines.join('')), 'SHA256SUMS')
        expect(entries).toMatchObject([...before, ...after])
        expect(errors).toHaveLength(1)
        expect(errors[0]).toMatch(new RegExp(`^line ${before.length + 1}: `))
      }),
      runs,
    )
  })
})
