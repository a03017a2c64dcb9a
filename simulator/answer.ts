import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { TLSSocket } from 'node:tls'
import type { BreakPoint, Fault } from './faults.ts'
import type { Reply } from './operations.ts'
import type { OpenRequest } from './traffic.ts'

/** One request and what is needed to answer it. */
export interface Exchange {
  readonly seen: OpenRequest
  readonly socket: Socket
  readonly response: ServerResponse
  /** Does what the request asks for, and returns the honest reply. */
  readonly carryOut: () => Reply
  /** Takes the request out of those in flight. */
  readonly leave: () => void
}

/** Sends a whole answer. */
export async function send(exchange: Exchange, reply: Reply): Promise<void> {
  const { body } = reply
  sendHead(exchange, reply)
  // Before the last byte: a client that goes on at once must not look like two.
  exchange.leave()
  if (typeof body === 'number') await pipeline(filler(body), exchange.response)
  else exchange.response.end(body)
}

/** Answers, or fails to, as the fault says. */
export async function perform(fault: Fault, exchange: Exchange): Promise<void> {
  switch (fault.kind) {
    case 'status':
      if (fault.effect === 'after') exchange.carryOut()
      await send(exchange, fault)
      return
    case 'silence':
      if (fault.done) exchange.carryOut()
      return
    case 'reset':
      breakConnection(exchange, fault.at, fault.isChunked)
  }
}

function breakConnection(exchange: Exchange, at: BreakPoint, isChunked: boolean): void {
  const { socket, response } = exchange
  const reply = at === 'request-read' ? undefined : exchange.carryOut()
  if (reply === undefined || at === 'done') {
    if (socket instanceof TLSSocket) socket.destroy()
    else socket.resetAndDestroy()
    return
  }
  // Not an RST here: it could overtake the bytes that the client is to see.
  if (at === 'mid-headers') {
    const head = `HTTP/1.1 ${reply.status} Simulated\r\nContent-Type: applica`
    socket.write(head, () => socket.destroy())
    return
  }
  sendHead(exchange, { ...reply, isChunked })
  const body = Buffer.from(String(reply.body))
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () => socket.destroy())
}

function sendHead({ seen, response }: Exchange, reply: Reply): void {
  const { status, headers, body, isChunked = false } = reply
  if (!response.destroyed) seen.answeredStatus = status
  const length = typeof body === 'number' ? body : Buffer.byteLength(body)
  if (!isChunked) response.setHeader('content-length', length)
  response.writeHead(status, headers)
}

function* filler(bytes: number): Generator<Buffer> {
  const block = Buffer.alloc(Math.min(bytes, 65_536), 'x')
  for (let left = bytes; left > 0; left -= block.length) yield block.subarray(0, left)
}
