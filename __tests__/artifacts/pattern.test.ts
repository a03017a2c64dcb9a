import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { followAll, readPatterns, type PatternContext } from '../../src/artifacts/pattern.ts'

const posix: PatternContext = { workspace: '/w/repo', home: '/users/me', path: path.posix }
const [workspace, home] = ['C:\\w\\repo', 'C:\\users\\me']
const windows: PatternContext = { workspace, home, path: path.win32 }

/** Whether patterns match a file, which is an absolute path or a path in the workspace. */
function matches(text: string, file: string, context: PatternContext): boolean {
  const { path: rules, workspace } = context
  const reading = readPatterns(text, context)
  expect(reading.errors).toEqual([])
  const absolute = rules.resolve(workspace, file)
  const root = rules.parse(absolute).root.toUpperCase()
  const names = absolute.slice(root.length).split(rules.sep)
  let tracks = reading.tracks.filter(({ pattern }) => pattern.root === root)
  for (const [index, name] of names.entries()) {
    const folder = rules.join(root, ...names.slice(0, index + 1), rules.sep)
    const isHidden = name.startsWith('.') && !`${workspace}${rules.sep}`.startsWith(folder)
    tracks = [...followAll(tracks, { name, isHidden, isFolder: index < names.length - 1 })]
  }
  return tracks.length > 0
}

type Case = readonly [text: string, matched: readonly string[], others: readonly string[]]

function check([text, matched, others]: Case, context: PatternContext): void {
  const files = [...matched, ...others].filter(file => matches(text, file, context))
  expect(files).toEqual(matched)
}

// glob.test.ts compares wildcards and invalid patterns with @actions/glob.
describe('a pattern', () => {
  it.each<Case>([
    ['X', ['X/y/z'], ['x', '/w/other/X']],
    ['/', ['x'], []],
    ['~', ['/users/me/x'], []],
    ['~/x', ['/users/me/x'], ['~/x']],
    ['a/~', ['a/~'], []],
    ['~x', ['~x'], []],
  ])('%j matches %j but not %j', (...testCase) => {
    check(testCase, posix)
  })

  it('does not take exponential time', () => {
    expect(matches(`${'*[a-z]?'.repeat(500)}*b`, 'a'.repeat(250), posix)).toBe(false)
    expect(matches(`${'**/a/'.repeat(500)}**/b`, `${'a/'.repeat(500)}c`, posix)).toBe(false)
  })
})

describe('hidden files and folders', () => {
  it.each<Case>([
    ['**', ['a.'], ['.env', 'a/.env', '.git/config']],
    ['**/config', [], ['.git/config']],
    ['[.e]env', [], ['.env']],
    ['[.]env', ['.env'], []],
    ['.e*', ['.env'], []],
    ['\\.e*', ['.env'], []],
    ['**/a/**/.env', ['a/b/.env'], ['a/.h/.env', '.h/a/.env']],
    ['.git', ['.git/config'], ['.git/.lock']],
    ['.*/.*', ['.git/.lock'], []],
    ['*/.env', ['a/.env'], ['.git/.env']],
    ['.e*\n!?env', ['.ex'], ['.env']],
    ['.h\n!**/x', ['.h/y'], ['.h/x']],
  ])('are found only if a pattern names them: %j matches %j but not %j', (...testCase) => {
    check(testCase, posix)
  })
})

describe('a pattern on Windows', () => {
  it.each<Case>([
    ['DIST\\*.EXE', ['dist\\a.exe'], []],
    ['.\\x', ['x'], []],
    ['~\\x', ['C:\\users\\me\\x'], []],
    ['D:/a/*', ['D:\\a\\b'], ['C:\\a\\b']],
    ['\\a\\*', ['C:\\a\\b'], []],
    ['C:x', ['x'], ['y']],
    ['c:\\w\\repo\\x', ['x'], []],
    ['dist\\', ['dist\\a'], ['dist']],
    ['**', ['a\\b'], ['.env']],
    ['.ENV', ['.env'], []],
    ['x?\n!c:\\w\\REPO\\xy', ['xa'], ['xy']],
    ['\\\\SERVER\\share\\x', ['\\\\SERVER\\SHARE\\x\\y'], ['\\\\SERVER\\OTHER\\x']],
  ])('%j matches %j but not %j', (...testCase) => {
    check(testCase, windows)
  })

  it('is invalid if it leads to a parent folder', () => {
    expect(readPatterns('..\\x', windows).errors[0]).toContain('"..\\x" cannot')
  })
})
