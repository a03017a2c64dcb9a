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
  const isOwn: OwnFileCheck = (name, path) => isOwnFile(baseName(name)) || records.has(path)
  const paths = await collectFiles(inputs.path, host, isOwn)
  const sums = await collectEntries(inputs.checksums, host, isOwn)

  const problems: Problem[] = []
  const warnings = [...paths.warnings, ...sums.warnings]
  for (const { input, errors, missing } of [paths, sums]) {
    const isError = ifNoFilesFound === 'error' && missing.length > 0
    const shown = joinFirst(isError ? [...errors, ...missing] : errors, maxShown)
    if (shown !== '') problems.push(problemAt(input, isError ? `${shown}; ${remedy}` : shown))
    if (ifNoFilesFound !== 'warn') continue
    warnings.push(...missing.map(text => problemAt(input, text).message))
  }
  const counts = [...paths.counts, ...sums.counts]
  const hasText = inputs.path !== '' || inputs.checksums !== ''
  if (hasText && counts.length + problems.length === 0) problems.push(noPattern)
  return { files: paths.files, listed: sums.entries, counts, problems, warnings }
}

/** Whether a name or a path is that of a file that is never an artifact. */
type OwnFileCheck = (name: string, path: string) => boolean

/** What the patterns of an input match. */
interface Findings {
  readonly input: 'path' | 'checksums'
  readonly counts: readonly PatternCount[]
  readonly errors: readonly string[]
  /** The patterns and checksums files without artifacts. */
  readonly missing: readonly string[]
  readonly warnings: readonly string[]
}

async function collectFiles(text: string, host: Host, isOwn: OwnFileCheck) {
  const found = await findFiles(text, host)
  const files = found.files.filter(({ name, realPath }) => !isOwn(name, realPath))
  const sizes = new Map(files.map(file => [file, 1]))
  return { ...describeMatches('path', found, sizes), files }
}

async function collectEntries(text: string, host: Host, isOwn: OwnFileCheck) {
  const found = await findFiles(text, host)
  const sizes = new Map<FoundFile, number>()
  const listed: (readonly Artifact[])[] = []
  const errors = [...found.errors]
  const empty: string[] = []
  for (const file of found.files) {
    if (isOwn(file.name, file.realPath)) continue
    const reading = readChecksums(file)
    const { workspace } = host.environment
    const entries = reading.entries.filter(({ name }) => !isOwn(name, resolve(workspace, name)))
    sizes.set(file, entries.length)
    listed.push(entries)
    errors.push(...reading.errors)
    if (entries.length + reading.errors.length === 0) empty.push(describeEmpty(file))
  }
  const findings = describeMatches('checksums', found, sizes)
  const missing = [...findings.missing, ...empty]
  return { ...findings, errors, missing, entries: listed.flat() }
}

function describeEmpty({ name }: FoundFile): string {
  return `the checksums file "${quote(name)}" lists no artifact (files that this action writes do not count)`
}

/** `sizes` has the number of artifacts in each file, except in files that this action writes. */
function describeMatches(
  input: Findings['input'],
  { patterns, errors, warnings }: FoundFiles,
  sizes: ReadonlyMap<FoundFile, number>,
): Findings {
  const counts = patterns.map(({ text, files }) => {
    return { input, text, count: files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0) }
  })
  const unmatched = patterns.filter(({ files }) => !files.some(file => sizes.has(file)))
  const missing = unmatched.map(({ text, files }) => {
    const pattern = `the pattern "${quote(text)}" matches`
    if (files.length > 0)
      return `${pattern} only files that this action writes, which are never artifacts`
    const hint = /\{.*\}/.test(text) ? ' (braces are not read; write one pattern per line)' : ''
    return `${pattern} no ${input === 'path' ? 'file' : 'checksums file'}${hint}`
  })
  return { input, counts, errors, missing, warnings }
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
