import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { describeError, problemAt, type Problem, type Remedy } from '../failure.ts'
import { planned, type Artifact } from '../outcome.ts'
import { linkTo } from '../runtime/environment.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { baseName, isOwnFile } from '../text/names.ts'
import { joinFirst } from '../text/phrases.ts'
import { parseChecksums, type ChecksumsEntry } from './checksums.ts'
import { findFiles, nameOf, patternDocs, realPathOf } from './files.ts'
import type { FoundFile, FoundFiles } from './files.ts'

/** The number of artifacts that a pattern matched or a release has, for the guard against too many registrations. */
export interface PatternCount {
  readonly text: string
  readonly count: number
}

const patternRemedy: Remedy = {
  next: 'make sure that an earlier step of this job builds or downloads the files, then check the pattern: patterns start at the workspace, one per line; variables, commas, quotes and braces are not supported, brackets are wildcards, and hidden files must be named',
  docs: patternDocs,
}
const exclusionRemedy: Remedy = {
  next: 'correct the line with "!" that excludes these files, or remove the pattern',
  docs: patternDocs,
}
const linesRemedy: Remedy = {
  next: 'write each line as "<SHA-256>  name" or "SHA256 (name) = <SHA-256>", or put nothing but the hash into name.sha256',
  docs: 'reference.md#checksums-files',
}

/**
 * Finds the files that `path` matches, and the entries (`listed`) of the checksums files that `checksums` matches.
 * `ifNoFilesFound` decides about patterns and checksums files without artifacts. Throws a `Stop` if the run stops.
 * @param skip The absolute paths of records files, which are never artifacts.
 */
export async function collectArtifacts(
  inputs: {
    readonly path: string
    readonly checksums: string
    readonly ifNoFilesFound: 'error' | 'warn' | 'ignore'
  },
  host: Host,
  skip: readonly string[],
) {
  const found = await findFiles('path', inputs.path, host)
  const foundLists = await findFiles('checksums', inputs.checksums, host)
  const records = new Set(skip.flatMap(path => [nameOf(path), nameOf(realPathOf(path))]))
  const isOwn = (name: string): boolean => isOwnFile(baseName(name)) || records.has(name)

  const files = found.files.filter(({ name }) => !isOwn(name))
  const matches = countMatches('path', found, new Map(files.map(({ path }) => [path, 1])))
  const names = new Map(files.map(({ name, path }) => [path, name]))
  const lists = foundLists.files.filter(({ name }) => !isOwn(name))
  const nameOfFile = (name: string) => names.get(realPathOf(resolve(name)))
  const reading = readLists(lists, { nameOfFile, isOwn })
  const listMatches = countMatches('checksums', foundLists, reading.sizes)

  const problems = [...found.problems, ...foundLists.problems, ...reading.problems]
  const warnings = [...found.warnings, ...foundLists.warnings]
  const missing = [...matches.missing, ...listMatches.missing, ...reading.missing]
  if (inputs.ifNoFilesFound === 'error') problems.push(...missing)
  if (inputs.ifNoFilesFound === 'warn') {
    for (const { message, next, docs } of missing) {
      warnings.push(linkTo(docs, `${message}; ${next}`, host))
    }
  }
  const counts = [...matches.counts, ...listMatches.counts]
  return { files, listed: reading.listed, counts, problems, warnings }
}

/** What entries of checksums files may name. */
interface Local {
  /** Returns the artifact of `path` that a name leads to, also through links. */
  readonly nameOfFile: (name: string) => string | undefined
  /** Whether this action writes a file, which is never an artifact. */
  readonly isOwn: (name: string) => boolean
}

/** Reads checksums files. `sizes` has the number of artifacts in each, by its path. */
function readLists(lists: readonly FoundFile[], local: Local) {
  const sizes = new Map<string, number>()
  const listed: Artifact[] = []
  const problems: Problem[] = []
  const invalid: string[] = []
  const empty: string[] = []
  for (const { name, path } of lists) {
    const shown = `"${quote(name)}"`
    let bytes: Buffer
    try {
      bytes = readFileSync(path)
    } catch (error) {
      const text = `${shown} cannot be read: ${describeError(error)}`
      problems.push(problemAt('checksums', text, { next: 'make it readable' }))
      sizes.set(path, 0)
      continue
    }
    const { entries, errors } = parseChecksums(bytes, name)
    const folders = [dirname(name), nameOf(dirname(path)), '.']
    const artifacts = entries.flatMap(entry => resolveEntry(entry, folders, local))
    sizes.set(path, artifacts.length)
    listed.push(...artifacts)
    invalid.push(...errors.map(error => `${shown}, ${error}`))
    if (artifacts.length + errors.length === 0) empty.push(`${shown} lists no artifact`)
  }
  problems.push(...asOneProblem('checksums', invalid, linesRemedy))
  return { sizes, listed, problems, missing: asOneProblem('checksums', empty, linesRemedy) }
}

/**
 * Returns the artifact of an entry in a checksums file: the file of `path` that has its name in one of the folders, those of
 * the checksums file before the workspace; if there is none, one of its own. None for a file that this action writes.
 */
function resolveEntry(
  { name, isLone, hash }: ChecksumsEntry,
  folders: readonly string[],
  { nameOfFile, isOwn }: Local,
): readonly Artifact[] {
  // A lone hash has the whole path of the checksums file as its name.
  const meant = (isLone ? ['.'] : folders).map(from => nameOf(resolve(from, name)))
  const found = meant.find(path => isOwn(path) || nameOfFile(path) !== undefined) ?? name
  if (isOwn(found)) return []
  const local = nameOfFile(found) ?? name
  return [{ input: 'checksums', name: local, size: null, hash, outcome: planned }]
}

/**
 * Counts the artifacts of each pattern, and describes the patterns without any. `sizes` has the
 * number of artifacts in each file, by its path, except in files that this action writes.
 */
function countMatches(
  input: 'path' | 'checksums',
  { patterns }: FoundFiles,
  sizes: ReadonlyMap<string, number>,
) {
  const missing: string[] = []
  const excluded: string[] = []
  const counts = patterns.map(({ text, paths, isExcluded }): PatternCount => {
    const counted = [...paths].flatMap(path => sizes.get(path) ?? [])
    const shown = `"${quote(text)}" matches`
    if (isExcluded) excluded.push(`${shown} only files that later lines exclude`)
    else if (paths.size === 0) missing.push(`${shown} no file`)
    else if (counted.length === 0) missing.push(`${shown} only files that this action writes`)
    return { text, count: counted.reduce((sum, size) => sum + size, 0) }
  })
  const problems = asOneProblem(input, missing, patternRemedy)
  return { counts, missing: [...problems, ...asOneProblem(input, excluded, exclusionRemedy)] }
}

/** Returns one problem for all texts; nothing without any. */
function asOneProblem(input: string, texts: readonly string[], remedy: Remedy): readonly Problem[] {
  if (texts.length === 0) return []
  return [problemAt(input, joinFirst(texts, 10), remedy)]
}
