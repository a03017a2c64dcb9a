/** Loopback servers that last as long as a test. */
import { once } from 'node:events'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { text } from 'node:stream/consumers'

const endings: (() => unknown)[] = []

/** Ends an open thing with the test, newest first. */
export function atEnd(end: () => unknown): void {
  endings.push(end)
}

/** For `afterEach`: closes every server and transport of the test. */
export async function closeAll(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end()
}

/** What answers the n-th request, from 1. */
export type Answerer = (response: ServerResponse, nth: number) => unknown

/** Answers with a status and a body. */
export function answer(
  status: number,
  body: string | Uint8Array = '',
  headers: Readonly<Record<string, string>> = {},
): Answerer {
  return response => response.writeHead(status, headers).end(body)
}

/** Writes these bytes and nothing more. */
export function raw(bytes: string): Answerer {
  return ({ socket }) => socket?.write(bytes)
}

/** Open connections to a server. */
interface Connections {
  readonly now: number
  readonly most: number
  readonly all: number
}

/** A server that listens. */
interface Listening {
  readonly port: number
  readonly connections: () => Connections
}

/** Listens on a free port of the loopback until the end of the test. */
export async function listen(server: Server): Promise<Listening> {
  const open = new Set<Socket>()
  let [most, all] = [0, 0]
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    all += 1
    most = Math.max(most, open.size)
    socket.on('error', () => undefined)
    socket.once('close', () => open.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return { port, connections: () => ({ now: open.size, most, all }) }
}

/** A server of HTTP, with the requests that it saw. */
export interface TestServer extends Listening {
  readonly url: string
  readonly seen: readonly object[]
}

/** Starts a server that answers every request so. */
export async function startServer(answerer: Answerer): Promise<TestServer> {
  const seen: object[] = []
  const server = createHttpServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const { method, url: path, headers } = request
    void text(request).then(body => {
      seen.push({ method, path, headers, body })
      return answerer(response, seen.length)
    })
  })
  const listening = await listen(server)
  return { ...listening, url: `http://127.0.0.1:${listening.port}`, seen }
}
