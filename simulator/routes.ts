import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { Memory } from './memory.ts'
import {
  completeRegistration,
  getActiveSubscription,
  getSubscription,
  logIn,
  refuse,
  requestRegistration,
} from './operations.ts'
import type { Operation, Reply } from './operations.ts'

/** What a path is for; `other` is every path that the service does not have. */
export type Endpoint =
  'login' | 'completion' | 'request' | 'active-subscription' | 'subscription' | 'other'

type Route = {
  readonly endpoint: Endpoint
  readonly method: 'GET' | 'POST'
  /** The path behind the prefix, with what is variable in it. */
  readonly path: RegExp
  readonly carryOut: (memory: Memory, operation: Operation) => Reply
}

/** Everything the service can do. A new endpoint is a line here. */
const routes: readonly Route[] = [
  {
    ...{ endpoint: 'login', method: 'POST', path: /^\/api\/v2\/auth\/login$/ },
    carryOut: logIn,
  },
  {
    ...{ endpoint: 'completion', method: 'POST' },
    path: /^\/api\/v2\/registration\/([^/?]+)\/forfait$/,
    carryOut: completeRegistration,
  },
  {
    ...{ endpoint: 'request', method: 'POST', path: /^\/api\/v2\/registration\/(?:\?(.*))?$/ },
    carryOut: requestRegistration,
  },
  {
    ...{ endpoint: 'active-subscription', method: 'GET' },
    path: /^\/api\/v2\/payment\/subscription\/active$/,
    carryOut: getActiveSubscription,
  },
  {
    ...{ endpoint: 'subscription', method: 'GET', path: /^\/api\/v2\/subscription\/([^/?]+)$/ },
    carryOut: getSubscription,
  },
]

/** A request as it came in. */
export type Call = {
  readonly method: string
  /** Path as sent, with its query if it had one. */
  readonly path: string
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly bodyText: string
  readonly nowMs: number
}

/** Finds what a path is for. The method does not matter here: it is judged later, with a 405. */
export function locate(prefix: string, path: string) {
  const rest = path.startsWith(prefix) ? path.slice(prefix.length) : ''
  const route = routes.find(one => one.path.test(rest))
  const parameter = route?.path.exec(rest)?.[1] ?? ''
  return { route, parameter, endpoint: route?.endpoint ?? 'other' }
}

/**
 * Answers a call, and changes the memory if that is what it is for. The first rule broken decides:
 * path 404, method 405, token 401, content type 415, JSON 400, and then what the endpoint asks.
 */
export function answerCall(memory: Memory, call: Call): Reply {
  const { route, parameter } = locate(memory.rules.prefix, call.path)
  if (route === undefined) return refuse(404, 'no such path')
  const { method, endpoint, carryOut } = route
  if (method !== call.method) return refuse(405, `method must be ${method}`, { allow: method })
  if (endpoint !== 'login' && !holdsValidToken(memory, call)) return refuse(401, 'invalid token')
  if (method === 'GET') return carryOut(memory, { ...call, parameter, body: undefined })
  if (!/^application\/json\s*(;|$)/i.test(call.headers['content-type'] ?? '')) {
    return refuse(415, 'Content-Type must be application/json')
  }
  const json = readJson(call.bodyText)
  if (json === undefined) return refuse(400, 'body is not JSON')
  return carryOut(memory, { ...call, parameter, body: json.value })
}

/** The hash that the body of a request for a registration names, as far as it can be read. */
export function readHash(bodyText: string): string | undefined {
  return z.object({ hash: z.string() }).safeParse(readJson(bodyText)?.value).data?.hash
}

/** "Bearer followed by a space and the token" (service-api.md 5.2), and nothing else. */
function holdsValidToken({ validTokens }: Memory, { headers, nowMs }: Call): boolean {
  const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  return nowMs < (validTokens.get(token) ?? -Infinity)
}

function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return { value }
  } catch {
    return undefined
  }
}
