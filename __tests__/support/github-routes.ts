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

/** A call, and the ID or name in its path. */
interface Target {
  readonly memory: GitHubMemory
  readonly call: ApiCall
  readonly id: string
  /** The releases that the token can see. */
  readonly releases: readonly StoredRelease[]
}

const routes = [
  ['list-releases', 'GET', /^\/releases$/, listReleases],
  ['get-release-by-tag', 'GET', /^\/releases\/tags\/(.+)$/, getReleaseByTag],
  ['list-assets', 'GET', /^\/releases\/(\d+)\/assets$/, listAssets],
  ['upload-asset', 'POST', /^\/releases\/(\d+)\/assets$/, uploadAsset],
  ['get-asset', 'GET', /^\/releases\/assets\/(\d+)$/, getAsset],
  ['delete-asset', 'DELETE', /^\/releases\/assets\/(\d+)$/, deleteAsset],
  ['get-ref', 'GET', /^\/git\/ref\/tags\/(.+)$/, getObject],
  ['get-tag', 'GET', /^\/git\/tags\/([0-9a-f]{40})$/, getObject],
] as const

/** The name of a call; `other` is every call that this GitHub does not support. */
export type Route = (typeof routes)[number][0] | 'storage' | 'other'

/** Finds the name of a call, and the ID or name in its path. */
export function findRoute({ method, path }: Pick<ApiCall, 'method' | 'path'>) {
  for (const [route, expected, pattern, handle] of routes) {
    const match = expected === method ? pattern.exec(path) : null
    if (match !== null) return { route, handle, id: decodeURIComponent(match[1] ?? '') }
  }
  return { route: 'other', handle: () => notFound, id: '' } as const
}

/** Carries out a call with a valid token. */
export function carryOut(memory: GitHubMemory, call: ApiCall): Reply {
  const { handle, id } = findRoute(call)
  const canWrite = memory.access === 'write'
  if (call.method !== 'GET' && !canWrite) {
    return refuse(403, 'Resource not accessible by integration')
  }
  const releases = memory.releases.filter(({ draft }) => canWrite || !draft)
  return handle({ memory, call, id, releases })
}

/** An answer that reports a failure. */
export function refuse(status: number, message: string): Reply {
  return { status, json: { message, status: String(status) } }
}

const notFound = refuse(404, 'Not Found')
const taken = refuse(422, 'Validation Failed')
const immutable = refuse(422, 'Cannot change the assets of an immutable release.')

/** The fields of GitHub's answers that this project reads. */
function describeRelease(release: StoredRelease, { uploadUrl }: ApiCall): object {
  const { id, tag, target, draft, assets } = release
  const page = draft ? `untagged-${id}` : encodeURIComponent(tag)
  return {
    id,
    tag_name: tag,
    target_commitish: target,
    draft,
    immutable: release.immutable,
    upload_url: `${uploadUrl}/releases/${id}/assets{?name,label}`,
    html_url: `https://github.example/octo/app/releases/tag/${page}`,
    assets: assets.map(describeAsset),
  }
}

function describeAsset({ id, name, state, content, digest }: StoredAsset): object {
  return { id, name, state, size: content.length, digest: state === 'starter' ? null : digest }
}

function listReleases({ releases, call }: Target): Reply {
  return page(
    releases.map(release => describeRelease(release, call)),
    call,
  )
}

function getReleaseByTag({ releases, id, call }: Target): Reply {
  const release = releases.find(({ tag, draft }) => tag === id && !draft)
  return release === undefined ? notFound : { status: 200, json: describeRelease(release, call) }
}

function getObject({ memory, id }: Target): Reply {
  const object = memory.objects.get(id)
  return object === undefined ? notFound : { status: 200, json: { object } }
}

function page(items: readonly object[], { query }: ApiCall): Reply {
  const perPage = Number(query.get('per_page') ?? 30)
  const number = Number(query.get('page') ?? 1)
  const json = items.slice((number - 1) * perPage, number * perPage)
  if (number * perPage >= items.length) return { status: 200, json }
  return { status: 200, json, nextPage: number + 1 }
}

function listAssets({ releases, id, call }: Target): Reply {
  const release = releases.find(stored => String(stored.id) === id)
  return release === undefined ? notFound : page(release.assets.map(describeAsset), call)
}

function uploadAsset({ memory, releases, id, call }: Target): Reply {
  const release = releases.find(stored => String(stored.id) === id)
  if (release === undefined) return notFound
  if (release.immutable) return immutable
  const name = call.query.get('name') ?? ''
  if (release.assets.some(asset => asset.name === name)) return taken
  return {
    status: 201,
    json: describeAsset(memory.storeAsset(release, { name, content: call.body })),
  }
}

function getAsset({ releases, id }: Target): Reply {
  const assets = releases.flatMap(release => release.assets)
  const asset = assets.find(stored => String(stored.id) === id)
  return asset?.state === 'uploaded' ? { status: 200, content: asset.content } : notFound
}

function deleteAsset({ releases, id }: Target): Reply {
  for (const { assets, immutable: isImmutable } of releases) {
    const index = assets.findIndex(asset => String(asset.id) === id)
    if (index < 0) continue
    if (isImmutable) return immutable
    assets.splice(index, 1)
    return { status: 204 }
  }
  return notFound
}
