import { Minimatch, type ParseReturn } from 'minimatch'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { fold, resolvePattern, type PatternPlace } from './pattern-text.ts'

/**
 * How far a pattern has come on the way to a folder. A wildcard never goes over a hidden part of the path, so such a part
 * cuts path and pattern in two: what follows it is matched as a path of its own.
 */
export interface Track {
  readonly pattern: Pattern
  /** Where the path goes on after its last hidden part, as an index of its parts. */
  readonly start: number
  /** Where the pattern may go on there, as indexes of its parts. */
  readonly rests: readonly number[]
  /** Whether the folder matches, and with it all below that is not hidden. */
  readonly isWhole: boolean
}

/** A step down a path. */
export interface Step {
  /** The path from the root to here, {@link fold}ed, which nobody changes. */
  readonly parts: string[]
  /** Whether its last part begins with a dot, and is no part of the path of the workspace. */
  readonly isHidden: boolean
  readonly isFolder: boolean
}

/** No path that a system opens is longer; both bound what it costs to read a pattern. */
const maxLength = 4096
const maxClasses = 100

/**
 * One glob pattern with the semantics of `@actions/glob`, but hidden files and folders match only where the pattern
 * names the hidden part (exclusions match them too). A folder that matches stands for all below it.
 */
export class Pattern {
  /** The line as it was given, without white space around it. */
  readonly text: string
  readonly isExclusion: boolean
  /** The root, the folders and the file that every match lies at or below, before the first wildcard. */
  readonly base: readonly string[]
  readonly #parts: ParseReturn[]
  /** The indexes of the parts that may match a hidden name: those that begin with a dot. */
  readonly #naming: readonly number[]
  readonly #endsWithSeparator: boolean

  /** Of one trimmed line. Throws an `Error` that says what is wrong with the pattern. */
  constructor(text: string, place: PatternPlace) {
    const [, marks = '', body = ''] = /^((?:!\s*)*)(.*)$/s.exec(text) ?? []
    this.text = text
    this.isExclusion = marks.replace(/\s/g, '').length % 2 === 1
    if (body === '') throw new Error('there is nothing after the !')
    if (body.length > maxLength) throw new Error(`it has more than ${maxLength} characters`)
    const parts = resolvePattern(body, place)
    if (parts.some(part => part.split('[').length > maxClasses + 1)) {
      throw new Error(`a part of it has more than ${maxClasses} times [`)
    }
    this.#parts = parts.map(part => parsePart(fold(part, place.path)))
    this.#naming = [...parts.keys()].filter(at => /^(?:\\?\.|\[\\?\.\])/.test(parts[at] ?? ''))
    this.#endsWithSeparator = body.endsWith('/') || body.endsWith(place.path.sep)
    const end = this.#parts.findIndex(part => typeof part !== 'string')
    this.base = parts.slice(0, end === -1 ? undefined : end).map(part => String(parsePart(part)))
    if (this.#parts.some(part => part === '.' || part === '..')) {
      throw new Error('. and .. are not allowed within a pattern; name the folder itself')
    }
  }

  /** The track above the root. */
  get start(): Track {
    return { pattern: this, start: 0, rests: [0], isWhole: false }
  }

  /** Follows a track into a folder or to a file; null if the file, or nothing at or below the folder, can match. */
  follow(track: Track, { parts, isHidden, isFolder }: Step): Track | null {
    const here = isHidden && !this.isExclusion ? this.#passHidden(track, parts) : track
    if (here.isWhole) return here
    const mayEndHere = isFolder || !this.#endsWithSeparator
    if (mayEndHere && this.#match(here, parts, 'whole')) return { ...here, isWhole: true }
    return isFolder && this.#match(here, parts, 'partial') ? here : null
  }

  #match({ start, rests }: Track, parts: string[], extent: 'whole' | 'partial'): boolean {
    // Most patterns of a long list end here, at a name: all parts before it have matched.
    const literal = start === 0 && parts.length <= this.base.length && this.#parts[parts.length - 1]
    if (typeof literal === 'string' && literal !== parts.at(-1)) return false
    const path = parts.slice(start)
    return rests.some(at => rules.matchOne(path, this.#parts.slice(at), extent === 'partial'))
  }

  /** Goes on behind each part of the pattern that names the hidden part of the path, if all up to it matches. */
  #passHidden({ start, rests }: Track, parts: string[]): Track {
    const path = parts.slice(start)
    const isReached = (end: number): boolean =>
      rests.some(at => rules.matchOne(path, this.#parts.slice(at, end)))
    const behind = this.#naming.map(at => at + 1).filter(isReached)
    return { pattern: this, start: parts.length, rests: behind, isWhole: false }
  }
}

/** The patterns of a list, one a line; blank lines and `#` comments are none. Each error names its line. */
export function readPatterns(
  text: string,
  place: PatternPlace,
): { readonly patterns: readonly Pattern[]; readonly errors: readonly string[] } {
  const patterns: Pattern[] = []
  const errors: string[] = []
  for (const line of text.split(/[\r\n]/).map(given => given.trim())) {
    if (line === '' || line.startsWith('#')) continue
    try {
      patterns.push(new Pattern(line, place))
    } catch (error) {
      errors.push(`pattern "${quote(line)}" cannot be used: ${describeError(error)}`)
    }
  }
  return { patterns, errors }
}

/** What patterns may still match at or below a folder, or what matches a file: later lines win. */
export function followAll(tracks: readonly Track[], step: Step): readonly Track[] {
  if (!step.isHidden && tracks.every(({ isWhole }) => isWhole)) return tracks
  const below: Track[] = []
  for (const track of tracks) {
    const next = track.pattern.follow(track, step)
    // All of it is excluded, whatever the lines before say.
    if (next?.isWhole === true && next.pattern.isExclusion) below.length = 0
    else if (next !== null) below.push(next)
  }
  return below
}

/**
 * Matches paths without a hidden part, so that dots do not count: without `dot` it misses a hidden part after a second
 * `**`, and with `partial` leads into hidden folders for nothing. Its limit of `**` in a row would make a match a miss; with
 * `dot` it needs none, as it never tries twice.
 */
const rules = new Minimatch('', {
  ...{ platform: 'linux', dot: true, noext: true, maxGlobstarRecursion: Infinity },
})

/** One part of a pattern: a name, a matcher of names, or `GLOBSTAR`. */
function parsePart(part: string): ParseReturn {
  if (!/[*?[\\]/.test(part)) return part
  const parsed = rules.parse(part)
  return typeof parsed === 'object' ? boundStars(parsed) : parsed
}

/** How minimatch writes a star. */
const star = '[^/]*?'

/**
 * Makes a matcher with several stars take what stands between them where it comes first, as no later place can do
 * better: so its time grows with the name, where one regular expression tries every place for every star.
 */
function boundStars(matcher: RegExp): RegExp {
  const [first = '', ...texts] = matcher.source.split(star)
  const last = texts.pop()
  if (last === undefined || texts.length === 0) return matcher
  // What a look-ahead found stays as it is, whatever comes later.
  const found = texts.map((text, at) => `(?=(?<found${at}>${star}${text}))\\k<found${at}>`)
  return new RegExp(`${first}${found.join('')}${star}${last}`, matcher.flags)
}
