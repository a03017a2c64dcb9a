import { readFileSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { describeError, problemAt, type Problem } from '../failure.ts'
import type { Artifact } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { baseName, isOwnFile } from '../text/names.ts'
import { joinFirst, pluralize } from '../text/phrases.ts'
import { parseChecksums } from './checksums.ts'
import { findFiles, sameName, type FoundFile, type FoundFiles } from './files.ts'

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

/**
 * Finds the files that `path` matches, and reads the checksums files that `checksums` matches.
 * `ifNoFilesFound` decides about those without artifacts. Rejects with a `Stop` if the run stops.
 * @param options `skip` lists the absolute paths of records files, which are never artifacts;
 *   `remedy` says what to do about a pattern that matches nothing.
 */
export async function collectArtifacts(
  inputs: {
    readonly path: string
    readonly checksums: string
    readonly ifNoFilesFound: 'error' | 'warn' | 'ignore'
  },
  host: Host,
  options: { readonly skip: readonly string[]; readonly remedy?: string },
): Promise<CollectedArtifacts> {
  const { ifNoFilesFound } = inputs
  const { skip, remedy = 'correct the pattern, or set if-no-files-found' } = options
  const records = new Set([...skip, ...skip.map(realPathOf)])
  const isOwn = (name: string, path: string): boolean =>
    isOwnFile(baseName(name)) || records.has(path)

  const found = await findFiles(inputs.path, host)
  const files = found.files.filter(({ name, realPath }) => !isOwn(name, realPath))
  const paths = describeMatches('path', found, new Map(files.map(file => [file, 1])))
  const sums = await collectEntries(inputs.checksums, host, isOwn)

  const problems: Problem[] = []
  const warnings = [...paths.warnings, ...sums.warnings]
  for (const { input, errors, missing } of [paths, sums]) {
    const wrong = [...errors]
    if (ifNoFilesFound === 'error') wrong.push(...missing)
    if (ifNoFilesFound === 'warn') {
      warnings.push(...missing.map(text => problemAt(input, text).message))
    }
    if (wrong.length === 0) continue
    let text = joinFirst(wrong, maxShown)
    if (wrong.length > errors.length) text += `; ${remedy}`
    problems.push(problemAt(input, text))
  }
  const counts = [...paths.counts, ...sums.counts]
  const hasText = inputs.path !== '' || inputs.checksums !== ''
  if (hasText && counts.length + problems.length === 0) {
    problems.push(problemAt('path', 'no pattern includes anything; add one pattern per line'))
  }
  return { files, listed: sums.listed, counts, problems, warnings }
}

/** Reads the checksums files that patterns match. */
async function collectEntries(
  text: string,
  host: Host,
  isOwn: (name: string, path: string) => boolean,
) {
  const found = await findFiles(text, host)
  const sizes = new Map<FoundFile, number>()
  const lists: (readonly Artifact[])[] = []
  const errors = [...found.errors]
  const empty: string[] = []
  for (const [index, file] of found.files.entries()) {
    if (isOwn(file.name, file.realPath)) continue
    const shown = `"${quote(file.name)}"`
    try {
      if (file.absolutePath === found.files[index - 1]?.absolutePath) throw new Error(sameName)
      const reading = parseChecksums(readFileSync(file.absolutePath), file.name)
      const { workspace } = host.environment
      const entries = reading.entries.filter(({ name }) => !isOwn(name, resolve(workspace, name)))
      sizes.set(file, entries.length)
      lists.push(entries)
      errors.push(...reading.errors.map(error => `${shown}, ${error}`))
      if (entries.length + reading.errors.length > 0) continue
      empty.push(
        `the checksums file ${shown} lists no artifact (files that this action writes do not count)`,
      )
    } catch (error) {
      sizes.set(file, 0)
      errors.push(`${shown} could not be read: ${describeError(error)}`)
    }
  }
  const matches = describeMatches('checksums', found, sizes)
  return { ...matches, errors, missing: [...matches.missing, ...empty], listed: lists.flat() }
}

const matchedBy = { path: 'file', checksums: 'checksums file' } as const

/**
 * Counts the artifacts of each pattern, and describes the patterns without any. `sizes` has the
 * number of artifacts in each file, except in files that this action writes.
 */
function describeMatches(
  input: 'path' | 'checksums',
  { patterns, errors, warnings }: FoundFiles,
  sizes: ReadonlyMap<FoundFile, number>,
) {
  const counts = patterns.map(({ text, files }) => {
    return { input, text, count: files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0) }
  })
  const unmatched = patterns.filter(({ files }) => !files.some(file => sizes.has(file)))
  const missing = unmatched.map(({ text, files }) => {
    const pattern = `the pattern "${quote(text)}" matches`
    if (files.length > 0)
      return `${pattern} only files that this action writes, which are never artifacts`
    const none = `${pattern} no ${matchedBy[input]}`
    if (!/\{.*\}/.test(text)) return none
    return `${none} (braces are not supported; write one pattern per line)`
  })
  return { input, counts, errors, missing, warnings }
}

/** Returns the path with links resolved, or unchanged if there is no such file. */
function realPathOf(absolutePath: string): string {
  try {
    return realpathSync.native(absolutePath)
  } catch {
    return absolutePath
  }
}
