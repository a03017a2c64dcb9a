/**
 * A GitHub in memory with the API that reads releases and tags, on a loopback port; it redirects downloads to a second origin, as
 * GitHub does. Tests reach it through GITHUB_API_URL.
 */
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
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
  readonly route: Route
  /** The number of this call among those of its route, from 1. */
  readonly nth: number
}

export interface GitHubOptions extends MemoryOptions {
  /** Chooses the fault of a call. */
  readonly faultOf?: (call: SeenCall) => GitHubFault | undefined
  /** The origin that responses name instead of the real one, for a proxy to resolve. */
  readonly apiOrigin?: string
}

/** Starts a GitHub for `octo/app`; `cleanUp` stops it. */
export async function startGitHub(options: GitHubOptions = {}): Promise<FakeGitHub> {
  const servers = { api: createServer(), storage: createServer() }
  const ports = { api: await listen(servers.api), storage: await listen(servers.storage) }
  const github = new FakeGitHub(ports, options)
  for (const server of [servers.api, servers.storage]) {
    server.on('request', (request, response) => {
      github.serve(server === servers.api, request, response)
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

  constructor(ports: FakeGitHub['ports'], options: GitHubOptions) {
    super(options)
    this.url = options.apiOrigin ?? `http://127.0.0.1:${ports.api}`
    this.ports = ports
    this.faultOf = options.faultOf ?? (() => undefined)
  }

  /** The routes of all calls in order, or only of these routes. */
  routes(...only: readonly Route[]): readonly Route[] {
    const all = this.calls.map(({ route }) => route)
    return all.filter(route => only.length === 0 || only.includes(route))
  }

  serve(isApi: boolean, request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url: path = '', headers } = request
    const { pathname, searchParams: query } = new URL(path, this.url)
    const pathInside = pathname.startsWith(repository)
      ? pathname.slice(repository.length)
      : pathname
    const call = { method, path: pathInside, query }
    const route: Route = isApi ? findRoute(call).route : 'storage'
    const nth = this.routes(route).length + 1
    const seen = { method, path, headers, route, nth }
    this.calls.push(seen)
    const mistakes = findMistakes(seen, this.token)
    this.mistakes.push(...mistakes.map(text => `${method} ${path}: ${text}`))

    const fault = this.faultOf(seen)
    const isSkipped = fault?.kind === 'status'
    const reply = isSkipped ? refuse(fault.status, 'skipped') : this.#respond(seen, call)
    const { nextPage } = reply
    if (nextPage !== undefined) {
      query.set('page', String(nextPage))
      response.setHeader('link', `<${this.url}${pathname}?${query.toString()}>; rel="next"`)
    }
    if (isApi && reply.content !== undefined) {
      const location = `http://127.0.0.1:${this.ports.storage}${pathInside}${signature}`
      response.writeHead(302, { location }).end()
    } else send(response, reply, fault)
  }

  #respond(seen: SeenCall, call: ApiCall): Reply {
    const isKnown = seen.route === 'storage' || readToken(seen) === this.token
    return isKnown ? carryOut(this, call) : refuse(401, 'Bad credentials')
  }
}

/** What a client of GitHub must not do, in words. */
function findMistakes(call: SeenCall, token: string): readonly string[] {
  const { route, headers, path } = call
  const isSigned = headers.authorization === undefined && path.endsWith(signature)
  if (route === 'storage') return isSigned ? [] : ['the storage needs the signature alone']
  const checks: readonly (readonly [mistake: string, isMade: boolean])[] = [
    ['no such call', route === 'other'],
    ['no valid authorization', readToken(call) !== token],
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
  response.setHeader('content-type', type).setHeader('content-length', body.length)
  response.writeHead(status, isStatus ? fault.headers : {})
  if (fault === undefined || isStatus) response.end(body)
  else {
    response.write(body.subarray(0, body.length / 2), () => {
      if (fault.kind === 'cut') response.socket?.resetAndDestroy()
    })
  }
}
