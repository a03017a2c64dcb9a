import { execFileSync, spawnSync } from 'node:child_process'
import { expect, it } from '@jest/globals'
import { parseChecksums } from '../../src/artifacts/checksums.ts'
import { planned } from '../../src/outcome.ts'
import { sha256 } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

const hash = '0123456789abcdef'.repeat(4)
const other = 'fedcba9876543210'.repeat(4)

/** Returns the name of each entry, whose hash must be the right one, or else all errors. */
function parse(text: string, fileName = 'SHA256SUMS', encoding: BufferEncoding = 'utf8') {
  const { entries, errors } = parseChecksums(Buffer.from(text, encoding), fileName)
  const input = { input: 'checksums', size: null, outcome: planned }
  for (const { name, ...rest } of entries) {
    expect(rest).toEqual({ ...input, hash: name.startsWith('b') ? other : hash })
  }
  return errors.length > 0 ? errors : entries.map(({ name }) => name)
}

it.each([
  ['GNU format with one space', `${hash} a.txt`, 'a.txt'],
  ['sha256:, in uppercase', `sha256:${hash.toUpperCase()}  a.txt`, 'a.txt'],
  ['BSD format with a sha256: prefix', `SHA256 (a.txt) = sha256:${hash}`, 'a.txt'],
  ['OpenSSL format', `SHA2-256(a.txt)= ${hash}`, 'a.txt'],
  ['OpenSSL format before version 3', `SHA256(a.txt)= ${hash}`, 'a.txt'],
  ['a leading ./', `${hash} *./d/./a.txt`, 'd/./a.txt'],
  ['a name that looks like a GNU line', `${hash}  ${other}  b`, `${other}  b`],
  ['other line breaks within the name', `${hash}  ä\u2028b\u0085\rc`, 'ä\u2028b\u0085\rc'],
  ['no name', `${hash}  `, null],
  ['no name after ./', `${hash}  ./`, null],
  ['only a hash, among other lines', hash, null],
  ['a prefix of another algorithm', `sha512:${hash}  a.txt`, null],
  ['a tab as the separator', `${hash}\ta.txt`, null],
  ['a space before the hash', ` ${hash}  a.txt`, null],
  ['a letter that is not a hex digit', `g${hash.slice(1)}  a.txt`, null],
  ['65 digits', `0${hash}  a.txt`, null],
  ['text after the hash in BSD form', `SHA256 (a.txt) = ${hash} `, null],
  ['another algorithm', `SHA512 (a.txt) = ${'a'.repeat(128)}`, null],
  ['another algorithm of 64 digits', `SHA3-256 (a.txt) = ${hash}`, null],
])('a line with %s is parsed, or is an error with its number', (_, line, name) => {
  const text = `# head\n${hash}  good\n${line}\n${other}  b\n`
  const errors = ['line 3 is not a SHA-256 checksum with a name']
  expect(parse(text)).toEqual(name === null ? errors : ['good', name, 'b'])
})

it.each([
  ['CRLF', `${hash}  a\r\n${other}  b\r\n`],
  ['no newline at the end', `${hash}  a\n${other}  b`],
  ['a BOM', `\ufeff${hash}  a\n${other}  b\n`],
  ['blank lines and comments', `\n# ${hash}  c\r\n${hash}  a\n \t\n${other}  b\n\n#`],
])('a file is parsed with %s', (_, text) => {
  expect(parse(text)).toEqual(['a', 'b'])
})

it('a file is read only up to the fifth invalid line, which may be so because of its bytes', () => {
  const text = `${hash}  \xff\n`.repeat(1000)
  const errors = [1, 2, 3, 4, 5].map(line => `line ${line} is not a SHA-256 checksum with a name`)
  expect(parse(text, 'SHA256SUMS', 'latin1')).toEqual(errors)
})

it.each<[string, string, name: string | null]>([
  ['dist/a.tar.gz.sha256', `${hash}\n`, 'dist/a.tar.gz'],
  ['a.sha256sum', hash.toUpperCase(), 'a'],
  ['/elsewhere/a.sha256', `\ufeff# made by a tool\r\n\r\nsha256:${hash}\r\n`, '/elsewhere/a'],
  ['a.txt', `${hash}\n`, null],
  ['dist/.sha256', `${hash}\n`, null],
  ['a.sha256', `${hash}\n${other}\n`, null],
  ['a.sha256', `${other}  b\n${hash}\n`, null],
  ['a.sha256', `bad\n${hash}\n`, null],
  ['a.sha256', `${hash}\nbad\n`, null],
])('%s with only a hash applies to the file that it is named after: %j', (file, text, name) => {
  expect(parse(text, file)).toEqual(
    name === null ? expect.arrayContaining([expect.stringMatching(/^line /)]) : [name],
  )
})

const version = spawnSync('sha256sum', ['--version'], { encoding: 'utf8' })
const withGnu = version.stdout.includes('GNU coreutils') ? it : it.skip

withGnu.each([[[]], [['--binary']], [['--tag']]])(
  'every file name that the real sha256sum writes is parsed: %j',
  flags => {
    const names = ['two words', ' lead', 'trail ', '*star', '#hash', 'back\\slash', 'new\nline']
    names.push('cr\rlf\n', 'a\\nb', 'é😀', '(x) = y', `SHA256 (a) = ${hash}`, '-')
    const { root } = makeWorkspace(Object.fromEntries(names.map(name => [name, name])))
    const files = names.map(name => `./${name}`)
    const written = execFileSync('sha256sum', [...flags, ...files], { cwd: root, encoding: 'utf8' })
    const entries = names.map(name => ({ name, hash: sha256(name) }))
    expect(parseChecksums(Buffer.from(written), 'sums')).toMatchObject({ entries, errors: [] })
  },
)
