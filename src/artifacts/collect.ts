import { readFileSync, statSync } from 'node:fs'
import { describeError } from '../errors.ts'
import type { Inputs } from '../inputs.ts'
import type { Problem } from '../outcome.ts'
import { quote } from '../report/escape.ts'
import { parseChecksums, type ChecksumEntry } from './sources/checksums.ts'
import { findFiles, type FoundFile } from './sources/files.ts'
import type { PatternPlace } from './sources/pattern.ts'

/** How many files or entries a pattern brought. */
export interface PatternCount {
  readonly input: 'path' | 'checksums' | 'release-tag'
  readonly text: string
  readonly count: number
}

/** Everything that the inputs `path` and `checksums` name. */
export interface Collected {
  readonly files: readonly FoundFile[]
  readonly entries: readonly ChecksumEntry[]
  readonly counts: readonly PatternCount[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

type CollectInputs = Pick<Inputs, 'path' | 'checksums' | 'ifNoFilesFound'> & {
  /** What to do about a pattern that brings nothing. */
  readonly remedy?: string
}

const maxLineErrors = 5
const maxChecksumsBytes = 64 * 1024 * 1024

/**
 * Finds the artifacts. A pattern, or a checksums file, that brings nothing is a problem, a warning or nothing, as
 * `if-no-files-found` says. The records files (real paths) are never artifacts.
 */
export function collectArtifacts(
  inputs: CollectInputs,
  place: PatternPlace,
  recordsPaths: readonly string[],
): Collected {
  const found = findFiles(inputs.path, place, recordsPaths)
  const lists = readChecksumsFiles(findFiles(inputs.checksums, place, recordsPaths))
  const { remedy = 'mend the pattern, or set if-no-files-found' } = inputs
  const hasPattern = found.patterns.length > 0 || lists.counts.length > 0
  const errors = { path: [...found.errors], checksums: [...lists.errors] }
  const nothing = {
    path: found.patterns.filter(one => one.count === 0).map(one => pattern(one.text, 'file')),
    checksums: lists.nothing,
  }
  const warnings: string[] = [...found.warnings, ...lists.warnings]
  for (const input of ['path', 'checksums'] as const) {
    if (inputs.ifNoFilesFound === 'error' && nothing[input].length > 0) {
      errors[input].push(`${nothing[input].join('; ')}; ${remedy}`)
    }
    if (inputs.ifNoFilesFound === 'warn') {
      warnings.push(...nothing[input].map(text => `input "${input}": ${text}`))
    }
  }
  const hasText = inputs.path !== '' || inputs.checksums !== ''
  if (hasText && !hasPattern && errors.path.length + errors.checksums.length === 0) {
    errors.path.push('there is no pattern that includes anything; give one pattern a line')
  }
  return {
    files: found.files,
    entries: lists.entries,
    counts: [
      ...found.patterns.map(one => ({ input: 'path' as const, ...one })),
      ...lists.counts.map(one => ({ input: 'checksums' as const, ...one })),
    ],
    problems: (['path', 'checksums'] as const)
      .filter(input => errors[input].length > 0)
      .map(input => ({ input, message: `input "${input}": ${errors[input].join('; ')}` })),
    warnings,
  }
}

function pattern(text: string, kind: 'file' | 'checksums file'): string {
  return `the pattern "${quote(text)}" matches no ${kind}`
}

interface ChecksumsLists {
  readonly entries: readonly ChecksumEntry[]
  readonly counts: readonly { readonly text: string; readonly count: number }[]
  readonly errors: readonly string[]
  readonly nothing: readonly string[]
  readonly warnings: readonly string[]
}

function readChecksumsFiles(found: ReturnType<typeof findFiles>): ChecksumsLists {
  const entries: ChecksumEntry[] = []
  const errors: string[] = [...found.errors]
  const nothing = found.patterns
    .filter(one => one.count === 0)
    .map(one => pattern(one.text, 'checksums file'))
  const brought = new Map<string, number>()
  for (const file of found.files) {
    const reading = readChecksumsFile(file)
    entries.push(...reading.entries)
    brought.set(file.absolutePath, reading.entries.length)
    errors.push(...reading.errors)
    if (reading.entries.length === 0 && reading.errors.length === 0) {
      nothing.push(`the checksums file "${quote(file.name)}" has no entries`)
    }
  }
  const counts = found.patterns.map(({ text, files }) => ({
    text,
    count: files.reduce((sum, file) => sum + (brought.get(file) ?? 0), 0),
  }))
  return { entries, counts, errors, nothing, warnings: found.warnings }
}

function readChecksumsFile(file: FoundFile): ReturnType<typeof parseChecksums> {
  const name = quote(file.name)
  try {
    if (statSync(file.absolutePath).size > maxChecksumsBytes) {
      return {
        entries: [],
        errors: [`"${name}" is larger than 64 MiB, which no checksums file is`],
      }
    }
    const { entries, errors } = parseChecksums(readFileSync(file.absolutePath))
    const shown = errors.slice(0, maxLineErrors).map(error => `"${name}", ${error}`)
    const more = errors.length - shown.length
    return { entries, errors: more > 0 ? [...shown, `"${name}": ${more} more such lines`] : shown }
  } catch (error) {
    return { entries: [], errors: [`"${name}" could not be read: ${describeError(error)}`] }
  }
}
