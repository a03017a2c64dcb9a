import { lstatSync, readdirSync, realpathSync, statSync, type Dirent } from 'node:fs'
import { describeError, errorCode } from '../../errors.ts'
import { compareCodeUnits } from '../../outcome.ts'
import { quote } from '../../report/escape.ts'
import { normalRoot, Pattern, type PatternPlace, type Position } from './pattern.ts'

/** A regular file that patterns matched. */
export interface FoundFile {
  /** Relative to the workspace, absolute when it lies outside, with `/` on every system. */
  readonly name: string
  readonly absolutePath: string
}

/** A pattern, with the absolute paths of the files that it brought. */
export interface MatchedPattern {
  readonly text: string
  readonly count: number
  readonly files: readonly string[]
}

/** What a list of patterns brought. */
export interface FoundFiles {
  /** Sorted by name. */
  readonly files: readonly FoundFile[]
  /** Each pattern that is no exclusion, with what it brought after exclusions. */
  readonly patterns: readonly MatchedPattern[]
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

type Kind = 'file' | 'folder' | 'other' | 'broken link' | 'gone'

/**
 * Finds the regular files that the lines of `text` match, in the order of `@actions/glob`: later lines win. Links are
 * followed; FIFOs, sockets, devices and broken links are skipped with a warning, so that nothing can hang.
 * What is at one of the real paths `skip` is never taken (the records file).
 */
export function findFiles(text: string, place: PatternPlace, skip: readonly string[]): FoundFiles {
  const errors: string[] = []
  const patterns = parsePatterns(text, place, errors)
  if (errors.length > 0) return { files: [], patterns: [], errors, warnings: [] }
  const walk = new Walk(patterns, place, skip)
  for (const base of distinctBases(patterns, place)) walk.enterBase(base)
  return walk.result()
}

function parsePatterns(text: string, place: PatternPlace, errors: string[]): readonly Pattern[] {
  const lines = text.split(/\r\n|\r|\n/).map(line => line.trim())
  return lines.flatMap(line => {
    if (line === '' || line.startsWith('#')) return []
    try {
      return [new Pattern(line, place)]
    } catch (error) {
      errors.push(`pattern "${quote(line)}" cannot be used: ${describeError(error)}`)
      return []
    }
  })
}

interface Base {
  readonly root: string
  readonly parts: readonly string[]
}

/** The folders to search: the bases of the patterns, without those that lie below another. */
function distinctBases(patterns: readonly Pattern[], { path }: PatternPlace): readonly Base[] {
  const bases = patterns
    .filter(pattern => !pattern.isExclusion)
    .map(pattern => ({ root: pattern.root, parts: pattern.base }))
    .sort((a, b) => a.parts.length - b.parts.length)
  const kept: Base[] = []
  for (const base of bases) {
    const isBelow = (other: Base): boolean =>
      other.root === base.root &&
      other.parts.every((part, index) => isSameName(part, base.parts[index], path))
    if (!kept.some(isBelow)) kept.push(base)
  }
  return kept.sort((a, b) => compareCodeUnits(a.parts.join(path.sep), b.parts.join(path.sep)))
}

class Walk {
  readonly #patterns: readonly Pattern[]
  readonly #place: PatternPlace
  readonly #skip: ReadonlySet<string>
  readonly #workspaceParts: readonly string[]
  readonly #workspaceRoot: string
  readonly #matched: readonly string[][]
  readonly #files = new Map<string, FoundFile>()
  readonly #skipped = new Map<string, string>()
  readonly #errors: string[] = []

  constructor(patterns: readonly Pattern[], place: PatternPlace, skip: readonly string[]) {
    this.#patterns = patterns
    this.#place = place
    this.#skip = new Set(skip)
    this.#matched = patterns.map(() => [])
    this.#workspaceRoot = normalRoot(place.path.parse(place.workspace).root, place.path)
    this.#workspaceParts = partsOf(place.workspace, place)
  }

  enterBase({ root, parts }: Base): void {
    let positions = this.#patterns.map(pattern => (pattern.root === root ? pattern.start : []))
    let isExposed = root === this.#workspaceRoot
    for (const [depth, part] of parts.entries()) {
      isExposed &&= this.#isOfWorkspace(part, depth)
      positions = this.#step(positions, part, isExposed)
    }
    const absolutePath = this.#place.path.join(root, ...parts)
    const realPath = realPathOf(absolutePath)
    const item = { absolutePath, realPath, depth: parts.length, positions, isExposed }
    this.#visit(item, kindOf(absolutePath), [])
  }

  result(): FoundFiles {
    const files = [...this.#files.values()].sort((a, b) => compareCodeUnits(a.name, b.name))
    const patterns = this.#patterns.flatMap(({ isExclusion, text }, index) => {
      const matched = this.#matched[index] ?? []
      return isExclusion ? [] : [{ text, count: matched.length, files: matched }]
    })
    const warnings = [...this.#skipped].map(
      ([name, kind]) => `"${quote(name)}" is skipped: it is ${kind}, not a regular file`,
    )
    return { files, patterns, errors: this.#errors, warnings }
  }

  #step(positions: readonly Position[], part: string, isExposed: boolean): Position[] {
    return this.#patterns.map((pattern, index) => {
      const position = positions[index] ?? []
      return position.length === 0 ? position : pattern.step(position, part, isExposed)
    })
  }

  #visit(item: Item, kind: Kind, ancestors: readonly string[]): void {
    switch (kind) {
      case 'folder':
        this.#enterFolder(item, ancestors)
        return
      case 'file':
      case 'other':
      case 'broken link':
        this.#take(item, kind)
        return
      case 'gone':
        return
    }
  }

  #enterFolder(item: Item, ancestors: readonly string[]): void {
    if (!this.#patterns.some((one, index) => !one.isExclusion && item.positions[index]?.length))
      return
    if (ancestors.includes(item.realPath)) return
    let entries: Dirent[]
    try {
      entries = readdirSync(item.absolutePath, { withFileTypes: true })
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return
      const name = quote(this.#nameOf(item.absolutePath))
      this.#errors.push(`the folder "${name}" cannot be read: ${describeError(error)}`)
      return
    }
    const chain = [...ancestors, item.realPath]
    const { path } = this.#place
    for (const entry of entries) {
      const isExposed = item.isExposed && this.#isOfWorkspace(entry.name, item.depth)
      const positions = this.#step(item.positions, entry.name, isExposed)
      if (positions.every(position => position.length === 0)) continue
      const absolutePath = path.join(item.absolutePath, entry.name)
      const realPath = entry.isSymbolicLink()
        ? realPathOf(absolutePath)
        : path.join(item.realPath, entry.name)
      const child = { absolutePath, realPath, depth: item.depth + 1, positions, isExposed }
      this.#visit(child, entryKind(entry, absolutePath), chain)
    }
  }

  #take({ absolutePath, realPath, positions }: Item, kind: Exclude<Kind, 'folder' | 'gone'>): void {
    const matching: number[] = []
    let isTaken = false
    for (const [index, pattern] of this.#patterns.entries()) {
      if (!pattern.matchesFile(positions[index] ?? [])) continue
      isTaken = !pattern.isExclusion
      if (isTaken) matching.push(index)
      else matching.length = 0
    }
    if (!isTaken || this.#skip.has(realPath)) return
    const name = this.#nameOf(absolutePath)
    if (this.#files.has(absolutePath)) {
      // Each path is visited once: these are two files, and the bytes of one name are no UTF-8.
      this.#errors.push(
        `two files look alike as "${quote(name)}", as a name is not valid UTF-8; rename it`,
      )
      return
    }
    if (kind !== 'file') {
      this.#skipped.set(name, kind === 'other' ? 'a FIFO, socket or device' : 'a broken link')
      return
    }
    this.#files.set(absolutePath, { name, absolutePath })
    for (const index of matching) this.#matched[index]?.push(absolutePath)
  }

  #isOfWorkspace(part: string, depth: number): boolean {
    return isSameName(part, this.#workspaceParts[depth], this.#place.path)
  }

  #nameOf(absolutePath: string): string {
    const { path, workspace } = this.#place
    const relative = path.relative(workspace, absolutePath)
    const isOutside =
      relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)
    return (isOutside ? absolutePath : relative).replaceAll(path.sep, '/')
  }
}

interface Item {
  readonly absolutePath: string
  /** Without links; the same as the path where it cannot be had. */
  readonly realPath: string
  readonly depth: number
  readonly positions: readonly Position[]
  /** Whether the item is the workspace or above it: its hidden parts do not count. */
  readonly isExposed: boolean
}

/** Windows does not tell upper from lower case. */
function isSameName(a: string, b: string | undefined, path: PatternPlace['path']): boolean {
  return path.sep === '\\' ? a.toLowerCase() === b?.toLowerCase() : a === b
}

function partsOf(folder: string, { path }: PatternPlace): readonly string[] {
  return folder
    .slice(path.parse(folder).root.length)
    .split(path.sep)
    .filter(part => part !== '')
}

function entryKind(entry: Dirent, absolutePath: string): Kind {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  return entry.isSymbolicLink() ? kindOf(absolutePath) : 'other'
}

/** The path without links, or the path itself if it leads nowhere. */
export function realPathOf(absolutePath: string): string {
  try {
    return realpathSync(absolutePath)
  } catch {
    return absolutePath
  }
}

function kindOf(absolutePath: string): Kind {
  try {
    const stats = statSync(absolutePath)
    if (stats.isFile()) return 'file'
    return stats.isDirectory() ? 'folder' : 'other'
  } catch (error) {
    const code = errorCode(error) ?? ''
    // Anything else, such as a lack of rights, is told when the file is read.
    if (!['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code)) return 'file'
    return isLink(absolutePath) ? 'broken link' : 'gone'
  }
}

function isLink(absolutePath: string): boolean {
  try {
    return lstatSync(absolutePath).isSymbolicLink()
  } catch {
    return false
  }
}
