/**
 * The GitHub API in memory, on a loopback port, as far as releases and tags go; downloads come from a second origin, as
 * on GitHub. Tests reach it by GITHUB_API_URL.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { GitHubMemory } from './github-memory.ts'
import type {
  AssetSeed,
  Content,
  ReleaseSeed,
  StoredAsset,
  StoredRelease,
  TagSeed,
} from './github-memory.ts'
import { carryOut, findMistakes, findRoute } from './github-routes.ts'
import type { GitHubRules, Reply, Route } from './github-routes.ts'
import { describeFailure } from './github-shapes.ts'
import { onCleanUp } from './clean-up.ts'

export type { AssetSeed, ReleaseSeed, Route, StoredAsset, StoredRelease }

/** What goes wrong with a call; `after` means that it was carried out nevertheless. */
export type GitHubFault =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
      readonly after?: boolean
    }
  | { readonly kind: 'reset'; readonly after?: boolean }
  | { readonly kind: 'silence'; readonly after?: boolean }
  /** The head and half of the body, then the connection breaks. */
  | { readonly kind: 'cut' }

/** A fault and the calls that it hits, counted from 1 among those of its route. */
export interface GitHubFaultRule {
  readonly route: Route
  readonly fault: GitHubFault
  readonly from?: number
  readonly to?: number
}

/** How to start one; the token is `token`, and it can write. */
export interface GitHubOptions {
  readonly repository?: string
  readonly token?: string
  readonly canWrite?: boolean
  /** Whether a draft becomes immutable when it is published. */
  readonly makesImmutable?: boolean
  /** `/api/v3` is that of an enterprise server, with its uploads below `/api/uploads`. */
  readonly basePath?: '' | '/api/v3'
  readonly download?: 'redirect' | 'direct'
  /** Most items of a page, whatever the client asks for. */
  readonly pageSize?: number
  /** How many items of a page stand on the next one, too, as after a release that was made meanwhile. */
  readonly pageOverlap?: number
  /** False for a server that knows no digests. */
  readonly givesDigests?: boolean
  readonly releases?: readonly ReleaseSeed[]
  readonly tags?: Readonly<Record<string, TagSeed>>
  readonly faults?: readonly GitHubFaultRule[]
  /** Called when a request was read, before anything is done: the moment for others to change the release. */
  readonly onCall?: OnCall
}

/** Looks at a call; GitHub waits for it. */
export type OnCall = (call: SeenCall, github: FakeGitHub) => void | Promise<void>

/** A request that came in. */
export interface SeenCall {
  readonly origin: 'api' | 'storage'
  readonly route: Route
  /** Among the calls of its route, from 1. */
  readonly nth: number
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
  /** Absent until, and unless, it was answered. */
  readonly status?: number
  /** The answer, where no fault took its place. */
  readonly reply?: Reply
}

/** A running GitHub. Collections are live. */
export interface FakeGitHub {
  /** For GITHUB_API_URL. */
  readonly url: string
  readonly token: string
  /** Every request in order of arrival, those to the storage included. */
  readonly calls: readonly SeenCall[]
  /** What no client of GitHub may do; each test ends with none. */
  readonly mistakes: readonly string[]
  /** The routes of the calls, in order; without an argument all of them. */
  routes(...only: readonly Route[]): readonly Route[]
  /** The release with this tag; throws without one. */
  release(tag: string): StoredRelease
  /** All releases, the newest first. */
  releases(): readonly StoredRelease[]
  /** Makes a release of a draft. */
  publish(tag: string): void
  /** From now on the token has these rights to the contents of the repository. */
  setAccess(access: 'none' | 'read' | 'write'): void
  addRelease(seed: ReleaseSeed): StoredRelease
  addAsset(tag: string, seed: AssetSeed): StoredAsset
  removeAsset(tag: string, name: string): void
  setTag(tag: string, seed: TagSeed): void
  /** Texts of the assets by name. */
  texts(tag: string): Readonly<Record<string, string>>
  /** From now on these, in place of those before. */
  setFaults(faults: readonly GitHubFaultRule[]): void
  /** From now on this, in place of the one before. */
  setOnCall(onCall: OnCall): void
  /** Forgets the calls so far, and counts anew. */
  forgetCalls(): void
  close(): Promise<void>
}

/** Starts a GitHub, until {@link cleanUp} at the latest. */
export async function startGitHub(options: GitHubOptions = {}): Promise<FakeGitHub> {
  const {
    repository = 'octo/app',
    token = 'ghs_e2eTokenOfTheJob0123456789',
    basePath = '',
  } = options
  const memory = new GitHubMemory(options.givesDigests ?? true)
  // GitHub lists the newest first, so that the first of the option comes first.
  for (const seed of [...(options.releases ?? [])].reverse()) memory.addRelease(seed)
  for (const [tag, seed] of Object.entries(options.tags ?? {})) memory.setTag(tag, seed)
  const api = createServer()
  const storage = createServer()
  const [apiOrigin, storageOrigin] = [await listen(api), await listen(storage)]
  const rules: { -readonly [Field in keyof GitHubRules]: GitHubRules[Field] } = {
    ...{ repository, token, basePath, apiOrigin, storageOrigin },
    uploadPath: basePath === '' ? '/uploads' : '/api/uploads',
    access: options.canWrite === false ? 'read' : 'write',
    download: options.download ?? 'redirect',
    pageSize: options.pageSize ?? 100,
    pageOverlap: options.pageOverlap ?? 0,
  }
  const calls: { -readonly [Field in keyof SeenCall]: SeenCall[Field] }[] = []
  const mistakes: string[] = []
  let faults = options.faults ?? []
  let { onCall = ignore } = options

  const answer = (origin: SeenCall['origin'], decide: (call: SeenCall) => Reply) => {
    return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { method = '', url: path = '', headers } = request
      const body = await buffer(request)
      const { route } =
        origin === 'api' ? findRoute(rules, { method, path, headers, body }) : inStorage
      const nth = calls.filter(call => call.route === route).length + 1
      const seen: (typeof calls)[number] = { origin, route, nth, method, path, headers, body }
      calls.push(seen)
      await onCall(seen, github)
      const found = faults.find(
        rule => rule.route === route && nth >= (rule.from ?? 1) && nth <= (rule.to ?? Infinity),
      )
      const fault = found?.fault
      const isDone = fault === undefined || fault.kind === 'cut' || fault.after === true
      const reply = isDone ? decide(seen) : refused
      seen.status = fault?.kind === 'status' ? fault.status : reply.status
      if (fault === undefined) seen.reply = reply
      if (fault === undefined) await send(response, reply)
      else await perform(fault, reply, response)
    }
  }
  const serveApi = answer('api', call => {
    const wrong = findMistakes(rules, call)
    mistakes.push(...wrong.map(text => `${call.method} ${call.path}: ${text}`))
    return carryOut(rules, memory, call)
  })
  const serveStorage = answer('storage', call => {
    // The storage refuses a request that is signed twice.
    if (call.headers['authorization'] !== undefined) {
      mistakes.push('the storage was sent an authorization')
      return refused
    }
    const [, id] = /^\/assets\/(\d+)\?signature=abc$/.exec(call.path) ?? []
    const assets = memory.releases.flatMap(release => release.assets)
    const asset = assets.find(one => String(one.id) === id)
    return asset === undefined ? { status: 404 } : { status: 200, content: asset.content }
  })
  api.on('request', (request, response) => {
    serveApi(request, response).catch(ignore)
  })
  storage.on('request', (request, response) => {
    serveStorage(request, response).catch(ignore)
  })

  const find = (tag: string): StoredRelease => {
    const release = memory.releases.find(one => one.tag === tag)
    if (release === undefined) throw new Error(`There is no release ${tag}`)
    return release
  }
  const stop = (): void => {
    for (const server of [api, storage]) {
      server.close()
      server.closeAllConnections()
    }
  }
  const forget = onCleanUp(stop)
  const github: FakeGitHub = {
    url: apiOrigin + basePath,
    token,
    calls,
    mistakes,
    routes: (...only) =>
      calls.map(({ route }) => route).filter(route => only.length === 0 || only.includes(route)),
    release: find,
    releases: () => memory.releases,
    publish: tag => {
      const release = find(tag)
      if (release.draft) release.immutable = options.makesImmutable ?? false
      release.draft = false
    },
    setAccess: access => {
      rules.access = access
    },
    addRelease: seed => memory.addRelease(seed),
    addAsset: (tag, seed) => memory.addAsset(find(tag), seed),
    removeAsset: (tag, name) => {
      const asset = find(tag).assets.find(one => one.name === name)
      if (asset === undefined) throw new Error(`There is no asset ${name}`)
      memory.removeAsset(asset.id)
    },
    setTag: (tag, seed) => {
      memory.setTag(tag, seed)
    },
    texts: tag =>
      Object.fromEntries(
        find(tag).assets.map(({ name, content }) => [
          name,
          'zeros' in content ? '' : Buffer.from(content).toString(),
        ]),
      ),
    setFaults: rules => {
      faults = rules
    },
    setOnCall: hook => {
      onCall = hook
    },
    forgetCalls: () => {
      calls.length = 0
    },
    close: async () => {
      forget()
      const closed = [api, storage].map(server => once(server, 'close'))
      stop()
      await Promise.all(closed)
    },
  }
  return github
}

const inStorage = { route: 'storage' } as const
const refused: Reply = { status: 400 }
const ignore = (): void => undefined

async function listen(server: Server): Promise<string> {
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('There is no port')
  return `http://127.0.0.1:${address.port}`
}

async function perform(fault: GitHubFault, reply: Reply, response: ServerResponse): Promise<void> {
  switch (fault.kind) {
    case 'status':
      await send(response, {
        status: fault.status,
        headers: fault.headers ?? {},
        json:
          fault.body === undefined
            ? describeFailure(fault.status, `simulated ${fault.status}`)
            : fault.body,
      })
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'silence':
      return
    case 'cut': {
      const { content = Buffer.from(JSON.stringify(reply.json ?? '')), headers = {} } = reply
      const bytes = 'zeros' in content ? Buffer.alloc(0) : content
      const type = reply.content === undefined ? 'application/json' : 'application/octet-stream'
      response.writeHead(reply.status, {
        ...headers,
        'content-type': type,
        'content-length': String(bytes.length),
      })
      response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
        response.socket?.resetAndDestroy()
      })
    }
  }
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  const { status, headers = {}, json, content } = reply
  if (content !== undefined) {
    response.writeHead(status, {
      ...headers,
      'content-type': 'application/octet-stream',
      'content-length': String('zeros' in content ? content.zeros : content.length),
    })
    await pipeline(Readable.from(chunksOf(content)), response)
    return
  }
  const body = json === undefined ? '' : JSON.stringify(json)
  response.writeHead(status, {
    ...headers,
    ...(json === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    ...(status === 204 ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  })
  response.end(body)
}

const chunkBytes = 1024 * 1024

function* chunksOf(content: Content): Generator<Uint8Array> {
  if (!('zeros' in content)) {
    if (content.length > 0) yield content
    return
  }
  const chunk = Buffer.alloc(chunkBytes)
  for (let left = content.zeros; left > 0; left -= chunkBytes) {
    yield left < chunkBytes ? chunk.subarray(0, left) : chunk
  }
}
