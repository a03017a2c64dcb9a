/** Calls of a library that throws outside of its promises, and leaves timers and sockets behind. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** How to end the call that the running code belongs to: Node passes it on to timers, sockets and promises. */
const calls = new AsyncLocalStorage<(reason: unknown) => void>()

/**
 * Runs a call. Rejects with what it throws outside of its promises, and when the signal aborts, with its reason; what the
 * call does or throws after that has no effect.
 */
export async function guard<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  signal.addEventListener('abort', () => {
    reject(signal.reason)
  })
  calls.run(reject, call).then(resolve, reject)
  return promise
}

/** Ends the call that threw an uncaught error. Returns false if no call did. */
export function endGuardedCall(error: unknown): boolean {
  const end = calls.getStore()
  end?.(error)
  return end !== undefined
}
