import { setImmediate } from 'node:timers/promises'
import { Stop } from '../stop.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { compareCodeUnits } from '../text/words.ts'
import { listFolder, look, type Entry, type Kind } from './folder.ts'
import { normalRoot, partsOf, type PatternPlace } from './pattern-text.ts'
import { followAll, matchFile, Pattern, type Track } from './pattern.ts'

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
  /** The folder whose list led here; null for one that a pattern names. */
  readonly from: Folder | null
  /** What the names of its files begin with. */
  readonly prefix: string
  readonly parts: readonly string[]
  /** Whether it is the workspace or above it: its hidden parts do not count. */
  readonly isExposed: boolean
  readonly tracks: readonly Track[]
}

class Walk {
  readonly #options: FindOptions
  readonly #patterns: readonly Pattern[]
  readonly #matched: ReadonlyMap<Pattern, { count: number; readonly files: FoundFile[] }>
  /** The root and the parts of the workspace. */
  readonly #workspace: readonly string[]
  /** By real path, as links may lead to a folder again and again. */
  readonly #lists = new Map<string, readonly Entry[]>()
  readonly #files: FoundFile[] = []
  readonly #unreadable: string[] = []
  readonly #skipped: string[] = []
  readonly #warnings: string[] = []
  readonly #errors: string[] = []

  constructor(patterns: readonly Pattern[], options: FindOptions) {
    const { path, workspace } = options.place
    const { root } = path.parse(workspace)
    const included = patterns.filter(({ isExclusion }) => !isExclusion)
    this.#options = options
    this.#patterns = patterns
    this.#matched = new Map(included.map(pattern => [pattern, { count: 0, files: [] }]))
    const parts = partsOf(workspace.slice(root.length), path.sep)
    this.#workspace = [normalRoot(root, path), ...parts.map(part => this.#normal(part))]
  }

  async run(): Promise<FoundFiles> {
    const { halt, maxEntries = maxEntriesWalked } = this.#options
    const roots = new Set(Array.from(this.#matched.keys(), ({ root }) => root))
    const open = Array.from(roots, root => this.#rootFolder(root))
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

  #rootFolder(root: string): Folder {
    const isExposed = root === this.#workspace[0]
    const isWorkspace = isExposed && this.#workspace.length === 1
    const prefix = isWorkspace ? '' : root.replaceAll(this.#options.place.path.sep, '/')
    const tracks = this.#patterns.filter(one => one.root === root).map(({ start }) => start)
    return { path: root, realPath: root, from: null, prefix, parts: [], isExposed, tracks }
  }

  /** What to look at in a folder: only what patterns name, where all do, as it need not be readable then. */
  #entriesOf(folder: Folder): readonly Entry[] {
    const { realPath, prefix, parts, tracks } = folder
    const names = tracks.flatMap(({ pattern, isWhole }) =>
      pattern.isExclusion ? [] : [isWhole ? undefined : pattern.base[parts.length]],
    )
    const given = names.filter(name => name !== undefined)
    if (given.length === names.length)
      return this.#distinct(given).flatMap(one => look(realPath, one))
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

  #distinct(names: readonly string[]): readonly string[] {
    return [...new Map(names.map(name => [this.#normal(name), name])).values()]
  }

  /** Windows does not tell upper from lower case. */
  #normal(name: string): string {
    return this.#options.place.path.sep === '\\' ? name.toLowerCase() : name
  }

  /** Takes a file, or says why not; gives a folder that is to be walked. */
  #meet(folder: Folder, entry: Entry): Folder | null {
    const { name, kind, shown } = entry
    const parts = [...folder.parts, name]
    const isExposed = folder.isExposed && this.#normal(name) === this.#workspace[parts.length]
    const step = { parts, isHidden: name.startsWith('.') && !isExposed }
    const tracks = kind === 'folder' ? followAll(folder.tracks, step) : []
    const matching =
      kind === 'folder'
        ? tracks.flatMap(({ pattern }) => (pattern.isExclusion ? [] : [pattern]))
        : matchFile(folder.tracks, step)
    if (matching.length === 0) return null
    if (shown !== null) {
      this.#unreadable.push(folder.prefix + shown)
      this.#add(matching, null)
      return null
    }
    const path = folder.path + name
    const realPath = entry.target ?? folder.realPath + name
    if (kind !== 'folder') {
      const file = { name: folder.prefix + name, absolutePath: path }
      if (this.#options.skip?.includes(realPath) !== true) this.#take(entry, file, matching)
      return null
    }
    const { sep } = this.#options.place.path
    const isWorkspace = isExposed && parts.length === this.#workspace.length - 1
    return {
      ...{ parts, isExposed, tracks, path: path + sep },
      realPath: realPath.endsWith(sep) ? realPath : realPath + sep,
      from: entry.isListed ? folder : null,
      prefix: isWorkspace ? '' : `${folder.prefix}${name}/`,
    }
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

/** Whether links led to a folder from within itself. */
function isCircle({ realPath, from }: Folder): boolean {
  for (let above = from; above !== null; above = above.from) {
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
