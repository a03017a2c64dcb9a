import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import {
  followAll,
  readPatterns,
  type PatternContext,
  type Track,
} from '../../src/artifacts/pattern.ts'

const posix: PatternContext = { workspace: '/w/repo', home: '/users/me', path: path.posix }
const windows: PatternContext = {
  workspace: 'C:\\w\\repo',
  home: 'C:\\users\\me',
  path: path.win32,
}

/** Whether a pattern, or an exclusion, matches a file: absolute or relative to the workspace. */
function matches(text: string, file: string, place: PatternContext): boolean {
  const { path: rules, workspace } = place
  const read = readPatterns(text, place)
  expect(read.errors).toEqual([])
  const absolute = rules.resolve(workspace, file)
  const { root } = rules.parse(absolute)
  const names = absolute.slice(root.length).split(rules.sep)
  let tracks: readonly Track[] = read.tracks.filter(
    ({ pattern }) => pattern.root === root.toUpperCase(),
  )
  let folder = root
  for (const [at, name] of names.entries()) {
    folder = rules.join(folder, name)
    const isAbove = `${workspace}${rules.sep}`.startsWith(`${folder}${rules.sep}`)
    const isHidden = name.startsWith('.') && !isAbove
    tracks = followAll(tracks, { name, isHidden, isFolder: at < names.length - 1 })
  }
  return tracks.length > 0
}

type Case = readonly [text: string, matched: readonly string[], others: readonly string[]]

function check([text, matched, others]: Case, place: PatternContext): void {
  const found = [...matched, ...others].filter(file => matches(text, file, place))
  expect(found).toEqual(matched)
}

// The property tests compare wildcards, and what is refused, with @actions/glob.
describe('a pattern', () => {
  it.each<Case>([
    ['x', ['x/y/z'], ['/w/other/x']],
    ['X', [], ['x']],
    ['/', ['x'], []],
    ['~', ['/users/me/x'], []],
    ['~/x', ['/users/me/x'], ['~/x']],
    ['a/~', ['a/~'], []],
    ['~x', ['~x'], []],
    ['**', ['/w/repo'], []],
    ['*[[:digit:]]*x', ['a1x'], ['abx']],
  ])('%j matches %j, not %j', (...given) => {
    check(given, posix)
  })

  it('takes the characters of the workspace and of the home literally', () => {
    const odd = '/w/[ab]*?{c,d}\\e!#+(x)'
    const place = { ...posix, workspace: odd, home: `${odd}/home` }
    check(['./*', [`${odd}/x`], ['/w/azz{c,d}\\e!#+(x)/x']], place)
    check(['~/*', [`${odd}/home/x`], [`${odd}/x`]], place)
  })

  it('takes time that grows with the path alone', () => {
    expect(matches(`${'*[a-z]?'.repeat(500)}*b`, 'a'.repeat(250), posix)).toBe(false)
    expect(matches(`${'**/a/'.repeat(500)}**/b`, `${'a/'.repeat(500)}c`, posix)).toBe(false)
  })
})

describe('a hidden part of a path', () => {
  it.each<Case>([
    ['**', ['a.'], ['.env', 'a/.env', '.git/config']],
    ['**/config', [], ['.git/config']],
    ['a', ['a/b'], ['a/.env', 'a/.h/x']],
    ['[.e]env', [], ['.env']],
    ['\\.env', ['.env'], []],
    ['[.]env', ['.env'], []],
    ['.e*', ['.env'], []],
    ['\\.e*', ['.env'], []],
    ['**/.env', ['a/b/.env'], ['.h/.env']],
    ['**/a/**/.env', ['a/b/.env'], ['a/.h/.env', '.h/a/.env']],
    ['.git', ['.git/config'], ['.git/.lock']],
    ['.*/.*', ['.git/.lock'], []],
    ['*/.env', ['a/.env'], ['.git/.env']],
  ])('is matched by %j as %j, not as %j', (...given) => {
    check(given, posix)
  })

  it.each(['*', '**', '.', '?env'])('is excluded by the wildcards of !%s', text => {
    expect(matches(`.env\n!${text}`, '.env', posix)).toBe(false)
  })
})

describe('a pattern on Windows', () => {
  it.each<Case>([
    ['dist/**', ['dist\\a\\b'], []],
    ['DIST\\*.EXE', ['dist\\a.exe'], []],
    ['.ENV', ['.env'], []],
    ['.\\x', ['x'], []],
    ['~\\x', ['C:\\users\\me\\x'], []],
    ['D:\\a\\*', ['D:\\a\\b'], ['C:\\a\\b']],
    ['C:/a/*', ['C:\\a\\b'], []],
    ['\\a\\*', ['C:\\a\\b'], []],
    ['C:x', ['x'], ['y']],
    ['c:\\w\\repo\\x', ['x'], []],
    ['dist\\', ['dist\\a'], ['dist']],
    ['*', ['a'], ['.env']],
    ['\\\\SERVER\\share\\x', ['\\\\SERVER\\SHARE\\x\\y'], ['\\\\SERVER\\OTHER\\x']],
  ])('%j matches %j, not %j', (...given) => {
    check(given, windows)
  })

  it('excludes whatever the case of the drive', () => {
    expect(matches('x\n!c:\\w\\REPO\\x', 'x', windows)).toBe(false)
  })

  it('is refused with a part that leads up', () => {
    expect(readPatterns('..\\x', windows).errors).toEqual([
      expect.stringContaining('"..\\x" cannot'),
    ])
  })
})
