import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Endpoint } from './routes.ts'

/** A request that the simulator saw. Every number counts from 1. */
export type SeenRequest = {
  /** Among all requests. */
  readonly number: number
  readonly endpoint: Endpoint
  /** Among the requests to the same endpoint. */
  readonly nthOfEndpoint: number
  /** Hash in the path of a completion, or in the body of a request for a registration once it was read. */
  readonly hash?: string
  /** Among the requests to the same endpoint for the same hash. */
  readonly nthOfHash?: number
  readonly method: string
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** Empty until the body has been read: a fault is chosen before, but for the endpoint `request`. */
  readonly bodyText: string
  /** When its head arrived, in epoch milliseconds. */
  readonly at: number
  /** Absent until, and unless, a status line was sent. */
  readonly answeredStatus?: number
  /** It was carried out and not refused: a completion that was accepted, above all. */
  readonly isAccepted?: true
  /** The whole answer went out, whatever it said. */
  readonly isAnswered?: true
}

/** A request that is still being filled in. */
export type OpenRequest = { -readonly [Field in keyof SeenRequest]: SeenRequest[Field] }

type Arrival = Pick<SeenRequest, 'endpoint' | 'method' | 'path' | 'headers' | 'at'>

/** Everything that came in over the network, and how much of it at once. */
export class Traffic {
  readonly requests: OpenRequest[] = []
  readonly completions = new Gauge<OpenRequest>()
  readonly sockets = new Gauge<Socket>()
  readonly #counts = new Map<string, number>()

  /** Notes a request and gives it its numbers. */
  see(arrival: Arrival): OpenRequest {
    const { endpoint } = arrival
    const number = this.requests.length + 1
    const seen = { number, nthOfEndpoint: this.#countUp(endpoint), ...arrival, bodyText: '' }
    this.requests.push(seen)
    if (endpoint === 'completion') this.completions.enter(seen)
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

/** A set of things present now that remembers how many were present at most. */
class Gauge<Thing> {
  readonly present = new Set<Thing>()
  max = 0

  enter(thing: Thing): void {
    this.present.add(thing)
    this.max = Math.max(this.max, this.present.size)
  }

  leave(thing: Thing): void {
    this.present.delete(thing)
  }
}
