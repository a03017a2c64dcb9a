import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseChecksums } from '../../src/artifacts/checksums.ts'
import { formatChecksum } from '../../src/text/checksum-line.ts'

const hash = fc.stringMatching(/^[0-9a-f]{64}$/)

/** Names as files have them: not empty, and without the `./` that is dropped. */
const name = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom('\\', 'n', '\n', '\r', ' ', '*', '#', ')', '(', '=', '/'),
      minLength: 1,
      maxLength: 12,
    }),
    fc.constantFrom('\ufeff', 'SHA256 (a) = b', 'a\u2028b', '..', '.x', '../x'),
  )
  .filter(text => text.isWellFormed() && !text.startsWith('./'))

it('every name and hash that was formatted is read back, in all forms', () => {
  const forms: readonly ((name: string, digest: string) => string)[] = [
    (text, digest) => `${digest}  ${text}`,
    (text, digest) => `sha256:${digest} *${text}`,
    (text, digest) => (/^[ *]/.test(text) ? `${digest}  ${text}` : `${digest} ${text}`),
    (text, digest) => `SHA256 (${text}) = ${digest}`,
    (text, digest) => `SHA2-256(${text})= sha256:${digest}`,
  ]
  const noise = fc.constantFrom('', '\n', '\r\n', '  \n', '#\n', `# ${'a'.repeat(64)}  x\n`)
  const part = fc.record({ noise, name, hash, toLine: fc.constantFrom(...forms) })
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), (parts, end) => {
      const lines = parts.map(one => {
        const line = formatChecksum(one)
        expect(line).toMatch(/^[^\r\n]+\n$/)
        const escape = line.startsWith('\\') ? '\\' : ''
        const escaped = line.slice(escape.length + one.hash.length + 2, -1)
        return `${one.noise}${escape}${one.toLine(escaped, one.hash)}${end}`
      })
      const reading = parseChecksums(Buffer.from(lines.join('')), 'SHA256SUMS')
      const entries = parts.map(one => ({ name: one.name, hash: one.hash }))
      expect(reading).toMatchObject({ entries, errors: [] })
    }),
    { numRuns: 2000, seed: 23 },
  )
})
