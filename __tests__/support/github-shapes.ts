/** What GitHub says of releases, assets, references and failures: every field that its OpenAPI description requires. */
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

const time = '2026-01-31T12:00:00Z'
const site = 'https://github.example'

const user = {
  ...{ login: 'octocat', id: 1, node_id: 'MDQ6VXNlcjE=', gravatar_id: '', type: 'User' },
  site_admin: false,
  url: `${site}/api/users/octocat`,
  html_url: `${site}/octocat`,
  avatar_url: `${site}/octocat.png`,
  ...Object.fromEntries(
    [
      ...['followers', 'following', 'gists', 'starred', 'subscriptions', 'organizations', 'repos'],
      ...['events', 'received_events'],
    ].map(name => [`${name}_url`, `${site}/api/users/octocat/${name}`]),
  ),
}

const urlOf = ({ apiOrigin, basePath, repository }: GitHubPlace, path: string): string =>
  `${apiOrigin}${basePath}/repos/${repository}${path}`

/** A release with its assets. */
export function describeRelease(place: GitHubPlace, release: StoredRelease): unknown {
  const { id, tag, target, draft, immutable, assets } = release
  const url = urlOf(place, `/releases/${id}`)
  return {
    ...{ url, id, node_id: `RE_${id}`, tag_name: tag, target_commitish: target, name: tag },
    ...{ body: null, draft, prerelease: false, immutable, author: user },
    assets_url: `${url}/assets`,
    upload_url: `${place.uploadOrigin}${place.uploadPath}/repos/${place.repository}/releases/${id}/assets{?name,label}`,
    html_url: `${site}/${place.repository}/releases/tag/${draft ? `untagged-${id}` : encodeURIComponent(tag)}`,
    tarball_url: draft ? null : urlOf(place, `/tarball/${encodeURIComponent(tag)}`),
    zipball_url: draft ? null : urlOf(place, `/zipball/${encodeURIComponent(tag)}`),
    ...{ created_at: time, updated_at: time, published_at: draft ? null : time },
    assets: assets.map(asset => describeAsset(place, asset)),
  }
}

/** An asset. */
export function describeAsset(place: GitHubPlace, asset: StoredAsset): unknown {
  const { id, name, digest, state, size } = asset
  return {
    ...{ url: urlOf(place, `/releases/assets/${id}`), id, node_id: `RA_${id}`, name, label: null },
    ...{ content_type: 'application/octet-stream', state, size, digest, download_count: 0 },
    ...{ uploader: user, created_at: time, updated_at: time },
    browser_download_url: `${site}/${place.repository}/releases/download/${id}/${name}`,
  }
}

const pointTo = (place: GitHubPlace, { sha, type }: GitObject) => ({
  ...{ sha, type, url: urlOf(place, `/git/${type}s/${sha}`) },
})

/** The reference of a tag. */
export function describeRef(place: GitHubPlace, tag: string, object: GitObject): unknown {
  const ref = `refs/tags/${tag}`
  const url = urlOf(place, `/git/${encodeURI(ref)}`)
  return { ref, node_id: 'REF_1', url, object: pointTo(place, object) }
}

/** An annotated tag. */
export function describeTag(place: GitHubPlace, sha: string, object: GitObject): unknown {
  return {
    ...{ node_id: 'TA_1', tag: 'annotated', sha, url: urlOf(place, `/git/tags/${sha}`) },
    ...{ message: 'annotated', tagger: { date: time, email: 'octocat@github.example', name: 'O' } },
    object: pointTo(place, object),
  }
}

/** A failure. */
export function describeFailure(status: number, message: string, errors?: unknown): unknown {
  const documentation_url = 'https://docs.github.com/rest'
  return {
    ...{ message, documentation_url },
    ...(errors === undefined ? { status: String(status) } : { errors }),
  }
}
