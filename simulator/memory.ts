/** What the service is like, and all that it remembers. */
import { DEFAULT_API_KEY } from './resources.ts'
import type { AnyFields } from './resources.ts'

/** How the service behaves where its specification leaves it open. */
export interface ServiceRules {
  /** What stands before /api/v2 in every path, such as `/notary`; no slash at its end. */
  readonly prefix: string
  readonly apiKeys: readonly string[]
  /** Hashes requested already, so that they may be completed; `any`: every hash may, and none counts as requested. */
  readonly requested: readonly string[] | 'any'
  /** Whether a hash already registered may be completed again. */
  readonly repeat: 'refuse' | 'accept'
  /** Whether a hash requested or registered already may be requested again. */
  readonly repeatRequest: 'refuse' | 'accept'
  /** Fields to lay over the honest record; `undefined` removes a field. */
  readonly record: (hash: string, record: AnyFields) => AnyFields
  /** Fields to lay over the example as the active subscription, `undefined` removes one; null means that there is none. */
  readonly activeSubscription: AnyFields | null
}

const defaultRules: ServiceRules = {
  prefix: '',
  apiKeys: [DEFAULT_API_KEY],
  requested: [],
  repeat: 'refuse',
  repeatRequest: 'refuse',
  record: () => ({}),
  activeSubscription: {},
}

/** All that the service remembers. */
export class Memory {
  readonly rules: ServiceRules
  /** Hashes that may be completed. */
  readonly requested: Set<string>
  /** Every token issued, in order. */
  readonly tokens: string[] = []
  /** Hash to record, in order of registration. */
  readonly registered = new Map<string, AnyFields>()
  /** Hash to number of completions that were carried out. */
  readonly completionCounts = new Map<string, number>()

  constructor(rules: Partial<ServiceRules>) {
    this.rules = { ...defaultRules, ...rules }
    this.requested = new Set(this.rules.requested === 'any' ? [] : this.rules.requested)
  }
}
