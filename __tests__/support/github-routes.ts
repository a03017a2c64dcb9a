/** What the GitHub API answers: a look at the request, and the change that it makes to the memory. */
import type { GitHubMemory, StoredAsset, StoredRelease } from './github-memory.ts'
import { sanitizeAssetName } from './github-memory.ts'
import { describeAsset, describeFailure, describeObject, describeRelease } from './github-shapes.ts'
import type { GitHubPlace } from './github-shapes.ts'

/** What a request is for; `other` is everything that this GitHub does not have. */
export type Route =
  | 'list-releases'
  | 'get-release-by-tag'
  | 'get-release'
  | 'list-assets'
  | 'get-asset'
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
  readonly content?: Uint8Array
}

/** A request, and what its path names. */
interface Found {
  readonly rules: GitHubRules
  readonly memory: GitHubMemory
  readonly call: Call
  readonly id: string
  readonly query: URLSearchParams
  /** Those that the token may see. */
  readonly releases: readonly StoredRelease[]
}

type Handler = (found: Found) => Reply

/** The calls for releases and assets, and for tags; those for uploads lie elsewhere. */
const routes: readonly (readonly [Route, string, RegExp, Handler])[] = [
  ['list-releases', 'GET', /^\/releases$/, found => page(found, found.releases, describeRelease)],
  ['get-release-by-tag', 'GET', /^\/releases\/tags\/(.+)$/, getReleaseByTag],
  ['get-release', 'GET', /^\/releases\/(\d+)$/, getRelease],
  ['list-assets', 'GET', /^\/releases\/(\d+)\/assets$/, listAssets],
  ['upload-asset', 'POST', /^ uploads\/releases\/(\d+)\/assets$/, uploadAsset],
  ['get-asset', 'GET', /^\/releases\/assets\/(\d+)$/, getAsset],
  ['delete-asset', 'DELETE', /^\/releases\/assets\/(\d+)$/, deleteAsset],
  ['get-ref', 'GET', /^\/git\/ref\/tags\/(.+)$/, getObject],
  ['get-tag', 'GET', /^\/git\/tags\/([0-9a-f]{40})$/, getObject],
]

/** How the links between pages name the repository: only who follows them finds it there. */
const byNumber = '/repositories/1296269'
const octetStream = 'application/octet-stream'
const isJson = /^application\/vnd\.github(\.v3)?\+json$/

function find({ repository, basePath, uploadPath }: GitHubRules, { method, path }: Call) {
  const plain = path
    .replace(/\?.*$/, '')
    .replace(`${uploadPath}/repos/${repository}`, ' uploads')
    .replace(`${basePath}/repos/${repository}`, '')
    .replace(basePath + byNumber, '')
  for (const [route, wanted, pattern, handle] of routes) {
    const match = wanted === method ? pattern.exec(plain) : null
    if (match !== null) return { route, handle, id: decodeURIComponent(match[1] ?? '') }
  }
  return { route: 'other', handle: () => notFound, id: '' } as const
}

/** Finds what a request is for. */
export function findRoute(rules: GitHubRules, call: Call): Route {
  return find(rules, call).route
}

/** What a client of GitHub must not do, in words; an empty array if the request is as it should be. */
export function findMistakes(rules: GitHubRules, call: Call): readonly string[] {
  const { route } = find(rules, call)
  const {
    accept,
    'user-agent': agent,
    'content-length': length,
    'content-type': type,
  } = call.headers
  const isAccepted = route === 'get-asset' ? accept === octetStream : isJson.test(String(accept))
  const isUpload = route === 'upload-asset'
  const checks: readonly (readonly [mistake: string, isMade: boolean])[] = [
    ['no such call', route === 'other'],
    [`accept is "${String(accept)}"`, !isAccepted],
    ['no user-agent', agent === undefined],
    ['no good authorization', readToken(call) !== rules.token],
    ['no content-length', isUpload && length === undefined],
    ['no type of bytes', isUpload && type !== octetStream],
  ]
  return checks.filter(([, isMade]) => isMade).map(([mistake]) => mistake)
}

function readToken({ headers }: Call): string | undefined {
  return /^(?:token|bearer) (\S+)$/i.exec(String(headers['authorization'] ?? ''))?.[1]
}

/** Carries a request out. */
export function carryOut(rules: GitHubRules, memory: GitHubMemory, call: Call): Reply {
  const { handle, id } = find(rules, call)
  if (readToken(call) !== rules.token) return refuse(401, 'Bad credentials')
  if (rules.access === 'none') return notFound
  if (call.method !== 'GET' && rules.access !== 'write') {
    return refuse(403, 'Resource not accessible by integration')
  }
  const releases = memory.releases.filter(({ draft }) => rules.access === 'write' || !draft)
  const query = new URLSearchParams(call.path.split('?')[1] ?? '')
  return handle({ rules, memory, call, id, query, releases })
}

function refuse(status: number, message: string): Reply {
  return { status, json: describeFailure(status, message) }
}

const notFound = refuse(404, 'Not Found')
const invalid = refuse(422, 'Validation Failed')
const immutable = refuse(422, 'Cannot change the assets of an immutable release.')

/** Answers with what was found, if it was. */
function give<T>(item: T | undefined, describe: (item: T) => unknown): Reply {
  return item === undefined ? notFound : { status: 200, json: describe(item) }
}

function getReleaseByTag({ rules, releases, id }: Found): Reply {
  const release = releases.find(({ tag, draft }) => tag === id && !draft)
  return give(release, found => describeRelease(rules, found))
}

function getRelease({ rules, releases, id }: Found): Reply {
  const release = releases.find(one => String(one.id) === id)
  return give(release, found => describeRelease(rules, found))
}

function getObject({ rules, memory, id }: Found): Reply {
  return give(memory.objects.get(id), object => describeObject(rules, object))
}

/** One page of a listing, with the header that names the next. */
function page<T>(
  { rules, query, call }: Found,
  items: readonly T[],
  describe: (place: GitHubPlace, item: T) => unknown,
): Reply {
  const perPage = Math.min(100, Math.max(1, Number(query.get('per_page') ?? 30)))
  const number = Math.max(1, Number(query.get('page') ?? 1))
  const start = (number - 1) * perPage
  const linkTo = (to: number, rel: string): string => {
    const next = new URLSearchParams(query)
    next.set('page', String(to))
    const path = call.path.replace(/\?.*$/, '').replace(`/repos/${rules.repository}`, byNumber)
    return `<${rules.apiOrigin}${path}?${next.toString()}>; rel="${rel}"`
  }
  const last = linkTo(Math.ceil(items.length / perPage), 'last')
  const isLast = start + perPage >= items.length
  return {
    status: 200,
    headers: isLast ? {} : { link: `${linkTo(number + 1, 'next')}, ${last}` },
    json: items.slice(start, start + perPage).map(item => describe(rules, item)),
  }
}

function listAssets(found: Found): Reply {
  const release = found.releases.find(({ id }) => String(id) === found.id)
  return release === undefined ? notFound : page(found, release.assets, describeAsset)
}

function uploadAsset({ rules, memory, releases, id, query, call }: Found): Reply {
  const release = releases.find(one => String(one.id) === id)
  if (release === undefined) return notFound
  if (release.immutable) return immutable
  const name = sanitizeAssetName(query.get('name') ?? '')
  const isTaken = release.assets.some(asset => asset.name === name)
  if (name === '' || call.body.length === 0 || isTaken) return invalid
  const asset = memory.storeAsset(release, { name, content: new Uint8Array(call.body) })
  return { status: 201, json: describeAsset(rules, asset) }
}

/** Answers for an asset and its release. */
function withAsset(
  { releases, id }: Found,
  answer: (asset: StoredAsset, release: StoredRelease) => Reply,
): Reply {
  for (const release of releases) {
    const asset = release.assets.find(one => String(one.id) === id)
    if (asset !== undefined) return answer(asset, release)
  }
  return notFound
}

function getAsset(found: Found): Reply {
  const { rules } = found
  return withAsset(found, asset => {
    const location = `${rules.storageOrigin}/assets/${asset.id}?signature=abc`
    return { status: 302, headers: { location } }
  })
}

function deleteAsset(found: Found): Reply {
  return withAsset(found, (asset, release) => {
    if (release.immutable) return immutable
    found.memory.dropAsset(asset)
    return { status: 204 }
  })
}
