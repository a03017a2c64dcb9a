import { GLOBSTAR, Minimatch, type MinimatchOptions, type ParseReturn } from 'minimatch'
import type { PlatformPath } from 'node:path'

/** Where patterns are read: the folder that relative ones start from, the home of `~`, the path rules of the system. */
export interface PatternPlace {
  readonly workspace: string
  readonly home: string
  readonly path: PlatformPath
}

/** How far a path has come through a pattern: the positions it may stand at. Empty: nothing below can match. */
export type Position = readonly number[]

interface Segment {
  readonly matches: ((name: string) => boolean) | 'any-depth'
  /** Whether the pattern itself names a hidden part here. */
  readonly isHidden: boolean
  /** The name, where the segment has no wildcard. */
  readonly literal: string | null
}

/**
 * One glob pattern with the semantics of `@actions/glob`, but hidden files and folders match only where the pattern
 * names the hidden part (exclusions match them too). A folder that matches stands for all below it.
 */
export class Pattern {
  /** The line as it was given. */
  readonly text: string
  readonly isExclusion: boolean
  readonly root: string
  readonly #segments: readonly Segment[]
  readonly #endsWithSeparator: boolean

  /** Throws an `Error` that says what is wrong with the pattern. */
  constructor(text: string, place: PatternPlace) {
    const [, marks = '', body = ''] = /^((?:!\s*)*)(.*)$/s.exec(text.trim()) ?? []
    this.text = text.trim()
    this.isExclusion = marks.replace(/\s/g, '').length % 2 === 1
    if (body === '') throw new Error('there is nothing after the !')
    const absolute = resolve(body, place)
    this.root = absolute.root
    this.#segments = absolute.parts.map(part => compile(part, place.path.sep === '\\'))
    this.#endsWithSeparator = absolute.endsWithSeparator
  }

  /** The folders and file that every match lies at or below, before the first wildcard. */
  get base(): readonly string[] {
    const end = this.#segments.findIndex(segment => segment.literal === null)
    const literals = end === -1 ? this.#segments : this.#segments.slice(0, end)
    return literals.map(segment => segment.literal ?? '')
  }

  /** The position of the root folder. */
  get start(): Position {
    return this.#close([0])
  }

  /**
   * Moves one path part further. `isExposed`: the part does not count as hidden, as it belongs to the path of the
   * workspace.
   */
  step(position: Position, name: string, isExposed: boolean): Position {
    const isHidden = name.startsWith('.') && !isExposed && !this.isExclusion
    const next: number[] = []
    for (const at of position) {
      const segment = this.#segments[at]
      if (segment === undefined) {
        if (!isHidden) next.push(this.#segments.length + 1)
      } else if (segment.matches === 'any-depth') {
        if (!isHidden) next.push(at)
      } else if ((!isHidden || segment.isHidden) && segment.matches(name)) {
        next.push(at + 1)
      }
    }
    return this.#close(next)
  }

  /** Whether a file at this position matches. */
  matchesFile(position: Position): boolean {
    const end = this.#segments.length
    return position.some(at => at > end || (at === end && !this.#endsWithSeparator))
  }

  #close(position: readonly number[]): Position {
    const all = new Set(position)
    for (const at of all) {
      if (this.#segments[at]?.matches === 'any-depth') all.add(at + 1)
    }
    return [...all]
  }
}

interface AbsolutePattern {
  readonly root: string
  readonly parts: readonly string[]
  readonly endsWithSeparator: boolean
}

function resolve(body: string, { workspace, home, path }: PatternPlace): AbsolutePattern {
  const isWindows = path.sep === '\\'
  const text = isWindows ? body.replaceAll('\\', '/') : body
  const { root } = path.parse(isWindows ? body.replaceAll('/', '\\') : body)
  const given = text
    .slice(root.length)
    .split('/')
    .filter(part => part !== '')
  const [first] = root === '' ? given : []
  const literals = given.map(part => literalOf(part, isWindows))
  const isDotted = literals.some(
    (literal, index) => literal === '..' || (literal === '.' && (index > 0 || first !== '.')),
  )
  if (isDotted) throw new Error('. and .. are not allowed within a pattern; name the folder itself')
  if (/[*?[]/.test(root)) throw new Error('the root of a pattern must not have wildcards')
  const endsWithSeparator = text.endsWith('/') && given.length > 0
  const below = (folder: string, rest: readonly string[]): AbsolutePattern => {
    const top = path.parse(folder).root
    const parts = folder
      .slice(top.length)
      .split(path.sep)
      .filter(part => part !== '')
    const escaped = parts.map(part => escapeGlob(part, isWindows))
    return { root: normalRoot(top, path), parts: [...escaped, ...rest], endsWithSeparator }
  }
  if (first === '.') return below(workspace, given.slice(1))
  if (first === '~') return below(home, given.slice(1))
  // On Windows `\x` and `C:x` stand on the current drive or folder: resolve gives the whole path.
  const isFullRoot = path.isAbsolute(root) && (!isWindows || root.length > 1)
  return isFullRoot
    ? { root: normalRoot(root, path), parts: given, endsWithSeparator }
    : below(root === '' ? workspace : path.resolve(workspace, root), given)
}

/** One form of a root: Windows does not tell `c:` from `C:`. */
export function normalRoot(root: string, path: PlatformPath): string {
  return path.sep === '\\' ? root.replaceAll('/', '\\').toUpperCase() : root
}

function compile(part: string, isWindows: boolean): Segment {
  const literal = literalOf(part, isWindows)
  const shape = { literal, isHidden: (literal ?? part.replace(/^\\/, '')).startsWith('.') }
  if (literal !== null && !isWindows) return { ...shape, matches: name => name === literal }
  const matcher = parsePart(part, isWindows)
  if (matcher === GLOBSTAR) return { ...shape, matches: 'any-depth' }
  if (matcher instanceof RegExp) return { ...shape, matches: name => matcher.test(name) }
  return { ...shape, matches: name => name === matcher }
}

/** The name that a segment stands for, or null if it has a wildcard. */
function literalOf(part: string, isWindows: boolean): string | null {
  if (!/[*?[\\]/.test(part)) return part
  const matcher = parsePart(part, isWindows, { nocase: false })
  return typeof matcher === 'string' ? matcher : null
}

function parsePart(
  part: string,
  isWindows: boolean,
  options: MinimatchOptions = { nocase: isWindows },
): ParseReturn | undefined {
  const { set } = new Minimatch(part, {
    dot: true,
    nobrace: true,
    nocomment: true,
    noext: true,
    nonegate: true,
    platform: isWindows ? 'win32' : 'linux',
    ...options,
  })
  return set[0]?.[0]
}

function escapeGlob(name: string, isWindows: boolean): string {
  return (isWindows ? name : name.replaceAll('\\', '\\\\')).replace(/[[?*]/g, '[$&]')
}
