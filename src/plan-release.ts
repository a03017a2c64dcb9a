import type { HashedFile } from './artifacts/hash.ts'
import type { ChecksumEntry } from './artifacts/sources/checksums.ts'
import type { Problem } from './outcome.ts'
import { quote } from './report/escape.ts'

/** What the guards need to know of a release. */
export interface ReleaseFacts {
  readonly tag: string
  readonly isDraft: boolean
  /** Its assets, but for our own attached files. */
  readonly assets: readonly HashedFile[]
  /** What the tag points to now, null if nothing; undefined when the run is not for this tag. */
  readonly tagCommit: string | null | undefined
  /** `GITHUB_SHA`. */
  readonly runCommit: string | null
}

/** The artifacts that are held against the release. */
interface Local {
  readonly files: readonly HashedFile[]
  readonly entries: readonly ChecksumEntry[]
}

interface Hashed {
  readonly name: string
  readonly hash: string
}

const maxShown = 5

/** The guards of a release: the tag of the run must not have moved, and local artifacts must be what is published. */
export function releaseProblems(release: ReleaseFacts, local: Local): readonly Problem[] {
  return [...movedTag(release), ...otherBytes(release, local)]
}

function movedTag({ tag, isDraft, tagCommit, runCommit }: ReleaseFacts): readonly Problem[] {
  if (tagCommit === undefined || tagCommit === runCommit || (tagCommit === null && isDraft))
    return []
  const now = tagCommit === null ? 'does not exist any more' : `points to ${tagCommit} now`
  const message = `input "release-tag": the tag "${quote(tag)}" ${now}, but this run is for ${runCommit ?? 'no commit'}; run the release again for the tag as it is`
  return [{ input: 'release-tag', message }]
}

/** Of several local artifacts with the base name of an asset, one must have its hash. */
function otherBytes(release: ReleaseFacts, local: Local): readonly Problem[] {
  const differing = release.assets.flatMap(asset => {
    const same = hashedLocals(local).filter(({ name }) => baseName(name) === asset.name)
    const [first] = same
    if (first === undefined) return []
    if (!('hash' in asset)) {
      return [`"${quote(first.name)}" cannot be held against the asset, which could not be read`]
    }
    return same.some(({ hash }) => hash === asset.hash)
      ? []
      : [`"${quote(first.name)}" has ${first.hash}, but the asset has ${asset.hash}`]
  })
  if (differing.length === 0) return []
  const shown = differing.slice(0, maxShown).join('; ')
  const more = differing.length > maxShown ? `; and ${differing.length - maxShown} more` : ''
  const message = `input "release-tag": what was built here is not what the release "${quote(release.tag)}" publishes: ${shown}${more}; upload the files of this build, or notarize the assets alone`
  return [{ input: 'release-tag', message }]
}

/** A local artifact that is no asset, by name or by hash; GitHub rewrites some characters of asset names. */
export function unpublishedWarning(release: ReleaseFacts, local: Local): readonly string[] {
  const assets = hashedAssets(release)
  const names = new Set(release.assets.map(({ name }) => name))
  const hashes = new Set(assets.map(({ hash }) => hash))
  const missing = hashedLocals(local).filter(
    ({ name, hash }) => !names.has(baseName(name)) && !hashes.has(hash),
  )
  if (missing.length === 0) return []
  const shown = missing.slice(0, maxShown).map(({ name }) => `"${quote(name)}"`)
  const more = missing.length > maxShown ? ` and ${missing.length - maxShown} more` : ''
  return [
    `No asset of the release "${quote(release.tag)}", by name or by hash: ${shown.join(', ')}${more}`,
  ]
}

function hashedAssets({ assets }: ReleaseFacts): readonly Hashed[] {
  return assets.filter(asset => 'hash' in asset)
}

function hashedLocals({ files, entries }: Local): readonly Hashed[] {
  return [...files.filter(file => 'hash' in file), ...entries]
}

function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
