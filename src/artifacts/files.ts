import { AssertionError } from 'node:assert'
import { lstatSync, realpathSync } from 'node:fs'
import { basename, isAbsolute, relative, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { create } from '@actions/glob'
import { describeError, errorCode, problemAt, Stop, type Problem } from '../failure.ts'
import { guard } from '../runtime/guard.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { compareCodeUnits } from '../text/names.ts'
import { joinFirst } from '../text/phrases.ts'

export interface FoundFile {
  /** Relative to the workspace, absolute and without links outside it, with `/` on every system. */
  readonly name: string
  /** Absolute, with links resolved. */
  readonly path: string
}

/** What a line that includes matched, and later lines do not exclude. */
interface PatternMatch {
  readonly text: string
  readonly paths: ReadonlySet<string>
  /** Whether they exclude everything that it matches. */
  readonly isExcluded: boolean
}

export interface FoundFiles {
  /** Sorted by name. A file with several names through links has the one without links, or else the first. */
  readonly files: readonly FoundFile[]
  readonly patterns: readonly PatternMatch[]
  /** What is wrong with a pattern, or cannot be read. */
  readonly problems: readonly Problem[]
}

export const patternDocs = 'reference.md#patterns'

/** In a path or pattern, such as `.env` or `.github/x`. */
const hiddenPart = /(?:^|[/\\])\.(?!\.?(?:[/\\]|$))/

/**
 * Finds the regular files that the lines of an input match; later lines win. Skips FIFOs, sockets and devices with a
 * warning, and warns of lines that exclude nothing; anything else that cannot be read is a problem. Rejects with a `Stop`
 * if the run stops.
 */
export async function findFiles(
  input: 'path' | 'checksums' | 'records',
  text: string,
  host: Host,
): Promise<FoundFiles> {
  const { environment, halt, runner } = host
  const trimmed = text.split('\n').map(line => line.trim())
  const lines = trimmed.filter(line => line !== '' && !line.startsWith('#'))
  const isExclusion = (line: string): boolean => line.startsWith('!')
  const files = new Map<string, FoundFile>()
  const skipped = new Set<string>()
  const patterns: PatternMatch[] = []
  const problems: Problem[] = []
  // Exclusions that have not excluded anything yet.
  const idle = new Set(lines.filter(isExclusion))
  enter(environment.workspace)
  // One line at a time: a line that matches nothing must not go unnoticed.
  for (const [index, line] of lines.entries()) {
    if (isExclusion(line)) continue
    const exclusions = lines.slice(index).filter(isExclusion)
    try {
      const paths = new Set<string>()
      const found = await search(line, exclusions, host)
      for (const absolutePath of found) {
        // Node shows two names with invalid bytes as one, which leads to one of the files.
        if (absolutePath.includes('\ufffd'))
          throw Object.assign(new Error(), { path: absolutePath })
        const path = realpathSync.native(absolutePath)
        const ownName = nameOf(absolutePath)
        // The workspace may have been named through a link.
        const name = isAbsolute(ownName) ? nameOf(path) : ownName
        if (!lstatSync(path).isFile()) {
          skipped.add(`"${quote(name)}"`)
          continue
        }
        paths.add(path)
        // The name without links wins, or else the first.
        if (path === absolutePath || !files.has(path)) files.set(path, { name, path })
      }
      // The library does not say what a line excluded: search without exclusions, then with one at a time.
      const all = exclusions.length === 0 ? found : await search(line, [], host)
      for (const exclusion of idle.intersection(new Set(exclusions))) {
        if (found.length === all.length) break
        const kept = exclusions.length === 1 ? found : await search(line, [exclusion], host)
        if (kept.length < all.length) idle.delete(exclusion)
      }
      patterns.push({ text: line, paths, isExcluded: found.length === 0 && all.length > 0 })
    } catch (error) {
      if (halt.ended.aborted) throw new Stop()
      problems.push(problemOf(input, error))
    }
  }
  if (text !== '' && patterns.length + problems.length === 0) {
    const next = 'add a pattern of the files'
    problems.push(problemAt(input, 'no line includes files', { next, docs: patternDocs }))
  }
  if (skipped.size > 0) {
    const names = joinFirst([...skipped], 10, { separator: ', ' })
    runner.warning(`skipped, because they are FIFOs, sockets or devices: ${names}`)
  }
  // Without a file there is nothing to exclude.
  for (const line of files.size > 0 ? idle : []) {
    const why = 'a line with "!" starts at the workspace, and excludes only from the lines above it'
    runner.warning(`input "${input}": "${quote(line)}" excludes nothing; ${why}`, patternDocs)
  }
  const sorted = [...files.values()].sort((a, b) => compareCodeUnits(a.name, b.name))
  return { files: sorted, patterns, problems }
}

/** Returns the paths that a pattern matches and the exclusions do not. Rejects with errors of the library and the system. */
async function search(
  pattern: string,
  exclusions: readonly string[],
  { environment: { workspace }, halt }: Host,
): Promise<readonly string[]> {
  const isHidden = (path: string): boolean => {
    const inside = `${path}${sep}`.replace(`${workspace}${sep}`, '')
    return hiddenPart.test(inside.replace(`${process.cwd()}${sep}`, ''))
  }
  const isMeant = isHidden(pattern)
  // The library takes the workspace itself for hidden if its name begins with a dot, as that of a repository may.
  const isHiddenWorkspace = hiddenPart.test(basename(process.cwd()))
  const options = {
    excludeHiddenFiles: !isMeant && !isHiddenWorkspace,
    matchDirectories: false,
    omitBrokenSymbolicLinks: false,
  }
  const glob = async () => (await create([pattern, ...exclusions].join('\n'), options)).glob()
  // The library looks at one path at a time. An event loop that slept meanwhile would wake up too slowly.
  let isSearching = true
  const stayAwake = async (): Promise<void> => {
    while (isSearching) await setImmediate()
  }
  void stayAwake()
  try {
    const paths = await guard(glob, halt.ended)
    return isMeant || !isHiddenWorkspace ? paths : paths.filter(path => !isHidden(path))
  } catch (error) {
    // The library knows that there is no such path after ENOENT, but not after these.
    const isMissing = /ENOTDIR|ENAMETOOLONG/.test(errorCode(error) ?? '')
    if (isMissing && error instanceof Error && 'syscall' in error && error.syscall === 'lstat')
      return []
    throw error
  } finally {
    isSearching = false
  }
}

/** Makes the workspace the working folder, which has no links: the library resolves patterns from there. Throws a `Stop`. */
function enter(workspace: string): void {
  try {
    process.chdir(workspace)
  } catch (error) {
    const message = `the workspace "${quote(workspace)}" cannot be entered: ${describeError(error)}`
    const next = 'make sure that GITHUB_WORKSPACE is a folder that the user of the runner can read'
    throw new Stop({ input: null, message, next, needs: 'nothing' })
  }
}

/** Returns the name of an artifact at an absolute path. The working folder is the workspace. */
export function nameOf(path: string): string {
  const inside = relative(process.cwd(), path)
  const isOutside = inside.split(sep)[0] === '..' || isAbsolute(inside)
  return (isOutside ? path : inside).replaceAll(sep, '/')
}

/** Describes a pattern that is invalid, or a path that the system or the library cannot read. Rethrows any other error. */
function problemOf(input: string, error: unknown): Problem {
  if (error instanceof AssertionError) {
    let next =
      'use a path relative to the workspace, or an absolute path, without "." or ".." as a folder'
    if (error.message === 'pattern cannot be empty') next = 'put a path after "!"'
    return problemAt(input, quote(error.message), { next, docs: patternDocs })
  }
  if (!(error instanceof Error)) throw error
  const unknownPath = /^No information found for the path '(.*)'/s.exec(error.message)?.[1]
  const path = 'path' in error ? error.path : unknownPath
  if (typeof path !== 'string') throw error
  const name = `"${quote(nameOf(path))}"`
  const code = errorCode(error)
  let text = `${name} cannot be read: ${describeError(error)}`
  let remedy = 'remove it'
  // What Node puts in place of bytes that are not valid UTF-8.
  if (path.includes('\ufffd')) {
    text = `the name ${name} is not valid UTF-8`
    remedy = 'rename it'
  } else if (code === null) text = `${name} is a broken link`
  else if (code === 'EACCES' || code === 'EPERM') remedy = 'make it readable'
  const next = `${remedy}, or use patterns that do not lead there (excluded folders are searched too)`
  return problemAt(input, text, { next, docs: patternDocs })
}

/** Returns the path with links resolved, or unchanged if there is no such file. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
