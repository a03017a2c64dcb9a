import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { BreakPoint, Fault } from './faults.ts'
import type { Reply } from './operations.ts'
import type { OpenRequest } from './traffic.ts'

/** A request, and what is needed to answer it. */
export interface Exchange {
  readonly seen: OpenRequest
  readonly socket: Socket
  readonly response: ServerResponse
  /** Processes the request, and returns the honest reply. */
  readonly carryOut: () => Reply
  /** Removes the request from those in flight. */
  readonly leave: () => void
}

/** Sends a whole answer. */
export function send(exchange: Exchange, reply: Reply): void {
  sendHead(exchange, reply)
  // Before the last byte: a client that continues at once must not count twice.
  exchange.leave()
  exchange.response.end(reply.body)
}

/** Answers, or fails to answer, according to the fault. */
export function perform(fault: Fault, exchange: Exchange): void {
  switch (fault.kind) {
    case 'status':
      if (fault.effect === 'after') exchange.carryOut()
      send(exchange, fault)
      return
    case 'silence':
      if (fault.done) exchange.carryOut()
      return
    case 'reset':
      breakConnection(exchange, fault.at)
  }
}

function breakConnection(exchange: Exchange, at: BreakPoint): void {
  const { socket, response } = exchange
  const reply = at === 'request-read' ? undefined : exchange.carryOut()
  if (reply === undefined || at === 'done') {
    if (socket instanceof TLSSocket) socket.destroy()
    else socket.resetAndDestroy()
    return
  }
  sendHead(exchange, reply)
  // Not with an RST, which could overtake the bytes that the client must receive.
  const half = Buffer.from(reply.body).subarray(0, Math.ceil(reply.body.length / 2))
  response.write(half, () => socket.destroy())
}

function sendHead({ seen, response }: Exchange, { status, headers, body }: Reply): void {
  if (!response.destroyed) seen.answeredStatus = status
  response.setHeader('content-length', Buffer.byteLength(body))
  response.writeHead(status, headers)
}
