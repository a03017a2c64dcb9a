/** The REST API of one repository: what GitHub answers, and how a call changes what is stored. */
import type { GitHubMemory, StoredAsset, StoredRelease } from './github-memory.ts'

export interface ApiCall {
  readonly method: string
  /** The part after `/repos/{owner}/{repo}`, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Uint8Array
  /** What comes before the path in an `upload_url`. */
  readonly uploadUrl: string
}

/** An answer. */
export interface Reply {
  readonly status: number
  readonly json?: unknown
  /** A body that is not JSON. */
  readonly content?: Uint8Array
  /** The number of the next page of a listing. */
  readonly nextPage?: number
}

const routes = [
  ['list-releases', 'GET', /^\/releases$/],
  ['get-release-by-tag', 'GET', /^\/releases\/tags\/(.+)$/],
  ['list-assets', 'GET', /^\/releases\/(\d+)\/assets$/],
  ['upload-asset', 'POST', /^\/releases\/(\d+)\/assets$/],
  ['get-asset', 'GET', /^\/releases\/assets\/(\d+)$/],
  ['delete-asset', 'DELETE', /^\/releases\/assets\/(\d+)$/],
  ['get-ref', 'GET', /^\/git\/ref\/tags\/(.+)$/],
  ['get-tag', 'GET', /^\/git\/tags\/([0-9a-f]{40})$/],
] as const

/** The name of a call; `other` is every call that this GitHub does not support. */
export type Route = (typeof routes)[number][0] | 'storage' | 'other'

/** Finds the name of a call, and the ID or name in its path. */
export function findRoute({ method, path }: Pick<ApiCall, 'method' | 'path'>) {
  for (const [route, expected, pattern] of routes) {
    const match = expected === method ? pattern.exec(path) : null
    if (match !== null) return { route, id: decodeURIComponent(match[1] ?? '') }
  }
  return { route: 'other', id: '' } as const
}

/** An answer that reports a failure. */
export function refuse(status: number, message: string): Reply {
  return { status, json: { message, status: String(status) } }
}

const notFound = refuse(404, 'Not Found')
const immutable = refuse(422, 'Cannot change the assets of an immutable release.')

/** Carries out a call with a valid token. */
export function carryOut(memory: GitHubMemory, call: ApiCall): Reply {
  const { route, id } = findRoute(call)
  const canWrite = memory.access === 'write'
  if (call.method !== 'GET' && !canWrite) {
    return refuse(403, 'Resource not accessible by integration')
  }
  const releases = memory.releases.filter(({ draft }) => canWrite || !draft)
  const release = releases.find(stored => String(stored.id) === id)
  const owner = releases.find(({ assets }) => assets.some(asset => String(asset.id) === id))
  const asset = owner?.assets.find(stored => String(stored.id) === id)
  switch (route) {
    case 'list-releases':
      return page(
        releases.map(listed => describeRelease(listed, call)),
        call,
      )
    case 'get-release-by-tag': {
      const published = releases.find(({ tag, draft }) => tag === id && !draft)
      return published === undefined ? notFound : found(describeRelease(published, call))
    }
    case 'list-assets':
      return release === undefined ? notFound : page(release.assets.map(describeAsset), call)
    case 'upload-asset': {
      if (release === undefined) return notFound
      if (release.immutable) return immutable
      const name = call.query.get('name') ?? ''
      if (release.assets.some(other => other.name === name)) return refuse(422, 'already_exists')
      const added = memory.storeAsset(release, { name, content: call.body })
      return { status: 201, json: describeAsset(added) }
    }
    case 'get-asset':
      return asset?.state === 'uploaded' ? { status: 200, content: asset.content } : notFound
    case 'delete-asset':
      if (owner === undefined || asset === undefined) return notFound
      if (owner.immutable) return immutable
      owner.assets = owner.assets.filter(stored => stored !== asset)
      return { status: 204 }
    case 'get-ref':
    case 'get-tag': {
      const object = memory.objects.get(id)
      return object === undefined ? notFound : found({ object })
    }
    case 'other':
      return notFound
  }
}

function found(json: object): Reply {
  return { status: 200, json }
}

function page(items: readonly object[], { query }: ApiCall): Reply {
  const perPage = Number(query.get('per_page') ?? 30)
  const number = Number(query.get('page') ?? 1)
  const json = items.slice((number - 1) * perPage, number * perPage)
  return number * perPage < items.length ? { ...found(json), nextPage: number + 1 } : found(json)
}

/** The fields of GitHub's answers that this project reads. */
function describeRelease(release: StoredRelease, { uploadUrl }: ApiCall): object {
  const { id, tag, target, draft, assets } = release
  const name = draft ? `untagged-${id}` : encodeURIComponent(tag)
  return {
    id,
    tag_name: tag,
    target_commitish: target,
    draft,
    immutable: release.immutable,
    upload_url: `${uploadUrl}/releases/${id}/assets{?name,label}`,
    html_url: `https://github.example/octo/app/releases/tag/${name}`,
    assets: assets.map(describeAsset),
  }
}

function describeAsset({ id, name, state, content, digest }: StoredAsset): object {
  return { id, name, state, size: content.length, digest: state === 'starter' ? null : digest }
}
