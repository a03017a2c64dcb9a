import { setImmediate } from 'node:timers/promises'
import { Stop } from '../stop.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { compareCodeUnits } from '../text/words.ts'
import { listFolder, look, type Entry, type Kind } from './folder.ts'
import { fold, type PatternPlace } from './pattern-text.ts'
import { followAll, Pattern, type Track } from './pattern.ts'

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
  /** Base names of files that are never taken; a warning says so where a pattern without wildcards names one. */
  readonly leaveOut?: readonly string[]
  /** More files and folders than this to walk are an error: ladders of links have no end. */
  readonly maxEntries?: number
}

const maxEntriesWalked = 1_000_000
const entriesBetweenPauses = 512
const maxSkippedShown = 20

/**
 * Finds the regular files that the lines of `text` match, in the order of `@actions/glob`: later lines win. Links are
 * followed; FIFOs, sockets, devices and broken links are skipped with a warning, so that nothing can hang. Rejects with a
 * {@link Stop} at the halt.
 */
export async function findFiles(text: string, options: FindOptions): Promise<FoundFiles> {
  const errors: string[] = []
  const patterns = text.split(/\r\n|\r|\n/).flatMap(given => {
    const line = given.trim()
    if (line === '' || line.startsWith('#')) return []
    try {
      return [new Pattern(line, options.place)]
    } catch (error) {
      errors.push(`pattern "${quote(line)}" cannot be used: ${describeError(error)}`)
      return []
    }
  })
  if (errors.length > 0) return { files: [], unreadable: [], patterns: [], errors, warnings: [] }
  return new Walk(patterns, options).run()
}

/** A folder, with what patterns may still match at or below it. */
interface Folder {
  /** Absolute, with a separator at the end. */
  readonly path: string
  /** The same without links, which is faster to open. */
  readonly realPath: string
  /** The folder that led here. */
  readonly from: Folder | null
  /** What the names of its files begin with. */
  readonly prefix: string
  /** The path below the root, folded. */
  readonly parts: readonly string[]
  readonly tracks: readonly Track[]
  /** What to look at in it, where patterns name all of it, as it need not be readable then; else null. */
  readonly named: readonly string[] | null
}

class Walk {
  readonly #options: FindOptions
  readonly #patterns: readonly Pattern[]
  readonly #matched: ReadonlyMap<Pattern, { count: number; readonly files: FoundFile[] }>
  /** The path of the workspace, with a separator at the end. */
  readonly #workspace: string
  /** By real path, as links may lead to a folder again and again. */
  readonly #lists = new Map<string, readonly Entry[]>()
  readonly #files: FoundFile[] = []
  readonly #unreadable: string[] = []
  readonly #skipped: string[] = []
  readonly #warnings: string[] = []
  readonly #errors: string[] = []

  constructor(patterns: readonly Pattern[], options: FindOptions) {
    const included = patterns.filter(({ isExclusion }) => !isExclusion)
    this.#options = options
    this.#patterns = patterns
    this.#matched = new Map(included.map(pattern => [pattern, { count: 0, files: [] }]))
    this.#workspace = this.#asFolder(options.place.path.resolve(options.place.workspace))
  }

  async run(): Promise<FoundFiles> {
    const { halt, maxEntries = maxEntriesWalked } = this.#options
    const roots = new Set(Array.from(this.#matched.keys(), ({ root }) => root))
    const open = Array.from(roots, root => this.#openRoot(root))
    let count = 0
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const below: Folder[] = []
      for (const entry of this.#entriesOf(folder)) {
        if (count % entriesBetweenPauses === 0) await setImmediate()
        // The report says that it was cancelled.
        if (halt.aborted) throw new Stop()
        count += 1
        if (count > maxEntries) return { ...this.#result(), errors: [tooMany(maxEntries)] }
        const next = this.#meet(folder, entry)
        if (next !== null) below.push(next)
      }
      // In the order of the list, so that little is left to sort.
      for (const next of below.reverse()) open.push(next)
    }
    return this.#result()
  }

  #result(): FoundFiles {
    const more = this.#skipped.length - maxSkippedShown
    const rest = more > 0 ? [`${more} more are skipped, as they are not regular files`] : []
    return {
      files: this.#files.sort((a, b) => compareCodeUnits(a.name, b.name)),
      unreadable: this.#unreadable.sort(compareCodeUnits),
      patterns: Array.from(this.#matched, ([{ text }, matched]) => ({ text, ...matched })),
      errors: this.#errors,
      warnings: [...this.#warnings, ...this.#skipped.slice(0, maxSkippedShown), ...rest],
    }
  }

  #openRoot(root: string): Folder {
    const tracks = this.#patterns.filter(one => one.root === root).map(({ start }) => start)
    const isWorkspace = root === this.#workspace
    const prefix = isWorkspace ? '' : root.replaceAll(this.#options.place.path.sep, '/')
    const named = namedBy(tracks, 0)
    return { path: root, realPath: root, from: null, prefix, parts: [], tracks, named }
  }

  #asFolder(path: string): string {
    const { sep } = this.#options.place.path
    return path.endsWith(sep) ? path : path + sep
  }

  #entriesOf(folder: Folder): readonly Entry[] {
    const { realPath, prefix, named } = folder
    if (named !== null) {
      const distinct = new Map(named.map(name => [fold(name, this.#options.place.path), name]))
      return [...distinct.values()].flatMap(name => look(realPath, name))
    }
    if (isCircle(folder)) return []
    try {
      const entries = this.#lists.get(realPath) ?? listFolder(realPath)
      this.#lists.set(realPath, entries)
      return entries
    } catch (error) {
      const name = quote(prefix === '' ? '.' : prefix.slice(0, -1))
      this.#errors.push(`the folder "${name}" cannot be read: ${describeError(error)}`)
      return []
    }
  }

  /** Takes a file, or says why not; gives a folder that is to be walked. */
  #meet(folder: Folder, entry: Entry): Folder | null {
    const { name, kind, shown } = entry
    const { place, skip = [] } = this.#options
    const path = folder.path + name
    const parts = [...folder.parts, fold(name, place.path)]
    const isHidden = name.startsWith('.') && !this.#leadsToWorkspace(path)
    const isFolder = kind === 'folder'
    const tracks = followAll(folder.tracks, { parts, isHidden, isFolder })
    const matching = tracks.map(({ pattern }) => pattern).filter(one => !one.isExclusion)
    if (matching.length === 0) return null
    const realPath = entry.target ?? folder.realPath + name
    if (shown !== null) {
      this.#unreadable.push(folder.prefix + shown)
      this.#add(matching, null)
    } else if (isFolder) {
      const { sep } = place.path
      const isWorkspace = fold(path + sep, place.path) === fold(this.#workspace, place.path)
      return {
        ...{ path: path + sep, realPath: this.#asFolder(realPath), from: folder, parts, tracks },
        prefix: isWorkspace ? '' : `${folder.prefix}${name}/`,
        named: namedBy(tracks, parts.length),
      }
    } else if (!skip.includes(realPath)) {
      this.#take(entry, { name: folder.prefix + name, absolutePath: path }, matching)
    }
    return null
  }

  /** Whether it is the workspace or a folder above it: its hidden parts do not count. */
  #leadsToWorkspace(path: string): boolean {
    const { place } = this.#options
    return fold(this.#workspace, place.path).startsWith(fold(this.#asFolder(path), place.path))
  }

  #take({ name, kind }: Entry, file: FoundFile, matching: readonly Pattern[]): void {
    if (this.#options.leaveOut?.includes(name) === true) {
      // A wildcard matches it by chance.
      const isNamed = matching.some(({ isLiteral, base }) => isLiteral && base.at(-1) === name)
      if (isNamed) this.#warnings.push(leftOut(file.name))
    } else if (kind === 'file') {
      this.#files.push(file)
      this.#add(matching, file)
    } else this.#skipped.push(notRegular(file.name, kind))
  }

  #add(matching: readonly Pattern[], file: FoundFile | null): void {
    for (const pattern of matching) {
      const matched = this.#matched.get(pattern)
      if (matched === undefined) continue
      matched.count += 1
      if (file !== null) matched.files.push(file)
    }
  }
}

/** The names that patterns may still match at a depth, if none has a wildcard there; else null. */
function namedBy(tracks: readonly Track[], depth: number): readonly string[] | null {
  const names: string[] = []
  for (const { pattern, isWhole } of tracks) {
    if (pattern.isExclusion) continue
    const name = isWhole ? undefined : pattern.base[depth]
    if (name === undefined) return null
    names.push(name)
  }
  return names
}

/** Whether links led to a folder from within itself. */
function isCircle({ realPath, from }: Folder): boolean {
  // Where all is named, the way goes no further up: @actions/glob begins its search there.
  for (let above = from; above?.named === null; above = above.from) {
    if (above.realPath === realPath) return true
  }
  return false
}

function notRegular(name: string, kind: Kind): string {
  const what = kind === 'other' ? 'a FIFO, socket or device' : 'a broken link'
  return `"${quote(name)}" is skipped: it is ${what}, not a regular file`
}

function leftOut(name: string): string {
  return `"${quote(name)}" is left out: this action attaches files of this name to releases, so they are never artifacts`
}

function tooMany(maxEntries: number): string {
  return `its patterns lead through more than ${maxEntries.toLocaleString('en')} files and folders; name the folders of the artifacts, and beware of links between folders`
}
