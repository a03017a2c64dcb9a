import { isHashed, type Artifact } from '../artifacts/artifact.ts'
import { problemAt, type Problem } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { baseName, joinFirst } from '../text/words.ts'

/** What the guards need to know of a release. */
export interface ReleaseFacts {
  readonly tag: string
  readonly isDraft: boolean
  /** Its assets, but for what this action writes. */
  readonly assets: readonly Artifact[]
  /** Whether the run is for this very tag. */
  readonly isTagOfRun: boolean
  /** The commit that the tag points to now; null if there is no such tag. */
  readonly tagCommit: string | null
  /** `GITHUB_SHA`. */
  readonly runCommit: string | null
}

/**
 * The guards of a release: the tag of the run must not have moved, and local artifacts must be what is published.
 * `locals` are the artifacts that do not come from the release. Pure, as all here; without a release nothing is wrong.
 */
export function releaseProblems(
  release: ReleaseFacts | null,
  locals: readonly Artifact[],
): readonly Problem[] {
  if (release === null) return []
  const texts = [...movedTag(release), ...differentBytes(release, locals)]
  return texts.map(text => problemAt('release-tag', text))
}

function movedTag(release: ReleaseFacts): readonly string[] {
  const { tag, isDraft, isTagOfRun, tagCommit, runCommit } = release
  if (!isTagOfRun || tagCommit === runCommit) return []
  if (tagCommit === null)
    return isDraft
      ? []
      : [`the tag "${quote(tag)}" of this run is gone; push it again, then run the job again`]
  return [
    `the tag "${quote(tag)}" points to ${tagCommit} now, but this run is for ${runCommit ?? 'no commit'}; start a new run for the tag`,
  ]
}

/** Every local artifact with the base name of an asset must have its hash, even where another one has it. */
function differentBytes(release: ReleaseFacts, locals: readonly Artifact[]): readonly string[] {
  const assets = new Map(release.assets.map(asset => [asset.name, asset]))
  const differences: string[] = []
  for (const { name, hash } of locals.filter(isHashed)) {
    const asset = assets.get(baseName(name))
    if (asset === undefined) continue
    if (!isHashed(asset)) {
      differences.push(`"${quote(name)}" cannot be compared, as the asset could not be read`)
    } else if (hash !== asset.hash) {
      differences.push(`"${quote(name)}" has ${hash}, its asset ${asset.hash}`)
    }
  }
  if (differences.length === 0) return []
  const shown = joinFirst(differences, 5)
  return [
    `local files are not what the release "${quote(release.tag)}" publishes: ${shown}; upload the files of this build, or leave "path" and "checksums" out`,
  ]
}

/** The problem of a release without assets, where nothing else is an artifact. */
export function emptyRelease({ tag }: ReleaseFacts): Problem {
  const text = `the release "${quote(tag)}" has no assets to notarize; upload them first, or set if-no-files-found`
  return problemAt('release-tag', text)
}
