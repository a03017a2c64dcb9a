import type { Endpoint } from './routes.ts'
import type { SeenRequest } from './traffic.ts'

/** Whether a lying answer comes before the request is carried out (it never is), or after. */
type Effect = 'before' | 'after'

/** How a body's length is given: declared at the start, or chunk by chunk. */
type Framing = 'content-length' | 'chunked'

/**
 * Where a connection breaks. The request is carried out from `done` on.
 * - `connect-accepted`: the head was read (a fault is chosen by it), the body was not; the same as
 *   `request-read` for the endpoint `request`, whose fault is chosen by its body
 * - `request-read`: all was read, nothing was done
 * - `done`: carried out, nothing answered
 * - `mid-headers`: within the answer's head
 * - `mid-body`: after half of the answer's body
 */
type BreakPoint = 'connect-accepted' | 'request-read' | 'done' | 'mid-headers' | 'mid-body'

type Lie = { readonly status: number; readonly effect: Effect }

/** Everything that can go wrong with one request. */
export type Fault =
  | (Lie & {
      readonly kind: 'status'
      readonly headers: Readonly<Record<string, string>>
      readonly body: string | Uint8Array
    })
  | (Lie & { readonly kind: 'huge'; readonly bytes: number; readonly framing: Framing })
  | { readonly kind: 'reset'; readonly at: BreakPoint; readonly framing: Framing }
  | { readonly kind: 'silence'; readonly done: boolean }
  | { readonly kind: 'trickle'; readonly everyMs: number }

type Details<Others> = Partial<Lie & Others>

/** Answers `status`, not carried out by default. A string body goes out as text/plain, any other as JSON. */
export function statusFault(
  status: number,
  details: Details<{ headers: Readonly<Record<string, string>>; body: unknown }> = {},
): Fault {
  const { headers, body = { error: `simulated ${status}` }, effect = 'before' } = details
  const isText = typeof body === 'string'
  const contentType = isText ? 'text/plain' : 'application/json'
  return {
    ...{ kind: 'status', status, effect, body: isText ? body : JSON.stringify(body) },
    headers: { 'content-type': contentType, ...headers },
  }
}

/** Answers with a redirect to `location`, by default 307. */
export function redirectFault(location: string, details: Details<object> = {}): Fault {
  const { status = 307, ...more } = details
  return statusFault(status, { ...more, headers: { location }, body: { error: 'moved' } })
}

/** Answers with exactly this body; by default 200 and application/json. */
export function rawFault(
  body: string | Uint8Array,
  details: Details<{ contentType: string }> = {},
): Fault {
  const { status = 200, effect = 'before', contentType = 'application/json' } = details
  return { kind: 'status', status, effect, body, headers: { 'content-type': contentType } }
}

/** Streams a body of `bytes` bytes (no JSON) as fast as the client reads; 200 by default. */
export function hugeFault(bytes: number, details: Details<{ framing: Framing }> = {}): Fault {
  const framing = 'content-length'
  return { kind: 'huge', framing, status: 200, effect: 'before', ...details, bytes }
}

/** Breaks the connection at a point; `framing` matters to `mid-body` only. */
export function resetFault(at: BreakPoint, framing: Framing = 'content-length'): Fault {
  return { kind: 'reset', at, framing }
}

/** Reads the request and never answers; `done` says whether it is carried out. */
export function silenceFault({ done }: { readonly done: boolean } = { done: false }): Fault {
  return { kind: 'silence', done }
}

/** Carries the request out and sends the head at once, then one byte of the body per `everyMs`. */
export function trickleFault(everyMs: number): Fault {
  return { kind: 'trickle', everyMs }
}

/** A fault and the requests it hits. */
export type FaultRule = {
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
