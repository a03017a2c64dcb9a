import { execFileSync } from 'node:child_process'
import { expect, it } from '@jest/globals'
import { parseChecksums } from '../../src/artifacts/checksums.ts'
import { sha256 } from '../support/samples.ts'
import { itRunsScripts } from '../support/script.ts'
import { makeWorkspace } from '../support/workspace.ts'

const hash = '0123456789abcdef'.repeat(4)
const other = 'fedcba9876543210'.repeat(4)

/** Returns the name of each entry, whose hash must be the right one, or else all errors. */
function parse(content: string | Buffer, fileName = 'SHA256SUMS'): readonly string[] {
  const { entries, errors } = parseChecksums(Buffer.from(content), fileName)
  for (const { name, hash: found } of entries) expect(found).toBe(name === 'b' ? other : hash)
  return errors.length > 0 ? errors : entries.map(({ name }) => name)
}

const noChecksum = 'line 3 is not a SHA-256 checksum with a name'

it.each<readonly [string, string, string | { readonly error: string }]>([
  ['GNU format for binary files', `${hash} *.a.txt`, '.a.txt'],
  ['one space', `${hash} a.txt`, 'a.txt'],
  ['a tab', `${hash}\ta.txt`, 'a.txt'],
  ['sha256:, in uppercase', `sha256:${hash.toUpperCase()}  a.txt`, 'a.txt'],
  ['BSD format', `SHA256 (a.txt) = ${hash}`, 'a.txt'],
  ['BSD format with a sha256: prefix', `SHA256 (a.txt) = sha256:${hash}`, 'a.txt'],
  ['OpenSSL format', `SHA2-256(a.txt)= ${hash}`, 'a.txt'],
  ['OpenSSL format before version 3', `SHA256(a.txt)= ${hash}`, 'a.txt'],
  ['a leading ./', `${hash} *.//d/./a.txt`, 'd/./a.txt'],
  ['white space at the end', `${hash}  App.AppImage \t\r\r`, 'App.AppImage'],
  ['a name that looks like a GNU line', `${hash}  ${other}  b`, `${other}  b`],
  ['a line separator in the name', `${hash}  ä\u2028b`, 'ä\u2028b'],
  ['a file that is called -', `${hash}  ./-`, '-'],
  ['no name', `${hash}  `, { error: noChecksum }],
  ['no name after ./', `${hash}  ./`, { error: noChecksum }],
  ['only a hash, among other lines', hash, { error: noChecksum }],
  ['the name of standard input', `${hash}  -`, { error: noChecksum }],
  ['a prefix of another algorithm', `sha512:${hash}  a.txt`, { error: noChecksum }],
  ['a space before the hash', ` ${hash}  a.txt`, { error: noChecksum }],
  ['a letter that is not a hex digit', `g${hash.slice(1)}  a.txt`, { error: noChecksum }],
  ['65 digits', `0${hash}  a.txt`, { error: noChecksum }],
  ['another algorithm', `SHA512 (a.txt) = ${hash}${hash}`, { error: noChecksum }],
  ['another algorithm of 64 digits', `SHA3-256 (a.txt) = ${hash}`, { error: noChecksum }],
  ['a signature', '-----BEGIN PGP SIGNED MESSAGE-----', { error: noChecksum }],
  ['an unknown escape', `\\${hash}  a\\f`, { error: noChecksum }],
  ['two tabs', `${hash}\t\ta.txt`, { error: noChecksum }],
  ['NUL', `${hash}  a.txt\0${other}  b`, { error: noChecksum }],
  ['a CR within it', `${hash}  a\r${other}  b`, { error: noChecksum }],
  ['another control character', `${hash}  a\u0085b`, { error: noChecksum }],
])('a line with %s is parsed, or is an error with its number', (_, line, expected) => {
  const text = `# head\n${hash}  good\n${line}\n${other}  b\n`
  const names = typeof expected === 'string' ? ['good', expected, 'b'] : [expected.error]
  expect(parse(text)).toEqual(names)
})

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')

it.each<readonly [string, string | Buffer]>([
  ['CRLF', `${hash}  a\r\n${other}  b\r\n`],
  ['no newline at the end', `${hash}  a\n${other}  b`],
  ['a BOM', `\ufeff${hash}  a\n${other}  b\n`],
  ['UTF-16', utf16(`${hash}  a\r\n${other}  b\r\n`)],
  ['UTF-16 in the other byte order', utf16(`${hash}  a\n${other}  b`).swap16()],
  ['blank lines and comments', `\n# ${hash}  c\r\n${hash}  a\n \t\n${other}  b\n\n#`],
])('a file is parsed with %s', (_, content) => {
  expect(parse(content)).toEqual(['a', 'b'])
})

const invalid = 'line 1 is not a SHA-256 checksum with a name'

it('a name that is not valid UTF-8 is an error', () => {
  expect(parse(Buffer.from(`${hash}  \xff\n`, 'latin1'))).toEqual([invalid])
})

it.each([
  ['dist/a.tar.gz.sha256', `${hash}\n`, 'dist/a.tar.gz'],
  ['dist/a.zip.sha256', `${hash}  -\n`, 'dist/a.zip'],
  ['a.SHA256SUM', `SHA2-256(stdin)= ${hash}`, 'a'],
  ['app\n.exe.sha256.txt', `${hash} `, 'app\n.exe'],
  ['/elsewhere/a.sha256', `\ufeff# made by a tool\r\n\r\nsha256:${hash}\r\n`, '/elsewhere/a'],
  ['a.sha256.bak', `${hash}\n`, invalid],
  ['dist/.sha256', `${hash}\n`, invalid],
  ['a.sha256', `${hash}\n${other}  b\n`, invalid],
])('%s with a hash that has no name belongs to the file it is named after', (file, text, name) => {
  expect(parse(text, file)).toEqual([name])
})

itRunsScripts.each([[[]], [['--binary']], [['--tag']]])(
  'the file names that the real sha256sum writes are parsed: %j',
  flags => {
    const names = ['two words', ' lead', '*star', '#hash', 'back\\slash', 'new\nline', 'cr\rlf\n']
    names.push('a\\nb', 'é😀', '(x) = y', `SHA256 (a) = ${hash}`, '-')
    const { root } = makeWorkspace(Object.fromEntries(names.map(name => [name, name])))
    const files = names.map(name => `./${name}`)
    const written = execFileSync('sha256sum', [...flags, ...files], { cwd: root })
    const entries = names.map(name => ({ name, isLone: false, hash: sha256(name) }))
    expect(parseChecksums(written, 'sums')).toEqual({ entries, errors: [] })
  },
)
