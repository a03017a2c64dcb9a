import type { AnyFields } from './resources.ts'
import type { Reply, SeenRequest } from './service.ts'

/**
 * What the simulator does wrong. `answer`: answers without processing. The others process the request, and then break the
 * connection (`reset`), break it within the body (`cut`), or change fields of the response (`change`).
 */
export type Fault =
  | ({ readonly kind: 'answer' } & Reply)
  | { readonly kind: 'reset' | 'cut' }
  | { readonly kind: 'change'; readonly fields: AnyFields }

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

const html = { headers: { 'content-type': 'text/html' }, body: '<html>Just a moment...</html>' }

/** The faults that have a name; a status is a fault too. */
const named: Readonly<Record<string, Fault | undefined>> = {
  ok: undefined,
  lost: resetFault,
  cut: { kind: 'cut' },
  pending: { kind: 'change', fields: { status: 'pending' } },
  'other-hash': { kind: 'change', fields: { hash: '0'.repeat(64) } },
  text: statusFault(200, { body: 'OK' }),
  error: statusFault(200, { body: { error: 'simulated error' } }),
  html: statusFault(200, html),
  blocked: statusFault(403, html),
  redirect: redirectFault('https://login.example/'),
  'retry-after': statusFault(503, { headers: { 'retry-after': '2' } }),
}

/** The words that {@link readFault} reads. */
export const faultWords: readonly string[] = [...Object.keys(named), '400 to 599']

/** Reads a fault by its name or status; `ok` is undefined. Throws for another word. */
export function readFault(word: string): Fault | undefined {
  if (/^[45]\d\d$/.test(word)) return statusFault(Number(word))
  if (Object.hasOwn(named, word)) return named[word]
  throw new Error(`"${word}" is no fault; use ${faultWords.join(', ')}`)
}

/** Gives each file one of these faults, in the order in which files are first completed; the last is for all others. */
export function planFaults(faults: readonly (Fault | undefined)[]) {
  const hashes = new Set<string>()
  return ({ hash }: SeenRequest): Fault | undefined => {
    if (hash === undefined) return undefined
    const position = [...hashes.add(hash)].indexOf(hash)
    return faults[Math.min(position, faults.length - 1)]
  }
}
