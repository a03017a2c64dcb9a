/** A CONNECT proxy on loopback that knows names of its own. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { onCleanUp } from './clean-up.ts'

/**
 * What the proxy does with one CONNECT.
 * - `relay`: what a proxy is for
 * - `refuse`: answers with this status
 * - `silence`: reads the CONNECT and never answers
 * - `cut`: closes the connection without an answer
 * - `nonsense`: says yes, and then speaks what is no TLS
 * - `cut-handshake`: says yes, and closes at the first byte for the target
 * - `silent-handshake`: says yes, and never says anything more
 * - `cut-answer`: relays until the target has sent that many bytes, and closes
 */
export type Manner =
  | 'relay'
  | Misbehaviour
  | { readonly kind: 'refuse'; readonly status: number }
  | { readonly kind: 'cut-answer'; readonly afterBytes: number }

type Misbehaviour = 'silence' | 'cut' | 'nonsense' | 'cut-handshake' | 'silent-handshake'

export interface ProxyOptions {
  /** `host:port` as in the CONNECT, and the port of 127.0.0.1 behind it; all else is refused with 502. */
  readonly targets: Readonly<Record<string, number>>
  /** `user:password` that must come with each CONNECT, else 407. */
  readonly credentials?: string
  /** What to do with the nth CONNECT, from 1. Default: relay each. */
  readonly manner?: (nth: number) => Manner
}

/** A running proxy. Collections are live. */
export interface Proxy {
  /** `127.0.0.1:port`. */
  readonly host: string
  /** The target of every CONNECT, in order. */
  readonly connects: readonly string[]
  /** The method and target of every request that is no CONNECT. */
  readonly others: readonly string[]
  /** Whether these bytes went through in clear, either way. */
  readonly hasSeen: (text: string) => boolean
  readonly close: () => void
}

/** Starts a proxy on 127.0.0.1, until it is closed or the tests are over. */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const { targets, credentials, manner = (): Manner => 'relay' } = options
  const connects: string[] = []
  const others: string[] = []
  const sockets = new Set<Duplex>()
  const seen: Buffer[] = []
  const wanted =
    credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`

  const keep = (socket: Duplex): void => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  }
  const server = createServer((request, response) => {
    others.push(`${request.method ?? ''} ${request.url ?? ''}`)
    response.writeHead(405).end()
  })
  server.on('connection', keep)
  server.on('connect', (request, client: Duplex, head: Buffer) => {
    const target = request.url ?? ''
    const port = targets[target]
    connects.push(target)
    const chosen = manner(connects.length)
    if (wanted !== undefined && request.headers['proxy-authorization'] !== wanted) {
      client.end(refusal(407))
    } else if (typeof chosen === 'string' && chosen !== 'relay') misbehave[chosen](client)
    else if (chosen !== 'relay' && chosen.kind === 'refuse') client.end(refusal(chosen.status))
    else if (port === undefined) client.end(refusal(502))
    else {
      const upstream = connect(port, '127.0.0.1')
      keep(upstream)
      for (const end of [client, upstream]) end.on('data', (bytes: Buffer) => seen.push(bytes))
      upstream.on('data', () => {
        if (chosen !== 'relay' && upstream.bytesRead >= chosen.afterBytes) client.destroy()
      })
      upstream.write(head)
      upstream.once('connect', () => {
        client.write(established)
        client.pipe(upstream).pipe(client)
      })
      client.once('close', () => upstream.destroy())
      upstream.once('close', () => client.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0

  const close = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  onCleanUp(close)
  return {
    host: `127.0.0.1:${port}`,
    connects,
    others,
    hasSeen: text => Buffer.concat(seen).includes(text),
    close,
  }
}

const established = 'HTTP/1.1 200 Connection established\r\n\r\n'

function refusal(status: number): string {
  const challenge = status === 407 ? 'Proxy-Authenticate: Basic realm="proxy"\r\n' : ''
  return `HTTP/1.1 ${status} No\r\n${challenge}Content-Length: 0\r\nConnection: close\r\n\r\n`
}

const misbehave: Readonly<Record<Misbehaviour, (client: Duplex) => void>> = {
  silence: () => undefined,
  cut: client => client.destroy(),
  nonsense: client => {
    client.write(established)
    // Not together with the answer, which the client would take for a mistake of the proxy.
    client.once('data', () => client.end('220 mail.example ESMTP\r\n'))
  },
  'cut-handshake': client => {
    client.once('data', () => client.destroy())
    client.write(established)
  },
  'silent-handshake': client => {
    client.resume()
    client.write(established)
  },
}
