import type { Reply } from './operations.ts'
import type { Endpoint } from './routes.ts'
import type { SeenRequest } from './traffic.ts'

/**
 * Where a connection breaks: when all was read and nothing done, when it was carried out and nothing answered, within
 * the answer's head, after half of its body.
 */
export type BreakPoint = 'request-read' | 'done' | 'mid-headers' | 'mid-body'

interface StatusFault extends Reply {
  readonly kind: 'status'
  /** Whether it comes before the request is carried out (it never is), or after. */
  readonly effect: 'before' | 'after'
}

/** Everything that can go wrong with one request. */
export type Fault =
  | StatusFault
  | { readonly kind: 'reset'; readonly at: BreakPoint; readonly isChunked: boolean }
  | { readonly kind: 'silence'; readonly done: boolean }

interface Details {
  readonly status?: number
  readonly effect?: 'before' | 'after'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly contentType?: string
}

/** Answers `status`, not carried out by default. A string body goes out as text/plain, any other as JSON. */
export function statusFault(status: number, details: Details = {}): Fault {
  const { headers, body = { error: `simulated ${status}` }, effect = 'before' } = details
  const isText = typeof body === 'string'
  const contentType = isText ? 'text/plain' : 'application/json'
  const raw = rawFault(isText ? body : JSON.stringify(body), { status, effect, contentType })
  return { ...raw, headers: { ...raw.headers, ...headers } }
}

/** Answers with a redirect to `location`, by default 307. */
export function redirectFault(location: string, details: Details = {}): Fault {
  const { status = 307, effect = 'before' } = details
  return statusFault(status, { effect, headers: { location }, body: { error: 'moved' } })
}

/** Answers with exactly this body, or as many bytes of no meaning; by default 200 and application/json. */
export function rawFault(body: Reply['body'], details: Details = {}): StatusFault {
  const { status = 200, effect = 'before', contentType = 'application/json' } = details
  const headers = { 'content-type': contentType }
  return { kind: 'status', status, effect, headers, body }
}

/** Breaks the connection at a point; the second argument matters to `mid-body` only. */
export function resetFault(at: BreakPoint, framing: 'declared' | 'chunked' = 'declared'): Fault {
  return { kind: 'reset', at, isChunked: framing === 'chunked' }
}

/** Never answers; `done` says whether the request is carried out. */
export function silenceFault({ done }: { readonly done: boolean } = { done: false }): Fault {
  return { kind: 'silence', done }
}

/** A fault and the requests it hits. */
export interface FaultRule {
  readonly fault: Fault
  readonly endpoint?: Endpoint
  readonly hash?: string
  /** First request hit: counted from 1 among those of an endpoint for `hash`, else to `endpoint`, else among all. */
  readonly from?: number
  /** Last request hit, counted likewise. */
  readonly to?: number
}

/** Rules, the first that matches wins; or a function that chooses. */
export type Faults = readonly FaultRule[] | ((request: SeenRequest) => Fault | undefined)

/** The fault that a request meets, if any. */
export function chooseFault(faults: Faults, request: SeenRequest): Fault | undefined {
  if (typeof faults === 'function') return faults(request)
  return faults.find(rule => isHit(rule, request))?.fault
}

function isHit({ endpoint, hash, from = 1, to = Infinity }: FaultRule, seen: SeenRequest): boolean {
  if (endpoint !== undefined && endpoint !== seen.endpoint) return false
  if (hash !== undefined && hash !== seen.hash) return false
  const broad = endpoint === undefined ? seen.number : seen.nthOfEndpoint
  const nth = hash === undefined ? broad : (seen.nthOfHash ?? broad)
  return from <= nth && nth <= to
}
