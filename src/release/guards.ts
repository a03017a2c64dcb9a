import { isHashed, type Artifact } from '../artifacts/artifact.ts'
import { problemAt, type Problem } from '../failure.ts'
import { quote } from '../text/escape.ts'
import { baseName, joinFirst } from '../text/words.ts'

/** What the guards need to know about a release. */
export interface ReleaseFacts {
  readonly tag: string
  readonly isDraft: boolean
  /** Its assets, except the files that this action writes. */
  readonly assets: readonly Artifact[]
  /** Whether the run is for this tag. */
  readonly isTagOfRun: boolean
  /** The commit that the tag points to now; null if there is no such tag. */
  readonly tagCommit: string | null
  /** `GITHUB_SHA`. */
  readonly runCommit: string | null
}

/** Checks that the run's tag has not moved, and that local artifacts equal their assets. Pure. */
export function releaseProblems(
  release: ReleaseFacts | null,
  locals: readonly Artifact[],
): readonly Problem[] {
  if (release === null) return []
  const texts = [...movedTag(release), ...differentBytes(release, locals)]
  return texts.map(text => problemAt('release-tag', text))
}

function movedTag(release: ReleaseFacts): readonly string[] {
  const { isTagOfRun, tagCommit, runCommit } = release
  const tag = `the tag "${quote(release.tag)}"`
  if (!isTagOfRun || tagCommit === runCommit) return []
  if (tagCommit !== null) {
    return [
      `${tag} now points to ${tagCommit}, but this run is for ${runCommit ?? 'no commit'}; start a new run for the tag`,
    ]
  }
  if (release.isDraft) return []
  return [`${tag} of this run is gone; push it again, then run the job again`]
}

/** Compares local artifacts with the assets of the same base name. */
function differentBytes(release: ReleaseFacts, locals: readonly Artifact[]): readonly string[] {
  const assets = new Map(release.assets.map(asset => [asset.name, asset]))
  const differences: string[] = []
  for (const { name, hash } of locals.filter(isHashed)) {
    const asset = assets.get(baseName(name))
    if (asset === undefined) continue
    if (!isHashed(asset)) {
      differences.push(`"${quote(name)}" cannot be compared: the asset could not be read`)
    } else if (hash !== asset.hash) {
      differences.push(`"${quote(name)}" has ${hash}, but its asset has ${asset.hash}`)
    }
  }
  if (differences.length === 0) return []
  return [
    `local files differ from the release "${quote(release.tag)}": ${joinFirst(differences, 5)}; upload the files of this build, or leave out "path" and "checksums"`,
  ]
}

/** Creates the problem for a release without assets when there are no other artifacts. */
export function emptyRelease({ tag }: ReleaseFacts): Problem {
  const text = `the release "${quote(tag)}" has no assets to notarize; upload them first, or set if-no-files-found`
  return problemAt('release-tag', text)
}
