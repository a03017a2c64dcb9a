import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describeError, problemAt, Stop, type Problem, type Remedy } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import { planned, type Artifact } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { baseName, isOwnFile } from '../text/names.ts'
import { joinFirst, pluralize } from '../text/phrases.ts'
import { parseChecksums, type ChecksumsEntry } from './checksums.ts'
import { findFiles, nameOf, patternDocs, realPathOf } from './files.ts'
import type { FoundFile, FoundFiles } from './files.ts'

const patternRemedy: Remedy = {
  next: 'make sure that an earlier step of this job builds or downloads the files, then check the pattern: patterns start at the workspace, one per line; variables, commas, quotes and braces are not supported, brackets are wildcards, and hidden files must be named',
  docs: patternDocs,
}
const exclusionRemedy: Remedy = {
  next: 'correct the line with "!" that excludes these files, or remove the pattern',
  docs: patternDocs,
}
const listDocs = 'reference.md#checksums-files'
const emptyRemedy: Remedy = {
  next: 'name a checksums file that lists the files to notarize',
  docs: listDocs,
}
const linesRemedy: Remedy = {
  next: 'write each line as "<SHA-256>  name" or "SHA256 (name) = <SHA-256>", or put nothing but the hash into name.sha256',
  docs: listDocs,
}

/**
 * Finds the files that `path` matches, and the entries (`listed`) of the checksums files that `checksums` matches; `counts`
 * are clauses that say how many each pattern matches. `ifNoFilesFound` decides about patterns and checksums files without
 * artifacts. Throws a `Stop` if the run stops.
 * @param skip The absolute paths of records files, which are never artifacts.
 */
export async function collectArtifacts(
  inputs: Pick<NotarizeInputs, 'path' | 'checksums' | 'ifNoFilesFound'>,
  host: Host,
  skip: readonly string[],
) {
  const found = await findFiles('path', inputs.path, host)
  const foundLists = await findFiles('checksums', inputs.checksums, host)
  const records = new Set(skip.map(realPathOf))
  const isOwn = ({ name, path }: FoundFile): boolean =>
    isOwnFile(baseName(name)) || isOwnFile(basename(path)) || records.has(path)

  const files = found.files.filter(file => !isOwn(file))
  const names = new Map(files.map(({ name, path }) => [path, name]))
  const lists = foundLists.files.filter(file => !isOwn(file))
  const { artifacts, ...reading } = await readLists(lists, { names, isOwn }, host)
  const listed = [...artifacts.values()].flat()
  const matches = countMatches('path', found, path => (names.has(path) ? 1 : undefined))
  const listMatches = countMatches('checksums', foundLists, path => artifacts.get(path)?.length)

  const problems = [...found.problems, ...foundLists.problems, ...reading.problems]
  const missing = [...matches.missing, ...listMatches.missing, ...reading.missing]
  if (inputs.ifNoFilesFound === 'error') problems.push(...missing)
  if (inputs.ifNoFilesFound === 'warn') {
    for (const { message, next, docs } of missing) {
      host.runner.warning(`${message}; ${next}`, docs)
    }
  }
  return { files, listed, counts: matches.counts.concat(listMatches.counts), problems }
}

/** What entries of checksums files may name. */
interface Local {
  /** The artifacts of `path`, by their paths with links resolved. */
  readonly names: ReadonlyMap<string, string>
  /** Whether this action writes a file, which is never an artifact. */
  readonly isOwn: (file: FoundFile) => boolean
}

/** A larger file is no checksums file: this is the size of one with about half a million entries. */
const maxListBytes = 64 * 1024 * 1024

/** Reads checksums files. Returns the artifacts of each, by its path. */
async function readLists(lists: readonly FoundFile[], local: Local, { halt, runner }: Host) {
  const artifacts = new Map<string, readonly Artifact[]>()
  const unreadable: string[] = []
  const invalid: string[] = []
  const tooLarge: string[] = []
  const empty: string[] = []
  const listingThemselves = new Set<string>()
  for (const list of lists) {
    const shown = `"${quote(list.name)}"`
    const listed: Artifact[] = []
    artifacts.set(list.path, listed)
    let bytes: Buffer
    try {
      if (statSync(list.path).size > maxListBytes) {
        tooLarge.push(`${shown} is larger than 64 MiB, so it is no checksums file`)
        continue
      }
      bytes = readFileSync(list.path)
    } catch (error) {
      unreadable.push(`${shown} cannot be read: ${describeError(error)}`)
      continue
    }
    const { entries, errors } = parseChecksums(bytes, list.name)
    for (const entry of entries) {
      // Lets signals arrive: each entry is looked for on the disk.
      await setImmediate()
      if (halt.ended.aborted) throw new Stop()
      const artifact = resolveEntry(entry, list, local)
      if (artifact === 'itself') listingThemselves.add(shown)
      else if (artifact !== 'own') listed.push(artifact)
    }
    for (const error of errors) invalid.push(`${shown}, ${error}`)
    const what = entries.length === 0 ? 'nothing' : 'only files that this action never notarizes'
    if (listed.length + errors.length === 0) empty.push(`${shown} lists ${what}`)
  }
  const problems = [
    ...asOneProblem('checksums', unreadable, { next: 'make each file readable' }),
    ...asOneProblem('checksums', invalid, linesRemedy),
    ...asOneProblem('checksums', tooLarge, { next: 'name only checksums files' }),
  ]
  const missing = asOneProblem('checksums', empty, emptyRemedy)
  if (listingThemselves.size > 0) {
    const shown = joinFirst([...listingThemselves], 10, { separator: ', ' })
    runner.warning(
      `skipped the entry that a checksums file has for itself, because its hash cannot be right: ${shown}`,
    )
  }
  return { artifacts, problems, missing }
}

/** Returns the file of `path` that an entry names; without any, an artifact of its own. `own` if it names a file that this action writes. */
function resolveEntry(
  { name, isLone, hash }: ChecksumsEntry,
  list: FoundFile,
  { names, isOwn }: Local,
): Artifact | 'own' | 'itself' {
  const artifact = { input: 'checksums', name, size: null, hash, outcome: planned } as const
  // A name is looked for beside the checksums file, then in the workspace. That of a lone hash is the path of the checksums file.
  const folders = isLone ? ['.'] : [dirname(list.name), nameOf(dirname(list.path)), '.']
  for (const folder of new Set(folders)) {
    // The working folder is the workspace.
    const path = resolve(folder, name)
    const realPath = realPathOf(path)
    if (realPath === list.path) return 'itself'
    if (isOwn({ name: nameOf(path), path: realPath })) return 'own'
    const local = names.get(realPath)
    if (local !== undefined) return { ...artifact, name: local }
  }
  return artifact
}

/** Counts the artifacts of each pattern, and describes the patterns without any. A file that this action writes has no count. */
function countMatches(
  input: 'path' | 'checksums',
  { patterns }: FoundFiles,
  countIn: (path: string) => number | undefined,
) {
  const missing: string[] = []
  const excluded: string[] = []
  const counts = patterns.map(({ text, paths, isExcluded }) => {
    const inFiles = [...paths].flatMap(path => countIn(path) ?? [])
    const shown = `"${quote(text)}" matches`
    if (isExcluded) excluded.push(`${shown} only files that later lines exclude`)
    else if (paths.size === 0) missing.push(`${shown} no file`)
    else if (inFiles.length === 0) missing.push(`${shown} only files that this action writes`)
    const count = inFiles.reduce((sum, countOfFile) => sum + countOfFile, 0)
    const isPath = input === 'path'
    const found = isPath ? pluralize(count, 'file') : pluralize(count, 'entry', 'entries')
    return `"${quote(text, 100)}" matches ${found}`
  })
  const problems = asOneProblem(input, missing, patternRemedy)
  return { counts, missing: [...problems, ...asOneProblem(input, excluded, exclusionRemedy)] }
}

/** Returns one problem for all texts; nothing without any. */
function asOneProblem(input: string, texts: readonly string[], remedy: Remedy): readonly Problem[] {
  if (texts.length === 0) return []
  return [problemAt(input, joinFirst(texts, 10), remedy)]
}
