import type { Clock } from '../runtime/clock.ts'
import { quote, toSingleLine } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'

/** The library waits up to 15 minutes for a silent service. */
const patienceMs = 120_000

/** Limits how long a call may take. */
export interface Limits {
  readonly clock: Clock
  /** Ends the call; its reason is the error. */
  readonly signal: AbortSignal
}

/** Settles as `call` does; rejects after 2 minutes, or when the signal aborts. The call itself goes on. */
export async function withinLimits<T>(call: Promise<T>, { clock, signal }: Limits): Promise<T> {
  const settled = new AbortController()
  const ended = clock.sleep(patienceMs, AbortSignal.any([signal, settled.signal])).then(() => {
    signal.throwIfAborted()
    throw new Error('it took more than 2 minutes')
  })
  return Promise.race([call, ended]).finally(() => {
    settled.abort()
  })
}

/** Describes an error of the service or the library in one line, without the token of the job. */
export function describeServiceError(error: unknown, token: string | null): string {
  const text = describeError(error)
  return quote(toSingleLine(token === null ? text : text.replaceAll(token, '***')), 300)
}
