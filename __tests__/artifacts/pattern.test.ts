import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { fold, partsOf, type PatternPlace } from '../../src/artifacts/pattern-text.ts'
import { Pattern, type Track } from '../../src/artifacts/pattern.ts'

const posix: PatternPlace = { workspace: '/w/repo', home: '/users/me', path: path.posix }
const windows: PatternPlace = { workspace: 'C:\\w\\repo', home: 'C:\\users\\me', path: path.win32 }

/** Whether a pattern matches a file with this absolute path, going to it part by part from above the root. */
function matches(text: string, file: string, place: PatternPlace): boolean {
  const pattern = new Pattern(text, place)
  const [names, workspace] = [file, place.workspace].map(absolute =>
    partsOf(absolute, place.path).map(part => fold(part, place.path)),
  )
  const end = names?.reduce((track: Track | null, name, depth) => {
    const parts = names.slice(0, depth + 1)
    const isExposed = parts.every((one, at) => one === workspace?.[at])
    const isFolder = depth < names.length - 1
    const isHidden = name.startsWith('.') && !isExposed
    return track && pattern.follow(track, { parts, isHidden, isFolder })
  }, pattern.start)
  return end !== null
}

/** Checks what a pattern says of files, each absolute or relative to the workspace. */
function check({
  text,
  matched,
  others,
  place = posix,
}: {
  readonly text: string
  readonly matched: readonly string[]
  readonly others: readonly string[]
  readonly place?: PatternPlace
}): void {
  const found = [...matched, ...others].filter(file =>
    matches(text, place.path.resolve(place.workspace, file), place),
  )
  expect(found).toEqual(matched)
}

// What wildcards match, and what is refused, is compared with @actions/glob in the property tests.
describe('a pattern', () => {
  it.each([
    ['x', ['x', 'x/y', 'x/y/z'], ['xy', 'y/x', '/w/other/x']],
    ['X', [], ['x']],
    ['./x', ['x'], []],
    ['.', ['x'], ['/w/x']],
    ['//w//repo//x', ['x'], []],
    ['/w', ['x'], []],
    ['/', ['x'], []],
    ['~', ['/users/me/x'], []],
    ['~/x', ['/users/me/x'], ['~/x']],
    ['~x', ['~x'], []],
    ['a/~', ['a/~'], []],
    ['/~/x', ['/~/x'], []],
    ['**', ['a/x.txt', '/w/repo'], []],
    ['a/**', ['a', 'a/b/c'], []],
    ['a/**/', ['a/b'], ['a']],
    ['a/**/b/**/c', ['a/b/x/b/c'], ['a/c/b']],
    ['a b', ['a b'], []],
    ['x#y', ['x#y'], []],
    ['x!y', ['x!y'], []],
    ['é', ['é'], []],
  ])('%j matches %j, not %j', (text, matched, others) => {
    check({ text, matched, others })
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
  })

  it('goes through many folders at any depth in little time', () => {
    const text = `${'**/a/'.repeat(30)}b`
    expect(matches(text, `/w/repo/${'a/'.repeat(200)}c`, posix)).toBe(false)
    expect(matches(text, `/w/repo/${'a/'.repeat(200)}b`, posix)).toBe(true)
  })
})

describe('a hidden part of a path', () => {
  it.each([
    ['*', ['a.'], ['.env']],
    ['**', [], ['.env', 'a/.env', '.git/config']],
    ['**/config', [], ['.git/config']],
    ['*/config', [], ['.git/config']],
    ['.', [], ['.env', '.git/config']],
    ['a', [], ['a/.env']],
    ['a/', [], ['a/.h/x']],
    ['?env', [], ['.env']],
    ['[.e]env', [], ['.env']],
    ['[!a]env', [], ['.env']],
    ['*env', [], ['.env']],
    ['.env', ['.env'], []],
    ['./.env', ['.env'], []],
    ['\\.env', ['.env'], []],
    ['[.]env', ['.env'], []],
    ['.e*', ['.env'], []],
    ['\\.e*', ['.env'], []],
    ['.*', ['.env'], []],
    ['.?nv', ['.env'], []],
    ['**/.env', ['a/b/.env'], ['.h/.env']],
    ['**/a/**/.env', ['a/b/.env'], ['a/.h/.env', '.h/a/.env']],
    ['.git', ['.git/config'], ['.git/.lock']],
    ['.git/**', ['.git/a/config'], []],
    ['.git/*', [], ['.git/.lock']],
    ['.git/.*', ['.git/.lock'], []],
    ['.*/.*', ['.git/.lock'], []],
    ['.*/*', ['.git/config'], []],
    ['*/.env', [], ['.git/.env']],
    ['a/.h', ['a/.h/x'], []],
    ['a.txt', ['a.txt'], []],
  ])('%j matches %j, not %j', (text, matched, others) => {
    check({ text, matched, others })
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
    ['dist\\*.exe', ['dist\\a.exe'], []],
    ['dist/*.exe', ['dist\\a.exe'], []],
    ['dist\\**', ['dist\\a\\b'], []],
    ['DIST\\*.EXE', ['dist\\a.exe'], []],
    ['.\\x', ['x'], []],
    ['.', ['x'], []],
    ['~\\x', ['C:\\users\\me\\x'], []],
    ['~/x', ['C:\\users\\me\\x'], []],
    ['C:\\a\\*', ['C:\\a\\b'], []],
    ['C:/a/*', ['C:\\a\\b'], []],
    ['C:\\', ['C:\\a\\b'], []],
    ['D:\\a\\*', ['D:\\a\\b'], ['C:\\a\\b']],
    ['\\a\\*', ['C:\\a\\b'], []],
    ['/a/*', ['C:\\a\\b'], []],
    ['\\', ['C:\\a'], []],
    ['\\\\server\\share\\*.exe', ['\\\\server\\share\\a.exe'], []],
    ['//server/share/x', ['\\\\server\\share\\x\\y'], []],
    ['\\\\server\\share\\x', [], ['\\\\server\\other\\x']],
    ['dist\\', ['dist\\a'], ['dist']],
    ['a[b]', ['ab'], []],
    ['a\\*', ['a\\b'], []],
    ['*', [], ['.env']],
    ['.ENV', ['.env'], []],
    ['C:', ['x'], []],
    ['C:x', ['x'], ['y']],
    ['C:*.exe', [], ['y']],
    ['C:x\\y', ['x\\y'], ['y']],
    ['c:\\w\\repo\\x', ['x'], []],
    ['!c:\\w\\repo\\x', ['x'], []],
    ['\\\\SERVER\\Share\\x', ['\\\\server\\share\\x'], []],
  ])('%j matches %j, not %j', (text, matched, others) => {
    check({ text, matched, others, place: windows })
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
