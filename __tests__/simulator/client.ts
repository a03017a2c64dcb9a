/** Requests to the simulator as they should be, and a client that adds nothing to them. */
import { request, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { DEFAULT_API_KEY, exampleSubscription } from '../../simulator/index.ts'
import type { Simulator } from '../../simulator/index.ts'

export const HASH = 'ab'.repeat(32)
export const OTHER_HASH = 'cd'.repeat(32)

export interface Sending {
  readonly method?: string
  readonly path: string
  readonly token?: string
  /** In place of those that the call needs. */
  readonly headers?: Readonly<Record<string, string>>
  /** A string goes out as it is, anything else as JSON. */
  readonly body?: unknown
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The documented valid example. */
export const requestBody = (hash = HASH) => ({
  blockchainType: 'ALGORAND',
  custody: 'false',
  description: 'a test',
  hash,
  signed: 'false',
  status: 'not_registered',
})

const loginPath = '/api/v2/auth/login'
const requestPath = '/api/v2/registration/?subscription=true'
const activePath = '/api/v2/payment/subscription/active'
const completionPath = (hash: string): string => `/api/v2/registration/${hash}/forfait`

/** Each call as it should be. */
export const good = {
  login: (): Sending => ({ path: loginPath, body: { apiKey: DEFAULT_API_KEY } }),
  completion: (token: string, hash = HASH): Sending => {
    return { path: completionPath(hash), token, body: exampleSubscription }
  },
  request: (token: string, hash = HASH): Sending => {
    return { path: requestPath, token, body: requestBody(hash) }
  },
  active: (token: string): Sending => ({ method: 'GET', path: activePath, token }),
} as const

/** Sends one request on a connection of its own. Rejects when that breaks. */
export async function send({ url }: { readonly url: string }, sending: Sending): Promise<Answer> {
  const { method = 'POST', path, token = '' } = sending
  const body = typeof sending.body === 'string' ? sending.body : JSON.stringify(sending.body)
  const usual = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const headers = sending.headers ?? usual
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { method, headers, agent: false }, response => {
      const { statusCode: status = 0, headers: received } = response
      text(response).then(read => {
        resolve({ status, headers: received, body: read })
      }, reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Logs in and gives the token. */
export async function logIn(simulator: Simulator): Promise<string> {
  const { body } = await send(simulator, good.login())
  return z.object({ token: z.string() }).parse(JSON.parse(body)).token
}

/** Sends calls one after the other, each with a token of its own, and gives their statuses. */
export async function statusesOf(
  simulator: Simulator,
  ...calls: readonly ((token: string) => Sending)[]
): Promise<readonly number[]> {
  const statuses: number[] = []
  for (const call of calls) {
    statuses.push((await send(simulator, call(await logIn(simulator)))).status)
  }
  return statuses
}
