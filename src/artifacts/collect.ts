import { readFileSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { problemAt, type Problem } from '../failure.ts'
import type { Host } from '../runtime/host.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { baseName, joinFirst } from '../text/words.ts'
import type { HashedArtifact, PatternCount } from './artifact.ts'
import { parseChecksums, type ChecksumsReading } from './checksums.ts'
import { findFiles, type FoundFile, type PatternMatches } from './files.ts'
import { isOwnFile } from './own-files.ts'

/** The inputs that name artifacts. */
export interface CollectInputs {
  readonly path: string
  readonly checksums: string
  readonly ifNoFilesFound: 'error' | 'warn' | 'ignore'
}

/** How to collect. */
export interface CollectOptions {
  /** Absolute paths of the records files, which are never artifacts. */
  readonly skip: readonly string[]
  /** What to do about a pattern that matches nothing. */
  readonly remedy?: string
}

/** Everything that the inputs `path` and `checksums` name. */
export interface CollectedArtifacts {
  /** To be hashed; sorted by name. */
  readonly files: readonly FoundFile[]
  /** Entries of checksums files. */
  readonly listed: readonly HashedArtifact[]
  readonly counts: readonly PatternCount[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

/** What the patterns of one input found. */
interface InputReading {
  readonly input: 'path' | 'checksums'
  readonly patterns: readonly PatternMatches[]
  /** How many artifacts each file gives; without the files that this action writes. */
  readonly sizes: ReadonlyMap<FoundFile, number>
  readonly errors: readonly string[]
}

const maxShown = 10
const onlyOwn = 'only files that this action writes, which are never artifacts'
const noPattern = problemAt('path', 'no pattern includes anything; give one pattern per line')

/**
 * Finds the files that the patterns of `path` match, and reads the checksums files that those of `checksums` match. A
 * pattern or a checksums file that gives no artifact is a problem, a warning or nothing, as `if-no-files-found` says.
 * Rejects with a `Stop` at the halt.
 */
export async function collectArtifacts(
  inputs: CollectInputs,
  host: Host,
  options: CollectOptions,
): Promise<CollectedArtifacts> {
  const { skip, remedy = 'correct the pattern, or set if-no-files-found' } = options
  const { ifNoFilesFound } = inputs
  const records = new Set([...skip, ...skip.map(realPathOf)])
  const isOwn = (name: string, path: string): boolean =>
    isOwnFile(baseName(name)) || records.has(path)

  const found = await findFiles(inputs.path, host)
  const files = found.files.filter(({ name, realPath }) => !isOwn(name, realPath))
  const fileSizes = new Map(files.map(file => [file, 1]))
  const lists = await findFiles(inputs.checksums, host)
  const listed: HashedArtifact[] = []
  const listErrors = [...lists.errors]
  const listSizes = new Map<FoundFile, number>()
  for (const file of lists.files) {
    if (isOwn(file.name, file.realPath)) continue
    const reading = readChecksums(file)
    const entries = reading.entries.filter(
      ({ name }) => !isOwn(name, resolve(host.environment.workspace, name)),
    )
    for (const entry of entries) listed.push(entry)
    listErrors.push(...reading.errors)
    // A file with errors is not empty; they stop the run.
    listSizes.set(file, entries.length + reading.errors.length)
  }

  const readings: readonly InputReading[] = [
    { input: 'path', patterns: found.patterns, sizes: fileSizes, errors: found.errors },
    { input: 'checksums', patterns: lists.patterns, sizes: listSizes, errors: listErrors },
  ]
  const counts: PatternCount[] = []
  const problems: Problem[] = []
  const warnings = [...found.warnings, ...lists.warnings]
  for (const reading of readings) {
    const { input, patterns, sizes, errors } = reading
    for (const { text, files: matched } of patterns) {
      const count = matched.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0)
      counts.push({ input, text, count })
    }
    const missing = missingIn(reading)
    if (ifNoFilesFound === 'warn') {
      for (const text of missing) warnings.push(problemAt(input, text).message)
    }
    const wrong = ifNoFilesFound === 'error' ? missing : []
    const shown = joinFirst([...errors, ...wrong], maxShown)
    const advice = wrong.length === 0 ? '' : `; ${remedy}`
    if (shown !== '') problems.push(problemAt(input, shown + advice))
  }
  const hasText = inputs.path !== '' || inputs.checksums !== ''
  if (hasText && counts.length + problems.length === 0) problems.push(noPattern)
  return { files, listed, counts, problems, warnings }
}
/** What gives no artifact, in words. */
function missingIn({ input, patterns, sizes }: InputReading): readonly string[] {
  const missing: string[] = []
  for (const { text, files } of patterns) {
    if (files.some(file => sizes.has(file))) continue
    const none = input === 'path' ? 'no file' : 'no checksums file'
    missing.push(`the pattern "${quote(text)}" matches ${files.length === 0 ? none : onlyOwn}`)
  }
  for (const [{ name }, size] of sizes) {
    const isEmpty = `the checksums file "${quote(name)}" lists no artifact (files that this action writes do not count)`
    if (size === 0) missing.push(isEmpty)
  }
  return missing
}

function readChecksums({ name, absolutePath, hasDuplicateName }: FoundFile): ChecksumsReading {
  const shown = quote(name)
  try {
    if (hasDuplicateName) throw new Error('several files have this name, as it is not valid UTF-8')
    const { entries, errors } = parseChecksums(readFileSync(absolutePath), name)
    return { entries, errors: errors.map(error => `"${shown}", ${error}`) }
  } catch (error) {
    return { entries: [], errors: [`"${shown}" could not be read: ${describeError(error)}`] }
  }
}

/** The path without links, or the path itself if nothing stands there. */
function realPathOf(absolutePath: string): string {
  try {
    return realpathSync.native(absolutePath)
  } catch {
    return absolutePath
  }
}
