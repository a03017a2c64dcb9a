import { request as requestHttp } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { request as requestHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { DEFAULT_API_KEY, exampleSubscription } from '../../simulator/index.ts'
import type { Simulator } from '../../simulator/index.ts'

export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Sending = {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly ca?: string
  readonly signal?: AbortSignal
}

/** A hash in the observed shape: 64 hexadecimal characters. */
export const HASH = 'ab'.repeat(32)
export const OTHER_HASH = 'cd'.repeat(32)

export const JSON_TYPE = { 'content-type': 'application/json' }
export const subscriptionText = JSON.stringify(exampleSubscription)

/** Sends one request with nothing added to it. Rejects when the connection breaks. */
export async function send(simulator: Simulator, sending: Sending): Promise<Answer> {
  const { method = 'POST', path, body = '', ca, signal } = sending
  const headers = { ...sending.headers, 'content-length': Buffer.byteLength(body) }
  const request = simulator.url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = request(
      simulator.url + path,
      {
        method,
        headers,
        agent: false,
        ...(ca === undefined ? {} : { ca }),
        ...(signal && { signal }),
      },
      response => {
        buffer(response).then(
          bytes => {
            const { statusCode = 0, headers } = response
            resolve({ status: statusCode, headers, body: bytes.toString() })
          },
          (error: unknown) => {
            reject(error instanceof Error ? error : new Error('not read'))
          },
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Logs in and returns the token. */
export async function logIn(simulator: Simulator, apiKey = DEFAULT_API_KEY): Promise<string> {
  const answer = await send(simulator, {
    path: '/api/v2/auth/login',
    headers: JSON_TYPE,
    body: JSON.stringify({ apiKey }),
  })
  return z.object({ token: z.string() }).parse(JSON.parse(answer.body)).token
}

/** A completion as it should be. */
export function completion(token: string, hash = HASH): Sending {
  return {
    path: `/api/v2/registration/${hash}/forfait`,
    headers: { ...JSON_TYPE, authorization: `Bearer ${token}` },
    body: subscriptionText,
  }
}

/** Logs in with its own token and completes. */
export async function complete(simulator: Simulator, hash = HASH): Promise<Answer> {
  return send(simulator, completion(await logIn(simulator), hash))
}

/** The body of a request for a registration as it should be: the documented valid example. */
export function requestBody(hash = HASH) {
  return {
    blockchainType: 'ALGORAND',
    custody: 'false',
    description: 'a test',
    hash,
    signed: 'false',
    status: 'not_registered',
  } as const
}

/** A request for a registration as it should be, but for its body if one is given. */
export function registrationRequest(token: string, body: unknown = requestBody()): Sending {
  return {
    path: '/api/v2/registration/?subscription=true',
    headers: { ...JSON_TYPE, authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  }
}

/** A question without a body. */
export function question(token: string, path: string): Sending {
  return { method: 'GET', path, headers: { authorization: `Bearer ${token}` } }
}
