import type { Change, ServiceRules, ServiceState } from './operations.ts'
import type { AnsweredRecord } from './resources.ts'

/** All that the service remembers. */
export type Memory = ReturnType<typeof createMemory>

/** A service to which nothing has happened yet. */
export function createMemory(rules: ServiceRules, initial: readonly string[] | 'any') {
  const requested = new Set(initial === 'any' ? [] : initial)
  const validTokens = new Map<string, number>()
  const tokens: string[] = []
  const registered = new Map<string, AnsweredRecord>()
  const requestCounts = new Map<string, number>()
  const completionCounts = new Map<string, number>()
  const state: ServiceState = {
    rules,
    anyMayBeCompleted: initial === 'any',
    requested,
    validTokens,
    registered,
  }

  return {
    state,
    requested,
    validTokens,
    tokens,
    registered,
    requestCounts,
    completionCounts,
    /** Makes a decision true. */
    apply(change: Change): void {
      switch (change.kind) {
        case 'nothing':
          return
        case 'token-issued':
          tokens.push(change.token)
          validTokens.set(change.token, change.expiresAtMs)
          return
        case 'requested':
          requested.add(change.hash)
          countUp(requestCounts, change.hash)
          return
        case 'registered':
          registered.set(change.hash, change.record)
          countUp(completionCounts, change.hash)
      }
    },
  }
}

function countUp(counts: Map<string, number>, hash: string): void {
  counts.set(hash, (counts.get(hash) ?? 0) + 1)
}
