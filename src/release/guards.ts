import { problemAt, type Problem } from '../failure.ts'
import { isHashed, type Artifact } from '../outcome.ts'
import { quote } from '../text/escape.ts'
import { baseName } from '../text/names.ts'
import { joinFirst } from '../text/phrases.ts'

/** What the guards need to know about a release. */
export interface ReleaseFacts {
  readonly tag: string
  readonly isDraft: boolean
  /** Whether it is published and takes no more files. */
  readonly isImmutable: boolean
  /** Its assets, except the files that this action writes. */
  readonly assets: readonly Artifact[]
  /** The commit that the tag points to now; null if there is no such tag. */
  readonly tagCommit: string | null
  /** The commit of the run; null if the run is not for this tag. */
  readonly runCommit: string | null
}

/**
 * Checks, before anything is spent, that the tag of the run has not moved, that local artifacts equal
 * their assets, and, if the run is going to attach something, that the release takes files. Pure.
 */
export function releaseProblems(
  release: ReleaseFacts,
  locals: readonly Artifact[],
  isAttaching: boolean,
): readonly Problem[] {
  const { tagCommit, runCommit } = release
  const tag = `the tag "${quote(release.tag)}"`
  const texts: string[] = []
  if (runCommit !== null && tagCommit !== null && tagCommit !== runCommit) {
    texts.push(
      `${tag} now points to ${tagCommit}, but this run is for ${runCommit}; start a new run for the tag`,
    )
  }
  if (runCommit !== null && tagCommit === null && !release.isDraft) {
    texts.push(`${tag} of this run is gone; push it again, which starts a new run`)
  }
  const differences = findDifferences(release.assets, locals)
  if (differences.length > 0) {
    texts.push(
      `local files differ from the release "${quote(release.tag)}": ${joinFirst(differences, 5)}; upload the files of this build, or leave out "path" and "checksums"`,
    )
  }
  const problems = texts.map(text => problemAt('release-tag', text))
  if (isAttaching && release.isImmutable) {
    const text = `the release "${quote(release.tag)}" is published and immutable, so it takes no more files; attach to its draft next time, and notarize this release without "attach-to-release"`
    problems.push(problemAt('attach-to-release', text))
  }
  return problems
}

/** Compares local artifacts with the assets of the same base name. */
function findDifferences(
  assets: readonly Artifact[],
  locals: readonly Artifact[],
): readonly string[] {
  const byName = new Map(assets.map(asset => [asset.name, asset]))
  const differences: string[] = []
  for (const { name, hash } of locals.filter(isHashed)) {
    const asset = byName.get(baseName(name))
    if (asset === undefined || asset.hash === hash) continue
    differences.push(
      asset.hash === null
        ? `"${quote(name)}" cannot be compared: the asset could not be read`
        : `"${quote(name)}" has ${hash}, but its asset has ${asset.hash}`,
    )
  }
  return differences
}

/** Creates the problem for a release without assets when there are no other artifacts. */
export function emptyRelease({ tag }: ReleaseFacts): Problem {
  const text = `the release "${quote(tag)}" has no assets to notarize; upload them first, or set if-no-files-found`
  return problemAt('release-tag', text)
}
