import type { PlatformPath } from 'node:path'
import { escape, GLOBSTAR, Minimatch, type MinimatchOptions } from 'minimatch'
import { describeError } from '../failure.ts'
import { quote } from '../text/escape.ts'

/** How to resolve patterns: the base folder of relative ones, the home folder for `~`, and the path rules. */
export interface PatternContext {
  readonly workspace: string
  readonly home: string
  readonly path: PlatformPath
}

/** The text between two slashes of a pattern, parsed: a name, a matcher for names with wildcards, or `**`. */
type Part = Minimatch['set'][number][number]

/**
 * A glob pattern that works as in `@actions/glob`, except that hidden files and folders match only
 * where it names the hidden part or is an exclusion. A matching folder includes all below it.
 */
export interface Pattern {
  /** The trimmed line of the input. */
  readonly text: string
  /** The index of the line in the input. */
  readonly line: number
  readonly isExclusion: boolean
  /** The root of the file system where the pattern starts, with a trailing separator. */
  readonly root: string
  /** The parts below the root. */
  readonly parts: readonly Part[]
  /** Whether the pattern ends with a separator and so matches only folders. */
  readonly isForFolders: boolean
}

/** How much of a pattern has matched on the path to a file or folder. */
export interface Track {
  readonly pattern: Pattern
  /** Indexes of the parts that may match the next name; the number of parts once the path or a folder above matches. */
  readonly positions: readonly number[]
}

/** One step down a path. */
interface PathStep {
  readonly name: string
  /** Whether the name begins with a dot and is not a part of the workspace path. */
  readonly isHidden: boolean
  readonly isFolder: boolean
}

/**
 * Reads patterns, one per line, and ignores blank lines and `#` comments. Returns them at their
 * roots, and errors that name the unusable ones.
 */
export function readPatterns(
  input: string,
  context: PatternContext,
): { readonly tracks: readonly Track[]; readonly errors: readonly string[] } {
  const tracks: Track[] = []
  const errors: string[] = []
  for (const [line, untrimmed] of input.split(/[\r\n]/).entries()) {
    const text = untrimmed.trim()
    if (text === '' || text.startsWith('#')) continue
    try {
      const pattern = readPattern(text, line, context)
      tracks.push({ pattern, positions: positionsAt(pattern.parts, 0) })
    } catch (error) {
      errors.push(`pattern "${quote(text)}" cannot be used: ${describeError(error)}`)
    }
  }
  return { tracks, errors }
}

function readPattern(text: string, line: number, context: PatternContext): Pattern {
  const { workspace, home, path } = context
  const body = text.replace(/^(?:!\s*)+/, '')
  const marks = text.slice(0, text.length - body.length).replaceAll(/\s/g, '')
  if (body === '') throw new Error('there is nothing after the !')
  const slashed = body.replaceAll(path.sep, '/')
  const start = path.parse(slashed).root
  const names = slashed.slice(start.length).split('/')
  const isAtHome = start === '' && names[0] === '~'
  if (isAtHome || (start === '' && names[0] === '.')) names.shift()
  // On Windows, `\x` and `C:x` are relative to the current drive or folder: resolve returns the whole path.
  const folder = path.resolve(isAtHome ? home : workspace, start)
  const { root } = path.parse(folder)
  const above = folder.slice(root.length).replaceAll(path.sep, '/')
  return {
    text,
    line,
    isExclusion: marks.length % 2 === 1,
    root: root.toUpperCase(),
    parts: readParts(['', escape(above), ...names].join('/'), path.sep === '\\'),
    isForFolders: slashed.endsWith('/'),
  }
}

/** Only `*`, `?` and `[` are special. Dots are ordinary characters, and `..` is not resolved. */
const rules: MinimatchOptions = {
  platform: 'linux',
  dot: true,
  nobrace: true,
  noext: true,
  optimizationLevel: 0,
}

function readParts(pattern: string, nocase: boolean): readonly Part[] {
  const parts = new Minimatch(pattern, { ...rules, nocase }).set.flat().filter(part => part !== '')
  if (parts.includes('.') || parts.includes('..')) {
    throw new Error('. and .. are not allowed within a pattern; name the folder itself')
  }
  // A trailing `**` is redundant: a folder includes everything below it.
  if (parts.at(-1) === GLOBSTAR) parts.pop()
  return parts
}

/** Returns the positions at a part. `**` may match no name, so the next part counts too. */
function positionsAt(parts: readonly Part[], index: number): readonly number[] {
  if (parts[index] === GLOBSTAR) return [index, index + 1]
  return [index]
}

/** Whether the pattern matches the path or a folder above it. */
export function isMatch({ pattern, positions }: Track): boolean {
  return positions.includes(pattern.parts.length)
}

/** The only name that the pattern can match next, or null if there may be several. */
export function nextName({ pattern, positions }: Track): string | null {
  const [part] = positions.map(index => pattern.parts[index])
  if (typeof part !== 'string' || positions.length > 1) return null
  return part
}

/**
 * Follows all tracks one step. Returns those that match, or that may match something below a
 * folder. An exclusion that matches removes the tracks of the lines above it.
 */
export function followAll(tracks: readonly Track[], step: PathStep): readonly Track[] {
  const followed = tracks.map(track => ({ ...track, positions: follow(track, step) }))
  const last = followed.findLastIndex(track => track.pattern.isExclusion && isMatch(track))
  const mayMatch = (track: Track): boolean => step.isFolder && track.positions.length > 0
  return followed.slice(last + 1).filter(track => isMatch(track) || mayMatch(track))
}

function follow({ pattern, positions }: Track, step: PathStep): readonly number[] {
  const { parts, isExclusion, isForFolders } = pattern
  const isVisible = !step.isHidden || isExclusion
  const reached: number[] = []
  for (const index of positions) {
    const part = parts[index]
    if (part === undefined || part === GLOBSTAR) {
      if (isVisible) reached.push(...positionsAt(parts, index))
      continue
    }
    if (!matchesName(part, step.name, isVisible)) continue
    const isTooEarly = isForFolders && !step.isFolder && index + 1 === parts.length
    if (!isTooEarly) reached.push(...positionsAt(parts, index + 1))
  }
  return [...new Set(reached)]
}

/** Whether a part that is not `**` matches a name. One with wildcards matches a hidden name only if it begins with the dot. */
function matchesName(
  part: Exclude<Part, typeof GLOBSTAR>,
  name: string,
  isVisible: boolean,
): boolean {
  if (typeof part === 'string') return part === name
  if (!isVisible && !/^\\?\./.test(part.pattern)) return false
  return part.test(name)
}
