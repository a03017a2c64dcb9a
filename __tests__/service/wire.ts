/** Servers that do with a connection what a test says, and what a transport replies. */
import { createServer, type ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Reply, Transmit } from '../../src/runtime/outside.ts'
import { createTransport } from '../../src/service/transport.ts'
import { onCleanUp } from '../support/clean-up.ts'
import { listen } from '../support/listen.ts'

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

/** Responds to the nth request, from 1. */
export type Responder = (response: ServerResponse, nth: number) => unknown

/** Starts an HTTP server that keeps the requests it received. */
export async function startHttp(responder: Responder) {
  const seen: object[] = []
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const { method, url: path, headers } = request
    void text(request).then(body => {
      seen.push({ method, path, headers, body })
      return responder(response, seen.length)
    })
  })
  const running = await start(server)
  return { ...running, url: `http://127.0.0.1:${running.port}`, seen }
}

export type Headers = Readonly<Record<string, string>>

export function respond(status: number, body: string | Buffer = '', headers: Headers = {}) {
  return (response: ServerResponse) => response.writeHead(status, headers).end(body)
}

/** Writes these bytes and nothing else. */
export function raw(bytes: string): Responder {
  return ({ socket }) => socket?.write(bytes)
}

export const ok = 'HTTP/1.1 200 OK\r\n'
export const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`
export const never = new AbortController().signal

export function open(timeoutMs = 5000): Transmit {
  return createTransport(timeoutMs)
}

export function send(url: string, transmit = open(), signal = never): Promise<Reply> {
  return transmit({ url: new URL(url), body: '{"a":"body"}', token: 'the-token' }, signal)
}

export function setVariable(variable: string, value: string): void {
  process.env[variable] = value
  onCleanUp(() => Reflect.deleteProperty(process.env, variable))
}

export function trust(certificate: string): void {
  const authorities = getCACertificates('default')
  setDefaultCACertificates([...authorities, certificate])
  onCleanUp(() => {
    setDefaultCACertificates(authorities)
  })
}
