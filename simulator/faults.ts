import type { Reply } from './operations.ts'
import type { Endpoint } from './routes.ts'
import type { SeenRequest } from './traffic.ts'

/**
 * When a connection breaks: after the request was read, after it was processed but not answered, or after half of the
 * answer's body.
 */
export type BreakPoint = 'request-read' | 'done' | 'mid-body'

interface StatusFault extends Reply {
  readonly kind: 'status'
  /** Whether the fault occurs after the request is processed, or before, so that it never is. */
  readonly effect: 'before' | 'after'
}

/** Everything that can go wrong with a request. */
export type Fault =
  | StatusFault
  | { readonly kind: 'reset'; readonly at: BreakPoint }
  | { readonly kind: 'silence'; readonly done: boolean }

interface Details {
  readonly status?: number
  readonly effect?: 'before' | 'after'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly contentType?: string
}

/** Answers `status`, by default without processing. Sends a string body as text/plain, any other body as JSON. */
export function statusFault(status: number, details: Details = {}): Fault {
  const { headers, body = { error: `simulated ${status}` }, effect = 'before' } = details
  const isText = typeof body === 'string'
  const contentType = isText ? 'text/plain' : 'application/json'
  const raw = rawFault(isText ? body : JSON.stringify(body), { status, effect, contentType })
  return { ...raw, headers: { ...raw.headers, ...headers } }
}

/** Redirects to `location`. */
export function redirectFault(location: string): Fault {
  return statusFault(307, { headers: { location } })
}

/** Answers with exactly this body, by default with status 200 as application/json. */
export function rawFault(body: string, details: Details = {}): StatusFault {
  const { status = 200, effect = 'before', contentType = 'application/json' } = details
  return { kind: 'status', status, effect, headers: { 'content-type': contentType }, body }
}

/** Breaks the connection. */
export function resetFault(at: BreakPoint): Fault {
  return { kind: 'reset', at }
}

/** Never answers; `done` says whether the request is processed. */
export function silenceFault({ done }: { readonly done: boolean }): Fault {
  return { kind: 'silence', done }
}

/** A fault and the requests that it affects. */
export interface FaultRule {
  readonly fault: Fault
  readonly endpoint: Endpoint
  /** The last affected request to the endpoint, counted from 1; by default, all are affected. */
  readonly to?: number
}

/** Rules, of which the first match applies, or a function that selects the fault. */
export type Faults = readonly FaultRule[] | ((request: SeenRequest) => Fault | undefined)

/** Returns the fault for a request, if any. */
export function chooseFault(faults: Faults, request: SeenRequest): Fault | undefined {
  if (typeof faults === 'function') return faults(request)
  const { endpoint, nthOfEndpoint } = request
  return faults.find(rule => rule.endpoint === endpoint && nthOfEndpoint <= (rule.to ?? Infinity))
    ?.fault
}
