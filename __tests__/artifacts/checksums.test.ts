import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import {
  formatChecksum,
  parseChecksums,
  type ChecksumsReading,
} from '../../src/artifacts/checksums.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeWorkspace } from '../support/workspace.ts'

const hash = '0123456789abcdef'.repeat(4)
const other = 'fedcba9876543210'.repeat(4)

afterAll(cleanUp)

const parse = (text: string, fileName = 'SHA256SUMS'): ChecksumsReading =>
  parseChecksums(Buffer.from(text), fileName)

interface Entry {
  readonly name: string
  readonly hash: string
}

const good = (...entries: readonly Entry[]): ChecksumsReading => ({
  entries: entries.map(entry => ({ source: 'checksums', size: null, ...entry })),
  errors: [],
  errorCount: 0,
})

describe('a line of a checksums file', () => {
  it.each([
    ['GNU text mode', `${hash}  a.txt`, 'a.txt'],
    ['GNU binary mode', `${hash} *a.txt`, 'a.txt'],
    ['GNU with one space, as GoReleaser writes it', `${hash} a.txt`, 'a.txt'],
    ['GNU with sha256:', `sha256:${hash}  a.txt`, 'a.txt'],
    ['BSD', `SHA256 (a.txt) = ${hash}`, 'a.txt'],
    ['BSD with sha256:', `SHA256 (a.txt) = sha256:${hash}`, 'a.txt'],
    ['OpenSSL', `SHA2-256(a.txt)= ${hash}`, 'a.txt'],
    ['OpenSSL before 3', `SHA256(a.txt)= ${hash}`, 'a.txt'],
    ['OpenSSL with sha256:', `SHA2-256(a.txt)= sha256:${hash}`, 'a.txt'],
    ['GNU in capitals', `${hash.toUpperCase()}  a.txt`, 'a.txt'],
    ['a leading ./', `${hash}  ./a.txt`, 'a.txt'],
    ['a leading ./ in binary mode', `${hash} *./d/a.txt`, 'd/a.txt'],
    ['a ./ inside', `${hash}  d/./a.txt`, 'd/./a.txt'],
    ['an absolute name', `${hash}  /d/a.txt`, '/d/a.txt'],
    ['a space at the start', `${hash}   a.txt`, ' a.txt'],
    ['a space at the end', `${hash}  a.txt `, 'a.txt '],
    ['a star at the start', `${hash}  *a.txt`, '*a.txt'],
    ['a comment sign', `${hash}  #a.txt`, '#a.txt'],
    ['brackets', `SHA256 (a (1).txt) = ${hash}`, 'a (1).txt'],
    ['a name like a BSD line', `SHA256 (b) = ${other}) = ${hash}`, `b) = ${other}`],
    ['a name like a GNU line', `${hash}  ${other}  b`, `${other}  b`],
    ['letters beyond ASCII', `${hash}  ä/😀`, 'ä/😀'],
    ['a tab', `${hash}  a\tb`, 'a\tb'],
    ['a line separator of Unicode', `${hash}  a\u2028b\u0085c`, 'a\u2028b\u0085c'],
    ['a bare CR, as older sha256sum writes it', `${hash}  a\rb`, 'a\rb'],
    ['backslashes', `${hash}  d\\a.txt`, 'd\\a.txt'],
    ['escapes', `\\${hash}  a\\\\b\\nc\\rd`, 'a\\b\nc\rd'],
    ['escapes in binary mode', `\\${hash} *a\\nb`, 'a\nb'],
    ['escapes in BSD form', `\\SHA256 (a\\nb) = ${hash}`, 'a\nb'],
    ['an escaped backslash before an n', `\\${hash}  a\\\\nb`, 'a\\nb'],
  ])('is read with %s', (_, line, name) => {
    expect(parse(`${line}\n`)).toEqual(good({ name, hash }))
  })

  it.each([
    ['no name', `${hash}  `],
    ['no name after ./', `${hash}  ./`],
    ['no name in BSD form', `SHA256 () = ${hash}`],
    ['another prefix', `sha512:${hash}  a.txt`],
    ['another prefix in BSD form', `SHA256 (a.txt) = sha512:${hash}`],
    ['SHA-512 of OpenSSL', `SHA2-512(a.txt)= ${'a'.repeat(128)}`],
    ['a tab between', `${hash}\ta.txt`],
    ['a hash alone among others', hash],
    ['a name alone', 'a.txt'],
    ['a space before the hash', ` ${hash}  a.txt`],
    ['a letter that is no hex digit', `g${hash.slice(1)}  a.txt`],
    ['63 digits', `${hash.slice(1)}  a.txt`],
    ['65 digits', `0${hash}  a.txt`],
    ['text after the hash in BSD form', `SHA256 (a.txt) = ${hash} `],
    ['MD5', `${'a'.repeat(32)}  a.txt`],
    ['SHA-1', `${'a'.repeat(40)}  a.txt`],
    ['SHA-512', `${'a'.repeat(128)}  a.txt`],
    ['SHA-512 in BSD form', `SHA512 (a.txt) = ${'a'.repeat(128)}`],
    ['another algorithm of 64 digits', `SHA3-256 (a.txt) = ${hash}`],
    ['a comment after white space', ' # a comment'],
    ['an unknown escape', `\\${hash}  a\\tb`],
    ['a backslash at the end of an escaped name', `\\${hash}  a\\`],
    ['NUL in the name', `${hash}  a\0b`],
    ['a signature', '-----BEGIN PGP SIGNED MESSAGE-----'],
  ])('is an error with its number: %s', (_, line) => {
    const { entries, errors } = parse(`# head\n${hash}  good\n${line}\n${other}  last\n`)
    expect(entries).toMatchObject([
      { name: 'good', hash },
      { name: 'last', hash: other },
    ])
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatch(/^line 3: \S/)
  })

  it('of another algorithm says that SHA-256 is wanted', () => {
    for (const line of [
      `${'a'.repeat(40)}  x`,
      `MD5 (x) = ${'a'.repeat(32)}`,
      `md5:${'a'.repeat(32)}`,
    ]) {
      expect(parse(line).errors[0]).toMatch(/^line 1: .*SHA-256/)
    }
  })

  it('that is no UTF-8 is an error with its number', () => {
    const bytes = Buffer.concat([
      Buffer.from(`${hash}  good\n\n${other}  bad-`),
      Buffer.from([0xff, 0x0a]),
    ])
    const { errors } = parseChecksums(bytes, 'SHA256SUMS')
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatch(/^line 3: /)
  })
})

describe('a checksums file', () => {
  const both = [
    { name: 'a', hash },
    { name: 'b', hash: other },
  ]

  it.each([
    ['LF', `${hash}  a\n${other}  b\n`],
    ['CRLF', `${hash}  a\r\n${other}  b\r\n`],
    ['both', `${hash}  a\r\n${other}  b\n`],
    ['no newline at the end', `${hash}  a\n${other}  b`],
    ['a BOM', `\ufeff${hash}  a\n${other}  b\n`],
    ['blank lines', `\n\r\n${hash}  a\n  \n\t\n${other}  b\n\n\n`],
    ['comments', `# head\n${hash}  a\n#${hash}  c\n${other}  b\n#`],
    ['both forms', `${hash}  a\r\nSHA256 (b) = ${other}\r\n`],
  ])('is read with %s', (_, text) => {
    expect(parse(text)).toEqual(good(...both))
  })

  it.each(['', '\n', '\r\n\r\n', '# nothing\n', '\ufeff', '  \n\t'])('may be empty: %j', text => {
    expect(parse(text)).toEqual(good())
  })

  it.each([
    ['UTF-16', Buffer.from(`\ufeff${hash}  a\r\n`, 'utf16le')],
    ['an archive', Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03])],
  ])('is refused as %s', (_, bytes) => {
    const { entries, errors } = parseChecksums(bytes, 'SHA256SUMS')
    expect(entries).toEqual([])
    expect(errors.length).toBeGreaterThan(0)
  })

  it.each([
    ['dist/a.tar.gz.sha256', `${hash}\n`, 'dist/a.tar.gz'],
    ['a.sha256sum', hash.toUpperCase(), 'a'],
    ['/elsewhere/a.sha256', `\ufeff# made by a tool\r\n\r\nsha256:${hash}\r\n`, '/elsewhere/a'],
  ])('named %s with nothing but one hash is about the file of that name', (file, text, name) => {
    expect(parse(text, file)).toEqual(good({ name, hash }))
  })

  it.each([
    ['a.txt', `${hash}\n`, 1],
    ['dist/.sha256', `${hash}\n`, 1],
    ['a.SHA256', `${hash}\n`, 1],
    ['a.sha256', `${'a'.repeat(40)}\n`, 1],
    ['a.sha256', `${hash}\n${other}\n`, 2],
    ['a.sha256', `${hash}\n${other}  b\n`, 1],
    ['a.sha256', `${hash}\nbad\n`, 2],
    ['a.sha256', `bad\n${hash}\n`, 2],
  ])('named %s is wrong, as no file is named for a hash: %j', (file, text, errorCount) => {
    expect(parse(text, file)).toMatchObject({ errorCount })
  })

  it.each([
    ['an escaped name', `\\${hash}  ${'\\'.repeat(20_000_000)}`, 1],
    ['a wrong escape at the end', `\\${hash}  ${'\\'.repeat(20_000_001)}`, 0],
    ['a name that is not escaped', `${hash}  ${'\\'.repeat(20_000_000)}`, 1],
    ['a name in BSD form', `\\SHA256 (${'\\'.repeat(20_000_000)}) = ${hash}`, 1],
    ['many lines', `\\${hash}  ${'\\'.repeat(200)}\n`.repeat(100_000), 100_000],
    ['nothing else', '\\'.repeat(20_000_000), 0],
  ])('with 20 MB of backslashes is read in seconds: %s', (_, text, count) => {
    const startMs = performance.now()
    expect(parse(text).entries).toHaveLength(count)
    expect(performance.now() - startMs).toBeLessThan(10_000)
  })

  it('with one endless line of brackets is read in little time', () => {
    expect(parse(`SHA256 (${') = ('.repeat(50_000)}`).errors).toHaveLength(1)
    expect(parse(`SHA256 (${') = '.repeat(50_000)}${'a'.repeat(50_000)}x`).errors).toHaveLength(1)
  })
})

describe('a formatted checksum', () => {
  it.each([
    ['a.txt', `${hash}  a.txt\n`],
    [' a b ', `${hash}   a b \n`],
    ['*a', `${hash}  *a\n`],
    ['a\\b', `\\${hash}  a\\\\b\n`],
    ['a\nb', `\\${hash}  a\\nb\n`],
    ['a\rb', `\\${hash}  a\\rb\n`],
    ['a\\nb', `\\${hash}  a\\\\nb\n`],
  ])('of %j is as sha256sum writes it, and is read back', (name, line) => {
    expect(formatChecksum({ name, hash })).toBe(line)
    expect(parse(line)).toEqual(good({ name, hash }))
  })
})

const version = spawnSync('sha256sum', ['--version'], { encoding: 'utf8' })
const hasGnu = version.status === 0 && version.stdout.includes('GNU coreutils')
const withGnu = hasGnu ? it : it.skip

describe('beside the real sha256sum', () => {
  const names = [
    ...['a.txt', 'two words', ' lead', 'trail ', '*star', '#hash', '!bang', 'back\\slash', '\\'],
    ...['new\nline', '\n', 'a\\nb', 'tab\t', 'é😀', '(x) = y', `SHA256 (a) = ${hash}`, '.env'],
    ...['d/x', 'd e/f\\g\nh', "it's", '"quoted"', 'esc\u001b[31m', '\u2028'],
  ]
  const workspace = makeWorkspace(Object.fromEntries(names.map(name => [name, `text of ${name}`])))
  const expected = names.map((name): Entry => ({
    name,
    hash: createHash('sha256').update(`text of ${name}`).digest('hex'),
  }))

  withGnu.each([
    ['GNU form', []],
    ['GNU form in binary mode', ['--binary']],
    ['BSD form', ['--tag']],
  ])('each name that it writes is read: %s', (_, options) => {
    const written = execFileSync('sha256sum', [...options, '--', ...names], { cwd: workspace.root })
    expect(parseChecksums(written, 'SHA256SUMS')).toEqual(good(...expected))
  })

  withGnu('what is written for each name is what it writes', () => {
    const written = execFileSync('sha256sum', ['--', ...names], { cwd: workspace.root })
    expect(expected.map(formatChecksum).join('')).toBe(written.toString())
  })

  withGnu('what is written is found right by sha256sum -c', () => {
    const list = join(workspace.temp, 'list.txt')
    workspace.write(list, expected.map(formatChecksum).join(''))
    const check = (): number | null =>
      spawnSync('sha256sum', ['--strict', '--quiet', '-c', list], { cwd: workspace.root }).status
    expect(check()).toBe(0)
    workspace.write('new\nline', 'changed')
    expect(check()).toBe(1)
  })
})
