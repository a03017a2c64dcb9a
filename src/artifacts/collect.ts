import { readFileSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { problemAt, type Problem } from '../failure.ts'
import type { HashedArtifact } from '../outcome.ts'
import type { Host } from '../runtime/host.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { baseName, joinFirst } from '../text/words.ts'
import { parseChecksums, type ChecksumsReading } from './checksums.ts'
import { duplicateName, findFiles, type FoundFile, type PatternMatches } from './files.ts'
import { isOwnFile } from './own-files.ts'
import type { PatternCount } from './pattern-count.ts'

/** The inputs that name artifacts. */
export interface CollectInputs {
  readonly path: string
  readonly checksums: string
  readonly ifNoFilesFound: 'error' | 'warn' | 'ignore'
}

/** Which files to leave out, and what to advise. */
export interface CollectOptions {
  /** Absolute paths of the records files, which are never artifacts. */
  readonly skip: readonly string[]
  /** What to do about a pattern that matches nothing. */
  readonly remedy?: string
}

/** Everything that the inputs `path` and `checksums` name. */
export interface CollectedArtifacts {
  /** The files to hash, sorted by name. */
  readonly files: readonly FoundFile[]
  /** The entries of the checksums files. */
  readonly listed: readonly HashedArtifact[]
  readonly counts: readonly PatternCount[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

const maxShown = 10
const onlyOwn = 'only files that this action writes, which are never artifacts'
const listsNothing = 'lists no artifact (files that this action writes do not count)'
const noPattern = problemAt('path', 'no pattern includes anything; add one pattern per line')

/**
 * Finds the files that `path` matches, and reads the checksums files that `checksums` matches.
 * `if-no-files-found` decides about those without artifacts. Rejects with a `Stop` if the run stops.
 */
export async function collectArtifacts(
  inputs: CollectInputs,
  host: Host,
  options: CollectOptions,
): Promise<CollectedArtifacts> {
  const { skip, remedy = 'correct the pattern, or set if-no-files-found' } = options
  const { ifNoFilesFound } = inputs
  const { workspace } = host.environment
  const records = new Set([...skip, ...skip.map(realPathOf)])
  const isOwn = (name: string, path: string): boolean =>
    isOwnFile(baseName(name)) || records.has(path)

  const files: FoundFile[] = []
  const listed: HashedArtifact[] = []
  const counts: PatternCount[] = []
  const problems: Problem[] = []
  const warnings: string[] = []
  for (const input of ['path', 'checksums'] as const) {
    const found = await findFiles(inputs[input], host)
    const errors = [...found.errors]
    // The number of artifacts in each file.
    const sizes = new Map<FoundFile, number>()
    for (const file of found.files) {
      if (isOwn(file.name, file.realPath)) continue
      if (input === 'path') {
        files.push(file)
        sizes.set(file, 1)
        continue
      }
      const reading = readChecksums(file)
      const entries = reading.entries.filter(({ name }) => !isOwn(name, resolve(workspace, name)))
      for (const entry of entries) listed.push(entry)
      errors.push(...reading.errors)
      // A file with errors is not empty; they stop the run.
      sizes.set(file, entries.length + reading.errors.length)
    }
    for (const { text, files: matched } of found.patterns) {
      const count = matched.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0)
      counts.push({ input, text, count })
    }
    warnings.push(...found.warnings)
    const missing = describeMissing(input, found.patterns, sizes)
    if (ifNoFilesFound === 'warn') {
      warnings.push(...missing.map(text => problemAt(input, text).message))
    }
    const isError = ifNoFilesFound === 'error' && missing.length > 0
    const shown = joinFirst(isError ? [...errors, ...missing] : errors, maxShown)
    if (shown !== '') problems.push(problemAt(input, isError ? `${shown}; ${remedy}` : shown))
  }
  const hasText = inputs.path !== '' || inputs.checksums !== ''
  if (hasText && counts.length + problems.length === 0) problems.push(noPattern)
  return { files, listed, counts, problems, warnings }
}

/** Describes the patterns that match no file, and the checksums files that list no artifact. */
function describeMissing(
  input: 'path' | 'checksums',
  patterns: readonly PatternMatches[],
  sizes: ReadonlyMap<FoundFile, number>,
): readonly string[] {
  const noFile = input === 'path' ? 'no file' : 'no checksums file'
  const missing: string[] = []
  for (const { text, files } of patterns) {
    if (files.some(file => sizes.has(file))) continue
    missing.push(`the pattern "${quote(text)}" matches ${files.length === 0 ? noFile : onlyOwn}`)
  }
  for (const [{ name }, size] of sizes) {
    if (size === 0) missing.push(`the checksums file "${quote(name)}" ${listsNothing}`)
  }
  return missing
}

function readChecksums({ name, absolutePath, hasDuplicateName }: FoundFile): ChecksumsReading {
  const shown = quote(name)
  try {
    if (hasDuplicateName) throw new Error(duplicateName)
    const { entries, errors } = parseChecksums(readFileSync(absolutePath), name)
    return { entries, errors: errors.map(error => `"${shown}", ${error}`) }
  } catch (error) {
    return { entries: [], errors: [`"${shown}" could not be read: ${describeError(error)}`] }
  }
}

/** Returns the path with links resolved, or unchanged if there is no such file. */
function realPathOf(absolutePath: string): string {
  try {
    return realpathSync.native(absolutePath)
  } catch {
    return absolutePath
  }
}
