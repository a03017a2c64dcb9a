import type { PlatformPath } from 'node:path'
import { escape, Minimatch, type MinimatchOptions } from 'minimatch'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'

/** Where patterns are read: the folder of relative ones, the home of `~`, and the path rules of the system. */
export interface PatternPlace {
  readonly workspace: string
  readonly home: string
  readonly path: PlatformPath
}

/** What stands between two slashes of a pattern, but for `**`; or the root. */
interface Part {
  readonly matches: (name: string) => boolean
  /** What it stands for if it has no wildcard; else null. */
  readonly name: string | null
  /** Whether it begins with a dot: otherwise it matches no hidden name. */
  readonly namesHidden: boolean
  /** Whether `**` stands before it. */
  readonly isAtAnyDepth: boolean
}

/**
 * A glob pattern, read as `@actions/glob` does, but hidden files and folders match only where it names the hidden part
 * (exclusions match them too). A folder that matches stands for everything below it.
 */
export interface Pattern {
  /** The line as it was given, without surrounding white space. */
  readonly text: string
  readonly isExclusion: boolean
  readonly parts: readonly Part[]
  /** Whether it ends with a separator: then it matches folders only, with what is below. */
  readonly isForFolders: boolean
}

/** How far a pattern has come on the path to a file or folder. */
export interface Track {
  readonly pattern: Pattern
  /** The indexes of the parts that may match the next name. */
  readonly positions: readonly number[]
  /** Whether the path, or a folder above it, matches. */
  readonly isMatch: boolean
}

/** One step down a path; `isHidden` if its name begins with a dot and is no part of the path of the workspace. */
export interface Step {
  readonly name: string
  readonly isHidden: boolean
  readonly isFolder: boolean
}

/** Reads patterns, one per line, without blank lines and `#` comments. Each error names its pattern. */
export function readPatterns(
  text: string,
  place: PatternPlace,
): { readonly tracks: readonly Track[]; readonly errors: readonly string[] } {
  const tracks: Track[] = []
  const errors: string[] = []
  for (const given of text.split(/[\r\n]/)) {
    const line = given.trim()
    if (line === '' || line.startsWith('#')) continue
    try {
      tracks.push({ pattern: readPattern(line, place), positions: [0], isMatch: false })
    } catch (error) {
      errors.push(`pattern "${quote(line)}" cannot be used: ${describeError(error)}`)
    }
  }
  return { tracks, errors }
}

function readPattern(text: string, { workspace, home, path }: PatternPlace): Pattern {
  const [, marks = '', body = ''] = /^((?:!\s*)*)(.*)$/s.exec(text) ?? []
  if (body === '') throw new Error('there is nothing after the !')
  const isWindows = path.sep === '\\'
  const slashed = isWindows ? body.replaceAll('\\', '/') : body
  const given = path.parse(isWindows ? body.replaceAll('/', '\\') : body).root
  if (/[*?[]/.test(given)) throw new Error('the root of a pattern must not have wildcards')
  const names = slashed.slice(given.length).split('/')
  const start = given === '' ? names[0] : undefined
  if (start === '~' || start === '.') names.shift()
  // On Windows `\x` and `C:x` start from the current drive or folder: resolve gives the whole path.
  const folder = path.resolve(start === '~' ? home : workspace, given)
  const root = path.parse(folder).root.toUpperCase()
  const above = folder.slice(root.length).split(path.sep)
  const parts = readParts([...above.map(name => escape(name)), ...names], isWindows)
  const isRoot = (name: string): boolean => name === root
  const rootPart = { matches: isRoot, name: root, namesHidden: false, isAtAnyDepth: false }
  return {
    text,
    isExclusion: marks.replace(/\s/g, '').length % 2 === 1,
    parts: [rootPart, ...parts],
    isForFolders: slashed.endsWith('/'),
  }
}

/** `**` at the end says nothing, as a folder stands for everything below it. */
function readParts(texts: readonly string[], isWindows: boolean): readonly Part[] {
  const parts: Part[] = []
  let isAtAnyDepth = false
  for (const text of texts) {
    if (text === '**') isAtAnyDepth = true
    if (text === '**' || text === '') continue
    const [literal] = new Minimatch(text, rules).set[0] ?? []
    const name = typeof literal === 'string' ? literal : null
    if (name === '.' || name === '..') {
      throw new Error('. and .. are not allowed within a pattern; name the folder itself')
    }
    const matcher = new Minimatch(text, { ...rules, nocase: isWindows })
    const matches = (one: string): boolean => matcher.match(one)
    parts.push({ matches, name, namesHidden: /^(?:\\?\.|\[\\?\.\])/.test(text), isAtAnyDepth })
    isAtAnyDepth = false
  }
  return parts
}

/** Of one part: only `*`, `?` and `[` are wildcards, and a dot is a character as any other. */
const rules: MinimatchOptions = {
  platform: 'linux',
  dot: true,
  nobrace: true,
  nocomment: true,
  noext: true,
  nonegate: true,
}

/**
 * Takes one step with all patterns: gives those that match the file, or that match the folder or may match something
 * below it. What an exclusion matches is left to the patterns after it.
 */
export function followAll(tracks: readonly Track[], step: Step): readonly Track[] {
  const followed: Track[] = []
  for (const track of tracks) {
    const next = follow(track, step)
    if (next === null) continue
    if (next.isMatch && next.pattern.isExclusion) followed.length = 0
    else followed.push(next)
  }
  return followed
}

function follow(track: Track, { name, isHidden, isFolder }: Step): Track | null {
  const { pattern } = track
  const isVisible = !isHidden || pattern.isExclusion
  const reached = new Set<number>()
  for (const at of track.positions) {
    const part = pattern.parts[at]
    if (part === undefined) continue
    if (part.isAtAnyDepth && isVisible) reached.add(at)
    if ((part.namesHidden || isVisible) && part.matches(name)) reached.add(at + 1)
  }
  const isEnd = reached.has(pattern.parts.length) && (isFolder || !pattern.isForFolders)
  const isMatch = isEnd || (track.isMatch && isVisible)
  const mayGoOn = isFolder && reached.size > 0
  return isMatch || mayGoOn ? { pattern, positions: [...reached], isMatch } : null
}

/** The names that may match next, if each pattern that includes can match only one; else null. */
export function nextNames(tracks: readonly Track[]): readonly string[] | null {
  const names = new Set<string>()
  for (const { pattern, positions, isMatch } of tracks) {
    if (pattern.isExclusion) continue
    const [at = 0, ...others] = positions
    const part = pattern.parts[at]
    const name = part?.isAtAnyDepth === false ? part.name : null
    if (isMatch || others.length > 0 || name === null) return null
    names.add(name)
  }
  return [...names]
}
