import { lstatSync, readdirSync, realpathSync, statSync, type Dirent, type Stats } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Stop } from '../failure.ts'
import type { Host } from '../runtime/host.ts'
import { quote } from '../text/escape.ts'
import { describeError, errorCode } from '../text/system-error.ts'
import { compareCodeUnits, joinFirst } from '../text/words.ts'
import { followAll, isMatch, nextNames, readPatterns } from './pattern.ts'
import type { Pattern, PatternContext, Track } from './pattern.ts'

/** A regular file that patterns matched. */
export interface FoundFile {
  /** Relative to the workspace, absolute when it lies outside, with `/` on every system. */
  readonly name: string
  readonly absolutePath: string
  /** The same without links. */
  readonly realPath: string
  /** Whether a file before it has this name, too: names that are not valid UTF-8 are decoded alike. */
  readonly hasDuplicateName: boolean
}

/** What a pattern that is no exclusion matched, after the exclusions. */
export interface PatternMatches {
  readonly text: string
  readonly files: readonly FoundFile[]
}

/** What a list of patterns matched. */
export interface FoundFiles {
  /** Sorted by name. */
  readonly files: readonly FoundFile[]
  readonly patterns: readonly PatternMatches[]
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/** What stands in a folder; of a link, what it leads to. */
interface Entry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'unknown' | 'broken link' | 'FIFO, socket or device'
  readonly realPath: string
}

/** A folder to search. Both paths end with a separator. */
interface Folder {
  readonly path: string
  readonly realPath: string
  readonly tracks: readonly Track[]
  /** The real paths of the listed folders above it: a link back to one of them is not followed. */
  readonly above: readonly string[]
}

/** Links between folders can make endless trees. */
const maxEntries = 1_000_000
const entriesBetweenPauses = 512
const maxSkippedShown = 10
const tooMany =
  'its patterns lead through more than 1,000,000 files and folders; name the folders of the artifacts, and check for links between folders'

/**
 * Finds the regular files that the lines of `text` match; later lines win. Links are followed. FIFOs, sockets, devices
 * and broken links are skipped with a warning, so that nothing can hang. Rejects with a `Stop` at the halt.
 */
export async function findFiles(text: string, host: Host): Promise<FoundFiles> {
  const { workspace, home } = host.environment
  const context = { workspace, home, path }
  const { tracks, errors } = readPatterns(text, context)
  if (errors.length > 0) return { files: [], patterns: [], errors, warnings: [] }
  return new Search(tracks, context).run(host.halt.signal)
}

/** One search through the folders that patterns lead to. */
class Search {
  readonly #context: PatternContext
  readonly #open: Folder[]
  readonly #files: FoundFile[] = []
  readonly #paths = new Set<string>()
  readonly #matches = new Map<Pattern, FoundFile[]>()
  readonly #skipped: string[] = []
  readonly #errors: string[] = []

  constructor(tracks: readonly Track[], context: PatternContext) {
    this.#context = context
    const roots = Map.groupBy(tracks, ({ pattern }) => pattern.root)
    this.#open = [...roots].map(([path, own]) => ({ path, realPath: path, tracks: own, above: [] }))
    for (const { pattern } of tracks) if (!pattern.isExclusion) this.#matches.set(pattern, [])
  }

  async run(halt: AbortSignal): Promise<FoundFiles> {
    let count = 0
    for (let folder = this.#open.pop(); folder !== undefined; folder = this.#open.pop()) {
      const { path, realPath, tracks, above } = folder
      const prefix = prefixOf(path, this.#context)
      // The folders above the first wildcard need not be readable.
      const names = above.length === 0 ? nextNames(tracks) : null
      const looked = names?.flatMap(name => lookUp(realPath, name) ?? [])
      const parent = names === null ? { ...folder, above: [...above, realPath] } : folder
      for (const entry of looked ?? this.#list(folder, prefix)) {
        if (count % entriesBetweenPauses === 0) await setImmediate()
        // The report says that it was cancelled.
        if (halt.aborted) throw new Stop()
        count += 1
        if (count > maxEntries) return { files: [], patterns: [], errors: [tooMany], warnings: [] }
        this.#visit(parent, entry, prefix + entry.name)
      }
    }
    const files = this.#files.sort((a, b) => compareCodeUnits(a.name, b.name))
    const patterns = [...this.#matches].map(([{ text }, matched]) => ({ text, files: matched }))
    const skipped = joinFirst(this.#skipped, maxSkippedShown, { separator: ', ' })
    const warnings = skipped === '' ? [] : [`skipped, as they are not regular files: ${skipped}`]
    return { files, patterns, errors: this.#errors, warnings }
  }

  #list({ realPath, above }: Folder, prefix: string): readonly Entry[] {
    if (above.includes(realPath)) return []
    try {
      return readdirSync(realPath, { withFileTypes: true }).map(one => toEntry(one, realPath))
    } catch (error) {
      const shown = quote(prefix === '' ? '.' : prefix.slice(0, -1))
      this.#errors.push(`the folder "${shown}" cannot be read: ${describeError(error)}`)
      return []
    }
  }

  /** Takes a file that patterns match, opens a folder that they lead into, and notes what is skipped. */
  #visit(parent: Folder, { name: last, kind, realPath }: Entry, name: string): void {
    const { sep } = this.#context.path
    const path = parent.path + last
    const isFolder = kind === 'folder' || kind === 'unknown'
    const workspace = asFolder(this.#context.workspace, sep)
    const isHidden = last.startsWith('.') && !workspace.startsWith(asFolder(path, sep))
    const tracks = followAll(parent.tracks, { name: last, isHidden, isFolder })
    const including = tracks.filter(({ pattern }) => !pattern.isExclusion)
    if (including.length === 0) return
    // What cannot be looked at is a file if it matches, so that it fails; else listing it says why.
    if (kind === 'file' || (kind === 'unknown' && including.some(isMatch))) {
      const file = { name, absolutePath: path, realPath, hasDuplicateName: this.#paths.has(path) }
      this.#files.push(file)
      this.#paths.add(path)
      for (const { pattern } of including) this.#matches.get(pattern)?.push(file)
    } else if (isFolder) {
      const { above } = parent
      this.#open.push({
        path: asFolder(path, sep),
        realPath: asFolder(realPath, sep),
        tracks,
        above,
      })
    } else {
      this.#skipped.push(`"${quote(name)}" (${kind})`)
    }
  }
}

/** How names in a folder begin: relative to the workspace, absolute outside, with `/` on every system. */
function prefixOf(folder: string, { workspace, path }: PatternContext): string {
  const { sep } = path
  const inside = path.relative(workspace, folder)
  if (inside === '') return ''
  const isOutside = inside.split(sep)[0] === '..' || path.isAbsolute(inside)
  return (isOutside ? folder : inside + sep).replaceAll(sep, '/')
}

function asFolder(path: string, separator: string): string {
  return path.endsWith(separator) ? path : path + separator
}

function toEntry(entry: Dirent, folder: string): Entry {
  const { name } = entry
  const realPath = folder + name
  if (!entry.isSymbolicLink()) return { name, kind: kindOf(entry), realPath }
  // What cannot be found under its name must not be passed over.
  return lookUp(folder, name) ?? { name, kind: 'unknown', realPath }
}

function kindOf(entry: Dirent | Stats): Entry['kind'] {
  if (entry.isFile()) return 'file'
  return entry.isDirectory() ? 'folder' : 'FIFO, socket or device'
}

/** What stands in a folder under a name; null if nothing does. */
function lookUp(folder: string, name: string): Entry | null {
  const path = folder + name
  let isThere = false
  try {
    lstatSync(path)
    isThere = true
    return { name, kind: kindOf(statSync(path)), realPath: realpathSync.native(path) }
  } catch (error) {
    const nothing = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']
    if (!nothing.includes(errorCode(error) ?? '')) return { name, kind: 'unknown', realPath: path }
    return isThere ? { name, kind: 'broken link', realPath: path } : null
  }
}
