/** A CONNECT proxy on 127.0.0.1 that resolves names itself. */
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { onCleanUp } from './clean-up.ts'
import { listen } from './listen.ts'

interface ProxyOptions {
  /** The local port for each `host:port`. All other targets are answered with 502. */
  readonly targets: Readonly<Record<string, number>>
  /** `user:password` that each CONNECT must have; otherwise, the answer is 407. */
  readonly credentials?: string
  /**
   * What the nth CONNECT, from 1, is answered before the proxy hangs up; null: nothing, and it does not. By default, and
   * where it is undefined, it is relayed.
   */
  readonly answer?: (nth: number) => string | null | undefined
  /** Makes it a proxy with an https address. */
  readonly certificate?: { readonly key: string; readonly cert: string }
}

/**
 * Starts a proxy until {@link cleanUp}. Returns its `127.0.0.1:port`, the target of every CONNECT so far, and whether a
 * text has passed unencrypted, in either direction.
 */
export async function startProxy(options: ProxyOptions) {
  const { targets, credentials, answer, certificate } = options
  const connects: string[] = []
  const sockets = new Set<Duplex>()
  const seen: Buffer[] = []
  const needed = credentials === undefined ? undefined : `Basic ${btoa(credentials)}`

  const keep = (socket: Duplex): void => {
    sockets.add(socket.on('error', () => undefined))
  }
  const server = certificate === undefined ? createServer() : createSecureServer(certificate)
  server.on('request', (_, response) => response.writeHead(405).end())
  server.on('connection', keep)
  server.on('connect', (request, client: Duplex) => {
    client.on('error', () => undefined)
    const target = request.url ?? ''
    const port = targets[target]
    connects.push(target)
    const isAllowed = needed === undefined || request.headers['proxy-authorization'] === needed
    const text = answer?.(connects.length)
    if (!isAllowed) client.end('HTTP/1.1 407 No\r\n\r\n')
    else if (text === null) client.resume().once('end', () => client.destroy())
    else if (text !== undefined) client.end(text)
    else if (port === undefined) client.end('HTTP/1.1 502 No\r\n\r\n')
    else {
      const upstream = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n')
        client.pipe(upstream).pipe(client)
      })
      keep(upstream)
      for (const end of [client, upstream]) end.on('data', (bytes: Buffer) => seen.push(bytes))
      client.once('close', () => upstream.destroy())
      upstream.once('close', () => client.destroy())
    }
  })
  const port = await listen(server)

  onCleanUp(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const hasSeen = (text: string): boolean => Buffer.concat(seen).includes(text)
  const countOpen = (): number => [...sockets].filter(({ destroyed }) => !destroyed).length
  return { host: `127.0.0.1:${port}`, connects, hasSeen, countOpen }
}
