import type { Reply, SeenRequest } from './service.ts'

/** An answer of the simulator in place of the honest one, or a connection that breaks after the request was processed. */
export type Fault = ({ readonly kind: 'answer' } & Reply) | { readonly kind: 'reset' }

interface Details {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Answers `status` without processing. Sends a string body as text/plain, any other body as JSON. */
export function statusFault(status: number, details: Details = {}): Fault {
  const { headers, body = { error: `simulated ${status}` } } = details
  const [type, text] =
    typeof body === 'string' ? ['text/plain', body] : ['application/json', JSON.stringify(body)]
  return { kind: 'answer', status, headers: { 'content-type': type, ...headers }, body: text }
}

/** Redirects to `location` without processing. */
export function redirectFault(location: string): Fault {
  return statusFault(307, { headers: { location } })
}

/** Answers 200 with exactly this body as application/json, without processing. */
export function rawFault(body: string): Fault {
  return { kind: 'answer', status: 200, headers: { 'content-type': 'application/json' }, body }
}

/** Processes the request, then breaks the connection. */
export const resetFault: Fault = { kind: 'reset' }

/** Faults of files, in the order in which they are first completed. Each file has at most one. */
export interface FaultPlan {
  /** Number of files without a fault, before all others. */
  readonly after: number
  /** Number of files that are registered, but whose responses are lost. */
  readonly lose: number
  /** Whether the next file gets a 409, as if it had been registered before. */
  readonly known: boolean
  /** Status for all other files, which are not registered. */
  readonly fail: number | null
}

/** Selects the fault of each completion by a plan. A file that is completed again has the same fault. */
export function planFaults({ after, lose, known, fail }: FaultPlan) {
  const hashes = new Set<string>()
  return ({ hash }: SeenRequest): Fault | undefined => {
    if (hash === undefined) return undefined
    const position = [...hashes.add(hash)].indexOf(hash) - after
    if (position < 0) return undefined
    if (position < lose) return resetFault
    if (known && position === lose) return statusFault(409)
    return fail === null ? undefined : statusFault(fail)
  }
}
