/** The part of the REST API of one repository that reads releases and tags. */
import type { GitHubMemory, StoredAsset, StoredRelease } from './github-memory.ts'

export interface ApiCall {
  readonly method: string
  /** The part after `/repos/{owner}/{repo}`, without the query. */
  readonly path: string
  readonly query: URLSearchParams
}

/** A response. */
export interface Reply {
  readonly status: number
  readonly json?: unknown
  /** A body that is not JSON. */
  readonly content?: Uint8Array
  /** The number of the next page of a listing. */
  readonly nextPage?: number
}

const routes = [
  ['list-releases', /^\/releases$/],
  ['get-release-by-tag', /^\/releases\/tags\/(.+)$/],
  ['list-assets', /^\/releases\/(\d+)\/assets$/],
  ['get-asset', /^\/releases\/assets\/(\d+)$/],
  ['get-ref', /^\/git\/ref\/tags\/(.+)$/],
  ['get-tag', /^\/git\/tags\/([0-9a-f]{40})$/],
] as const

/** The name of a call; `other` is every call that this GitHub does not support. */
export type Route = (typeof routes)[number][0] | 'storage' | 'other'

/** Finds the name of a call, and the ID or name in its path. */
export function findRoute({ method, path }: Pick<ApiCall, 'method' | 'path'>) {
  for (const [route, pattern] of routes) {
    const match = method === 'GET' ? pattern.exec(path) : null
    if (match !== null) return { route, id: decodeURIComponent(match[1] ?? '') }
  }
  return { route: 'other', id: '' } as const
}

/** A response that reports a failure. */
export function refuse(status: number, message: string): Reply {
  return { status, json: { message, status: String(status) } }
}

const notFound = refuse(404, 'Not Found')

/** Carries out a call with a valid token. */
export function carryOut(memory: GitHubMemory, call: ApiCall): Reply {
  const { route, id } = findRoute(call)
  const canWrite = memory.access === 'write'
  const releases = memory.releases.filter(({ draft }) => canWrite || !draft)
  const release = releases.find(stored => String(stored.id) === id)
  const asset = releases.flatMap(({ assets }) => assets).find(stored => String(stored.id) === id)
  switch (route) {
    case 'list-releases':
      return page(releases.map(describeRelease), call)
    case 'get-release-by-tag': {
      const published = releases.find(({ tag, draft }) => tag === id && !draft)
      return published === undefined ? notFound : found(describeRelease(published))
    }
    case 'list-assets':
      return release === undefined ? notFound : page(release.assets.map(describeAsset), call)
    case 'get-asset':
      return asset?.state === 'uploaded' ? { status: 200, content: asset.content } : notFound
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

/** The fields of GitHub's responses that this project reads. */
function describeRelease({ id, tag, target, draft, assets }: StoredRelease): object {
  const name = draft ? `untagged-${id}` : encodeURIComponent(tag)
  return {
    id,
    tag_name: tag,
    target_commitish: target,
    draft,
    html_url: `https://github.example/octo/app/releases/tag/${name}`,
    assets: assets.map(describeAsset),
  }
}

function describeAsset({ id, name, state, content, digest }: StoredAsset): object {
  return { id, name, state, size: content.length, digest: state === 'starter' ? null : digest }
}
