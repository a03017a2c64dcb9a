import type { Faults } from './faults.ts'
import type { ServiceRules } from './memory.ts'
import type { AnyFields } from './resources.ts'
import type { SeenRequest } from './traffic.ts'

/** Options of a simulator; `memory.ts` has the defaults of the rules. */
export interface SimulatorOptions extends Partial<ServiceRules> {
  /** Port on 127.0.0.1; by default a free one. */
  readonly port?: number
  /** PEM texts, which enable HTTPS. */
  readonly tls?: { readonly key: string; readonly cert: string }
  readonly faults?: Faults
  /** Delay between reading a request and processing it. */
  readonly latencyMs?: number | ((request: SeenRequest) => number)
  /** The clock of the service, in epoch milliseconds; by default Date.now. */
  readonly nowMs?: () => number
  /** Called for each request that was answered or whose connection closed. */
  readonly onFinished?: (request: SeenRequest) => void
}

/** A running simulator. Collections and numbers are updated live. */
export interface Simulator {
  /** The base URL with the prefix, without a trailing slash. */
  readonly url: string
  /** All requests, in order of arrival. */
  readonly requests: readonly SeenRequest[]
  /** Records by hash, in order of registration. */
  readonly registered: ReadonlyMap<string, AnyFields>
  /** Number of processed completions by hash, with any answer. */
  readonly completionCounts: ReadonlyMap<string, number>
  /** All issued tokens, in order. */
  readonly tokens: readonly string[]
  /** Completions in flight, now and at most. */
  readonly inFlight: number
  readonly maxInFlight: number
  /** Maximum number of open connections. */
  readonly maxConnections: number
  /** Stops, and breaks all open connections. Can be called again. */
  readonly close: () => Promise<void>
}
