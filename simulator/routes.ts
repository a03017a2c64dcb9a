import { z } from 'zod'
import type { Memory } from './memory.ts'
import {
  completeRegistration,
  getActiveSubscription,
  logIn,
  refuse,
  requestRegistration,
} from './operations.ts'
import type { Operation, Reply } from './operations.ts'
import type { SeenRequest } from './traffic.ts'

/** The endpoints; `other` stands for all unknown paths. */
export type Endpoint = 'login' | 'completion' | 'request' | 'active-subscription' | 'other'

interface Route {
  readonly endpoint: Endpoint
  readonly method: 'GET' | 'POST'
  /** Matches the path after `/api/v2/`, and captures its variable part. */
  readonly path: RegExp
  readonly carryOut: (memory: Memory, operation: Operation) => Reply
}

/** All calls of the service. */
const routes: readonly Route[] = [
  { endpoint: 'login', method: 'POST', path: /^auth\/login$/, carryOut: logIn },
  {
    endpoint: 'completion',
    method: 'POST',
    path: /^registration\/([^/?]+)\/forfait$/,
    carryOut: completeRegistration,
  },
  {
    endpoint: 'request',
    method: 'POST',
    path: /^registration\/(?:\?(.*))?$/,
    carryOut: requestRegistration,
  },
  {
    endpoint: 'active-subscription',
    method: 'GET',
    path: /^payment\/subscription\/active$/,
    carryOut: getActiveSubscription,
  },
]

/** Finds the route of a path, and its variable part. */
export function locate(prefix: string, path: string) {
  const start = `${prefix}/api/v2/`
  const rest = path.startsWith(start) ? path.slice(start.length) : ''
  const route = routes.find(candidate => candidate.path.test(rest))
  const parameter = route?.path.exec(rest)?.[1] ?? ''
  return { route, parameter, endpoint: route?.endpoint ?? 'other' } as const
}

/**
 * Processes a call, and returns the answer. The first broken rule decides: path 404, method 405, token 401, content type
 * 415, JSON 400, then the rules of the endpoint.
 */
export function answerCall(memory: Memory, call: SeenRequest, nowMs: number): Reply {
  const { route, parameter } = locate(memory.rules.prefix, call.path)
  if (route === undefined) return refuse(404, 'no such path')
  const { method, endpoint, carryOut } = route
  if (method !== call.method) return refuse(405, `method must be ${method}`, { allow: method })
  if (endpoint !== 'login' && !holdsValidToken(memory, call)) return refuse(401, 'invalid token')
  if (method === 'GET') return carryOut(memory, { parameter, body: undefined, nowMs })
  if (!/^application\/json\s*(;|$)/i.test(call.headers['content-type'] ?? '')) {
    return refuse(415, 'Content-Type must be application/json')
  }
  const body = readJson(call.bodyText)
  if (body === undefined) return refuse(400, 'body is not JSON')
  return carryOut(memory, { parameter, body, nowMs })
}

/** Returns the hash in the body of a request for a registration, if it can be read. */
export function readHash(bodyText: string): string | undefined {
  return z.object({ hash: z.string() }).safeParse(readJson(bodyText)).data?.hash
}

/** Whether the header is exactly "Bearer", a space and an issued token. */
function holdsValidToken({ tokens }: Memory, { headers }: SeenRequest): boolean {
  return tokens.includes(/^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '')
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
