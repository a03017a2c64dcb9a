import { readFileSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { problemAt, type Problem } from '../failure.ts'
import type { Artifact } from '../outcome.ts'
import type { Host } from '../runtime/host.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { baseName, joinFirst } from '../text/words.ts'
import { parseChecksums, type ChecksumsReading } from './checksums.ts'
import { duplicateName, findFiles, type FoundFile, type FoundFiles } from './files.ts'
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
  readonly listed: readonly Artifact[]
  readonly counts: readonly PatternCount[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

const maxShown = 10
const noPattern = problemAt('path', 'no pattern includes anything; add one pattern per line')

/** The number of artifacts in each file that a pattern matched; files of this action are not there. */
type Sizes = ReadonlyMap<FoundFile, number>

/**
 * Finds the files that `path` matches, and reads the checksums files that `checksums` matches.
 * `if-no-files-found` decides about those without artifacts. Rejects with a `Stop` if the run stops.
 */
export async function collectArtifacts(
  inputs: CollectInputs,
  host: Host,
  options: CollectOptions,
): Promise<CollectedArtifacts> {
  const { ifNoFilesFound } = inputs
  const { skip, remedy = 'correct the pattern, or set if-no-files-found' } = options
  const records = new Set([...skip, ...skip.map(realPathOf)])
  const isArtifact = (name: string, path: string): boolean =>
    !isOwnFile(baseName(name)) && !records.has(path)
  const isFile = ({ name, realPath }: FoundFile): boolean => isArtifact(name, realPath)

  const paths = await findFiles(inputs.path, host)
  const files = paths.files.filter(isFile)
  const fileSizes: Sizes = new Map(files.map(file => [file, 1]))

  const sums = await findFiles(inputs.checksums, host)
  const readings = sums.files.filter(isFile).map(file => {
    const { entries, errors } = readChecksums(file)
    const isEntry = ({ name }: Artifact): boolean =>
      isArtifact(name, resolve(host.environment.workspace, name))
    return { file, entries: entries.filter(isEntry), errors }
  })
  const sumSizes: Sizes = new Map(readings.map(({ file, entries }) => [file, entries.length]))
  const unreadable = readings.flatMap(({ errors }) => errors)
  const empty = readings.filter(({ entries, errors }) => entries.length + errors.length === 0)
  const emptyLists = empty.map(
    ({ file }) => `the checksums file "${quote(file.name)}" ${listsNothing}`,
  )

  const findings = [
    { input: 'path', errors: paths.errors, missing: describeUnmatched('file', paths, fileSizes) },
    {
      input: 'checksums',
      errors: [...sums.errors, ...unreadable],
      missing: [...describeUnmatched('checksums file', sums, sumSizes), ...emptyLists],
    },
  ]
  const problems: Problem[] = []
  const warnings = [...paths.warnings, ...sums.warnings]
  for (const { input, errors, missing } of findings) {
    const isError = ifNoFilesFound === 'error' && missing.length > 0
    const shown = joinFirst(isError ? [...errors, ...missing] : errors, maxShown)
    if (shown !== '') problems.push(problemAt(input, isError ? `${shown}; ${remedy}` : shown))
    if (ifNoFilesFound !== 'warn') continue
    warnings.push(...missing.map(text => problemAt(input, text).message))
  }
  const counts = [
    ...countMatches('path', paths, fileSizes),
    ...countMatches('checksums', sums, sumSizes),
  ]
  const hasText = inputs.path !== '' || inputs.checksums !== ''
  if (hasText && counts.length + problems.length === 0) problems.push(noPattern)
  const listed = readings.flatMap(({ entries }) => entries)
  return { files, listed, counts, problems, warnings }
}

const listsNothing = 'lists no artifact (files that this action writes do not count)'

function countMatches(
  input: 'path' | 'checksums',
  { patterns }: FoundFiles,
  sizes: Sizes,
): readonly PatternCount[] {
  return patterns.map(({ text, files }) => {
    return { input, text, count: files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0) }
  })
}

/** Describes the patterns that match nothing, or only files that this action writes. */
function describeUnmatched(
  noun: string,
  { patterns }: FoundFiles,
  sizes: Sizes,
): readonly string[] {
  const unmatched = patterns.filter(({ files }) => !files.some(file => sizes.has(file)))
  return unmatched.map(({ text, files }) => {
    const pattern = `the pattern "${quote(text)}" matches`
    if (files.length > 0)
      return `${pattern} only files that this action writes, which are never artifacts`
    const hint = /\{.*\}/.test(text) ? ' (braces are not read; write one pattern per line)' : ''
    return `${pattern} no ${noun}${hint}`
  })
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
