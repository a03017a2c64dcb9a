import { once } from 'node:events'
import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { describeError, errorCode, problemAt, Stop, type Problem } from '../failure.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { compareCodeUnits } from '../text/names.ts'
import { joinFirst } from '../text/phrases.ts'
import { findInvalid, glob, readPatterns, type Pattern } from './pattern.ts'

/** A regular file that patterns matched. */
export interface FoundFile {
  /** Relative to the workspace, absolute outside it, with `/` on every system. */
  readonly name: string
  readonly absolutePath: string
  /** The absolute path with links resolved. */
  readonly realPath: string
}

/** The files that a list of patterns matched; none if there are problems. */
export interface FoundFiles {
  /** Sorted by name. A file that has several names through links is listed once. */
  readonly files: readonly FoundFile[]
  /** For each pattern that is not an exclusion, the files that it matched and later lines do not exclude. */
  readonly patterns: readonly { readonly text: string; readonly files: readonly FoundFile[] }[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

/** The section of the docs about patterns. */
export const patternDocs = 'reference.md#patterns'
const maxShown = 10
/** What Node puts in place of bytes that are not valid UTF-8, so that two names may look the same. */
const replacement = '\ufffd'

/**
 * Finds the regular files that the lines of an input match; later lines win. Skips FIFOs, sockets and devices with a
 * warning; anything else that cannot be read is a problem. Rejects with a `Stop` if the run stops.
 */
export async function findFiles(
  input: 'path' | 'checksums' | 'records',
  text: string,
  { environment: { workspace }, halt }: Host,
): Promise<FoundFiles> {
  const patterns = readPatterns(text, workspace)
  const invalid = await findInvalid(patterns)
  if (invalid.length > 0) return nothingFound(invalidProblem(input, invalid))
  const findings = new Findings(workspace)
  try {
    // One at a time: a pattern that matches nothing must not go unnoticed.
    for (const [index, pattern] of patterns.entries()) {
      if (halt.signal.aborted) throw Stop.canceled()
      if (pattern.isExclusion) continue
      const exclusions = patterns.slice(index).filter(({ isExclusion }) => isExclusion)
      const search = glob(pattern, exclusions, workspace)
      findings.add(pattern.text, await untilStopped(search, halt.signal))
    }
  } catch (error) {
    return nothingFound(unreadableProblem(input, error, findings))
  }
  return findings.collect()
}

function nothingFound(problem: Problem): FoundFiles {
  return { files: [], patterns: [], problems: [problem], warnings: [] }
}

/** Waits for a search, which the library cannot end early. Rejects with a `Stop` when the run stops. */
function untilStopped<T>(search: Promise<T>, halt: AbortSignal): Promise<T> {
  const stopped = once(halt, 'abort').then(() => Promise.reject(Stop.canceled()))
  return Promise.race([search, stopped])
}

function invalidProblem(input: string, patterns: readonly Pattern[]): Problem {
  const shown = patterns.map(({ text }) => `"${quote(text)}"`)
  const text = `invalid patterns: ${joinFirst(shown, maxShown, { separator: ', ' })}`
  const next = 'put a path after "!", and do not use "." or ".." as a folder'
  return problemAt(input, text, { next, docs: patternDocs })
}

/** Describes what could not be read. Rethrows errors that are not about a path. */
function unreadableProblem(input: string, error: unknown, findings: Findings): Problem {
  const path = pathOf(error)
  if (path === null) throw error
  const name = `"${quote(findings.nameOf(path))}"`
  const code = errorCode(error)
  let text = `${name} cannot be read: ${describeError(error)}`
  let remedy = 'remove it'
  if (path.includes(replacement)) {
    text = `the name ${name} is not valid UTF-8`
    remedy = 'rename it'
  } else if (code === null) text = `${name} is a broken link`
  else if (code === 'EACCES' || code === 'EPERM') remedy = 'make it readable'
  const next = `${remedy}, or use patterns that do not lead there (excluded folders are searched too)`
  return problemAt(input, text, { next, docs: patternDocs })
}

/** Returns the path that an error of the system, or of the library, is about; null if none. */
function pathOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('path' in error && typeof error.path === 'string') return error.path
  return /^No information found for the path '(.*)'/s.exec(error.message)?.[1] ?? null
}

/** Joins the paths that patterns match: one file for each real path. */
class Findings {
  /** The workspace, as given and with links resolved. */
  readonly #roots: readonly string[]
  /** The real paths of folders, by their paths. */
  readonly #folders = new Map<string, string>()
  /** By real path. */
  readonly #files = new Map<string, FoundFile>()
  readonly #matches: { readonly text: string; readonly realPaths: ReadonlySet<string> }[] = []
  readonly #skipped = new Set<string>()

  constructor(workspace: string) {
    this.#roots = [workspace, realPathOf(workspace)]
  }

  /** Adds what a pattern matched. Throws errors about paths. */
  add(text: string, paths: readonly string[]): void {
    const realPaths = new Set<string>()
    for (const path of paths) {
      const file = this.#lookUp(path)
      if (file === null) continue
      realPaths.add(file.realPath)
      const known = this.#files.get(file.realPath)
      if (known === undefined || this.#isBetter(file, known)) this.#files.set(file.realPath, file)
    }
    this.#matches.push({ text, realPaths })
  }

  collect(): FoundFiles {
    const files = [...this.#files.values()].sort((a, b) => compareCodeUnits(a.name, b.name))
    const patterns = this.#matches.map(({ text, realPaths }) => {
      return { text, files: [...realPaths].flatMap(path => this.#files.get(path) ?? []) }
    })
    const warnings: string[] = []
    if (this.#skipped.size > 0) {
      const names = joinFirst([...this.#skipped], maxShown, { separator: ', ' })
      warnings.push(`skipped, because they are FIFOs, sockets or devices: ${names}`)
    }
    return { files, patterns, problems: [], warnings }
  }

  /** Returns the name of an artifact at this path. */
  nameOf(path: string): string {
    for (const root of this.#roots) {
      const inside = relative(root, path)
      const isOutside = inside.split(sep)[0] === '..' || isAbsolute(inside)
      if (!isOutside) return inside.replaceAll(sep, '/')
    }
    return path.replaceAll(sep, '/')
  }

  /** Returns the regular file at a path; null for any other, which it notes. */
  #lookUp(absolutePath: string): FoundFile | null {
    if (absolutePath.includes(replacement)) {
      throw Object.assign(new Error('the name is not valid UTF-8'), { path: absolutePath })
    }
    const name = this.nameOf(absolutePath)
    const folder = dirname(absolutePath)
    const realFolder = this.#folders.get(folder) ?? realpathSync.native(folder)
    this.#folders.set(folder, realFolder)
    let realPath = join(realFolder, basename(absolutePath))
    let stats = lstatSync(realPath)
    if (stats.isSymbolicLink()) {
      realPath = realpathSync.native(realPath)
      stats = lstatSync(realPath)
    }
    if (stats.isFile()) return { name, absolutePath, realPath }
    this.#skipped.add(`"${quote(name)}"`)
    return null
  }

  /** Whether a name is preferred to another one of the same file: the name without links, or else the first. */
  #isBetter(file: FoundFile, known: FoundFile): boolean {
    const unlinked = this.nameOf(file.realPath)
    if (known.name === unlinked) return false
    return file.name === unlinked || file.name < known.name
  }
}

/** Returns the path with links resolved, or unchanged if there is no such file. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
