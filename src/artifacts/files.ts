import { quote } from '../text/escape.ts'
import { compareCodeUnits } from '../text/words.ts'
import { normalPlace, type PatternPlace } from './pattern-text.ts'
import { readPatterns, type Pattern, type Track } from './pattern.ts'
import { Walk, type Match } from './walk.ts'

/** A regular file that patterns matched. */
export interface FoundFile {
  /** Relative to the workspace, absolute when it lies outside, with `/` on every system. */
  readonly name: string
  readonly absolutePath: string
}

/** What a list of patterns matched. */
export interface FoundFiles {
  /** Sorted by name. */
  readonly files: readonly FoundFile[]
  /** Sorted names that are not valid UTF-8, with those bytes as `\xHH`, of what the patterns match or may match below. */
  readonly unreadable: readonly string[]
  /** Those that are no exclusions, with what they matched after exclusions; `count` has names that cannot be read, too. */
  readonly patterns: readonly {
    readonly text: string
    readonly count: number
    readonly files: readonly FoundFile[]
  }[]
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/** How to find files. */
export interface FindOptions {
  readonly place: PatternPlace
  /** Ends the walk at once. */
  readonly halt: AbortSignal
  /** Real paths of files that are never taken (records files). */
  readonly skip?: readonly string[]
  /** Base names of files that are never taken; a warning says so where a pattern ends with the name. */
  readonly leaveOut?: readonly string[]
}

const maxSkippedShown = 20

/**
 * Finds the regular files that the lines of `text` match, in the order of `@actions/glob`: later lines win. Links are
 * followed; FIFOs, sockets, devices and broken links are skipped with a warning, so that nothing can hang. Rejects with a
 * `Stop` at the halt.
 */
export async function findFiles(
  text: string,
  { place: given, halt, skip = [], leaveOut = [] }: FindOptions,
): Promise<FoundFiles> {
  const place = normalPlace(given)
  const { patterns, errors } = readPatterns(text, place)
  if (errors.length > 0) return { files: [], unreadable: [], patterns: [], errors, warnings: [] }
  const files: FoundFile[] = []
  const unreadable: string[] = []
  const skipped: string[] = []
  const counts = new Map<Pattern, Matched>()
  for (const one of patterns) {
    if (!one.isExclusion) counts.set(one, { text: one.text, count: 0, files: [] })
  }

  const count = (tracks: readonly Track[], file: FoundFile | null): void => {
    for (const { pattern } of tracks) {
      const matched = counts.get(pattern)
      if (matched === undefined) continue
      matched.count += 1
      if (file !== null) matched.files.push(file)
    }
  }
  const onMatch = ({ entry, name, absolutePath, realPath, tracks }: Match): void => {
    const { kind } = entry
    if (entry.shown !== null) {
      unreadable.push(name)
      count(tracks, null)
    } else if (skip.includes(realPath)) {
      return
    } else if (leaveOut.includes(entry.name)) {
      // Any other pattern matches it by chance.
      const isNamed = tracks.some(({ pattern }) => pattern.text.endsWith(entry.name))
      if (isNamed) skipped.push(leftOut(name))
    } else if (kind === 'file') {
      const file = { name, absolutePath }
      files.push(file)
      count(tracks, file)
    } else skipped.push(`"${quote(name)}" is skipped: it is a ${kind}, not a regular file`)
  }
  const walked = await new Walk({ place, halt, onMatch }).run(patterns)
  const more = skipped.length - maxSkippedShown
  return {
    files: files.sort((a, b) => compareCodeUnits(a.name, b.name)),
    unreadable: unreadable.sort(compareCodeUnits),
    patterns: [...counts.values()],
    errors: walked,
    warnings: [
      ...skipped.slice(0, maxSkippedShown),
      ...(more > 0 ? [`${more} more are skipped or left out`] : []),
    ],
  }
}

/** A pattern with what it matched. */
interface Matched {
  readonly text: string
  count: number
  readonly files: FoundFile[]
}

function leftOut(name: string): string {
  return `"${quote(name)}" is left out: this action attaches files of this name to releases, so they are never artifacts`
}
