import { problemAt, type Problem } from '../failure.ts'
import { isHashed, type Artifact } from '../outcome.ts'
import { quote } from '../text/escape.ts'
import { baseName } from '../text/names.ts'
import { joinFirst } from '../text/phrases.ts'

/** What the guards need to know about a release. */
export interface ReleaseFacts {
  readonly tag: string
  readonly isDraft: boolean
  /** Its assets, except the files that this action writes. */
  readonly assets: readonly Artifact[]
  /** The commit that the tag points to now; null if there is no such tag. */
  readonly tagCommit: string | null
  /** The commit of the run; null if the run is not for this tag. */
  readonly runCommit: string | null
}

/** Checks, before anything is sent, that the tag of the run has not moved, and that local artifacts equal their assets. Pure. */
export function releaseProblems(
  release: ReleaseFacts,
  locals: readonly Artifact[],
): readonly Problem[] {
  const { tagCommit, runCommit } = release
  const tag = `the tag "${quote(release.tag)}"`
  const problems: Problem[] = []
  if (runCommit !== null && tagCommit !== null && tagCommit !== runCommit) {
    const text = `${tag} points to the commit ${tagCommit} now, but this run is for ${runCommit}; find out who moved the tag, and notarize the commit that you release`
    problems.push(problemAt('release-tag', text))
  }
  if (runCommit !== null && tagCommit === null && !release.isDraft) {
    const text = `${tag} of this run was deleted; push it again`
    problems.push(problemAt('release-tag', text, 'nothing'))
  }
  const assets = new Map(release.assets.map(asset => [asset.name, asset.hash]))
  const unread: string[] = []
  const different: string[] = []
  for (const { name, hash } of locals.filter(isHashed)) {
    const assetHash = assets.get(baseName(name))
    if (assetHash === undefined || assetHash === hash) continue
    if (assetHash === null) unread.push(`"${quote(name)}"`)
    else different.push(`"${quote(name)}" (${shorten(hash)}, its asset ${shorten(assetHash)})`)
  }
  const name = `the release "${quote(release.tag)}"`
  if (unread.length > 0) {
    const text = `local files cannot be compared with ${name}, because their assets could not be read: ${joinFirst(unread, 3)}; wait until GitHub responds`
    problems.push(problemAt('release-tag', text, 'nothing'))
  }
  if (different.length > 0) {
    const text = `local files differ from the assets of ${name}: ${joinFirst(different, 3)}; replace the assets that are wrong, or remove the inputs "path" and "checksums"`
    problems.push(problemAt('release-tag', text))
  }
  return problems
}

const shorten = (hash: string): string => hash.slice(0, 12)

/** Creates the problem for a release without assets when there are no other artifacts. */
export function emptyRelease({ tag }: ReleaseFacts): Problem {
  const text = `the release "${quote(tag)}" has no assets to notarize; upload them first`
  return problemAt('release-tag', text, 'nothing')
}
