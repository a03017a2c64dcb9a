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
  /** It changed the service: a completion that was accepted, above all. */
  readonly isAccepted?: true
  /** The whole answer went out, whatever it said. */
  readonly isAnswered?: true
}

/** A request that is still being filled in. */
export type OpenRequest = { -readonly [Field in keyof SeenRequest]: SeenRequest[Field] }

type Arrival = Pick<SeenRequest, 'endpoint' | 'method' | 'path' | 'headers' | 'at'> & {
  readonly hash: string | undefined
}

/** Everything that came in over the network, and how much of it at once. */
export type Traffic = ReturnType<typeof createTraffic>

/** Starts counting from nothing. */
export function createTraffic() {
  const counts = new Map<string, number>()
  const countUp = (key: string): number => {
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count
  }
  const requests: OpenRequest[] = []
  const nameHash = (seen: OpenRequest, hash: string): void => {
    seen.hash = hash
    seen.nthOfHash = countUp(`${seen.endpoint} ${hash}`)
  }
  const inFlight = createGauge<OpenRequest>()
  const sockets = createGauge<Socket>()

  return {
    requests,
    inFlight,
    sockets,
    /** Gives a request the hash that only its body has. */
    nameHash,
    /** Notes a request and gives it its numbers. */
    see({ hash, ...arrival }: Arrival): OpenRequest {
      const { endpoint } = arrival
      const seen: OpenRequest = {
        number: requests.length + 1,
        nthOfEndpoint: countUp(endpoint),
        ...arrival,
        bodyText: '',
      }
      if (hash !== undefined) nameHash(seen, hash)
      requests.push(seen)
      if (endpoint === 'completion') inFlight.enter(seen)
      return seen
    },
  }
}

/** A set of things present now that remembers how many were present at most. */
function createGauge<Thing>() {
  const present = new Set<Thing>()
  let max = 0
  return {
    present,
    max: () => max,
    enter(thing: Thing): void {
      present.add(thing)
      max = Math.max(max, present.size)
    },
    leave(thing: Thing): void {
      present.delete(thing)
    },
  }
}
