import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { partsOf, type PatternPlace } from '../../src/artifacts/pattern-text.ts'
import { Pattern, type Track } from '../../src/artifacts/pattern.ts'

const posix: PatternPlace = { workspace: '/w/repo', home: '/users/me', path: path.posix }
const windows: PatternPlace = { workspace: 'C:\\w\\repo', home: 'C:\\users\\me', path: path.win32 }

/** Whether a pattern matches a file with this absolute path, going to it part by part from the root. */
function matches(text: string, file: string, place: PatternPlace): boolean {
  const pattern = new Pattern(text, place)
  const { root } = place.path.parse(file)
  if (pattern.root !== new Pattern(root, place).root) return false
  const { sep } = place.path
  const names = partsOf(file.slice(root.length), sep)
  const workspace = partsOf(
    place.workspace.slice(path.win32.parse(place.workspace).root.length),
    sep,
  )
  let track: Track | null = pattern.start
  let isExposed = true
  for (const [depth, name] of names.entries()) {
    isExposed &&= workspace[depth] === name
    const step = { parts: names.slice(0, depth + 1), isHidden: name.startsWith('.') && !isExposed }
    if (track === null) return false
    if (depth === names.length - 1) return pattern.matchesFile(track, step)
    track = pattern.follow(track, step)
  }
  return false
}

describe('a pattern', () => {
  it.each([
    ['x', '/w/repo/x', true],
    ['x', '/w/repo/x/y', true],
    ['x', '/w/repo/x/y/z', true],
    ['x', '/w/repo/xy', false],
    ['x', '/w/repo/y/x', false],
    ['x', '/w/other/x', false],
    ['X', '/w/repo/x', false],
    ['./x', '/w/repo/x', true],
    ['.', '/w/repo/x', true],
    ['./', '/w/repo/x/y', true],
    ['.', '/w/x', false],
    ['/w/repo/x', '/w/repo/x', true],
    ['//w//repo//x', '/w/repo/x', true],
    ['/w', '/w/repo/x', true],
    ['/', '/w/repo/x', true],
    ['~', '/users/me/x', true],
    ['~/x', '/users/me/x', true],
    ['~/x', '/w/repo/~/x', false],
    ['~x', '/w/repo/~x', true],
    ['a/~', '/w/repo/a/~', true],
    ['/~/x', '/~/x', true],
    ['*', '/w/repo/x', true],
    ['*', '/w/repo/x/y', true],
    ['*.txt', '/w/repo/x.txt', true],
    ['*.txt', '/w/repo/x.txt/y', true],
    ['*.txt', '/w/repo/a/x.txt', false],
    ['**', '/w/repo/a/x.txt', true],
    ['**', '/w/repo', true],
    ['**/x', '/w/repo/x', true],
    ['**/x', '/w/repo/a/b/x', true],
    ['a/**', '/w/repo/a', true],
    ['a/**', '/w/repo/a/b/c', true],
    ['a/**/', '/w/repo/a', false],
    ['a/**/', '/w/repo/a/b', true],
    ['a/**/b', '/w/repo/a/b', true],
    ['a/**/b', '/w/repo/a/x/y/b', true],
    ['a/**/b', '/w/repo/a/x/y/c', false],
    ['a/**/b/**/c', '/w/repo/a/b/x/b/c', true],
    ['a**b', '/w/repo/axb', true],
    ['a**b', '/w/repo/a/b', false],
    ['a/', '/w/repo/a', false],
    ['a/', '/w/repo/a/b', true],
    ['a//', '/w/repo/a/b', true],
    ['?', '/w/repo/x', true],
    ['?', '/w/repo/xy', false],
    ['a?c', '/w/repo/a/c', false],
    ['[ab]', '/w/repo/a', true],
    ['[ab]', '/w/repo/c', false],
    ['[!ab]', '/w/repo/c', true],
    ['[^ab]', '/w/repo/a', false],
    ['[a-c]x', '/w/repo/bx', true],
    ['[*]', '/w/repo/*', true],
    ['[*]', '/w/repo/x', false],
    ['[a', '/w/repo/[a', true],
    ['\\*', '/w/repo/*', true],
    ['\\*', '/w/repo/x', false],
    ['a\\?b', '/w/repo/a?b', true],
    ['a\\\\b', '/w/repo/a\\b', true],
    ['{a,b}', '/w/repo/a', false],
    ['{a,b}', '/w/repo/{a,b}', true],
    ['+(a)', '/w/repo/aa', false],
    ['+(a)', '/w/repo/+(a)', true],
    ['a b', '/w/repo/a b', true],
    ['  x  ', '/w/repo/x', true],
    ['x#y', '/w/repo/x#y', true],
    ['x!y', '/w/repo/x!y', true],
    ['é', '/w/repo/é', true],
  ])('%j says of %j: %j', (text, file, expected) => {
    expect(matches(text, file, posix)).toBe(expected)
  })

  it.each([
    ['!x', true, '!x'],
    ['! x', true, '! x'],
    ['!!x', false, '!!x'],
    ['! ! ! x ', true, '! ! ! x'],
    ['x', false, 'x'],
  ])('knows whether it excludes: %j', (text, isExclusion, shown) => {
    const pattern = new Pattern(text, posix)
    expect(pattern).toMatchObject({ isExclusion, text: shown })
    expect(matches(text, '/w/repo/x', posix)).toBe(true)
  })

  it.each([
    ['x/y/*/z', ['w', 'repo', 'x', 'y']],
    ['x/y', ['w', 'repo', 'x', 'y']],
    ['**', ['w', 'repo']],
    ['[x]/\\*/a[*]/?', ['w', 'repo', 'x', '*', 'a*']],
    ['/', []],
    ['/*', []],
  ])('%j is searched from the folder before its first wildcard', (text, base) => {
    expect(new Pattern(text, posix).base).toEqual(base)
  })

  it.each([
    '..',
    '../x',
    'x/..',
    'x/../y',
    'x/.',
    'x/./y',
    '~/..',
    '/./x',
    '[.][.]/x',
    '!',
    ' ! ! ',
  ])('is refused as %j', text => {
    expect(() => new Pattern(text, posix)).toThrow(/\S/)
  })

  it.each([
    ['than any path', 'x'.repeat(5000)],
    ['in classes', '['.repeat(200)],
    ['in classes below a folder', `a/${'[a]'.repeat(101)}`],
  ])('is refused if it is longer %s', (_, text) => {
    expect(() => new Pattern(text, posix)).toThrow(/more than/)
  })

  it('may have a class for each digit of a hash', () => {
    const hash = '0123456789abcdef'.repeat(4)
    expect(matches(`*-${'[0-9a-f]'.repeat(64)}*`, `/w/repo/a-${hash}.txt`, posix)).toBe(true)
  })

  it.each([
    ['*a*b', 'xaxb', true],
    ['*a*b', 'xbxa', false],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'ac', false],
    ['a*a*a', 'aa', false],
    ['*ab*ab', 'abab', true],
    ['*ab*ab', 'aab', false],
    ['*?*?', 'x', false],
    ['*?*?', 'xy', true],
    ['*[!a]*b', 'aab', false],
    ['*[!a]*b', 'acb', true],
    ['*.tar.*', 'a.tar.gz', true],
    ['*\\**x', 'a*x', true],
    ['*[[:digit:]]*x', 'a1x', true],
    ['*😀*?', 'a😀b', true],
  ])('with several stars: %j says of %j: %j', (text, name, expected) => {
    expect(matches(text, `/w/repo/${name}`, posix)).toBe(expected)
    expect(matches(text, `C:\\w\\repo\\${name.toUpperCase()}`, windows)).toBe(
      expected && !text.includes('\\'),
    )
  })

  it('takes the characters of the workspace and of the home for what they are', () => {
    const odd = '/w/[ab]*?{c,d}\\e!#/+(x)'
    const place = { ...posix, workspace: odd, home: `${odd}/home` }
    expect(matches('x', `${odd}/x`, place)).toBe(true)
    expect(matches('./*', `${odd}/x`, place)).toBe(true)
    expect(matches('~/*', `${odd}/home/x`, place)).toBe(true)
    expect(matches('*', '/w/azz{c,d}\\e!#/+(x)/x', place)).toBe(false)
    expect(new Pattern('x', place).base).toEqual(['w', '[ab]*?{c,d}\\e!#', '+(x)', 'x'])
  })

  it('goes through many folders at any depth in little time', () => {
    const text = `${'**/a/'.repeat(30)}b`
    expect(matches(text, `/w/repo/${'a/'.repeat(200)}c`, posix)).toBe(false)
    expect(matches(text, `/w/repo/${'a/'.repeat(200)}b`, posix)).toBe(true)
  })
})

describe('a hidden part of a path', () => {
  it.each([
    ['*', '.env', false],
    ['**', '.env', false],
    ['**', 'a/.env', false],
    ['**', '.git/config', false],
    ['**/config', '.git/config', false],
    ['*/config', '.git/config', false],
    ['.', '.env', false],
    ['.', '.git/config', false],
    ['a', 'a/.env', false],
    ['a/', 'a/.h/x', false],
    ['?env', '.env', false],
    ['[.e]env', '.env', false],
    ['[!a]env', '.env', false],
    ['*env', '.env', false],
    ['.env', '.env', true],
    ['./.env', '.env', true],
    ['\\.env', '.env', true],
    ['[.]env', '.env', true],
    ['.e*', '.env', true],
    ['\\.e*', '.env', true],
    ['.*', '.env', true],
    ['.?nv', '.env', true],
    ['**/.env', 'a/b/.env', true],
    ['**/.env', '.h/.env', false],
    ['.git', '.git/config', true],
    ['.git/**', '.git/a/config', true],
    ['.git/*', '.git/.lock', false],
    ['.git', '.git/.lock', false],
    ['.git/.*', '.git/.lock', true],
    ['.*/.*', '.git/.lock', true],
    ['.*/*', '.git/config', true],
    ['*/.env', '.git/.env', false],
    ['a/.h', 'a/.h/x', true],
    ['a.txt', 'a.txt', true],
    ['*', 'a.', true],
  ])('%j says of %j: %j', (text, file, expected) => {
    expect(matches(text, `/w/repo/${file}`, posix)).toBe(expected)
  })

  it.each(['!*', '!**', '!.', '!?env', '!*nv'])('is matched by every exclusion: %j', text => {
    expect(matches(text, '/w/repo/.env', posix)).toBe(true)
  })

  it('does not count in the path of the workspace, however a pattern leads there', () => {
    const place = { ...posix, workspace: '/.w/.repo' }
    for (const text of ['*', '**', './x', '/**', '/*/*/x', '/.w/**']) {
      expect({ text, found: matches(text, '/.w/.repo/x', place) }).toEqual({ text, found: true })
    }
    expect(matches('**', '/.w/.repo/.x', place)).toBe(false)
    expect(matches('/**', '/.w/.other/x', place)).toBe(false)
  })

  it('counts outside of the workspace unless the pattern names it', () => {
    const place = { ...posix, home: '/users/.me' }
    expect(matches('/users/*/x', '/users/.me/x', place)).toBe(false)
    expect(matches('/users/.me/x', '/users/.me/x', place)).toBe(true)
    expect(matches('~/*', '/users/.me/x', place)).toBe(true)
  })
})

describe('a pattern on Windows', () => {
  it.each([
    ['dist\\*.exe', 'C:\\w\\repo\\dist\\a.exe', true],
    ['dist/*.exe', 'C:\\w\\repo\\dist\\a.exe', true],
    ['dist\\**', 'C:\\w\\repo\\dist\\a\\b', true],
    ['DIST\\*.EXE', 'C:\\w\\repo\\dist\\a.exe', true],
    ['.\\x', 'C:\\w\\repo\\x', true],
    ['.', 'C:\\w\\repo\\x', true],
    ['~\\x', 'C:\\users\\me\\x', true],
    ['~/x', 'C:\\users\\me\\x', true],
    ['C:\\a\\*', 'C:\\a\\b', true],
    ['C:/a/*', 'C:\\a\\b', true],
    ['C:\\', 'C:\\a\\b', true],
    ['D:\\a\\*', 'C:\\a\\b', false],
    ['D:\\a\\*', 'D:\\a\\b', true],
    ['\\a\\*', 'C:\\a\\b', true],
    ['/a/*', 'C:\\a\\b', true],
    ['\\', 'C:\\a', true],
    ['\\\\server\\share\\*.exe', '\\\\server\\share\\a.exe', true],
    ['//server/share/x', '\\\\server\\share\\x\\y', true],
    ['\\\\server\\share\\x', '\\\\server\\other\\x', false],
    ['dist\\', 'C:\\w\\repo\\dist', false],
    ['dist\\', 'C:\\w\\repo\\dist\\a', true],
    ['a[b]', 'C:\\w\\repo\\ab', true],
    ['a\\*', 'C:\\w\\repo\\a\\b', true],
    ['*', 'C:\\w\\repo\\.env', false],
    ['.ENV', 'C:\\w\\repo\\.env', true],
    ['C:', 'C:\\w\\repo\\x', true],
    ['C:x', 'C:\\w\\repo\\x', true],
    ['C:x', 'C:\\w\\repo\\y', false],
    ['C:*.exe', 'C:\\w\\repo\\y', false],
    ['C:x\\y', 'C:\\w\\repo\\x\\y', true],
    ['C:x\\y', 'C:\\w\\repo\\y', false],
    ['c:\\w\\repo\\x', 'C:\\w\\repo\\x', true],
    ['!c:\\w\\repo\\x', 'C:\\w\\repo\\x', true],
    ['\\\\SERVER\\Share\\x', '\\\\server\\share\\x', true],
  ])('%j says of %j: %j', (text, file, expected) => {
    expect(matches(text, file, windows)).toBe(expected)
  })

  it.each(['..\\x', 'a\\..\\b', 'a\\.\\b', '\\\\ser*\\share\\x', '\\\\server\\sh?re\\x'])(
    'is refused as %j',
    text => {
      expect(() => new Pattern(text, windows)).toThrow(/\S/)
    },
  )

  it('takes the characters of the workspace for what they are', () => {
    const place = { ...windows, workspace: 'C:\\w\\[ab]!{c}' }
    expect(matches('x', 'C:\\w\\[ab]!{c}\\x', place)).toBe(true)
    expect(matches('x', 'C:\\w\\a!{c}\\x', place)).toBe(false)
  })
})
