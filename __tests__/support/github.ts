/**
 * The GitHub API in memory, on a loopback port, as far as releases and tags go; downloads come from a second origin, as
 * on GitHub. Tests reach it by GITHUB_API_URL.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onCleanUp } from './clean-up.ts'
import { GitHubMemory } from './github-memory.ts'
import type { AssetSeed, ReleaseSeed, StoredRelease, TagSeed } from './github-memory.ts'
import { carryOut, findMistakes, findRoute } from './github-routes.ts'
import type { Call, GitHubRules, Reply, Route } from './github-routes.ts'
import { describeFailure } from './github-shapes.ts'
import { listen } from './listen.ts'

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

/** How to start one. */
export interface GitHubOptions {
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
}

/** Starts a GitHub for `octo/app`, until {@link cleanUp} at the latest. */
export async function startGitHub(options: GitHubOptions = {}): Promise<FakeGitHub> {
  const keepAlive = { keepAliveTimeout: 60_000 }
  const servers = { api: createServer(keepAlive), storage: createServer(keepAlive) }
  const ports = { api: await listen(servers.api), storage: await listen(servers.storage) }
  return new FakeGitHub(servers, ports, options)
}

const refused: Reply = { status: 400 }
const ignore = (): void => undefined

/** A running GitHub. */
export class FakeGitHub extends GitHubMemory {
  /** For GITHUB_API_URL. */
  readonly url: string
  /** The one token that it takes. */
  readonly token = 'ghs_e2eTokenOfTheJob0123456789'
  /** Every request in order of arrival, those to the storage included. */
  readonly calls: SeenCall[] = []
  /** What no client of GitHub may do; each test ends with none. */
  readonly mistakes: string[] = []
  /** The ports behind the origins. */
  readonly ports: Readonly<Record<SeenCall['origin'], number>>
  readonly #servers: readonly Server[]
  readonly #makesImmutable: boolean
  #rules: GitHubRules
  /** May be set anew at any time, as what is called. */
  faults: readonly GitHubFaultRule[]
  onCall: OnCall

  constructor(
    servers: Readonly<Record<SeenCall['origin'], Server>>,
    ports: Readonly<Record<SeenCall['origin'], number>>,
    options: GitHubOptions,
  ) {
    const { basePath = '', canWrite = true, releases = [], tags = {} } = options
    super(options.givesDigests ?? true)
    const apiOrigin = `http://127.0.0.1:${ports.api}`
    this.url = apiOrigin + basePath
    this.ports = ports
    this.#servers = Object.values(servers)
    this.#makesImmutable = options.makesImmutable ?? false
    this.faults = options.faults ?? []
    this.onCall = options.onCall ?? ignore
    this.#rules = {
      repository: 'octo/app',
      token: this.token,
      basePath,
      apiOrigin,
      uploadOrigin: options.uploadOrigin ?? apiOrigin,
      storageOrigin: options.storageOrigin ?? `http://127.0.0.1:${ports.storage}`,
      uploadPath: basePath === '' ? '/uploads' : '/api/uploads',
      access: canWrite ? 'write' : 'read',
    }
    for (const seed of releases.toReversed()) this.addRelease(seed)
    for (const [tag, seed] of Object.entries(tags)) this.setTag(tag, seed)
    for (const origin of ['api', 'storage'] as const) {
      servers[origin].on('request', (request, response) => {
        this.#serve(origin, request, response).catch(ignore)
      })
    }
    onCleanUp(() => {
      this.#stop()
    })
  }

  /** The routes of the calls, in order; without an argument all of them. */
  routes(...only: readonly Route[]): readonly Route[] {
    const all = this.calls.map(({ route }) => route)
    return all.filter(route => only.length === 0 || only.includes(route))
  }

  /** The routes of the calls that change something. */
  writes(): readonly Route[] {
    return this.calls.filter(({ method }) => method !== 'GET').map(({ route }) => route)
  }

  /** The release with this tag; throws without one. */
  release(tag: string): StoredRelease {
    const found = this.releases.find(one => one.tag === tag)
    if (found === undefined) throw new Error(`There is no release ${tag}`)
    return found
  }

  /** Makes a release of a draft. */
  publish(tag: string): void {
    const found = this.release(tag)
    if (found.draft) found.immutable = this.#makesImmutable
    found.draft = false
  }

  /** From now on the token has these rights to the contents of the repository. */
  setAccess(access: GitHubRules['access']): void {
    this.#rules = { ...this.#rules, access }
  }

  /** Deletes the newest release with this tag. */
  removeRelease(tag: string): void {
    this.releases.splice(this.releases.indexOf(this.release(tag)), 1)
  }

  addAsset(tag: string, seed: AssetSeed): void {
    this.storeAsset(this.release(tag), seed)
  }

  removeAsset(tag: string, name: string): void {
    const asset = this.release(tag).assets.find(one => one.name === name)
    if (asset === undefined) throw new Error(`There is no asset ${name}`)
    this.dropAsset(asset)
  }

  /** Texts of the assets by name. */
  texts(tag: string): Readonly<Record<string, string>> {
    const { assets } = this.release(tag)
    return Object.fromEntries(
      assets.map(({ name, content }) => [name, Buffer.from(content).toString()]),
    )
  }

  #stop(): void {
    for (const server of this.#servers) {
      server.close()
      server.closeAllConnections()
    }
  }

  async #serve(
    origin: SeenCall['origin'],
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method = '', url: path = '', headers } = request
    const call = { method, path, headers, body: await buffer(request) }
    const route = origin === 'api' ? findRoute(this.#rules, call) : 'storage'
    const nth = this.routes(route).length + 1
    const seen: SeenCall = { ...call, origin, route, nth }
    this.calls.push(seen)
    await this.onCall(seen)
    const rule = this.faults.find(
      ({ from = 1, to = Infinity, ...one }) => one.route === route && nth >= from && nth <= to,
    )
    const fault = rule?.fault
    if (fault === undefined) {
      send(response, this.#answer(seen))
      return
    }
    const isDone =
      ['cut', 'stall', 'unfinished'].includes(fault.kind) || ('after' in fault && fault.after)
    const reply = isDone ? this.#answer(seen) : refused
    if (fault.kind === 'unfinished' && this.newest !== undefined) this.newest.state = 'starter'
    perform(fault, reply, response)
  }

  #answer(call: SeenCall): Reply {
    if (call.origin === 'storage') return this.#answerFromStorage(call)
    const mistakes = findMistakes(this.#rules, call)
    this.mistakes.push(...mistakes.map(text => `${call.method} ${call.path}: ${text}`))
    return carryOut(this.#rules, this, call)
  }

  #answerFromStorage({ path, headers }: SeenCall): Reply {
    // The storage refuses a request that is signed twice.
    if (headers['authorization'] !== undefined) {
      this.mistakes.push('the storage was sent an authorization')
      return refused
    }
    const assets = this.releases.flatMap(release => release.assets)
    const asset = assets.find(({ id }) => path === `/assets/${id}?signature=abc`)
    return asset === undefined ? { status: 404 } : { status: 200, content: asset.content }
  }
}

function perform(fault: GitHubFault, reply: Reply, response: ServerResponse): void {
  switch (fault.kind) {
    case 'status': {
      const { status, headers = {}, body } = fault
      const json = body === undefined ? describeFailure(status, `simulated ${status}`) : body
      send(response, { status, headers, json })
      return
    }
    case 'unfinished':
      response.socket?.resetAndDestroy()
      return
    case 'silence':
      return
    case 'cut':
    case 'stall': {
      const body = writeHead(response, reply)
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => {
        if (fault.kind === 'cut') response.socket?.resetAndDestroy()
      })
    }
  }
}

function send(response: ServerResponse, reply: Reply): void {
  response.end(writeHead(response, reply))
}

/** Gives the body that is still to be sent. */
function writeHead(
  response: ServerResponse,
  { status, headers, json, content }: Reply,
): Uint8Array {
  const body = content ?? Buffer.from(json === undefined ? '' : JSON.stringify(json))
  if (json !== undefined) response.setHeader('content-type', 'application/json; charset=utf-8')
  if (content !== undefined) response.setHeader('content-type', 'application/octet-stream')
  if (status !== 204) response.setHeader('content-length', body.length)
  response.writeHead(status, headers)
  return body
}
