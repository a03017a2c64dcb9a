/** What the GitHub API answers: a pure look at the request, and the change that it makes to the memory. */
import { z } from 'zod'
import type { Content, GitHubMemory, StoredAsset, StoredRelease } from './github-memory.ts'
import { sanitizeAssetName } from './github-memory.ts'
import {
  describeAsset,
  describeFailure,
  describeRef,
  describeRelease,
  describeTag,
} from './github-shapes.ts'
import type { GitHubPlace } from './github-shapes.ts'

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
export interface GitHubRules extends GitHubPlace {
  readonly token: string
  /** The rights of the token to the contents of the repository. */
  readonly access: 'none' | 'read' | 'write'
  /** `redirect` sends a download to the storage. */
  readonly download: 'redirect' | 'direct'
  /** Most items of a page, whatever the client asks for. */
  readonly pageSize: number
  /** How many items of a page stand on the next one, too, as after a release that was made meanwhile. */
  readonly pageOverlap: number
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

const uploadPattern = ['POST', 'upload-asset', /^\/releases\/(\d+)\/assets$/] as const

/** How the links between pages name the repository: only who follows them finds it there. */
const byNumber = '/repositories/1296269'

/** Finds what a request is for. */
export function findRoute(rules: GitHubRules, call: Call): Match {
  const path = call.path.replace(/\?.*$/, '')
  const home = `/repos/${rules.repository}`
  const places = [
    [rules.uploadPath + home, [uploadPattern]],
    [rules.basePath + home, patterns],
    [rules.basePath + byNumber, patterns],
  ] as const
  for (const [start, known] of places) {
    if (!path.startsWith(start)) continue
    for (const [method, route, pattern] of known) {
      const found = pattern.exec(path.slice(start.length))
      if (found !== null && method === call.method) {
        return { route, id: decodeURIComponent(found[1] ?? '') }
      }
    }
  }
  return { route: 'other', id: '' }
}

const writes: readonly Route[] = ['rename-asset', 'delete-asset', 'upload-asset']

/** What a client of GitHub must not do, in words; an empty array if the request is as it should be. */
export function findMistakes(rules: GitHubRules, call: Call): readonly string[] {
  const { route } = findRoute(rules, call)
  const accept = String(call.headers['accept'] ?? '')
  const wanted = route === 'get-asset' ? [octetStream, ...jsonTypes] : jsonTypes
  return [
    ...(route === 'other' ? ['no such call'] : []),
    ...(wanted.includes(accept) ? [] : [`accept is "${accept}"`]),
    ...(call.headers['user-agent'] === undefined ? ['no user-agent'] : []),
    ...(readToken(call) === rules.token ? [] : ['no good authorization']),
    ...(route === 'upload-asset' && call.headers['content-length'] === undefined
      ? ['no content-length']
      : []),
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
  const releases = memory.releases.filter(({ draft }) => rules.access === 'write' || !draft)
  const found: Found = {
    ...{ rules, memory, call, id },
    query: new URLSearchParams(call.path.split('?')[1] ?? ''),
    release: releases.find(release => String(release.id) === id),
    asset: releases.flatMap(({ assets }) => assets).find(asset => String(asset.id) === id),
  }
  switch (route) {
    case 'list-releases':
      return page(found, releases, release => describeRelease(rules, release))
    case 'get-release-by-tag': {
      const release = releases.find(({ tag, draft }) => tag === id && !draft)
      return release === undefined ? notFound : ok(describeRelease(rules, release))
    }
    case 'list-assets':
      if (found.release === undefined) return notFound
      return page(found, found.release.assets, asset => describeAsset(rules, asset))
    case 'get-asset':
      return getAsset(found)
    case 'rename-asset':
      return renameAsset(found)
    case 'delete-asset':
      return deleteAsset(found)
    case 'upload-asset':
      return uploadAsset(found)
    case 'get-ref': {
      const object = memory.tags.get(id)
      return object === undefined ? notFound : ok(describeRef(rules, id, object))
    }
    case 'get-tag': {
      const object = memory.tagObjects.get(id)
      return object === undefined ? notFound : ok(describeTag(rules, id, object))
    }
    case 'storage':
    case 'other':
      return notFound
  }
}

/** A request, and what its path names. */
interface Found {
  readonly rules: GitHubRules
  readonly memory: GitHubMemory
  readonly call: Call
  readonly id: string
  readonly query: URLSearchParams
  readonly release: StoredRelease | undefined
  readonly asset: StoredAsset | undefined
}

const ok = (json: unknown): Reply => ({ status: 200, json })

function refuse(status: number, message: string, errors?: unknown): Reply {
  return { status, json: describeFailure(status, message, errors) }
}

const notFound = refuse(404, 'Not Found')

/** One page of a listing, with the header that names the next; it may be shorter than the client asks for. */
function page<T>(
  { rules, query, call }: Found,
  items: readonly T[],
  describe: (item: T) => unknown,
): Reply {
  const asked = Math.min(100, Math.max(1, Number(query.get('per_page') ?? 30)))
  const perPage = Math.min(asked, rules.pageSize)
  const number = Math.max(1, Number(query.get('page') ?? 1))
  const step = perPage - rules.pageOverlap
  const start = (number - 1) * step
  const linkTo = (to: number, rel: string): string => {
    const next = new URLSearchParams(query)
    next.set('page', String(to))
    const path = call.path.replace(/\?.*$/, '').replace(`/repos/${rules.repository}`, byNumber)
    return `<${rules.apiOrigin}${path}?${next.toString()}>; rel="${rel}"`
  }
  const last = linkTo(Math.ceil(items.length / step), 'last')
  const isLast = start + perPage >= items.length
  return {
    status: 200,
    headers: isLast ? {} : { link: `${linkTo(number + 1, 'next')}, ${last}` },
    json: items.slice(start, start + perPage).map(describe),
  }
}

function getAsset({ rules, asset, call }: Found): Reply {
  if (asset === undefined) return notFound
  if (call.headers['accept'] !== octetStream) return ok(describeAsset(rules, asset))
  if (rules.download === 'direct') return { status: 200, content: asset.content }
  const location = `${rules.storageOrigin}/assets/${asset.id}?signature=abc`
  return { status: 302, headers: { location } }
}

const renameSchema = z.object({ name: z.string().min(1) })

function renameAsset({ rules, memory, asset, call }: Found): Reply {
  if (asset === undefined) return notFound
  const release = memory.releaseOfAsset(asset.id)
  if (release?.immutable === true)
    return refuse(422, 'Cannot update asset of an immutable release.')
  const wanted = renameSchema.safeParse(readJson(call.body))
  if (!wanted.success) return refuse(422, 'Validation Failed')
  const name = sanitizeAssetName(wanted.data.name)
  const others = release?.assets.filter(other => other !== asset) ?? []
  if (others.some(other => other.name === name)) return alreadyExists
  asset.name = name
  return ok(describeAsset(rules, asset))
}

function deleteAsset({ memory, asset }: Found): Reply {
  if (asset === undefined) return notFound
  if (memory.releaseOfAsset(asset.id)?.immutable === true) {
    return refuse(422, 'Cannot delete asset from an immutable release.')
  }
  memory.removeAsset(asset.id)
  return { status: 204 }
}

const alreadyExists = refuse(422, 'Validation Failed', [
  { resource: 'ReleaseAsset', code: 'already_exists', field: 'name' },
])

function uploadAsset({ rules, memory, release, query, call }: Found): Reply {
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
