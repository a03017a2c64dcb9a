/** What GitHub says of releases, assets, references and failures: the fields that a client of ours may read. */
import type { getOctokit } from '@actions/github'
import type { GitObject, StoredAsset, StoredRelease } from './github-memory.ts'

/** Where a GitHub lies. */
export interface GitHubPlace {
  readonly repository: string
  readonly apiOrigin: string
  readonly uploadOrigin: string
  /** What stands before `/repos` in the path of every call but an upload. */
  readonly basePath: string
  /** The same for uploads. */
  readonly uploadPath: string
}

/** GitHub's own description of what it answers; its list of states lacks `starter`. */
type Rest = ReturnType<typeof getOctokit>['rest']
type Release = Awaited<ReturnType<Rest['repos']['getRelease']>>['data']
type Asset = Release['assets'][number]
type Reference = Awaited<ReturnType<Rest['git']['getRef']>>['data']
type AssetAnswer = Partial<Omit<Asset, 'state'>> & { readonly state: string }
type ReleaseAnswer = Partial<Omit<Release, 'assets'>> & { readonly assets: AssetAnswer[] }

const site = 'https://github.example'

/** A release with its assets. */
export function describeRelease(place: GitHubPlace, release: StoredRelease): ReleaseAnswer {
  const { repository, uploadOrigin, uploadPath } = place
  const { id, tag, target, draft, immutable, assets } = release
  const page = draft ? `untagged-${id}` : encodeURIComponent(tag)
  return {
    id,
    tag_name: tag,
    target_commitish: target,
    draft,
    immutable,
    upload_url: `${uploadOrigin}${uploadPath}/repos/${repository}/releases/${id}/assets{?name,label}`,
    html_url: `${site}/${repository}/releases/tag/${page}`,
    assets: assets.map(asset => describeAsset(place, asset)),
  }
}

/** An asset. */
export function describeAsset({ repository }: GitHubPlace, asset: StoredAsset): AssetAnswer {
  const { id, name, digest, state, size } = asset
  const url = `${site}/${repository}/releases/download/${id}/${name}`
  return { id, name, state, size, digest, browser_download_url: url }
}

/** What a reference or an annotated tag points to. */
export function describeObject(
  _place: GitHubPlace,
  { sha, type }: GitObject,
): Pick<Reference, 'object'> {
  return { object: { sha, type, url: `${site}/${sha}` } }
}

/** A failure. */
export function describeFailure(status: number, message: string): unknown {
  return { message, status: String(status) }
}
