import { lstatSync, readdirSync, realpathSync, statSync, type Dirent, type Stats } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describeError, errorCode, Stop } from '../failure.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { compareCodeUnits } from '../text/names.ts'
import { joinFirst } from '../text/phrases.ts'
import { followAll, isMatch, nextName, readPatterns, type Pattern, type Track } from './pattern.ts'

/** A regular file that patterns matched, or an entry that cannot be looked up. */
export interface FoundFile {
  /** Relative to the workspace, absolute outside it, with `/` on every system. */
  readonly name: string
  readonly absolutePath: string
  /** The absolute path with links resolved. */
  readonly realPath: string
}

/** Why only the first of several files in a row that have the same path can be read. */
export const sameName = 'another file has the same name, because it is not valid UTF-8'

/** The files that a list of patterns matched. */
export interface FoundFiles {
  /** Sorted by name. Names that are not valid UTF-8 can look the same once decoded. */
  readonly files: readonly FoundFile[]
  /** For each pattern that is not an exclusion, the files that it matched and later lines do not exclude. */
  readonly patterns: readonly { readonly text: string; readonly files: readonly FoundFile[] }[]
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/** An entry of a folder; a link has the kind of its target. */
interface FolderEntry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'unknown' | 'broken link' | 'FIFO, socket or device'
  readonly realPath: string
}

/** A folder to search. Both paths end with a separator. */
interface Folder {
  readonly path: string
  readonly realPath: string
  readonly tracks: readonly Track[]
  /** The real paths of the listed folders above. Links back to them are not followed. */
  readonly above: readonly string[]
}

/** Links between folders can make endless trees. */
const maxEntries = 1_000_000
const entriesBetweenPauses = 512
const maxSkippedShown = 10
const tooMany =
  'its patterns lead through more than 1,000,000 files and folders; name the folders of the artifacts, and check for links between folders'

/**
 * Finds the regular files that the lines of `text` match; later lines win. Follows links. Skips,
 * with a warning, FIFOs, sockets, devices and broken links. Rejects with a `Stop` if the run stops.
 */
export async function findFiles(text: string, host: Host): Promise<FoundFiles> {
  const { workspace, home } = host.environment
  const { tracks, errors } = readPatterns(text, { workspace, home, path })
  if (errors.length > 0) return { files: [], patterns: [], errors, warnings: [] }
  return new Search(tracks, workspace).run(host.halt.signal)
}

/** A search through the folders that the patterns lead to. */
class Search {
  readonly #workspace: string
  /** Still to search. */
  readonly #folders: Folder[]
  readonly #files: FoundFile[] = []
  readonly #matches = new Map<Pattern, FoundFile[]>()
  readonly #skipped: string[] = []
  readonly #errors: string[] = []

  constructor(tracks: readonly Track[], workspace: string) {
    this.#workspace = workspace
    const roots = Map.groupBy(tracks, ({ pattern }) => pattern.root)
    this.#folders = [...roots].map(([root, group]) => {
      return { path: root, realPath: root, tracks: group, above: [] }
    })
    for (const { pattern } of tracks) if (!pattern.isExclusion) this.#matches.set(pattern, [])
  }

  async run(halt: AbortSignal): Promise<FoundFiles> {
    let count = 0
    for (let folder = this.#folders.pop(); folder !== undefined; folder = this.#folders.pop()) {
      const prefix = prefixOf(folder.path, this.#workspace)
      const byName = Map.groupBy(folder.tracks, nextName)
      const forAnyName = byName.get(null) ?? []
      // Folders above the first wildcard need not be readable.
      const hasWildcard = forAnyName.some(({ pattern }) => !pattern.isExclusion)
      let { above } = folder
      let entries: readonly FolderEntry[]
      if (above.length > 0 || hasWildcard) {
        entries = this.#list(folder, prefix)
        above = [...above, folder.realPath]
      } else {
        const names = [...byName.keys()].filter(name => name !== null)
        entries = names.flatMap(name => lookUp(folder.realPath, name) ?? [])
      }
      for (const entry of entries) {
        if (count % entriesBetweenPauses === 0) await setImmediate()
        if (halt.aborted) throw Stop.canceled()
        count += 1
        if (count > maxEntries) return { files: [], patterns: [], errors: [tooMany], warnings: [] }
        const tracks = forAnyName.concat(byName.get(entry.name) ?? [])
        tracks.sort((a, b) => a.pattern.line - b.pattern.line)
        this.#visit(entry, { ...folder, tracks, above }, prefix + entry.name)
      }
    }
    const files = this.#files.sort((a, b) => compareCodeUnits(a.name, b.name))
    const patterns = [...this.#matches].map(([{ text }, matched]) => ({ text, files: matched }))
    const warnings: string[] = []
    if (this.#skipped.length > 0) {
      const skipped = joinFirst(this.#skipped, maxSkippedShown, { separator: ', ' })
      warnings.push(`skipped (not regular files): ${skipped}`)
    }
    return { files, patterns, errors: this.#errors, warnings }
  }

  #list({ realPath, above }: Folder, prefix: string): readonly FolderEntry[] {
    if (above.includes(realPath)) return []
    try {
      return readdirSync(realPath, { withFileTypes: true }).map((entry): FolderEntry => {
        const { name } = entry
        const unlinked = { name, kind: kindOf(entry), realPath: realPath + name }
        if (!entry.isSymbolicLink()) return unlinked
        // A listed name that cannot be looked up must not be left out.
        return lookUp(realPath, name) ?? { ...unlinked, kind: 'unknown' }
      })
    } catch (error) {
      const name = prefix === '' ? '.' : prefix.slice(0, -1)
      this.#errors.push(`the folder "${quote(name)}" cannot be read: ${describeError(error)}`)
      return []
    }
  }

  /** Adds a file that patterns match, or a folder that they lead into; notes what is skipped. */
  #visit(entry: FolderEntry, parent: Folder, name: string): void {
    const { kind, realPath } = entry
    const path = parent.path + entry.name
    const isFolder = kind === 'folder' || kind === 'unknown'
    const isDotted = entry.name.startsWith('.')
    const isHidden = isDotted && !asFolder(this.#workspace).startsWith(asFolder(path))
    const tracks = followAll(parent.tracks, { name: entry.name, isHidden, isFolder })
    const including = tracks.filter(({ pattern }) => !pattern.isExclusion)
    if (including.length === 0) return
    // An unknown entry that matches counts as a file, and hashing fails; otherwise, listing fails.
    if (kind === 'file' || (kind === 'unknown' && including.some(isMatch))) {
      const file = { name, absolutePath: path, realPath }
      this.#files.push(file)
      for (const { pattern } of including) this.#matches.get(pattern)?.push(file)
    } else if (isFolder) {
      this.#folders.push({ ...parent, path: asFolder(path), realPath: asFolder(realPath), tracks })
    } else {
      this.#skipped.push(`"${quote(name)}" (${kind})`)
    }
  }
}

/** Returns the prefix of names in a folder: relative to the workspace, or absolute, with `/`. */
function prefixOf(folder: string, workspace: string): string {
  const inside = path.relative(workspace, folder)
  if (inside === '') return ''
  const isOutside = inside.split(path.sep)[0] === '..' || path.isAbsolute(inside)
  return (isOutside ? folder : asFolder(inside)).replaceAll(path.sep, '/')
}

function asFolder(folder: string): string {
  if (folder.endsWith(path.sep)) return folder
  return folder + path.sep
}

function kindOf(entry: Dirent | Stats): FolderEntry['kind'] {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  return 'FIFO, socket or device'
}

const missingCodes: readonly (string | null)[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']

/** Returns the entry of a folder that has this name, or null if there is none. */
function lookUp(folder: string, name: string): FolderEntry | null {
  const path = folder + name
  let exists = false
  try {
    lstatSync(path)
    exists = true
    return { name, kind: kindOf(statSync(path)), realPath: realpathSync.native(path) }
  } catch (error) {
    const isMissing = missingCodes.includes(errorCode(error))
    if (!isMissing) return { name, kind: 'unknown', realPath: path }
    if (!exists) return null
    return { name, kind: 'broken link', realPath: path }
  }
}
