import type { PlatformPath } from 'node:path'
import { escape, GLOBSTAR, Minimatch, type MinimatchOptions } from 'minimatch'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'

/** Where patterns are read: the folder of relative ones, the home of `~`, and the path rules of the system. */
export interface PatternContext {
  readonly workspace: string
  readonly home: string
  readonly path: PlatformPath
}

/** What stands between two slashes of a pattern: a name, what names with wildcards are compared by, or `**`. */
type Part = Minimatch['set'][number][number]

/**
 * A glob pattern, read as `@actions/glob` does, but hidden files and folders match only where it names the hidden part
 * (exclusions match them too). A folder that matches stands for everything below it.
 */
export interface Pattern {
  /** The line as it was given, without surrounding white space. */
  readonly text: string
  readonly isExclusion: boolean
  /** The root of the file system from which it starts; with a separator at its end. */
  readonly root: string
  /** From the root on. */
  readonly parts: readonly Part[]
  /** Whether it ends with a separator: then it matches folders only, with what is below. */
  readonly isForFolders: boolean
}

/** How far a pattern has come on the path to a file or folder. */
export interface Track {
  readonly pattern: Pattern
  /** The indexes of the parts that may match the next name; the number of parts once the path, or a folder above it, matches. */
  readonly positions: readonly number[]
}

/** One step down a path; `isHidden` if its name begins with a dot and is no part of the path of the workspace. */
export interface Step {
  readonly name: string
  readonly isHidden: boolean
  readonly isFolder: boolean
}

/** The patterns of an input, at their roots. Each error names its pattern. */
export interface PatternReading {
  readonly tracks: readonly Track[]
  readonly errors: readonly string[]
}

/** Reads patterns, one per line, without blank lines and `#` comments. */
export function readPatterns(text: string, context: PatternContext): PatternReading {
  const tracks: Track[] = []
  const errors: string[] = []
  for (const given of text.split(/[\r\n]/)) {
    const line = given.trim()
    if (line === '' || line.startsWith('#')) continue
    try {
      const pattern = readPattern(line, context)
      tracks.push({ pattern, positions: positionsAt(pattern.parts, 0) })
    } catch (error) {
      errors.push(`pattern "${quote(line)}" cannot be used: ${describeError(error)}`)
    }
  }
  return { tracks, errors }
}

function readPattern(text: string, { workspace, home, path }: PatternContext): Pattern {
  const [, marks = '', body = ''] = /^((?:!\s*)*)(.*)$/s.exec(text) ?? []
  if (body === '') throw new Error('there is nothing after the !')
  const given = body.replaceAll(path.sep, '/')
  const start = path.parse(given).root
  const names = given.slice(start.length).split('/')
  const isAtHome = start === '' && names[0] === '~'
  if (isAtHome || (start === '' && names[0] === '.')) names.shift()
  // On Windows `\x` and `C:x` start from the current drive or folder: resolve gives the whole path.
  const folder = path.resolve(isAtHome ? home : workspace, start)
  const { root } = path.parse(folder)
  const above = folder.slice(root.length).replaceAll(path.sep, '/')
  return {
    text,
    isExclusion: marks.replaceAll(/\s/g, '').length % 2 === 1,
    root: root.toUpperCase(),
    parts: readParts([escape(above), ...names].join('/'), path.sep === '\\'),
    isForFolders: given.endsWith('/'),
  }
}

/** Only `*`, `?` and `[` are wildcards, a dot is a character as any other, and `..` stays where it is. */
const rules: MinimatchOptions = {
  platform: 'linux',
  dot: true,
  nobrace: true,
  nocomment: true,
  noext: true,
  nonegate: true,
  optimizationLevel: 0,
}

function readParts(pattern: string, nocase: boolean): readonly Part[] {
  const [all = []] = new Minimatch(pattern, { ...rules, nocase }).set
  const parts = all.filter(part => part !== '')
  if (parts.includes('.') || parts.includes('..')) {
    throw new Error('. and .. are not allowed within a pattern; name the folder itself')
  }
  // As a folder stands for everything below it, `**` at the end says nothing.
  if (parts.at(-1) === GLOBSTAR) parts.pop()
  return parts
}

/** The positions at a part: `**` may also stand for nothing. */
function positionsAt(parts: readonly Part[], index: number): readonly number[] {
  return parts[index] === GLOBSTAR ? [index, index + 1] : [index]
}

/** Whether the path to which a pattern has come, or a folder above it, matches. */
export function isMatch({ pattern, positions }: Track): boolean {
  return positions.includes(pattern.parts.length)
}

/**
 * Takes one step with all patterns: gives those that match the file, or that match the folder or may match something
 * below it. What an exclusion matches is left to the patterns after it.
 */
export function followAll(tracks: readonly Track[], step: Step): readonly Track[] {
  const followed: Track[] = []
  for (const track of tracks) {
    const { pattern } = track
    const next = { pattern, positions: follow(track, step) }
    if (isMatch(next) && pattern.isExclusion) followed.length = 0
    else if (isMatch(next) || (step.isFolder && next.positions.length > 0)) followed.push(next)
  }
  return followed
}

function follow({ pattern, positions }: Track, step: Step): readonly number[] {
  const { parts, isExclusion, isForFolders } = pattern
  const isVisible = !step.isHidden || isExclusion
  const reached: number[] = []
  for (const index of positions) {
    const part = parts[index]
    if (part === undefined || part === GLOBSTAR) {
      if (isVisible) reached.push(...positionsAt(parts, index))
      continue
    }
    const text = typeof part === 'string' ? part : part.pattern
    if (typeof part === 'string' ? part !== step.name : !part.test(step.name)) continue
    if (!isVisible && !/^\\?\./.test(text)) continue
    const isTooEarly = isForFolders && !step.isFolder && index + 1 === parts.length
    if (!isTooEarly) reached.push(...positionsAt(parts, index + 1))
  }
  return [...new Set(reached)]
}

/** The names that may match next, if each pattern that includes can match only one; else null. */
export function nextNames(tracks: readonly Track[]): readonly string[] | null {
  const names = new Set<string>()
  for (const { pattern, positions } of tracks) {
    if (pattern.isExclusion) continue
    const [index = 0, ...others] = positions
    const part = pattern.parts[index]
    if (typeof part !== 'string' || others.length > 0) return null
    names.add(part)
  }
  return [...names]
}
