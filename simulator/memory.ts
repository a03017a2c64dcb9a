/** What the service is like, and all that it remembers. */
import { DEFAULT_API_KEY } from './resources.ts'

/** How the service behaves where service-api.md leaves it open. */
export type ServiceRules = {
  /** What stands before /api/v2 in every path, such as `/notary`; no slash at its end. */
  readonly prefix: string
  readonly apiKeys: readonly string[]
  /** Seconds until a token expires; null means never, and no `exp` claim. */
  readonly tokenLifetimeSeconds: number | null
  /** Whether a hash already registered may be completed again. */
  readonly repeat: 'refuse' | 'accept'
  /** Whether a hash requested or registered already may be requested again. */
  readonly repeatRequest: 'refuse' | 'accept'
  /** Whether a subscription may lack fields of section 2.2. */
  readonly missingFields: 'refuse' | 'accept'
  /** Fields to lay over the honest record; `undefined` removes a field. */
  readonly record: (hash: string, record: AnyFields) => AnyFields
  /** Fields to lay over the example as the active subscription, `undefined` removes one; null means that there is none. */
  readonly activeSubscription: AnyFields | null
}

/** What an option had its say about: any field may be anything. */
export type AnyFields = Readonly<Record<string, unknown>>

/** The rules where a simulator is not given others. */
const defaultRules: ServiceRules = {
  prefix: '',
  apiKeys: [DEFAULT_API_KEY],
  tokenLifetimeSeconds: 36_000,
  repeat: 'refuse',
  repeatRequest: 'refuse',
  missingFields: 'refuse',
  record: () => ({}),
  activeSubscription: {},
}

/** All that the service remembers. */
export type Memory = {
  readonly rules: ServiceRules
  /** Hashes that may be completed; `any`: every hash, and none counts as requested. */
  readonly requested: Set<string>
  readonly anyMayBeCompleted: boolean
  /** Every token issued, in order. */
  readonly tokens: string[]
  /** Tokens and when they expire, in epoch milliseconds. */
  readonly validTokens: Map<string, number>
  /** Hash to record, in order of registration. */
  readonly registered: Map<string, AnyFields>
  /** Hash to number of requests for a registration that were carried out. */
  readonly requestCounts: Map<string, number>
  /** Hash to number of completions that were carried out. */
  readonly completionCounts: Map<string, number>
}

/** A service to which nothing has happened yet. */
export function createMemory(
  rules: Partial<ServiceRules>,
  requested: readonly string[] | 'any',
): Memory {
  return {
    rules: { ...defaultRules, ...rules },
    requested: new Set(requested === 'any' ? [] : requested),
    anyMayBeCompleted: requested === 'any',
    tokens: [],
    validTokens: new Map(),
    registered: new Map(),
    requestCounts: new Map(),
    completionCounts: new Map(),
  }
}
