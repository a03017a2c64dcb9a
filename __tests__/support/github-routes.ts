/** What the GitHub API answers: a pure look at the request, and the change that it makes to the memory. */
import { z } from 'zod'
import type { Content, GitHubMemory, StoredAsset, StoredRelease } from './github-memory.ts'
import { sanitizeAssetName } from './github-memory.ts'

/** What a request is for; `other` is everything that this GitHub does not have. */
export type Route =
  | 'list-releases'
  | 'get-release-by-tag'
  | 'list-assets'
  | 'get-asset'
  | 'rename-asset'
  | 'delete-asset'
  | 'upload-asset'
  | 'get-ref'
  | 'get-tag'
  | 'storage'
  | 'other'

/** The rules of one GitHub. */
export interface GitHubRules {
  readonly repository: string
  readonly token: string
  /** The rights of the token to the contents of the repository. */
  readonly access: 'none' | 'read' | 'write'
  /** What stands before `/repos` in the path of every call but an upload. */
  readonly basePath: string
  /** The same for uploads. */
  readonly uploadPath: string
  /** `redirect` sends a download to the storage. */
  readonly download: 'redirect' | 'direct'
  readonly apiOrigin: string
  readonly storageOrigin: string
}

/** A request as it came in, whole. */
export interface Call {
  readonly method: string
  /** As sent, with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

/** An answer; `content` stands for a body that is no JSON. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly content?: Content
}

interface Match {
  readonly route: Route
  readonly method: string
  readonly id: string
}

const patterns = [
  ['GET', 'list-releases', /^\/releases$/],
  ['GET', 'get-release-by-tag', /^\/releases\/tags\/(.+)$/],
  ['GET', 'list-assets', /^\/releases\/(\d+)\/assets$/],
  ['GET', 'get-asset', /^\/releases\/assets\/(\d+)$/],
  ['PATCH', 'rename-asset', /^\/releases\/assets\/(\d+)$/],
  ['DELETE', 'delete-asset', /^\/releases\/assets\/(\d+)$/],
  ['GET', 'get-ref', /^\/git\/ref\/tags\/(.+)$/],
  ['GET', 'get-tag', /^\/git\/tags\/([0-9a-f]{40})$/],
] as const

const uploadPattern = /^\/releases\/(\d+)\/assets$/

/** Finds what a request is for. */
export function findRoute({ basePath, uploadPath, repository }: GitHubRules, call: Call): Match {
  const path = call.path.replace(/\?.*$/, '')
  const upload = `${uploadPath}/repos/${repository}`
  const home = `${basePath}/repos/${repository}`
  const uploadId = path.startsWith(upload) ? uploadPattern.exec(path.slice(upload.length)) : null
  if (call.method === 'POST' && uploadId !== null) {
    return { route: 'upload-asset', method: 'POST', id: uploadId[1] ?? '' }
  }
  if (path.startsWith(home)) {
    for (const [method, route, pattern] of patterns) {
      const found = pattern.exec(path.slice(home.length))
      if (found !== null && method === call.method) {
        return { route, method, id: decodeURIComponent(found[1] ?? '') }
      }
    }
  }
  return { route: 'other', method: call.method, id: '' }
}

const writes: readonly Route[] = ['rename-asset', 'delete-asset', 'upload-asset']

/** What a client of GitHub must not do, in words; an empty array if the request is as it should be. */
export function findMistakes(rules: GitHubRules, call: Call): readonly string[] {
  const { route } = findRoute(rules, call)
  const accept = String(call.headers['accept'] ?? '')
  const wanted = route === 'get-asset' ? [octetStream, ...jsonTypes] : jsonTypes
  const type = String(call.headers['content-type'] ?? '')
  return [
    ...(route === 'other' ? ['no such call'] : []),
    ...(wanted.includes(accept) ? [] : [`accept is "${accept}"`]),
    ...(call.headers['user-agent'] === undefined ? ['no user-agent'] : []),
    ...(readToken(call) === rules.token ? [] : ['no good authorization']),
    ...(route === 'upload-asset' && call.headers['content-length'] === undefined
      ? ['no content-length']
      : []),
    ...(route === 'upload-asset' && type === '' ? ['no content-type'] : []),
    ...(route === 'rename-asset' && !type.startsWith('application/json') ? [`type ${type}`] : []),
  ]
}

const octetStream = 'application/octet-stream'
const jsonTypes = ['application/vnd.github+json', 'application/vnd.github.v3+json']

function readToken({ headers }: Call): string | undefined {
  return /^(?:token|bearer) (\S+)$/i.exec(String(headers['authorization'] ?? ''))?.[1]
}

/** Carries a request out. */
export function carryOut(rules: GitHubRules, memory: GitHubMemory, call: Call): Reply {
  const { route, id } = findRoute(rules, call)
  if (readToken(call) !== rules.token) return refuse(401, 'Bad credentials')
  if (rules.access === 'none') return notFound
  if (writes.includes(route) && rules.access !== 'write') {
    return refuse(403, 'Resource not accessible by integration')
  }
  const query = new URLSearchParams(call.path.split('?')[1] ?? '')
  switch (route) {
    case 'list-releases':
      return page(
        visible(rules, memory).map(release => describe(rules, release)),
        query,
        call,
      )
    case 'get-release-by-tag': {
      const release = memory.releases.find(({ tag, draft }) => tag === id && !draft)
      return release === undefined ? notFound : { status: 200, json: describe(rules, release) }
    }
    case 'list-assets': {
      const release = visible(rules, memory).find(one => String(one.id) === id)
      if (release === undefined) return notFound
      return page(
        release.assets.map(asset => describeAsset(rules, asset)),
        query,
        call,
      )
    }
    case 'get-asset':
      return getAsset(rules, findAsset(rules, memory, id), call)
    case 'rename-asset':
      return renameAsset(rules, findAsset(rules, memory, id), { memory, call })
    case 'delete-asset': {
      const asset = findAsset(rules, memory, id)
      if (asset === undefined) return notFound
      if (isImmutable(memory, asset))
        return refuse(422, 'Cannot delete asset from an immutable release.')
      memory.removeAsset(asset.id)
      return { status: 204 }
    }
    case 'upload-asset':
      return uploadAsset(rules, memory, { id, query, call })
    case 'get-ref': {
      const object = memory.tags.get(id)
      return object === undefined
        ? notFound
        : { status: 200, json: { ref: `refs/tags/${id}`, node_id: '', url: '', object } }
    }
    case 'get-tag': {
      const object = memory.tagObjects.get(id)
      return object === undefined
        ? notFound
        : { status: 200, json: { node_id: '', tag: '', sha: id, url: '', message: '', object } }
    }
    case 'storage':
    case 'other':
      return notFound
  }
}

function refuse(status: number, message: string, errors?: unknown): Reply {
  const documentation = {
    documentation_url: 'https://docs.github.com/rest',
    status: String(status),
  }
  return {
    status,
    json: { message, ...(errors === undefined ? {} : { errors }), ...documentation },
  }
}

const notFound = refuse(404, 'Not Found')

function visible({ access }: GitHubRules, { releases }: GitHubMemory): readonly StoredRelease[] {
  return releases.filter(({ draft }) => access === 'write' || !draft)
}

function findAsset(rules: GitHubRules, memory: GitHubMemory, id: string): StoredAsset | undefined {
  return visible(rules, memory)
    .flatMap(({ assets }) => assets)
    .find(asset => String(asset.id) === id)
}

function isImmutable(memory: GitHubMemory, asset: StoredAsset): boolean {
  return memory.releaseOfAsset(asset.id)?.immutable === true
}

/** One page of a listing, with the header that names the next. */
function page(items: readonly unknown[], query: URLSearchParams, call: Call): Reply {
  const perPage = Math.min(100, Math.max(1, Number(query.get('per_page') ?? 30)))
  const number = Math.max(1, Number(query.get('page') ?? 1))
  const start = (number - 1) * perPage
  const next = new URLSearchParams(query)
  next.set('page', String(number + 1))
  const url = `${call.path.replace(/\?.*$/, '')}?${next.toString()}`
  return {
    status: 200,
    headers: start + perPage < items.length ? { link: `<${url}>; rel="next"` } : {},
    json: items.slice(start, start + perPage),
  }
}

function describe(
  rules: GitHubRules,
  { id, tag, draft, immutable, assets }: StoredRelease,
): unknown {
  const { apiOrigin, uploadPath, repository } = rules
  return {
    id,
    node_id: `RE_${id}`,
    tag_name: tag,
    target_commitish: 'main',
    name: tag,
    body: null,
    draft,
    prerelease: false,
    immutable,
    upload_url: `${apiOrigin}${uploadPath}/repos/${repository}/releases/${id}/assets{?name,label}`,
    assets: assets.map(asset => describeAsset(rules, asset)),
  }
}

function describeAsset({ apiOrigin, basePath, repository }: GitHubRules, asset: StoredAsset) {
  const { id, name, digest, state, size } = asset
  return {
    url: `${apiOrigin}${basePath}/repos/${repository}/releases/assets/${id}`,
    ...{ id, node_id: `RA_${id}`, name, label: null, content_type: octetStream },
    ...{ state, size, digest, download_count: 0 },
  }
}

function getAsset(rules: GitHubRules, asset: StoredAsset | undefined, { headers }: Call): Reply {
  if (asset === undefined) return notFound
  if (headers['accept'] !== octetStream) return { status: 200, json: describeAsset(rules, asset) }
  if (rules.download === 'direct') return { status: 200, content: asset.content }
  const location = `${rules.storageOrigin}/assets/${asset.id}?signature=abc`
  return { status: 302, headers: { location } }
}

const renameSchema = z.object({ name: z.string().min(1) })

function renameAsset(
  rules: GitHubRules,
  asset: StoredAsset | undefined,
  { memory, call }: { readonly memory: GitHubMemory; readonly call: Call },
): Reply {
  if (asset === undefined) return notFound
  if (isImmutable(memory, asset)) return refuse(422, 'Cannot update asset of an immutable release.')
  const wanted = renameSchema.safeParse(readJson(call.body))
  if (!wanted.success) return refuse(422, 'Validation Failed')
  const name = sanitizeAssetName(wanted.data.name)
  const others = memory.releaseOfAsset(asset.id)?.assets.filter(other => other !== asset) ?? []
  if (others.some(other => other.name === name)) return alreadyExists
  asset.name = name
  return { status: 200, json: describeAsset(rules, asset) }
}

const alreadyExists = refuse(422, 'Validation Failed', [
  { resource: 'ReleaseAsset', code: 'already_exists', field: 'name' },
])

interface Upload {
  readonly id: string
  readonly query: URLSearchParams
  readonly call: Call
}

function uploadAsset(rules: GitHubRules, memory: GitHubMemory, { id, query, call }: Upload): Reply {
  const release = memory.releases.find(one => String(one.id) === id)
  if (release === undefined) return notFound
  if (release.immutable) return refuse(422, 'Cannot upload assets to an immutable release.')
  const name = sanitizeAssetName(query.get('name') ?? '')
  if (name === '' || call.body.length === 0) return refuse(422, 'Validation Failed')
  if (release.assets.some(asset => asset.name === name)) return alreadyExists
  const asset = memory.addAsset(release, { name, content: new Uint8Array(call.body) })
  return { status: 201, json: describeAsset(rules, asset) }
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
