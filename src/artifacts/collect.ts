import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { describeError, problemAt, type Problem, type Remedy } from '../failure.ts'
import { planned, type Artifact } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { baseName, isOwnFile } from '../text/names.ts'
import { joinFirst, pluralize } from '../text/phrases.ts'
import { parseChecksums, type ChecksumsEntry } from './checksums.ts'
import { findFiles, patternDocs, realPathOf, type FoundFile, type FoundFiles } from './files.ts'

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

/** The number of artifacts that a pattern matched or a release has. */
export interface PatternCount {
  readonly input: Artifact['input']
  readonly text: string
  readonly count: number
}

const nouns = {
  path: ['file', 'files'],
  checksums: ['checksums entry', 'checksums entries'],
  'release-tag': ['release asset', 'release assets'],
} as const

/** Says how many artifacts a pattern or a release has. */
export function describeCount({ input, text, count }: PatternCount): string {
  const [singular, plural] = nouns[input]
  return `"${quote(text, 100)}" matches ${pluralize(count, singular, plural)}`
}

const maxShown = 10

const patternRemedy: Remedy = {
  next: 'correct the pattern: patterns start at the workspace, one per line; variables, commas, quotes and braces are not supported, brackets are wildcards, and hidden files must be named',
  docs: patternDocs,
}
const emptyRemedy: Remedy = {
  next: 'list artifacts in it, or remove it from the input',
  docs: 'reference.md#checksums-files',
}
const formRemedy: Remedy = {
  next: 'write each line as "<SHA-256>  name" or "SHA256 (name) = <SHA-256>", or put nothing but the hash into name.sha256',
  docs: 'reference.md#checksums-files',
}

/** Whether this action writes the file: it is never an artifact. */
type IsOwn = (name: string, paths: readonly string[]) => boolean

/**
 * Finds the files that `path` matches, and reads the checksums files that `checksums` matches.
 * `ifNoFilesFound` decides about those without artifacts. Rejects with a `Stop` if the run stops.
 * @param options `skip` lists the absolute paths of records files, which are never artifacts.
 */
export async function collectArtifacts(
  inputs: {
    readonly path: string
    readonly checksums: string
    readonly ifNoFilesFound: 'error' | 'warn' | 'ignore'
  },
  host: Host,
  { skip }: { readonly skip: readonly string[] },
): Promise<CollectedArtifacts> {
  const records = new Set([...skip, ...skip.map(realPathOf)])
  const isOwn: IsOwn = (name, paths) =>
    isOwnFile(baseName(name)) || paths.some(path => records.has(path))

  const found = await findFiles('path', inputs.path, host)
  const files = found.files.filter(({ name, realPath }) => !isOwn(name, [realPath]))
  const matches = countMatches('path', found, new Map(files.map(file => [file, 1])))
  const lists = await findFiles('checksums', inputs.checksums, host)
  const names = new Map(files.map(({ realPath, name }) => [realPath, name]))
  const workspace = realPathOf(host.environment.workspace)
  const reading = readLists(lists, { names, isOwn, workspace })
  const listMatches = countMatches('checksums', lists, reading.sizes)

  const problems = [...found.problems, ...lists.problems, ...reading.problems]
  const warnings = [...found.warnings, ...lists.warnings]
  const missing = [...matches.missing, ...listMatches.missing, ...reading.missing]
  if (inputs.ifNoFilesFound === 'error') problems.push(...missing)
  if (inputs.ifNoFilesFound === 'warn') {
    warnings.push(...missing.map(({ message, next }) => `${message}; ${next}`))
  }
  const counts = [...matches.counts, ...listMatches.counts]
  const hasText = inputs.path !== '' || inputs.checksums !== ''
  if (hasText && counts.length + problems.length === 0) {
    const next = 'add a line without "!"'
    problems.push(problemAt('path', 'no pattern includes files', { next, docs: patternDocs }))
  }
  return { files, listed: reading.listed, counts, problems, warnings }
}

/** What entries of checksums files may name. */
interface Local {
  /** The names of the files of `path`, by their real paths. */
  readonly names: ReadonlyMap<string, string>
  readonly isOwn: IsOwn
  /** With links resolved. */
  readonly workspace: string
}

/** Reads checksums files. `sizes` has the number of artifacts in each, except in files that this action writes. */
function readLists(lists: FoundFiles, local: Local) {
  const sizes = new Map<FoundFile, number>()
  const listed: Artifact[] = []
  const unread: string[] = []
  const invalid: string[] = []
  const empty: string[] = []
  for (const list of lists.files) {
    if (local.isOwn(list.name, [list.realPath])) continue
    const shown = `"${quote(list.name)}"`
    sizes.set(list, 0)
    try {
      const { entries, errors } = parseChecksums(readFileSync(list.absolutePath), list.name)
      const artifacts = resolveEntries(entries, realPathOf(dirname(list.absolutePath)), local)
      sizes.set(list, artifacts.length)
      listed.push(...artifacts)
      invalid.push(...errors.map(error => `${shown}, ${error}`))
      if (artifacts.length + errors.length === 0) empty.push(`${shown} lists no artifact`)
    } catch (error) {
      unread.push(`${shown} cannot be read: ${describeError(error)}`)
    }
  }
  const problems = [
    ...problemsOf('checksums', unread, { next: 'make it readable' }),
    ...problemsOf('checksums', invalid, formRemedy),
  ]
  return { sizes, listed, problems, missing: problemsOf('checksums', empty, emptyRemedy) }
}

/**
 * Returns the artifacts of a checksums file in this folder. An entry is the file of `path` that has its name in the
 * folder, or else in the workspace; if there is none, an artifact of its own.
 */
function resolveEntries(
  entries: readonly ChecksumsEntry[],
  folder: string,
  { names, isOwn, workspace }: Local,
): readonly Artifact[] {
  const artifacts: Artifact[] = []
  for (const { name, isLone, hash } of entries) {
    const paths = [resolve(workspace, name)]
    // A lone hash has the whole path of the checksums file as its name.
    if (!isLone) paths.unshift(resolve(folder, name))
    if (isOwn(name, paths)) continue
    const [local = name] = paths.flatMap(path => names.get(path) ?? [])
    artifacts.push({ input: 'checksums', name: local, size: null, hash, outcome: planned })
  }
  return artifacts
}

const matchedBy = { path: 'file', checksums: 'checksums file' } as const

/**
 * Counts the artifacts of each pattern, and describes the patterns without any. `sizes` has the
 * number of artifacts in each file, except in files that this action writes.
 */
function countMatches(
  input: 'path' | 'checksums',
  { patterns }: FoundFiles,
  sizes: ReadonlyMap<FoundFile, number>,
) {
  const missing: string[] = []
  const counts = patterns.map(({ text, files }): PatternCount => {
    const counted = files.filter(file => sizes.has(file))
    const shown = `"${quote(text)}" matches`
    if (files.length === 0) missing.push(`${shown} no ${matchedBy[input]}`)
    else if (counted.length === 0) missing.push(`${shown} only files that this action writes`)
    return { input, text, count: counted.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0) }
  })
  return { counts, missing: problemsOf(input, missing, patternRemedy) }
}

/** Returns one problem for all texts; nothing without any. */
function problemsOf(input: string, texts: readonly string[], remedy: Remedy): readonly Problem[] {
  if (texts.length === 0) return []
  return [problemAt(input, joinFirst(texts, maxShown), remedy)]
}
