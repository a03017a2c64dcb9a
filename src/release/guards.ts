import { isHashed, type Artifact } from '../artifacts/artifact.ts'
import { problemAt, type Problem } from '../stop.ts'
import { quote } from '../text/escape.ts'
import { baseName, someOf } from '../text/words.ts'

/** What the guards need to know of a release. */
export interface ReleaseFacts {
  readonly tag: string
  readonly isDraft: boolean
  /** Its assets, but for our own attached files. */
  readonly assets: readonly Artifact[]
  /** What the tag points to now, null if nothing; undefined when the run is not for this tag. */
  readonly tagCommit: string | null | undefined
  /** `GITHUB_SHA`. */
  readonly runCommit: string | null
}

const maxShown = 5

/**
 * The guards of a release: the tag of the run must not have moved, and local artifacts must be what is published.
 * `locals` are the artifacts that do not come from the release. Pure, as all here; without a release nothing is wrong.
 */
export function releaseProblems(
  release: ReleaseFacts | null,
  locals: readonly Artifact[],
): readonly Problem[] {
  if (release === null) return []
  const texts = [...movedTag(release), ...otherBytes(release, locals)]
  return texts.map(text => problemAt('release-tag', text))
}

function movedTag({ tag, isDraft, tagCommit, runCommit }: ReleaseFacts): readonly string[] {
  if (tagCommit === undefined || tagCommit === runCommit || (tagCommit === null && isDraft))
    return []
  const now = tagCommit === null ? 'does not exist any more' : `points to ${tagCommit} now`
  return [
    `the tag "${quote(tag)}" ${now}, but this run is for ${runCommit ?? 'no commit'}; run the release again for the tag as it is`,
  ]
}

/** Every local artifact with the base name of an asset must have its hash; one that has it does not excuse another. */
function otherBytes(release: ReleaseFacts, locals: readonly Artifact[]): readonly string[] {
  const assets = new Map(release.assets.map(asset => [asset.name, asset]))
  const differing = locals.filter(isHashed).flatMap(({ name, hash }) => {
    const asset = assets.get(baseName(name))
    if (asset === undefined) return []
    if (!isHashed(asset)) {
      return [`"${quote(name)}" cannot be compared with the asset, which could not be read`]
    }
    return hash === asset.hash
      ? []
      : [`"${quote(name)}" has ${hash}, but the asset has ${asset.hash}`]
  })
  if (differing.length === 0) return []
  const shown = someOf(differing, maxShown)
  return [
    `what was built here is not what the release "${quote(release.tag)}" publishes: ${shown}; upload the files of this build, or notarize the assets alone`,
  ]
}

/** A warning about local artifacts that are no asset, by name or by hash; GitHub rewrites some characters of names. */
export function unpublishedWarning(
  release: ReleaseFacts | null,
  locals: readonly Artifact[],
): readonly string[] {
  if (release === null) return []
  const names = new Set(release.assets.map(({ name }) => name))
  const hashes = new Set(release.assets.filter(isHashed).map(({ hash }) => hash))
  const missing = locals
    .filter(isHashed)
    .filter(({ name, hash }) => !names.has(baseName(name)) && !hashes.has(hash))
    .map(({ name }) => `"${quote(name)}"`)
  if (missing.length === 0) return []
  const shown = someOf(missing, maxShown, { separator: ', ' })
  return [`No asset of the release "${quote(release.tag)}", by name or by hash: ${shown}`]
}

/** The problem of a release without assets, where nothing else is an artifact. */
export function emptyRelease({ tag }: ReleaseFacts): Problem {
  const text = `the release "${quote(tag)}" has no assets to notarize; upload them first, or set if-no-files-found`
  return problemAt('release-tag', text)
}
