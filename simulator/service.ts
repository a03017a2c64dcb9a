/** What the service does with a call, and how it answers (docs/service.md). No sockets here. */
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { DEFAULT_API_KEY, exampleSubscription, newRecord } from './resources.ts'
import { requestSchema, subscriptionFields, type AnyFields } from './resources.ts'

/** Behavior that the specification leaves open. */
export interface ServiceRules {
  /** The part before /api/v2 in every path, such as `/notary`, without a trailing slash. */
  readonly prefix: string
  readonly apiKeys: readonly string[]
  /** Hashes that are already requested, so that they can be completed. With `any`, all can, and none counts as requested. */
  readonly requested: readonly string[] | 'any'
  /** Whether what was requested can be requested again, and what is registered completed again. */
  readonly repeat: 'refuse' | 'accept'
  /** Changes to the honest record; `undefined` removes a field. */
  readonly record: (hash: string) => AnyFields
  /** Changes to the example that make the active subscription; null if there is none. */
  readonly activeSubscription: AnyFields | null
}

/** An answer. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Each path matches what follows `/api/v2/`, and captures its variable part. */
const routes = [
  { endpoint: 'login', method: 'POST', path: /^auth\/login$/ },
  { endpoint: 'completion', method: 'POST', path: /^registration\/([^/?]+)\/forfait$/ },
  { endpoint: 'request', method: 'POST', path: /^registration\/(?:\?(.*))?$/ },
  { endpoint: 'active-subscription', method: 'GET', path: /^payment\/subscription\/active$/ },
] as const

export type Endpoint = (typeof routes)[number]['endpoint'] | 'other'

/** A received request. */
export interface SeenRequest {
  readonly endpoint: Endpoint
  readonly method: string
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** The hash in the path of a completion. */
  readonly hash: string | undefined
  /** Among the requests to the same endpoint, from 1. */
  readonly nthOfEndpoint: number
  /** Empty until it is read. */
  bodyText: string
  /** Missing until a status line is sent. */
  answeredStatus?: number
}

function reply(status: number, value: unknown): Reply {
  const headers = { 'content-type': 'application/json' }
  return { status, headers, body: JSON.stringify(value) }
}

/** Returns an answer with an error. */
export function refuse(status: number, error: string): Reply {
  return reply(status, { error })
}

/** The state of the service. */
export class Service {
  readonly #rules: ServiceRules
  /** Hashes that can be completed. */
  readonly #requested: Set<string>
  /** All issued tokens, in order. */
  readonly tokens: string[] = []
  /** Records by hash, in order of registration. */
  readonly registered = new Map<string, AnyFields>()
  /** Number of processed completions by hash. */
  readonly completionCounts = new Map<string, number>()

  constructor(rules: Partial<ServiceRules>) {
    this.#rules = {
      prefix: '',
      apiKeys: [DEFAULT_API_KEY],
      requested: [],
      repeat: 'refuse',
      record: () => ({}),
      activeSubscription: {},
      ...rules,
    }
    this.#requested = new Set(this.#rules.requested === 'any' ? [] : this.#rules.requested)
  }

  /** Finds the endpoint of a path, and the variable part of the path. */
  locate(path: string) {
    const start = `${this.#rules.prefix}/api/v2/`
    const rest = path.startsWith(start) ? path.slice(start.length) : ''
    const route = routes.find(candidate => candidate.path.test(rest))
    const parameter = route?.path.exec(rest)?.[1] ?? ''
    return { endpoint: route?.endpoint ?? 'other', method: route?.method, parameter } as const
  }

  /**
   * Processes a call. The first broken rule decides: path and method 404, token 401, content type 415, JSON 400, then the
   * rules of the endpoint.
   */
  answer({ method, path, headers, bodyText }: SeenRequest): Reply {
    const { endpoint, method: right, parameter } = this.locate(path)
    if (method !== right) return refuse(404, 'no such path')
    const [, token = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? []
    if (endpoint !== 'login' && !this.tokens.includes(token)) return refuse(401, 'invalid token')
    if (endpoint === 'active-subscription') {
      return this.#active === undefined ? refuse(404, 'no subscription') : reply(200, this.#active)
    }
    if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
      return refuse(415, 'Content-Type must be application/json')
    }
    const body = readJson(bodyText)
    if (body === undefined) return refuse(400, 'body is not JSON')
    if (endpoint === 'login') return this.#logIn(body)
    return endpoint === 'request' ? this.#request(parameter, body) : this.#complete(parameter, body)
  }

  #logIn(body: unknown): Reply {
    const login = z.looseObject({ apiKey: z.string() }).safeParse(body)
    if (!login.success) return refuse(422, z.prettifyError(login.error))
    if (!this.#rules.apiKeys.includes(login.data.apiKey)) return refuse(401, 'invalid API key')
    const token = newToken(Math.floor(Date.now() / 1000))
    this.tokens.push(token)
    return reply(200, { token })
  }

  /** The answer can be sent as the body of the completion. */
  #request(query: string, body: unknown): Reply {
    if (query !== 'subscription=true') return refuse(400, 'query must be subscription=true')
    const request = requestSchema.safeParse(body)
    if (!request.success) return refuse(422, z.prettifyError(request.error))
    if (this.#active === undefined) return refuse(402, 'no active subscription')
    const { hash } = request.data
    const isRepeated = this.#requested.has(hash) || this.registered.has(hash)
    if (isRepeated && this.#rules.repeat === 'refuse') return refuse(409, 'already requested')
    this.#requested.add(hash)
    return reply(200, this.#active)
  }

  #complete(hash: string, body: unknown): Reply {
    const subscription = z.record(z.string(), z.unknown()).safeParse(body).data
    if (subscription === undefined) return refuse(422, 'body is not a JSON object')
    if (Object.keys(subscription).length === 0) return refuse(422, 'no subscription data')
    const wrong = this.#findWrongField(subscription)
    if (wrong !== undefined) return refuse(422, `${wrong} does not have a listed type`)
    const isRequested = this.#rules.requested === 'any' || this.#requested.has(hash)
    if (!isRequested) return refuse(404, 'hash was never requested')
    const isRepeated = this.registered.has(hash)
    if (isRepeated && this.#rules.repeat === 'refuse') return refuse(409, 'already registered')
    const record = { ...newRecord(hash, subscription), ...this.#rules.record(hash) }
    this.registered.set(hash, record)
    this.completionCounts.set(hash, (this.completionCounts.get(hash) ?? 0) + 1)
    return reply(200, record)
  }

  get #active(): AnyFields | undefined {
    const { activeSubscription: changes } = this.#rules
    return changes === null ? undefined : { ...exampleSubscription, ...changes }
  }

  /** Finds a field that has neither a listed type nor the value of the active subscription. */
  #findWrongField(subscription: AnyFields): string | undefined {
    const active = this.#active
    return Object.entries(subscriptionFields).find(
      ([name, schema]) =>
        name in subscription &&
        !isDeepStrictEqual(subscription[name], active?.[name]) &&
        !schema.safeParse(subscription[name]).success,
    )?.[0]
  }
}

/** Makes a token in the form of a JWT. It is not signed, because clients cannot check that. */
function newToken(iat: number): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const claims = encode({ iat, nbf: iat, exp: iat + 36_000 })
  return [encode({ alg: 'HS256', typ: 'JWT' }), claims, randomBytes(32).toString('hex')].join('.')
}

/** Returns undefined for a text that is not JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
