import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { getActiveSubscription, getSubscription, requestRegistration } from './extensions.ts'
import { completeRegistration, logIn, refuse } from './operations.ts'
import type { Decision, Operation, ServiceState } from './operations.ts'

/** What a path is for; `other` is every path that the service does not have. */
export type Endpoint =
  'login' | 'completion' | 'request' | 'active-subscription' | 'subscription' | 'other'

type Route = {
  readonly endpoint: Endpoint
  readonly method: 'GET' | 'POST'
  /** The path behind the prefix; each `{name}` is one segment. */
  readonly path: string
  /** Whether the path may have a query; with one it is an unknown path otherwise. */
  readonly takesQuery?: true
  readonly needsToken: boolean
  readonly carryOut: (state: ServiceState, operation: Operation) => Decision
}

/** Everything the service can do (service-api.md 4, then EXTENSIONS.md). A new endpoint is a line here. */
const ROUTES: readonly Route[] = [
  {
    endpoint: 'login',
    method: 'POST',
    path: '/api/v2/auth/login',
    needsToken: false,
    carryOut: logIn,
  },
  {
    endpoint: 'completion',
    method: 'POST',
    path: '/api/v2/registration/{hash}/forfait',
    needsToken: true,
    carryOut: completeRegistration,
  },
  {
    endpoint: 'request',
    method: 'POST',
    path: '/api/v2/registration/',
    takesQuery: true,
    needsToken: true,
    carryOut: requestRegistration,
  },
  {
    endpoint: 'active-subscription',
    method: 'GET',
    path: '/api/v2/payment/subscription/active',
    needsToken: true,
    carryOut: getActiveSubscription,
  },
  {
    endpoint: 'subscription',
    method: 'GET',
    path: '/api/v2/subscription/{sessionId}',
    needsToken: true,
    carryOut: getSubscription,
  },
]

/** A request as it came in, with the clock and the chance it may use. */
export type Call = {
  readonly method: string
  /** Path as sent, with its query if it had one. */
  readonly path: string
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly bodyText: string
  readonly nowMs: number
  readonly nonce: string
}

/** The routes of a path, which differ in their method. */
export type Place = {
  readonly endpoint: Endpoint
  readonly pathParams: Readonly<Record<string, string>>
  readonly query: string
  readonly routes: readonly Route[]
}

/** Finds what a path is for. The method does not matter here: it is judged later, with a 405. */
export function locate(prefix: string, path: string): Place {
  const [barePath = '', ...queryParts] = path.split('?')
  const hasQuery = queryParts.length > 0
  const matches = ROUTES.flatMap(route => {
    if (hasQuery && route.takesQuery !== true) return []
    const pathParams = matchPath(prefix + route.path, barePath)
    return pathParams === undefined ? [] : [{ route, pathParams }]
  })
  return {
    endpoint: matches[0]?.route.endpoint ?? 'other',
    pathParams: matches[0]?.pathParams ?? {},
    query: queryParts.join('?'),
    routes: matches.map(match => match.route),
  }
}

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const segments = path.split('/')
  const wanted = template.split('/')
  if (segments.length !== wanted.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const name = /^\{(\w+)\}$/.exec(wanted[index] ?? '')?.[1]
    if (name === undefined ? segment !== wanted[index] : segment === '') return undefined
    if (name !== undefined) params[name] = segment
  }
  return params
}

/**
 * The whole service as a pure function. The first rule broken decides:
 * path 404, method 405, token 401, content type 415, JSON 400, and then what the endpoint asks.
 */
export function decide(state: ServiceState, call: Call): Decision {
  const { routes, pathParams, query } = locate(state.rules.prefix, call.path)
  if (routes.length === 0) return refuse(404, 'no such path')
  const route = routes.find(candidate => candidate.method === call.method)
  if (route === undefined) {
    const allow = routes.map(candidate => candidate.method).join(', ')
    return refuse(405, `method must be ${allow}`, { allow })
  }
  if (route.needsToken && !holdsValidToken(state, call)) return refuse(401, 'invalid token')
  const { nowMs, nonce } = call
  if (route.method === 'GET') {
    return route.carryOut(state, { pathParams, query, body: undefined, nowMs, nonce })
  }
  if (!isJsonType(call.headers['content-type'])) {
    return refuse(415, 'Content-Type must be application/json')
  }
  const json = readJson(call.bodyText)
  if (!json.ok) return refuse(400, 'body is not JSON')
  return route.carryOut(state, { pathParams, query, body: json.value, nowMs, nonce })
}

/** The hash that the body of a request for a registration names, as far as it can be read. */
export function readHash(bodyText: string): string | undefined {
  const json = readJson(bodyText)
  return json.ok ? z.object({ hash: z.string() }).safeParse(json.value).data?.hash : undefined
}

/** "Bearer followed by a space and the token" (service-api.md 5.2), and nothing else. */
function holdsValidToken({ validTokens }: ServiceState, { headers, nowMs }: Call): boolean {
  const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  const expiresAtMs = validTokens.get(token)
  return expiresAtMs !== undefined && nowMs < expiresAtMs
}

function isJsonType(contentType = ''): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType)
}

function readJson(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    const value: unknown = JSON.parse(text)
    return { ok: true, value }
  } catch {
    return { ok: false }
  }
}
