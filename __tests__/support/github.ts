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
import { onCleanUp } from './clean-up.ts'
import { GitHubMemory } from './github-memory.ts'
import type { AssetSeed, Content, ReleaseSeed, StoredRelease, TagSeed } from './github-memory.ts'
import { carryOut, findMistakes, findRoute } from './github-routes.ts'
import type { Call, GitHubRules, Reply, Route } from './github-routes.ts'
import { describeFailure } from './github-shapes.ts'

export type { AssetSeed, ReleaseSeed, Route }

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
  | { readonly kind: 'silence' }
  /** The head and half of the body, then the connection breaks. */
  | { readonly kind: 'cut' }
  /** The head and half of the body, then nothing more. */
  | { readonly kind: 'stall' }
  /** An upload breaks off, and leaves an asset that is not uploaded. */
  | { readonly kind: 'unfinished' }

/** A fault and the calls that it hits, counted from 1 among those of its route. */
interface GitHubFaultRule {
  readonly route: Route
  readonly fault: GitHubFault
  readonly from?: number
  readonly to?: number
}

/** How to start one; see {@link GitHubRules}. */
export interface GitHubOptions extends Partial<Pick<GitHubRules, 'download' | 'embedsAssets'>> {
  readonly canWrite?: boolean
  /** Whether a draft becomes immutable when it is published. */
  readonly makesImmutable?: boolean
  /** `/api/v3` is that of an enterprise server, with its uploads below `/api/uploads`. */
  readonly basePath?: '' | '/api/v3'
  /** False for a server that knows no digests. */
  readonly givesDigests?: boolean
  /** What answers say in the place of the real origins, as a proxy finds them. */
  readonly uploadOrigin?: string
  readonly storageOrigin?: string
  /** The newest first. */
  readonly releases?: readonly ReleaseSeed[]
  readonly tags?: Readonly<Record<string, TagSeed>>
  readonly faults?: readonly GitHubFaultRule[]
  readonly onCall?: OnCall
}

/** Looks at a call that was read, before anything is done; GitHub waits for it: the moment for others to change things. */
export type OnCall = (call: SeenCall) => void | Promise<void>

/** A request that came in. */
export interface SeenCall extends Call {
  readonly origin: 'api' | 'storage'
  readonly route: Route
  /** Among the calls of its route, from 1. */
  readonly nth: number
  /** The answer, where no fault took its place. */
  reply?: Reply
}

/** A running GitHub. Collections are live. */
export type FakeGitHub = Awaited<ReturnType<typeof startGitHub>>

/** Starts a GitHub for `octo/app`, until {@link cleanUp} at the latest. */
export async function startGitHub(options: GitHubOptions = {}) {
  const { basePath = '', canWrite = true, givesDigests = true, makesImmutable = false } = options
  const memory = new GitHubMemory(givesDigests)
  for (const seed of (options.releases ?? []).toReversed()) memory.addRelease(seed)
  for (const [tag, seed] of Object.entries(options.tags ?? {})) memory.setTag(tag, seed)
  const [api, storage] = [createServer(), createServer()]
  const [apiOrigin, storageOrigin] = [await listen(api), await listen(storage)]
  const token = 'ghs_e2eTokenOfTheJob0123456789'
  const rules: { -readonly [Field in keyof GitHubRules]: GitHubRules[Field] } = {
    ...{ repository: 'octo/app', token, basePath, apiOrigin },
    uploadOrigin: options.uploadOrigin ?? apiOrigin,
    storageOrigin: options.storageOrigin ?? storageOrigin,
    uploadPath: basePath === '' ? '/uploads' : '/api/uploads',
    access: canWrite ? 'write' : 'read',
    download: options.download ?? 'redirect',
    embedsAssets: options.embedsAssets ?? true,
  }
  const calls: SeenCall[] = []
  const mistakes: string[] = []
  let { faults = [], onCall = ignore } = options

  const answerFromStorage = ({ path, headers }: SeenCall): Reply => {
    // The storage refuses a request that is signed twice.
    if (headers['authorization'] !== undefined) {
      mistakes.push('the storage was sent an authorization')
      return refused
    }
    const assets = memory.releases.flatMap(release => release.assets)
    const asset = assets.find(({ id }) => path === `/assets/${id}?signature=abc`)
    return asset === undefined ? { status: 404 } : { status: 200, content: asset.content }
  }
  const serve = async (
    origin: SeenCall['origin'],
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const { method = '', url: path = '', headers } = request
    const call = { method, path, headers, body: await buffer(request) }
    const route = origin === 'api' ? findRoute(rules, call) : 'storage'
    const nth = calls.filter(one => one.route === route).length + 1
    const seen: SeenCall = { ...call, origin, route, nth }
    calls.push(seen)
    await onCall(seen)
    const { fault } =
      faults.find(
        rule => rule.route === route && nth >= (rule.from ?? 1) && nth <= (rule.to ?? Infinity),
      ) ?? {}
    const isDone =
      fault === undefined ||
      ['cut', 'stall', 'unfinished'].includes(fault.kind) ||
      ('after' in fault && fault.after)
    if (origin === 'api' && isDone) {
      mistakes.push(...findMistakes(rules, call).map(text => `${method} ${path}: ${text}`))
    }
    const decide = origin === 'api' ? () => carryOut(rules, memory, call) : answerFromStorage
    const reply = isDone ? decide(seen) : refused
    if (fault === undefined) {
      seen.reply = reply
      await send(response, reply)
    } else {
      const uploaded = memory.newest
      if (fault.kind === 'unfinished' && uploaded !== undefined) uploaded.state = 'starter'
      await perform(fault, reply, response)
    }
  }
  for (const [origin, server] of [['api', api] as const, ['storage', storage] as const]) {
    server.on('request', (request, response) => {
      serve(origin, request, response).catch(ignore)
    })
  }

  const release = (tag: string): StoredRelease => {
    const found = memory.releases.find(one => one.tag === tag)
    if (found === undefined) throw new Error(`There is no release ${tag}`)
    return found
  }
  const stop = (): void => {
    for (const server of [api, storage]) {
      server.close()
      server.closeAllConnections()
    }
  }
  const forget = onCleanUp(stop)
  return {
    /** For GITHUB_API_URL. */
    url: apiOrigin + basePath,
    /** The ports behind the origins. */
    ports: { api: Number(new URL(apiOrigin).port), storage: Number(new URL(storageOrigin).port) },
    /** The one token that it takes. */
    token,
    /** Every request in order of arrival, those to the storage included. */
    calls,
    /** What no client of GitHub may do; each test ends with none. */
    mistakes,
    /** The routes of the calls, in order; without an argument all of them. */
    routes: (...only: readonly Route[]): readonly Route[] =>
      calls.map(({ route }) => route).filter(route => only.length === 0 || only.includes(route)),
    /** The routes of the calls that change something. */
    writes: (): readonly Route[] =>
      calls.filter(({ method }) => method !== 'GET').map(({ route }) => route),
    /** The release with this tag; throws without one. */
    release,
    /** All releases, the newest first. */
    releases: (): readonly StoredRelease[] => memory.releases,
    /** Makes a release of a draft. */
    publish: (tag: string): void => {
      const found = release(tag)
      if (found.draft) found.immutable = makesImmutable
      found.draft = false
    },
    /** From now on the token has these rights to the contents of the repository. */
    setAccess: (access: GitHubRules['access']): void => {
      rules.access = access
    },
    addRelease: (seed: ReleaseSeed): void => {
      memory.addRelease(seed)
    },
    /** Deletes the newest release with this tag. */
    removeRelease: (tag: string): void => {
      memory.releases.splice(memory.releases.indexOf(release(tag)), 1)
    },
    /** Points a tag to another commit. */
    setTag: (tag: string, seed: TagSeed): void => {
      memory.setTag(tag, seed)
    },
    addAsset: (tag: string, seed: AssetSeed): void => {
      memory.addAsset(release(tag), seed)
    },
    removeAsset: (tag: string, name: string): void => {
      const asset = release(tag).assets.find(one => one.name === name)
      if (asset === undefined) throw new Error(`There is no asset ${name}`)
      memory.removeAsset(asset)
    },
    /** Texts of the assets by name. */
    texts: (tag: string): Readonly<Record<string, string>> => {
      const textOf = (content: Content): string =>
        'zeros' in content ? '' : Buffer.from(content).toString()
      return Object.fromEntries(
        release(tag).assets.map(({ name, content }) => [name, textOf(content)]),
      )
    },
    /** From now on these, in place of those before. */
    setFaults: (rules: readonly GitHubFaultRule[]): void => {
      faults = rules
    },
    /** From now on this, in place of the one before. */
    setOnCall: (hook: OnCall): void => {
      onCall = hook
    },
    /** Forgets the calls so far, and counts anew. */
    forgetCalls: (): void => {
      calls.length = 0
    },
    close: async (): Promise<void> => {
      forget()
      const closed = [api, storage].map(server => once(server, 'close'))
      stop()
      await Promise.all(closed)
    },
  }
}

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
    case 'status': {
      const { status, headers = {}, body } = fault
      const json = body === undefined ? describeFailure(status, `simulated ${status}`) : body
      await send(response, { status, headers, json })
      return
    }
    case 'unfinished':
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'silence':
      return
    case 'cut':
    case 'stall': {
      const bytes = [...chunksOf(writeHead(response, reply))][0] ?? Buffer.alloc(0)
      response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
        if (fault.kind === 'cut') response.socket?.resetAndDestroy()
      })
    }
  }
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  await pipeline(Readable.from(chunksOf(writeHead(response, reply))), response)
}

/** Gives the body that is still to be sent. */
function writeHead(response: ServerResponse, { status, headers, json, content }: Reply): Content {
  const body = content ?? Buffer.from(json === undefined ? '' : JSON.stringify(json))
  const type =
    content === undefined ? 'application/json; charset=utf-8' : 'application/octet-stream'
  response.writeHead(status, {
    ...headers,
    ...(json === undefined && content === undefined ? {} : { 'content-type': type }),
    ...(status === 204 ? {} : { 'content-length': 'zeros' in body ? body.zeros : body.length }),
  })
  return body
}

const chunkBytes = 1024 * 1024

function* chunksOf(content: Content): Generator<Uint8Array> {
  if (!('zeros' in content)) {
    if (content.length > 0) yield content
    return
  }
  const chunk = Buffer.alloc(chunkBytes)
  for (let left = content.zeros; left > 0; left -= chunkBytes) yield chunk.subarray(0, left)
}
