import { readFileSync, statSync } from 'node:fs'
import { makeFailure } from '../failure.ts'
import { problemAt, type Problem } from '../stop.ts'
import { quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { baseName } from '../text/words.ts'
import type { Artifact, ArtifactSource, FailedArtifact, PatternCount } from './artifact.ts'
import { parseChecksums, type ChecksumsReading } from './checksums.ts'
import { findFiles, type FindOptions, type FoundFile, type FoundFiles } from './files.ts'
import { realPathOf } from './folder.ts'
import { attachedNames } from './own-files.ts'

/** Everything that the inputs `path` and `checksums` name. */
export interface Collected {
  /** To be hashed; sorted by name. */
  readonly files: readonly FoundFile[]
  /** Entries of checksums files, and what has a name that cannot be read. */
  readonly listed: readonly Artifact[]
  readonly counts: readonly PatternCount[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

/** How to collect. */
interface CollectOptions extends Pick<FindOptions, 'place' | 'halt'> {
  /** Absolute paths of the records files, which are never artifacts. */
  readonly skip: readonly string[]
  /** What to do about a pattern that matches nothing. */
  readonly remedy?: string
}

const maxChecksumsBytes = 64 * 1024 * 1024

/**
 * Finds the artifacts that the patterns of `path`, and the checksums files that those of `checksums` match, name. A
 * pattern, or a checksums file, that matches nothing is a problem, a warning or nothing, as `if-no-files-found` says.
 * Rejects with a `Stop` at the halt.
 */
export async function collectArtifacts(
  inputs: {
    readonly path: string
    readonly checksums: string
    readonly ifNoFilesFound: 'error' | 'warn' | 'ignore'
  },
  { remedy = 'correct the pattern, or set if-no-files-found', ...options }: CollectOptions,
): Promise<Collected> {
  const leaveOut = Object.values(attachedNames)
  const skip = options.skip.map(realPathOf)
  const found = await findFiles(inputs.path, { ...options, skip, leaveOut })
  const lists = await findFiles(inputs.checksums, { ...options, skip })
  const isOwn = ownFiles(options)
  const readings = new Map(lists.files.map(file => [file, readList(file)]))
  const read = [...readings.values()]
  const empty = [...readings].filter(
    ([, { entries, errors }]) => entries.length + errors.length === 0,
  )
  const sources = [
    { input: 'path', errors: found.errors, nothing: unmatched(found, 'file') },
    {
      input: 'checksums',
      errors: [...lists.errors, ...read.flatMap(({ errors }) => errors)],
      nothing: [
        ...unmatched(lists, 'checksums file'),
        ...empty.map(([{ name }]) => `the checksums file "${quote(name)}" has no entries`),
      ],
    },
  ]
  const problems = sources.flatMap(({ input, errors, nothing }) => {
    const isWrong = inputs.ifNoFilesFound === 'error' && nothing.length > 0
    const all = isWrong ? [...errors, `${nothing.join('; ')}; ${remedy}`] : errors
    return all.length === 0 ? [] : [problemAt(input, all.join('; '))]
  })
  const nothing = sources.flatMap(({ input, nothing }) =>
    nothing.map(text => problemAt(input, text).message),
  )
  const entriesIn = (file: FoundFile): number => readings.get(file)?.entries.length ?? 0
  const counts: readonly PatternCount[] = [
    ...found.patterns.map(({ text, count }) => ({ input: 'path', text, count }) as const),
    ...lists.patterns.map(({ text, count, files }) => {
      const all = files.reduce((sum, file) => sum + entriesIn(file), count - files.length)
      return { input: 'checksums', text, count: all } as const
    }),
  ]
  const hasText = inputs.path !== '' || inputs.checksums !== ''
  const isEmpty = hasText && counts.length === 0 && problems.length === 0
  return {
    files: found.files,
    listed: [
      ...found.unreadable.map(name => unreadableName('path', name)),
      ...lists.unreadable.map(name => unreadableName('checksums', name)),
      ...read.flatMap(({ entries }) => entries).filter(({ name }) => !isOwn(name)),
    ],
    counts,
    problems: isEmpty ? [problemAt('path', noPattern)] : problems,
    warnings: [
      ...found.warnings,
      ...lists.warnings,
      ...(inputs.ifNoFilesFound === 'warn' ? nothing : []),
    ],
  }
}

const noPattern = 'there is no pattern that includes anything; give one pattern a line'

function unmatched({ patterns }: FoundFiles, what: string): readonly string[] {
  return patterns
    .filter(({ count }) => count === 0)
    .map(({ text }) => `the pattern "${quote(text)}" matches no ${what}`)
}

/** Tells the entries that are files which this action writes: by their name, or as a records file. */
function ownFiles({
  place: { path, workspace },
  skip,
}: Pick<CollectOptions, 'place' | 'skip'>): (name: string) => boolean {
  const attached = new Set<string>(Object.values(attachedNames))
  const records = new Set(skip.map(realPathOf))
  const names = new Set([...skip, ...records].map(file => path.basename(file)))
  return name => {
    const base = baseName(name)
    if (attached.has(base)) return true
    // There may be very many entries, and to follow links takes its time.
    return names.has(base) && records.has(realPathOf(path.resolve(workspace, name)))
  }
}

function readList({ name, absolutePath }: FoundFile): Pick<ChecksumsReading, 'entries' | 'errors'> {
  const shown = quote(name)
  const fail = (why: string) => ({ entries: [], errors: [`"${shown}" ${why}`] })
  try {
    if (statSync(absolutePath).size > maxChecksumsBytes)
      return fail('is larger than 64 MiB, which no checksums file is')
    const { entries, errors, errorCount } = parseChecksums(readFileSync(absolutePath), name)
    const more = errorCount - errors.length
    const rest = more > 0 ? [`"${shown}": ${more} more such lines`] : []
    return { entries, errors: [...errors.map(error => `"${shown}", ${error}`), ...rest] }
  } catch (error) {
    return fail(`could not be read: ${describeError(error)}`)
  }
}

/** What has a name that is not valid UTF-8 is a failure, as no record can name it. */
function unreadableName(source: ArtifactSource, name: string): FailedArtifact {
  const failure = makeFailure({
    code: 'unreadable',
    what: 'its name is not valid UTF-8, so no record can name it',
    remedy: 'rename it, or exclude it with a pattern that begins with !',
  })
  return { source, name, failure }
}
