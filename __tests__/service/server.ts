/** Loopback servers that run until `cleanUp`. */
import { createServer, type ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { onCleanUp } from '../support/clean-up.ts'
import { listen } from '../support/listen.ts'

/** Answers the nth request, from 1. */
export type Answerer = (response: ServerResponse, nth: number) => unknown

export function answer(
  status: number,
  body: string | Uint8Array = '',
  headers: Readonly<Record<string, string>> = {},
): Answerer {
  return response => response.writeHead(status, headers).end(body)
}

/** Writes these bytes and nothing else. */
export function raw(bytes: string): Answerer {
  return ({ socket }) => socket?.write(bytes)
}

/** Starts a server. The returned counts of its connections are updated live. */
export async function start(server: Server) {
  const connections = { now: 0, most: 0, all: 0 }
  server.on('connection', (socket: Socket) => {
    connections.all += 1
    connections.now += 1
    connections.most = Math.max(connections.most, connections.now)
    socket.on('error', () => undefined)
    socket.once('close', () => (connections.now -= 1))
    onCleanUp(() => socket.destroy())
  })
  onCleanUp(() => server.close())
  return { port: await listen(server), connections }
}

/** Starts an HTTP server that keeps the requests it received. */
export async function startHttp(answerer: Answerer) {
  const seen: object[] = []
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const { method, url: path, headers } = request
    void text(request).then(body => {
      seen.push({ method, path, headers, body })
      return answerer(response, seen.length)
    })
  })
  const running = await start(server)
  return { ...running, url: `http://127.0.0.1:${running.port}`, seen }
}
