/**
 * A GitHub in memory with the API for releases and tags, on a loopback port; it redirects downloads to a second origin, as
 * GitHub does. Tests reach it through GITHUB_API_URL.
 */
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onCleanUp } from './clean-up.ts'
import { GitHubMemory, type MemoryOptions } from './github-memory.ts'
import { carryOut, findRoute, refuse } from './github-routes.ts'
import type { ApiCall, Reply, Route } from './github-routes.ts'
import { listen } from './listen.ts'

export type { AssetSeed, ReleaseSeed } from './github-memory.ts'
export type { Route }

export type GitHubFault =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
      /** Whether the call is carried out before this answer. */
      readonly after?: boolean
    }
  /** The head and half of the body, then the connection breaks. */
  | { readonly kind: 'cut' }
  /** The head and half of the body, then nothing more. */
  | { readonly kind: 'stall' }

export interface SeenCall {
  readonly method: string
  /** As sent, with its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly route: Route
  /** The number of this call among those of its route, from 1. */
  readonly nth: number
}

export interface GitHubOptions extends MemoryOptions {
  /** Chooses the fault of a call. */
  readonly faultOf?: (call: SeenCall) => GitHubFault | undefined
  /** Below this path and `/api/uploads` on an enterprise server. Default: none. */
  readonly apiPath?: '' | '/api/v3'
  /** The origin that answers name instead of the real one, for a proxy to resolve. */
  readonly apiOrigin?: string
}

/** Starts a GitHub for `octo/app`; `cleanUp` stops it. */
export async function startGitHub(options: GitHubOptions = {}): Promise<FakeGitHub> {
  const servers = { api: createServer(), storage: createServer() }
  const ports = { api: await listen(servers.api), storage: await listen(servers.storage) }
  const github = new FakeGitHub(ports, options)
  for (const server of [servers.api, servers.storage]) {
    server.on('request', (request, response) => {
      void github.serve(server === servers.api, request, response)
    })
    onCleanUp(() => {
      server.close()
      server.closeAllConnections()
    })
  }
  return github
}

const repository = '/repos/octo/app'
const signature = '?signature=abc'
const octetStream = 'application/octet-stream'

export class FakeGitHub extends GitHubMemory {
  /** For GITHUB_API_URL. */
  readonly url: string
  /** The only valid token. */
  readonly token = 'ghs_e2eTokenOfTheJob0123456789'
  /** Every request in order of arrival, including those to the storage. */
  readonly calls: SeenCall[] = []
  /** What a client of GitHub must not do; every test ends with none. */
  readonly mistakes: string[] = []
  readonly ports: Readonly<Record<'api' | 'storage', number>>
  faultOf: (call: SeenCall) => GitHubFault | undefined
  readonly #uploadUrl: string

  constructor(ports: FakeGitHub['ports'], options: GitHubOptions) {
    super(options)
    const { apiPath = '', apiOrigin = `http://127.0.0.1:${ports.api}` } = options
    this.url = apiOrigin + apiPath
    this.ports = ports
    this.faultOf = options.faultOf ?? (() => undefined)
    this.#uploadUrl = `${apiOrigin}${apiPath === '' ? '/uploads' : '/api/uploads'}${repository}`
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

  async serve(isApi: boolean, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request
    const body = await buffer(request)
    const { pathname, searchParams: query } = new URL(path, this.url)
    const prefix = new URL(method === 'POST' ? this.#uploadUrl : this.url + repository).pathname
    const pathInside = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : pathname
    const call = { method, path: pathInside, query, body, uploadUrl: this.#uploadUrl }
    const route: Route = isApi ? findRoute(call).route : 'storage'
    const nth = this.routes(route).length + 1
    const seen = { method, path, headers, body, route, nth }
    this.calls.push(seen)
    const mistakes = findMistakes(seen, this.token)
    this.mistakes.push(...mistakes.map(text => `${method} ${path}: ${text}`))

    const fault = this.faultOf(seen)
    const isSkipped = fault?.kind === 'status' && fault.after !== true
    const reply = isSkipped ? refuse(fault.status, 'skipped') : this.#answer(seen, call)
    const { nextPage } = reply
    if (nextPage !== undefined) {
      query.set('page', String(nextPage))
      const { origin } = new URL(this.url)
      response.setHeader('link', `<${origin}${pathname}?${query.toString()}>; rel="next"`)
    }
    if (isApi && reply.content !== undefined) {
      const location = `http://127.0.0.1:${this.ports.storage}${pathInside}${signature}`
      response.writeHead(302, { location }).end()
    } else send(response, reply, fault)
  }

  #answer(seen: SeenCall, call: ApiCall): Reply {
    const isKnown = seen.route === 'storage' || readToken(seen) === this.token
    return isKnown ? carryOut(this, call) : refuse(401, 'Bad credentials')
  }
}

/** What a client of GitHub must not do, in words. */
function findMistakes(call: SeenCall, token: string): readonly string[] {
  const { route, headers, path } = call
  const isSigned = headers.authorization === undefined && path.endsWith(signature)
  if (route === 'storage') return isSigned ? [] : ['the storage needs the signature alone']
  const isUpload = route === 'upload-asset'
  const checks: readonly (readonly [mistake: string, isMade: boolean])[] = [
    ['no such call', route === 'other'],
    ['no valid authorization', readToken(call) !== token],
    ['not the type of bytes', isUpload && headers['content-type'] !== octetStream],
    ['no wish for bytes', route === 'get-asset' && headers.accept !== octetStream],
  ]
  return checks.filter(([, isMade]) => isMade).map(([mistake]) => mistake)
}

function readToken({ headers }: SeenCall): string | undefined {
  return /^(?:token|bearer) (\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

function send(response: ServerResponse, reply: Reply, fault: GitHubFault | undefined): void {
  const isStatus = fault?.kind === 'status'
  const simulated = { message: `simulated ${reply.status}` }
  const json = isStatus ? (fault.body === undefined ? simulated : fault.body) : reply.json
  const body = reply.content ?? Buffer.from(json === undefined ? '' : JSON.stringify(json))
  const type = reply.content === undefined ? 'application/json; charset=utf-8' : octetStream
  const status = isStatus ? fault.status : reply.status
  if (status !== 204) {
    response.setHeader('content-type', type).setHeader('content-length', body.length)
  }
  response.writeHead(status, isStatus ? fault.headers : {})
  if (fault === undefined || isStatus) response.end(body)
  else {
    response.write(body.subarray(0, body.length / 2), () => {
      if (fault.kind === 'cut') response.socket?.resetAndDestroy()
    })
  }
}
