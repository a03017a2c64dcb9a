import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Endpoint } from './service.ts'

/** A received request. */
export interface SeenRequest {
  readonly endpoint: Endpoint
  readonly method: string
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** The hash in the path of a completion. */
  readonly hash: string | undefined
  /** Among the requests to the same endpoint, from 1. */
  readonly nthOfEndpoint: number
  /** Empty until it is read. */
  bodyText: string
  /** Missing until a status line is sent. */
  answeredStatus?: number
}

/** All requests and connections, and how many there were at once. */
export class Traffic {
  readonly requests: SeenRequest[] = []
  readonly completions = new Set<SeenRequest>()
  readonly sockets = new Set<Socket>()
  maxInFlight = 0
  maxConnections = 0
  readonly #counts = new Map<Endpoint, number>()

  /** Tracks a connection until it closes. */
  connect(socket: Socket): void {
    this.sockets.add(socket)
    this.maxConnections = Math.max(this.maxConnections, this.sockets.size)
    socket.once('close', () => this.sockets.delete(socket))
  }

  /** Adds and numbers a request. */
  see(arrival: Omit<SeenRequest, 'nthOfEndpoint' | 'bodyText'>): SeenRequest {
    const { endpoint } = arrival
    const nthOfEndpoint = (this.#counts.get(endpoint) ?? 0) + 1
    this.#counts.set(endpoint, nthOfEndpoint)
    const seen = { ...arrival, nthOfEndpoint, bodyText: '' }
    this.requests.push(seen)
    if (endpoint === 'completion') this.completions.add(seen)
    this.maxInFlight = Math.max(this.maxInFlight, this.completions.size)
    return seen
  }
}
