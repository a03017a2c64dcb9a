import { execFileSync, spawnSync } from 'node:child_process'
import { afterAll, describe, expect, it } from '@jest/globals'
import { parseChecksums } from '../../src/artifacts/checksums.ts'
import { cleanUp } from '../support/clean-up.ts'
import { sha256 } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

const hash = '0123456789abcdef'.repeat(4)
const other = 'fedcba9876543210'.repeat(4)

afterAll(cleanUp)

const parse = (text: string, fileName = 'SHA256SUMS') => parseChecksums(Buffer.from(text), fileName)

describe('a line of a checksums file', () => {
  it.each([
    ['GNU format with one space', `${hash} a.txt`, 'a.txt'],
    ['sha256:, in uppercase', `sha256:${hash.toUpperCase()}  a.txt`, 'a.txt'],
    ['BSD format with a sha256: prefix', `SHA256 (a.txt) = sha256:${hash}`, 'a.txt'],
    ['OpenSSL format', `SHA2-256(a.txt)= ${hash}`, 'a.txt'],
    ['OpenSSL format before version 3', `SHA256(a.txt)= ${hash}`, 'a.txt'],
    ['a leading ./', `${hash} *./d/./a.txt`, 'd/./a.txt'],
    ['a name that looks like a GNU line', `${hash}  ${other}  b`, `${other}  b`],
    ['other line breaks within the name', `${hash}  ä\u2028b\u0085\rc`, 'ä\u2028b\u0085\rc'],
  ])('is parsed: %s', (_, line, name) => {
    expect(parse(`${line}\n`)).toMatchObject({ entries: [{ name, hash }], errors: [] })
  })

  it.each([
    ['no name', `${hash}  `],
    ['no name after ./', `${hash}  ./`],
    ['only a hash, among other lines', hash],
    ['a prefix of another algorithm', `sha512:${hash}  a.txt`],
    ['a tab as the separator', `${hash}\ta.txt`],
    ['a space before the hash', ` ${hash}  a.txt`],
    ['a letter that is not a hex digit', `g${hash.slice(1)}  a.txt`],
    ['65 digits', `0${hash}  a.txt`],
    ['text after the hash in BSD form', `SHA256 (a.txt) = ${hash} `],
    ['another algorithm', `SHA512 (a.txt) = ${'a'.repeat(128)}`],
    ['another algorithm of 64 digits', `SHA3-256 (a.txt) = ${hash}`],
    ['not valid UTF-8', `${hash}  bad-\xff`],
  ])('is reported as an error with its line number: %s', (_, line) => {
    const text = `# head\n${hash}  good\n${line}\n${other}  last\n`
    const { entries, errors } = parseChecksums(Buffer.from(text, 'latin1'), 'SHA256SUMS')
    expect(entries).toMatchObject([{ name: 'good' }, { name: 'last' }])
    expect(errors).toEqual([expect.stringMatching(/^line 3 .*SHA-256/)])
  })
})

describe('a checksums file', () => {
  it.each([
    ['CRLF', `${hash}  a\r\n${other}  b\r\n`],
    ['no newline at the end', `${hash}  a\n${other}  b`],
    ['a BOM', `\ufeff${hash}  a\n${other}  b\n`],
    ['blank lines and comments', `\n# ${hash}  c\r\n${hash}  a\n \t\n${other}  b\n\n#`],
  ])('is parsed with %s', (_, text) => {
    const entries = [
      { name: 'a', hash },
      { name: 'b', hash: other },
    ]
    expect(parse(text)).toMatchObject({ entries, errors: [] })
  })

  it('is read only up to the fifth invalid line', () => {
    expect(parse('bad\n'.repeat(1000)).errors).toHaveLength(5)
  })

  it.each([
    ['dist/a.tar.gz.sha256', `${hash}\n`, 'dist/a.tar.gz'],
    ['a.sha256sum', hash.toUpperCase(), 'a'],
    ['/elsewhere/a.sha256', `\ufeff# made by a tool\r\n\r\nsha256:${hash}\r\n`, '/elsewhere/a'],
  ])('%s with only a hash applies to the file that it is named after', (file, text, name) => {
    expect(parse(text, file)).toMatchObject({ entries: [{ name, hash }], errors: [] })
  })

  it.each([
    ['a.txt', `${hash}\n`],
    ['dist/.sha256', `${hash}\n`],
    ['a.sha256', `${hash}\n${other}\n`],
    ['a.sha256', `${other}  b\n${hash}\n`],
    ['a.sha256', `bad\n${hash}\n`],
    ['a.sha256', `${hash}\nbad\n`],
  ])('%s is rejected with the content %j', (file, text) => {
    expect(parse(text, file).errors).not.toEqual([])
  })
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
    expect(parse(written)).toMatchObject({ entries, errors: [] })
  },
)
