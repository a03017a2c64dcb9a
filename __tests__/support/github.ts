/**
 * A GitHub that reads releases and tags of one repository: in memory, as octokit returns it, or on a loopback port, which
 * redirects downloads to a second origin, as GitHub does. Tests reach that one through GITHUB_API_URL.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { GitHubClient } from '../../src/runtime/outside.ts'
import { serve } from './listen.ts'
import { sha256 } from './samples.ts'

/** `size` and `digest` are as listed; by default, they are those of the content. */
export interface AssetSeed {
  readonly name: string
  readonly content?: string | Uint8Array
  readonly size?: number
  readonly digest?: string | null
  /** Default: `uploaded`; `starter` for an upload that has not finished. */
  readonly state?: 'uploaded' | 'starter'
}

interface ReleaseSeed {
  readonly tag: string
  readonly draft?: boolean
  /** The commit or branch that the tag of a draft will point to; default: `main`. */
  readonly target?: string
  /** ISO time; by default, a day after the release before it in the list. */
  readonly publishedAt?: string
  readonly assets?: readonly AssetSeed[]
}

export interface StoredAsset extends Required<AssetSeed> {
  readonly id: number
  readonly content: Uint8Array
}

interface StoredRelease extends Required<ReleaseSeed> {
  readonly id: number
  readonly assets: StoredAsset[]
}

export interface GitHubOptions {
  /** Newest first. */
  readonly releases?: readonly ReleaseSeed[]
  /** The commit of each tag; `annotations` is the number of tag objects between the two. */
  readonly tags?: Readonly<Record<string, { commit: string; annotations?: number }>>
  /** The origin that responses name instead of the real one, for a proxy to resolve. */
  readonly apiOrigin?: string
}

export interface ApiCall {
  readonly method: string
  /** The part after `/repos/{owner}/{repo}`, without the query. */
  readonly path: string
  readonly query: URLSearchParams
}

interface Reply {
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
export function findRoute({ method, path }: ApiCall) {
  for (const [route, pattern] of routes) {
    const match = method === 'GET' ? pattern.exec(path) : null
    if (match !== null) return { route, id: decodeURIComponent(match[1] ?? '') }
  }
  return { route: 'other', id: '' } as const
}

/** The stored repository. IDs are never reused. */
export class GitHubMemory {
  /** Newest first, as GitHub lists them. */
  readonly #releases: StoredRelease[] = []
  /** The targets of tags, by name, and of annotated tags, by their own ID. */
  readonly #objects = new Map<string, object>()
  #lastId = 1000

  constructor({ releases = [], tags = {} }: GitHubOptions) {
    for (const [day, seed] of releases.toReversed().entries()) {
      const { tag, assets = [], draft = false, target = 'main' } = seed
      const { publishedAt = new Date(day * 86_400_000).toISOString() } = seed
      this.#releases.unshift({ id: ++this.#lastId, tag, target, draft, publishedAt, assets: [] })
      for (const asset of assets) this.addAsset(tag, asset)
    }
    for (const [tag, { commit, annotations = 0 }] of Object.entries(tags)) {
      let target = { sha: commit, type: 'commit' }
      for (let depth = 0; depth < annotations; depth++) {
        const sha = sha256(`${tag} ${commit} ${depth}`).slice(0, 40)
        this.#objects.set(sha, target)
        target = { sha, type: 'tag' }
      }
      this.#objects.set(tag, target)
    }
  }

  /** The assets of the newest release with this tag; throws if there is none. */
  assetsOf(tag: string): StoredAsset[] {
    const release = this.#releases.find(stored => stored.tag === tag)
    if (release === undefined) throw new Error(`There is no release ${tag}`)
    return release.assets
  }

  addAsset(tag: string, { name, content = '', ...seed }: AssetSeed): void {
    const bytes = Buffer.from(content)
    const stored = { id: ++this.#lastId, name, content: bytes, state: 'uploaded' } as const
    const listed = { size: bytes.length, digest: `sha256:${sha256(bytes)}` }
    this.assetsOf(tag).push({ ...stored, ...listed, ...seed })
  }

  /** Answers a call with a valid token. */
  answer(call: ApiCall): Reply {
    const { route, id } = findRoute(call)
    const releases = this.#releases
    const release = releases.find(stored => String(stored.id) === id)
    const asset = releases.flatMap(({ assets }) => assets).find(stored => String(stored.id) === id)
    const published = releases.find(({ tag, draft }) => tag === id && !draft)
    const object = this.#objects.get(id)
    switch (route) {
      case 'list-releases':
        return answerPage(releases.map(describeRelease), call)
      case 'get-release-by-tag':
        return published === undefined ? notFound : found(describeRelease(published))
      case 'list-assets':
        if (release === undefined) return notFound
        return answerPage(release.assets.map(describeAsset), call)
      case 'get-asset':
        return asset?.state === 'uploaded' ? { status: 200, content: asset.content } : notFound
      case 'get-ref':
      case 'get-tag':
        return object === undefined ? notFound : found({ object })
      case 'other':
        return notFound
    }
  }
}

function refuse(status: number, message: string): Reply {
  return { status, json: { message, status: String(status) } }
}

const notFound = refuse(404, 'Not Found')

const found = (json: object): Reply => ({ status: 200, json })

function answerPage(items: readonly object[], { query }: ApiCall): Reply {
  const perPage = Number(query.get('per_page') ?? 30)
  const number = Number(query.get('page') ?? 1)
  const json = items.slice((number - 1) * perPage, number * perPage)
  return number * perPage < items.length ? { ...found(json), nextPage: number + 1 } : found(json)
}

/** The fields of GitHub's responses that this project reads. */
function describeRelease({ id, tag, target, draft, publishedAt, assets }: StoredRelease): object {
  const page = draft ? `untagged-${id}` : encodeURIComponent(tag)
  const html_url = `https://github.example/octo/app/releases/tag/${page}`
  const published_at = draft ? null : publishedAt
  const fields = { id, tag_name: tag, target_commitish: target, draft, published_at, html_url }
  return { ...fields, assets: assets.map(describeAsset) }
}

function describeAsset({ id, name, state, size, digest }: StoredAsset): object {
  return { id, name, state, size, digest: state === 'starter' ? null : digest }
}

/** Fills in a route of octokit, such as `GET /repos/o/r/releases/{id}`. */
export function callOf(route: string, parameters: Readonly<Record<string, unknown>>): ApiCall {
  const [method = '', template = ''] = route.split(' ')
  const path = template
    .replace(/^\/repos\/[^/]+\/[^/]+/, '')
    .replace(/\{(\w+)\}/, (_, key: string) => String(parameters[key]))
  return { method, path, query: new URLSearchParams({ per_page: '100' }) }
}

/** Creates the error that octokit throws; without a status, there was no response. */
export function errorOf({ method, path }: ApiCall, status: number | null): Error {
  const request = { method, url: `https://api.github.example${path}` }
  const response = status === null ? undefined : { status, data: {}, headers: {} }
  const error = new Error(`HTTP ${status}`)
  return Object.assign(error, { name: 'HttpError', status: status ?? 500, request, response })
}

/** Creates a client of which every list has one page. */
export function clientOf(request: GitHubClient['request']): GitHubClient {
  async function* pages(...call: Parameters<typeof request>) {
    yield await request(...call)
  }
  return { request, pages }
}

export async function* chunksOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(content)
}

/** A status, or the head and half of the body, and then the connection breaks, or nothing more comes. */
export type GitHubFault =
  | 'cut'
  | 'stall'
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
    }

/** Starts a GitHub for `octo/app`; `cleanUp` stops it. */
export async function startGitHub(options: GitHubOptions = {}): Promise<FakeGitHub> {
  const start = (isApi: boolean): Promise<number> =>
    serve((request, response) => {
      github.serve(isApi, request, response)
    })
  const ports = { api: await start(true), storage: await start(false) }
  const github = new FakeGitHub(ports, options)
  return github
}

const signature = '?signature=abc'
const octetStream = 'application/octet-stream'

/** Answers a client that makes a mistake as GitHub does. */
export class FakeGitHub extends GitHubMemory {
  /** For GITHUB_API_URL. */
  readonly url: string
  /** The only valid token. */
  readonly token = 'ghs_e2eTokenOfTheJob0123456789'
  /** Every request in order of arrival, including those to the storage, as sent. */
  readonly calls: { path: string; headers: IncomingHttpHeaders; route: Route }[] = []
  readonly ports: Readonly<Record<'api' | 'storage', number>>
  readonly #faults = new Map<Route, { readonly make: () => GitHubFault; left: number }>()

  constructor(ports: FakeGitHub['ports'], options: GitHubOptions) {
    super(options)
    this.url = options.apiOrigin ?? `http://127.0.0.1:${ports.api}`
    this.ports = ports
  }

  /** Makes the next `count` calls of a route fail. */
  fail(route: Route, make: () => GitHubFault, count = Infinity): void {
    this.#faults.set(route, { make, left: count })
  }

  /** The routes of all calls in order, or only of these routes. */
  routes(...only: readonly Route[]): readonly Route[] {
    const all = this.calls.map(({ route }) => route)
    return all.filter(route => only.length === 0 || only.includes(route))
  }

  serve(isApi: boolean, request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url: path = '', headers } = request
    const { pathname, searchParams: query } = new URL(path, this.url)
    const call = { method, path: pathname.replace('/repos/octo/app', ''), query }
    const route: Route = isApi ? findRoute(call).route : 'storage'
    this.calls.push({ path, headers, route })
    let reply = this.answer(call)
    if (isApi) {
      const [, token] = /^(?:token|bearer) (\S+)$/i.exec(headers.authorization ?? '') ?? []
      if (token !== this.token) reply = refuse(401, 'Bad credentials')
      else if (reply.content !== undefined && headers.accept !== octetStream) reply = found({})
    } else if (headers.authorization !== undefined || !path.endsWith(signature)) {
      reply = refuse(400, 'Only one auth mechanism allowed')
    }

    const planned = this.#faults.get(route)
    const fault = planned !== undefined && planned.left-- > 0 ? planned.make() : undefined
    if (typeof fault === 'object') {
      const { headers = {}, body = { message: `simulated ${fault.status}` } } = fault
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      reply = { status: fault.status, json: body }
    }
    const { nextPage, content, json, status } = reply
    if (nextPage !== undefined) {
      query.set('page', String(nextPage))
      response.setHeader('link', `<${this.url}${pathname}?${query.toString()}>; rel="next"`)
    }
    if (isApi && content !== undefined) {
      const location = `http://127.0.0.1:${this.ports.storage}${call.path}${signature}`
      response.writeHead(302, { location }).end()
      return
    }
    const body = content ?? Buffer.from(json === undefined ? '' : JSON.stringify(json))
    const type = content === undefined ? 'application/json; charset=utf-8' : octetStream
    response.setHeader('content-type', type).setHeader('content-length', body.length)
    response.writeHead(status)
    if (typeof fault !== 'string') response.end(body)
    else {
      response.write(body.subarray(0, body.length / 2), () => {
        if (fault === 'cut') response.socket?.resetAndDestroy()
      })
    }
  }
}
