import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Endpoint } from './service.ts'

/** A received request. Numbers count from 1. */
export interface SeenRequest {
  readonly endpoint: Endpoint
  readonly method: string
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** Among the requests to the same endpoint. */
  readonly nthOfEndpoint: number
  /** The hash in the path of a completion, or in the body of a request for a registration. */
  readonly hash?: string
  /** Among the requests to the same endpoint for the same hash. */
  readonly nthOfHash?: number
  /** Empty until it is read. */
  readonly bodyText: string
  /** Missing until a status line is sent. */
  readonly answeredStatus?: number
}

/** A request that is still being filled in. */
export type OpenRequest = { -readonly [Field in keyof SeenRequest]: SeenRequest[Field] }

/** All requests and connections, and how many there were at once. */
export class Traffic {
  readonly requests: OpenRequest[] = []
  readonly completions = new Set<OpenRequest>()
  readonly sockets = new Set<Socket>()
  maxInFlight = 0
  maxConnections = 0
  readonly #counts = new Map<string, number>()

  /** Tracks a connection until it closes. */
  connect(socket: Socket): void {
    this.sockets.add(socket)
    this.maxConnections = Math.max(this.maxConnections, this.sockets.size)
    socket.once('close', () => this.sockets.delete(socket))
  }

  /** Adds and numbers a request. */
  see(arrival: Pick<SeenRequest, 'endpoint' | 'method' | 'path' | 'headers'>): OpenRequest {
    const { endpoint } = arrival
    const seen = { nthOfEndpoint: this.#countUp(endpoint), bodyText: '', ...arrival }
    this.requests.push(seen)
    if (endpoint === 'completion') this.completions.add(seen)
    this.maxInFlight = Math.max(this.maxInFlight, this.completions.size)
    return seen
  }

  /** Sets the hash of a request. */
  nameHash(seen: OpenRequest, hash: string): void {
    seen.hash = hash
    seen.nthOfHash = this.#countUp(`${seen.endpoint} ${hash}`)
  }

  #countUp(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    return count
  }
}
