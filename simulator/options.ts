import type { Faults } from './faults.ts'
import type { ServiceRules } from './memory.ts'
import type { AnyFields } from './resources.ts'
import type { SeenRequest } from './traffic.ts'

/** How to start a simulator; the defaults of the rules are in `memory.ts`. */
export interface SimulatorOptions extends Partial<ServiceRules> {
  /** Port on 127.0.0.1; 0, the default, takes a free one. */
  readonly port?: number
  /** PEM texts; HTTPS when given. */
  readonly tls?: { readonly key: string; readonly cert: string }
  readonly faults?: Faults
  /** How long every request waits between being read and being carried out. */
  readonly latencyMs?: number | ((request: SeenRequest) => number)
  /** The service's clock, in epoch milliseconds; Date.now by default. */
  readonly nowMs?: () => number
  /** Called for every request once it is answered or its connection is gone. */
  readonly onFinished?: (request: SeenRequest) => void
}

/** A running simulator. Collections and numbers are live. */
export interface Simulator {
  /** The base URL, with the prefix and without a slash at its end. */
  readonly url: string
  /** Every request seen, in order of arrival. */
  readonly requests: readonly SeenRequest[]
  /** Hash to record, in order of registration. */
  readonly registered: ReadonlyMap<string, AnyFields>
  /** Hash to number of completions that were carried out, whatever was answered. */
  readonly completionCounts: ReadonlyMap<string, number>
  /** Every token issued, in order. */
  readonly tokens: readonly string[]
  /** Completions being handled now, and at most so far. */
  readonly inFlight: number
  readonly maxInFlight: number
  /** Connections open at most so far. */
  readonly maxConnections: number
  /** Stops, and breaks every open connection. May be called again. */
  readonly close: () => Promise<void>
}
