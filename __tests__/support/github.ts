/**
 * A GitHub in memory with the API for releases and tags, on a loopback port; it redirects downloads to a second origin, as
 * GitHub does. Tests reach it through GITHUB_API_URL.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onCleanUp } from './clean-up.ts'
import { GitHubMemory } from './github-memory.ts'
import type { AssetSeed, MemoryOptions, ReleaseSeed } from './github-memory.ts'
import { carryOut, findRoute, refuse } from './github-routes.ts'
import type { ApiCall, Reply, Route } from './github-routes.ts'
import { listen } from './listen.ts'

export type { AssetSeed, ReleaseSeed, Route }

export type GitHubFault =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
      /** Whether the call is processed before this answer. */
      readonly after?: boolean
    }
  | { readonly kind: 'silence' }
  /** The head and half of the body, then the connection breaks. */
  | { readonly kind: 'cut' }
  /** The head and half of the body, then nothing more. */
  | { readonly kind: 'stall' }

/** A fault and the calls of its route that it affects, counted from 1. */
interface GitHubFaultRule {
  readonly route: Route
  readonly fault: GitHubFault
  readonly from?: number
  readonly to?: number
}

export interface GitHubOptions extends MemoryOptions {
  /** `/api/v3` is an enterprise server, with uploads below `/api/uploads`. */
  readonly basePath?: '' | '/api/v3'
  /** Origins that answers name instead of the real ones, for a proxy to resolve. */
  readonly uploadOrigin?: string
  readonly storageOrigin?: string
  readonly faults?: readonly GitHubFaultRule[]
}

export interface SeenCall {
  readonly method: string
  /** As sent, with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
  readonly route: Route
  /** The number of this call among those of its route, from 1. */
  readonly nth: number
}

type Origin = 'api' | 'storage'
type ByOrigin<T> = Readonly<Record<Origin, T>>

/** Starts a GitHub for `octo/app`; `cleanUp` stops it. */
export async function startGitHub(options: GitHubOptions = {}): Promise<FakeGitHub> {
  const keepAlive = { keepAliveTimeout: 60_000 }
  const servers = { api: createServer(keepAlive), storage: createServer(keepAlive) }
  const ports = { api: await listen(servers.api), storage: await listen(servers.storage) }
  return new FakeGitHub(servers, ports, options)
}

const repository = '/repos/octo/app'
const signature = '?signature=abc'
const octetStream = 'application/octet-stream'
const isJson = /^application\/vnd\.github(\.v3)?\+json$/
const ignore = (): void => undefined

export class FakeGitHub extends GitHubMemory {
  /** For GITHUB_API_URL. */
  readonly url: string
  /** The only valid token. */
  readonly token = 'ghs_e2eTokenOfTheJob0123456789'
  /** Every request in order of arrival, including those to the storage. */
  readonly calls: SeenCall[] = []
  /** What a client of GitHub must not do; every test ends with none. */
  readonly mistakes: string[] = []
  readonly ports: ByOrigin<number>
  readonly #apiPath: string
  readonly #uploadUrl: string
  readonly #storageOrigin: string
  faults: readonly GitHubFaultRule[]
  /** Called with each request before it is carried out. */
  onCall: (call: SeenCall) => void = ignore

  constructor(servers: ByOrigin<Server>, ports: ByOrigin<number>, options: GitHubOptions) {
    super(options)
    const { basePath = '', faults = [] } = options
    const apiOrigin = `http://127.0.0.1:${ports.api}`
    const uploadPath = basePath === '' ? '/uploads' : '/api/uploads'
    this.url = apiOrigin + basePath
    this.ports = ports
    this.faults = faults
    this.#apiPath = basePath + repository
    this.#uploadUrl = (options.uploadOrigin ?? apiOrigin) + uploadPath + repository
    this.#storageOrigin = options.storageOrigin ?? `http://127.0.0.1:${ports.storage}`
    for (const origin of ['api', 'storage'] as const) {
      const server = servers[origin]
      server.on('request', (request, response) => {
        this.#serve(origin, request, response).catch(ignore)
      })
      onCleanUp(() => {
        server.close()
        server.closeAllConnections()
      })
    }
  }

  /** The routes of all calls in order, or only of these routes. */
  routes(...only: readonly Route[]): readonly Route[] {
    const all = this.calls.map(({ route }) => route)
    return all.filter(route => only.length === 0 || only.includes(route))
  }

  /** The routes of the calls that change something. */
  writes(): readonly Route[] {
    return this.calls.filter(({ method }) => method !== 'GET').map(({ route }) => route)
  }

  async #serve(origin: Origin, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request
    const body = await buffer(request)
    const { pathname, searchParams: query } = new URL(path, this.url)
    const apiPrefix = method === 'POST' ? new URL(this.#uploadUrl).pathname : this.#apiPath
    const prefix = origin === 'api' ? apiPrefix : ''
    const pathInside = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : ''
    const call = { method, path: pathInside, query, body, uploadUrl: this.#uploadUrl }
    const route: Route = origin === 'api' ? findRoute(call).route : 'storage'
    const nth = this.routes(route).length + 1
    const seen = { method, path, headers, body, route, nth }
    this.calls.push(seen)
    this.onCall(seen)
    const rules = this.faults.filter(rule => rule.route === route)
    const fault = rules.find(({ from = 1, to = Infinity }) => nth >= from && nth <= to)?.fault
    const isSkipped = fault?.kind === 'silence' || (fault?.kind === 'status' && !fault.after)
    const reply = isSkipped ? { status: 400 } : this.#answer(seen, call)
    if (fault === undefined) send(response, reply)
    else perform(fault, reply, response)
  }

  #answer(seen: SeenCall, call: ApiCall): Reply {
    const mistakes = this.#findMistakes(seen)
    this.mistakes.push(...mistakes.map(text => `${seen.method} ${seen.path}: ${text}`))
    if (seen.route === 'storage') {
      // The storage rejects a request that is authorized twice.
      return mistakes.length === 0 ? carryOut(this, call) : { status: 400 }
    }
    if (readToken(seen) !== this.token) return refuse(401, 'Bad credentials')
    const reply = carryOut(this, call)
    if (reply.content === undefined) return reply
    return { status: 302, headers: { location: this.#storageOrigin + call.path + signature } }
  }

  /** What a client of GitHub must not do, in words. */
  #findMistakes(call: SeenCall): readonly string[] {
    const { route, headers, path } = call
    if (route === 'storage') {
      const isRight = headers['authorization'] === undefined && path.endsWith(signature)
      return isRight ? [] : ['the storage needs the signature, and no authorization']
    }
    const accept = String(headers['accept'])
    const isAccepted = route === 'get-asset' ? accept === octetStream : isJson.test(accept)
    const isUpload = route === 'upload-asset'
    const checks: readonly (readonly [mistake: string, isMade: boolean])[] = [
      ['no such call', route === 'other'],
      [`accept is "${accept}"`, !isAccepted],
      ['no user-agent', headers['user-agent'] === undefined],
      ['no valid authorization', readToken(call) !== this.token],
      ['no content-length', isUpload && headers['content-length'] === undefined],
      ['not the type of bytes', isUpload && headers['content-type'] !== octetStream],
    ]
    return checks.filter(([, isMade]) => isMade).map(([mistake]) => mistake)
  }
}

function readToken({ headers }: SeenCall): string | undefined {
  return /^(?:token|bearer) (\S+)$/i.exec(String(headers['authorization'] ?? ''))?.[1]
}

function perform(fault: GitHubFault, reply: Reply, response: ServerResponse): void {
  switch (fault.kind) {
    case 'status': {
      const { status, headers = {}, body } = fault
      const json = body ?? refuse(status, `simulated ${status}`).json
      send(response, { status, headers, json })
      return
    }
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

/** Returns the body, which is still to be sent. */
function writeHead(
  response: ServerResponse,
  { status, headers, json, content }: Reply,
): Uint8Array {
  const body = content ?? Buffer.from(json === undefined ? '' : JSON.stringify(json))
  if (json !== undefined) response.setHeader('content-type', 'application/json; charset=utf-8')
  if (content !== undefined) response.setHeader('content-type', octetStream)
  if (status !== 204) response.setHeader('content-length', body.length)
  response.writeHead(status, headers)
  return body
}
