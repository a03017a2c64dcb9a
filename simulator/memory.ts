/** The rules and the state of the service. */
import { DEFAULT_API_KEY } from './resources.ts'
import type { AnyFields } from './resources.ts'

/** Behavior that the specification leaves open. */
export interface ServiceRules {
  /** The part before /api/v2 in every path, such as `/notary`, without a trailing slash. */
  readonly prefix: string
  readonly apiKeys: readonly string[]
  /** Hashes that are already requested, so that they can be completed. With `any`, all can, and none counts as requested. */
  readonly requested: readonly string[] | 'any'
  /** Whether a registered hash can be completed again. */
  readonly repeat: 'refuse' | 'accept'
  /** Whether a requested or registered hash can be requested again. */
  readonly repeatRequest: 'refuse' | 'accept'
  /** Changes to the honest record; `undefined` removes a field. */
  readonly record: (hash: string, record: AnyFields) => AnyFields
  /** Changes to the example that make the active subscription; null if there is none. */
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

/** The state of the service. */
export class Memory {
  readonly rules: ServiceRules
  /** Hashes that can be completed. */
  readonly requested: Set<string>
  /** All issued tokens, in order. */
  readonly tokens: string[] = []
  /** Records by hash, in order of registration. */
  readonly registered = new Map<string, AnyFields>()
  /** Number of processed completions by hash. */
  readonly completionCounts = new Map<string, number>()

  constructor(rules: Partial<ServiceRules>) {
    this.rules = { ...defaultRules, ...rules }
    this.requested = new Set(this.rules.requested === 'any' ? [] : this.rules.requested)
  }
}
