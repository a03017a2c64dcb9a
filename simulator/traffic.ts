import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Endpoint } from './routes.ts'

interface Arrival {
  readonly endpoint: Endpoint
  readonly method: string
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** When its head arrived, in epoch milliseconds. */
  readonly at: number
}

/** A request that the simulator saw. Every number counts from 1. */
export interface SeenRequest extends Arrival {
  /** Among all requests. */
  readonly number: number
  /** Among the requests to the same endpoint. */
  readonly nthOfEndpoint: number
  /** Hash in the path of a completion, or in the body of a request for a registration once it was read. */
  readonly hash?: string
  /** Among the requests to the same endpoint for the same hash. */
  readonly nthOfHash?: number
  /** Empty until it has been read. */
  readonly bodyText: string
  /** Absent until, and unless, a status line was sent. */
  readonly answeredStatus?: number
  /** It was carried out and not refused: a completion that was accepted, above all. */
  readonly isAccepted?: true
  /** The whole answer went out, whatever it said. */
  readonly isAnswered?: true
}

/** A request that is still being filled in. */
export type OpenRequest = { -readonly [Field in keyof SeenRequest]: SeenRequest[Field] }

/** Everything that came in over the network, and how much of it at once. */
export class Traffic {
  readonly requests: OpenRequest[] = []
  readonly completions = new Set<OpenRequest>()
  readonly sockets = new Set<Socket>()
  maxInFlight = 0
  maxConnections = 0
  readonly #counts = new Map<string, number>()

  /** Notes a connection until it is closed. */
  connect(socket: Socket): void {
    this.sockets.add(socket)
    this.maxConnections = Math.max(this.maxConnections, this.sockets.size)
    socket.once('close', () => this.sockets.delete(socket))
  }

  /** Notes a request and gives it its numbers. */
  see(arrival: Arrival): OpenRequest {
    const { endpoint } = arrival
    const number = this.requests.length + 1
    const seen = { number, nthOfEndpoint: this.#countUp(endpoint), bodyText: '', ...arrival }
    this.requests.push(seen)
    if (endpoint === 'completion') this.completions.add(seen)
    this.maxInFlight = Math.max(this.maxInFlight, this.completions.size)
    return seen
  }

  /** Says which hash a request is for, once that is known. */
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
