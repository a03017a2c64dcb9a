import type { Reply } from './service.ts'

/** An answer of the simulator in place of the honest one, or a connection that breaks after the request was processed. */
export type Fault = ({ readonly kind: 'answer' } & Reply) | { readonly kind: 'reset' }

interface Details {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Answers `status` without processing. Sends a string body as text/plain, any other body as JSON. */
export function statusFault(status: number, details: Details = {}): Fault {
  const { headers, body = { error: `simulated ${status}` } } = details
  const isText = typeof body === 'string'
  const contentType = isText ? 'text/plain' : 'application/json'
  const text = isText ? body : JSON.stringify(body)
  return {
    kind: 'answer',
    status,
    headers: { 'content-type': contentType, ...headers },
    body: text,
  }
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
