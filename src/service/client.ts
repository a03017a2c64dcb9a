import { makeFailure, type Failure } from '../failure.ts'
import { notNotedFailure } from '../halt.ts'
import type { HttpRequest, Reply } from './exchange.ts'
import { Gate } from './gate.ts'
import { completionOperation, loginOperation, type Operation } from './operation.ts'
import { Session, type Token } from './session.ts'
import type { Transport } from './transport.ts'
import { makeTries, type Answer, type TriesOptions } from './tries.ts'

/** What a client needs of the run. */
export interface ClientOptions extends TriesOptions {
  readonly transport: Transport
  /** Normal form, without `/api/v2`. */
  readonly baseUrl: string
  readonly apiKey: string
}

/**
 * Notes that a hash is about to be sent, before a call that may act goes out; false if that cannot be saved. Called
 * before the first call for a hash, and before each try after one that may have acted.
 */
export interface Intent {
  /** Name of the artifact, free of secrets. */
  readonly artifact: string
  readonly isNoted: boolean
  readonly note: () => Promise<boolean>
}

/** A call of ours: path behind the base URL, and the JSON text of its body, if it has one. */
export interface ServiceCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: string | null
  readonly operation: Operation
  /** For calls that may act. */
  readonly intent?: Intent
}

/**
 * The notarization service (`service-api.md` 4). Each method logs in first (4.1) when there is no token yet. Nothing
 * here rejects.
 */
export interface Client {
  /** Makes one authorized call with its tries; the seam for the extensions. */
  readonly call: (made: ServiceCall) => Promise<Answer>
  /** Completes a registration without storage (4.2); `subscriptionJson` is the subscription data that pays. */
  readonly complete: (completion: {
    readonly hash: string
    readonly subscriptionJson: string
    readonly intent: Intent
  }) => Promise<Answer>
}

/** So many aged tokens of one try may be refused; the next refusal is final. */
const maxRefusals = 3

/** See {@link Client}. */
export function createClient(options: ClientOptions): Client {
  const { transport, clock, halt, secrets, baseUrl } = options
  const gate = new Gate(clock)
  const tries = { ...options, gate }
  const session = new Session(login, clock)

  async function login(): Promise<string | Failure> {
    // A login is worth nothing once no more is sent, so that it ends at once with the halt.
    const body = JSON.stringify({ apiKey: options.apiKey })
    const request = makeRequest({ method: 'POST', path: '/api/v2/auth/login', body })
    const { url } = request
    const send = (): Promise<Reply> => transport.send(request, halt.signal)
    const answer = await makeTries({ operation: loginOperation, url, artifact: null }, send, tries)
    if ('failure' in answer) return { ...answer.failure, endsRun: true, isOutage: false }
    const { token } = answer.object
    if (typeof token !== 'string' || token === '') return noToken(url)
    secrets.add([token, ...token.split('.')])
    return /^[\x21-\x7e]+$/.test(token) ? token : unusableToken
  }

  async function call({ operation, intent, ...made }: ServiceCall): Promise<Answer> {
    const request = makeRequest(made)
    const { url } = request
    const send = async (wasLost: boolean): Promise<Reply | Failure> => {
      let refused: Token | null = null
      let isDue = intent !== undefined && (!intent.isNoted || wasLost)
      for (let refusals = 0; ;) {
        const token = await session.authorize(refused)
        if ('code' in token) return token
        const wasShut = await gate.pass(halt.signal)
        if (halt.reason !== null) return halt.reason
        // The token may have come of age meanwhile.
        if (wasShut) continue
        if (isDue) {
          if ((await intent?.note()) === false) return notNotedFailure
          isDue = false
          // Saving takes its time: the run may be halted by now, or the gate be shut.
          continue
        }
        const isFinal = refusals > 0 && (session.isNew(token) || refusals >= maxRefusals)
        const headers = { ...request.headers, authorization: `Bearer ${token.value}` }
        const reply = await transport.send({ ...request, headers }, halt.kill)
        if (reply.kind !== 'answer' || reply.status !== 401) return reply
        if (isFinal) {
          session.end(refusedToken)
          return refusedToken
        }
        refused = token
        refusals += 1
      }
    }
    return makeTries({ operation, url, artifact: intent?.artifact ?? null }, send, tries)
  }

  function makeRequest({
    method,
    path,
    body,
  }: Pick<ServiceCall, 'method' | 'path' | 'body'>): HttpRequest {
    const type = body === null ? {} : { 'content-type': 'application/json' }
    const headers = { accept: 'application/json', ...type }
    return { method, url: new URL(baseUrl + path), headers, body }
  }

  return {
    call,
    complete: ({ hash, subscriptionJson, intent }) =>
      call({
        method: 'POST',
        path: `/api/v2/registration/${hash}/forfait`,
        body: subscriptionJson,
        operation: completionOperation,
        intent,
      }),
  }
}

const refusedToken = makeFailure({
  code: 'login-refused',
  what: 'the service refused a new token (HTTP 401), so nothing more was sent',
  remedy: 'check the rights of the API key',
  endsRun: true,
})

const unusableToken = makeFailure({
  code: 'invalid-response',
  what: 'the login gave a token with characters that cannot stand in a header',
  remedy: 'check the input "base-url"',
  endsRun: true,
})

function noToken(url: URL): Failure {
  return makeFailure({
    code: 'invalid-response',
    what: `the login failed: the answer has no token (from ${url.href})`,
    remedy: 'check the input "base-url"',
    endsRun: true,
  })
}
