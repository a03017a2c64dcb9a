import { GLOBSTAR, Minimatch, type MinimatchOptions, type ParseReturn } from 'minimatch'
import { resolvePattern, type PatternPlace } from './pattern-text.ts'

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
  /** The path from the root to here, which nobody changes. */
  readonly parts: string[]
  /** Whether its last part begins with a dot, and is no part of the path of the workspace. */
  readonly isHidden: boolean
}

/** No path that a system opens is longer; both bound what it costs to read a pattern. */
const maxLength = 4096
const maxClasses = 100

/**
 * One glob pattern with the semantics of `@actions/glob`, but hidden files and folders match only where the pattern
 * names the hidden part (exclusions match them too). A folder that matches stands for all below it.
 */
export class Pattern {
  /** The line as it was given. */
  readonly text: string
  readonly isExclusion: boolean
  readonly root: string
  /** The folders and file that every match lies at or below, before the first wildcard. */
  readonly base: readonly string[]
  readonly #rules: Rules
  readonly #parts: ParseReturn[]
  readonly #texts: readonly string[]
  /** As `#parts`, but one matches a hidden name only if it names it; made when first needed. */
  #naming: readonly ParseReturn[] | null = null
  readonly #endsWithSeparator: boolean

  /** Throws an `Error` that says what is wrong with the pattern. */
  constructor(text: string, place: PatternPlace) {
    const [, marks = '', body = ''] = /^((?:!\s*)*)(.*)$/s.exec(text.trim()) ?? []
    this.text = text.trim()
    this.isExclusion = marks.replace(/\s/g, '').length % 2 === 1
    if (body === '') throw new Error('there is nothing after the !')
    if (body.length > maxLength) throw new Error(`it has more than ${maxLength} characters`)
    const { root, parts, endsWithSeparator } = resolvePattern(body, place)
    if (parts.some(part => part.split('[').length > maxClasses + 1)) {
      throw new Error(`a part of it has more than ${maxClasses} times [`)
    }
    this.root = root
    this.#rules = place.path.sep === '\\' ? windows : posix
    this.#texts = parts
    this.#parts = parts.map(part => parsePart(part, this.#rules.whole))
    this.#endsWithSeparator = endsWithSeparator
    const { exact } = this.#rules
    const literals = exact === null ? this.#parts : parts.map(part => parsePart(part, exact))
    const end = literals.findIndex(part => typeof part !== 'string')
    this.base = literals.slice(0, end === -1 ? undefined : end).map(String)
    if (literals.some(part => part === '.' || part === '..')) {
      throw new Error('. and .. are not allowed within a pattern; name the folder itself')
    }
  }

  /** Whether the pattern has no wildcard. */
  get isLiteral(): boolean {
    return this.base.length === this.#parts.length
  }

  /** The track at the root folder. */
  get start(): Track {
    return { pattern: this, start: 0, rests: [0], isWhole: this.#parts.length === 0 }
  }

  /** Follows a track into a folder; null if nothing at or below it can match. */
  follow(track: Track, step: Step): Track | null {
    if (step.isHidden && !this.isExclusion) {
      const rests = this.#restsAfterHidden(track, step.parts)
      if (rests.length === 0) return null
      const isWhole = rests.includes(this.#parts.length)
      return { pattern: this, start: step.parts.length, rests, isWhole }
    }
    if (track.isWhole) return track
    if (this.#match(track, step.parts, 'whole')) return { ...track, isWhole: true }
    return this.#match(track, step.parts, 'partial') ? track : null
  }

  /** Whether a file matches whose folder has this track. */
  matchesFile(track: Track, { parts, isHidden }: Step): boolean {
    if (isHidden && !this.isExclusion) {
      const isNamed = this.#restsAfterHidden(track, parts).includes(this.#parts.length)
      return isNamed && !this.#endsWithSeparator
    }
    return track.isWhole || (!this.#endsWithSeparator && this.#match(track, parts, 'whole'))
  }

  #match({ start, rests }: Track, parts: string[], extent: 'whole' | 'partial'): boolean {
    // Most patterns of a long list end here, at a name: all parts before it have matched.
    const literal = start === 0 && parts.length <= this.base.length && this.#parts[parts.length - 1]
    if (typeof literal === 'string' && literal !== parts.at(-1)) return false
    const path = start === 0 ? parts : parts.slice(start)
    return rests.some(at => {
      const rest = at === 0 ? this.#parts : this.#parts.slice(at)
      return this.#rules.whole.matchOne(path, rest, extent === 'partial')
    })
  }

  /** Where the pattern goes on after a hidden part: behind each of its parts that names it, if all up to it matches. */
  #restsAfterHidden({ start, rests }: Track, parts: string[]): readonly number[] {
    const path = parts.slice(start)
    const hidden = parts.slice(-1)
    const { naming, whole } = this.#rules
    const isReached = (end: number): boolean =>
      rests.some(at => at < end && whole.matchOne(path, this.#parts.slice(at, end), false))
    this.#naming ??= this.#texts.map(part => parsePart(part, naming))
    return this.#naming.flatMap((part, index) => {
      const isNamed = part !== GLOBSTAR && naming.matchOne(hidden, [part], false)
      return isNamed && isReached(index + 1) ? [index + 1] : []
    })
  }
}

/** What patterns may still match at or below a folder. */
export function followAll(tracks: readonly Track[], step: Step): readonly Track[] {
  const below: Track[] = []
  for (const track of tracks) {
    const next = track.pattern.follow(track, step)
    // All below is excluded, whatever the lines before say.
    if (next?.isWhole === true && next.pattern.isExclusion) below.length = 0
    else if (next !== null) below.push(next)
  }
  return below
}

/** The patterns that include a file of a folder with these tracks: later lines win. */
export function matchFile(tracks: readonly Track[], step: Step): readonly Pattern[] {
  const matching: Pattern[] = []
  for (const track of tracks) {
    if (!track.pattern.matchesFile(track, step)) continue
    if (track.pattern.isExclusion) matching.length = 0
    else matching.push(track.pattern)
  }
  return matching
}

/** The ways of one system to match parts; minimatch keeps no state of a pattern in them. */
interface Rules {
  /** For paths without a hidden part, so that dots do not count. */
  readonly whole: Minimatch
  /** A wildcard does not match a hidden name. */
  readonly naming: Minimatch
  /** Upper and lower case differ; null where they always do. */
  readonly exact: Minimatch | null
}

const posix = createRules(false)
const windows = createRules(true)

function createRules(isWindows: boolean): Rules {
  const platform = isWindows ? 'win32' : 'linux'
  const create = (options: MinimatchOptions): Minimatch =>
    // Its limit of `**` in a row would make a match a miss; with `dot` it needs none, as it never tries twice.
    new Minimatch('', { platform, noext: true, maxGlobstarRecursion: Infinity, ...options })
  return {
    whole: create({ dot: true, nocase: isWindows }),
    naming: create({ dot: false, nocase: isWindows }),
    exact: isWindows ? create({ dot: true }) : null,
  }
}

/** One part of a pattern: a name, a matcher of names, or `GLOBSTAR`. */
function parsePart(part: string, rules: Minimatch): ParseReturn {
  if (!rules.nocase && !/[*?[\\]/.test(part)) return part
  const parsed = rules.parse(part)
  if (typeof parsed === 'object') boundStars(parsed)
  return parsed
}

/** How minimatch writes a star. */
const star = '[^/]*?'

/**
 * Makes a matcher with several stars take what stands between them where it comes first, as no later place can do
 * better: so its time grows with the name, where one regular expression tries every place for every star.
 */
function boundStars(matcher: RegExp): void {
  const texts = matcher.source.split(star)
  if (texts.length < 3) return
  const pieces = texts.map(text => new RegExp(text, `${matcher.flags}g`))
  const test = (name: string): boolean => {
    let end = 0
    return pieces.every(piece => {
      piece.lastIndex = end
      const isThere = piece.test(name)
      end = piece.lastIndex
      return isThere
    })
  }
  // As minimatch does; where it gave a test of its own already, that one stays.
  Reflect.defineProperty(matcher, 'test', { value: test })
}
