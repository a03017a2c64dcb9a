import { setImmediate } from 'node:timers/promises'
import { Stop } from '../stop.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { listFolder, look, type Entry } from './folder.ts'
import { asFolder, fold, leadsToWorkspace, nameOf, type PatternPlace } from './pattern-text.ts'
import { followAll, type Pattern, type Track } from './pattern.ts'

/** What patterns match, unless it is a folder; a folder whose name cannot be read stands for what may match below it. */
export interface Match {
  readonly entry: Entry
  /** Relative to the workspace, absolute when it lies outside, with `/` on every system. */
  readonly name: string
  readonly absolutePath: string
  /** The same without links. */
  readonly realPath: string
  /** Of the patterns that match it, beside others. */
  readonly tracks: readonly Track[]
}

/** How to walk. */
interface WalkOptions {
  readonly place: PatternPlace
  /** Ends the walk at once. */
  readonly halt: AbortSignal
  readonly onMatch: (match: Match) => void
}

/** A folder, with what patterns may still match at or below it. */
interface Folder {
  /** Absolute, with a separator at the end. */
  readonly path: string
  /** The same without links, which is faster to open. */
  readonly realPath: string
  /** The real paths of the folders above it that were listed, as links may lead back to one. */
  readonly above: readonly string[]
  /** The path from its root on, folded. */
  readonly parts: readonly string[]
  readonly tracks: readonly Track[]
  /** What to look at in it, where patterns name all of it, as it need not be readable then; else null. */
  readonly named: readonly string[] | null
}

/** More files and folders than this to walk are an error: ladders of links have no end. */
const maxEntries = 1_000_000
const entriesBetweenPauses = 512

/** Goes through the folders that patterns lead to. */
export class Walk {
  readonly #options: WalkOptions
  /** By real path, of folders behind links, as those may lead there again and again. */
  readonly #lists = new Map<string, readonly Entry[]>()
  readonly #errors: string[] = []

  constructor(options: WalkOptions) {
    this.#options = options
  }

  /** Gives what went wrong. Rejects with a {@link Stop} at the halt. */
  async run(patterns: readonly Pattern[]): Promise<readonly string[]> {
    const tracks = patterns.map(({ start }) => start)
    // What has the roots in it.
    const top = { path: '', realPath: '', above: [], parts: [], tracks, named: namedBy(tracks, 0) }
    const open: Folder[] = [top]
    let count = 0
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const below: Folder[] = []
      for (const entry of this.#entriesOf(folder)) {
        if (count % entriesBetweenPauses === 0) await setImmediate()
        // The report says that it was cancelled.
        if (this.#options.halt.aborted) throw new Stop()
        count += 1
        if (count > maxEntries) return [tooMany]
        const next = this.#meet(folder, entry)
        if (next !== null) below.push(next)
      }
      // In the order of the list, so that little is left to sort.
      for (const next of below.reverse()) open.push(next)
    }
    return this.#errors
  }

  #entriesOf({ path, realPath, above, named }: Folder): readonly Entry[] {
    const { place } = this.#options
    if (named !== null) {
      const distinct = new Map(named.map(name => [fold(name, place.path), name]))
      return [...distinct.values()].flatMap(name => look(realPath, name) ?? [])
    }
    if (above.includes(realPath)) return []
    try {
      const entries = this.#lists.get(realPath) ?? listFolder(realPath)
      if (path !== realPath) this.#lists.set(realPath, entries)
      return entries
    } catch (error) {
      const name = nameOf(path, place).slice(0, -1)
      const shown = quote(name === '' ? '.' : name)
      this.#errors.push(`the folder "${shown}" cannot be read: ${describeError(error)}`)
      return []
    }
  }

  /** Reports a match; gives a folder that is to be walked. */
  #meet(folder: Folder, entry: Entry): Folder | null {
    const { place, onMatch } = this.#options
    const { name, kind, shown } = entry
    const path = folder.path + name
    const realPath = entry.target ?? folder.realPath + name
    const parts = [...folder.parts, fold(name, place.path)]
    const isHidden = name.startsWith('.') && !leadsToWorkspace(path, place)
    const tracks = followAll(folder.tracks, { parts, isHidden, isFolder: kind === 'folder' })
    if (tracks.every(({ pattern }) => pattern.isExclusion)) return null
    if (kind !== 'folder' || shown !== null) {
      const shownName = nameOf(shown === null ? path : folder.path + shown, place)
      onMatch({ entry, name: shownName, absolutePath: path, realPath, tracks })
      return null
    }
    return {
      ...{ path: asFolder(path, place), realPath: asFolder(realPath, place), parts, tracks },
      above: folder.named === null ? [...folder.above, folder.realPath] : [],
      named: namedBy(tracks, parts.length),
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

const tooMany =
  'its patterns lead through more than 1,000,000 files and folders; name the folders of the artifacts, and beware of links between folders'
