import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import type { Fault } from './faults.ts'
import type { Reply } from './operations.ts'
import type { OpenRequest } from './traffic.ts'

/** One request and the way to answer it. */
export type Exchange = {
  readonly seen: OpenRequest
  readonly socket: Socket
  readonly response: ServerResponse
  /** Aborts when the answer is out or the connection is gone. */
  readonly signal: AbortSignal
  /** Does what the request asks for, and returns the honest reply. */
  readonly carryOut: () => Reply
  /** Takes the request out of those in flight. */
  readonly leave: () => void
}

/** Sends a whole answer. */
export function send(exchange: Exchange, reply: Reply): void {
  const body = Buffer.from(reply.body)
  sendHead(exchange, reply, body.length)
  // Before the last byte: a client that goes on at once must not look like two.
  exchange.leave()
  exchange.response.end(body)
}

/** Breaks the connection without an answer; a plain one with RST. */
export function reset({ socket }: Exchange): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

/** Answers, or fails to, as the fault says. */
export async function perform(fault: Fault, exchange: Exchange): Promise<void> {
  const { response, signal } = exchange
  switch (fault.kind) {
    case 'status':
      if (fault.effect === 'after') exchange.carryOut()
      send(exchange, fault)
      return
    case 'huge': {
      if (fault.effect === 'after') exchange.carryOut()
      const headers = { 'content-type': 'application/json' }
      sendHead(exchange, { status: fault.status, headers }, lengthOf(fault, fault.bytes))
      await pipeline(filler(fault.bytes), response)
      return
    }
    case 'silence':
      if (fault.done) exchange.carryOut()
      return
    case 'trickle': {
      const reply = exchange.carryOut()
      const body = Buffer.from(reply.body)
      sendHead(exchange, reply, body.length)
      response.flushHeaders()
      await pipeline(byteByByte(body, fault.everyMs, signal), response)
      return
    }
    case 'reset':
      cut(fault, exchange)
  }
}

function cut(fault: Extract<Fault, { kind: 'reset' }>, exchange: Exchange): void {
  const { socket, response } = exchange
  if (fault.at === 'connect-accepted' || fault.at === 'request-read') {
    reset(exchange)
    return
  }
  const reply = exchange.carryOut()
  switch (fault.at) {
    case 'done':
      reset(exchange)
      return
    case 'mid-headers': {
      // Not an RST here and below: it could overtake the bytes that the client is to see.
      const head = `HTTP/1.1 ${reply.status} Simulated\r\nContent-Type: applica`
      socket.write(head, () => socket.destroy())
      return
    }
    case 'mid-body': {
      const body = Buffer.from(reply.body)
      sendHead(exchange, reply, lengthOf(fault, body.length))
      response.write(body.subarray(0, Math.ceil(body.length / 2)), () => socket.destroy())
    }
  }
}

function sendHead(
  { seen, response, signal }: Exchange,
  { status, headers }: Omit<Reply, 'body'>,
  length: number | undefined,
): void {
  if (!signal.aborted) seen.answeredStatus = status
  const declared = length === undefined ? {} : { 'content-length': length }
  response.writeHead(status, { ...declared, ...headers })
}

/** The length to declare. */
function lengthOf({ framing }: { readonly framing: string }, bytes: number): number | undefined {
  return framing === 'content-length' ? bytes : undefined
}

function* filler(bytes: number): Generator<Buffer> {
  const block = Buffer.alloc(Math.min(bytes, 65_536), 'x')
  for (let left = bytes; left > 0; left -= block.length) yield block.subarray(0, left)
}

async function* byteByByte(
  body: Buffer,
  everyMs: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for (const byte of body) {
    await delay(everyMs, undefined, { signal })
    yield Buffer.of(byte)
  }
}
