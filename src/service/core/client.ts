import type { Failed, JsonObject } from '../../outcome.ts'
import type { Secrets } from '../../secrets.ts'
import { call, type CallContext, type CallResult } from './call.ts'
import {
  completionOperation,
  failureOf,
  loginOperation,
  reasonOf,
  type Operation,
  type Reason,
} from './failures.ts'
import { parseJsonObject } from './json.ts'
import { loginReplySchema } from './schemas.ts'
import { Session, type LoginResult, type Token } from './session.ts'
import type { HttpRequest, Reply } from './transport.ts'

/** What a client needs to know of the run. */
export interface ClientOptions {
  readonly context: CallContext
  /** Normal form, without `/api/v2`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly secrets: Secrets
}

/** A call of ours: path behind the base URL, and the JSON text of its body, if it has one. */
export interface ServiceCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: string | null
  readonly operation: Operation
}

/** A call that gave nothing usable. */
export interface CallFailure {
  readonly kind: 'failed'
  readonly failure: Failed
  readonly reason: Reason
  /** Why no other registration can succeed either; null if it may. */
  readonly endsRun: Reason | null
  /** Whether the breaker counts it: no good answer, or refused with 402 or 403. */
  readonly isOutage: boolean
  /** The status of the last answer; null if there was none. */
  readonly status: number | null
}

/** What came of a call: a 2xx with a JSON object, parsed and as text, or a failure. */
export type ServiceAnswer =
  { readonly kind: 'object'; readonly object: JsonObject; readonly text: string } | CallFailure

/** What came of one completion. */
export type Completion = { readonly kind: 'record'; readonly record: JsonObject } | CallFailure

/**
 * The notarization service (`service-api.md` 4). Each method logs in first (4.1) when there is no token yet. Nothing
 * here rejects.
 */
export interface Client {
  /** Makes one authorized call with its tries; the seam for the extensions. */
  readonly call: (made: ServiceCall) => Promise<ServiceAnswer>
  /** Completes a registration without storage (4.2). */
  readonly complete: (hash: string, subscriptionJson: string) => Promise<Completion>
}

/** See {@link Client}. */
export function createClient({ context, baseUrl, apiKey, secrets }: ClientOptions): Client {
  const explain = (operation: Operation, result: CallResult): Reason =>
    reasonOf(operation, result, {
      redact: text => secrets.redactText(text),
      halted: context.halt.reason,
    })
  const session = new Session(login, context.clock)

  async function login(): Promise<LoginResult> {
    // A login is worth nothing once no more is sent, so that it ends at once with the halt.
    const body = JSON.stringify({ apiKey })
    const request = makeRequest({ method: 'POST', path: '/api/v2/auth/login', body })
    const result = await call(context, () => context.transport.send(request, context.halt.signal))
    const token = readLoginToken(result)
    if (token === undefined) {
      return { ok: false, reason: explain(loginOperation, result) }
    }
    secrets.add([token, ...token.split('.')])
    if (/^[\x21-\x7e]+$/.test(token)) return { ok: true, token }
    return { ok: false, reason: unusableToken }
  }

  async function callService(made: ServiceCall): Promise<ServiceAnswer> {
    const { result, noToken } = await callAuthorized(makeRequest(made))
    const registered = result.mayHaveActed ? 'unknown' : 'no'
    const status = result.reply?.kind === 'answer' ? result.reply.status : null
    const object = noToken === null ? successBody(result) : undefined
    if (object !== undefined && result.reply?.kind === 'answer') {
      return { kind: 'object', object, text: result.reply.body }
    }
    const reason = noToken ?? explain(made.operation, result)
    return {
      kind: 'failed',
      failure: failureOf(reason, registered),
      reason,
      endsRun: noToken,
      isOutage:
        noToken === null && (reason.code === 'unavailable' || status === 402 || status === 403),
      status,
    }
  }

  async function complete(hash: string, subscriptionJson: string): Promise<Completion> {
    const answer = await callService({
      method: 'POST',
      path: `/api/v2/registration/${hash}/forfait`,
      body: subscriptionJson,
      operation: completionOperation,
    })
    return answer.kind === 'object' ? { kind: 'record', record: answer.object } : answer
  }

  /** Sends with a token; a first 401 has it renewed and the request repeated, a second ends the session. */
  async function callAuthorized(
    request: HttpRequest,
  ): Promise<{ readonly result: CallResult; readonly noToken: Reason | null }> {
    const { halt } = context
    let refused: Token | null = null
    let noToken: Reason | null = null
    const send = async (): Promise<Reply | 'halted'> => {
      for (;;) {
        const authorization = await session.authorize(refused)
        if (!authorization.ok) {
          noToken = authorization.reason
          return 'halted'
        }
        const wasShut = await context.gate.pass(context.clock, halt.signal)
        if (halt.signal.aborted) return 'halted'
        // The token may have come of age meanwhile.
        if (wasShut) continue
        const { token } = authorization
        const headers = { ...request.headers, authorization: `Bearer ${token.value}` }
        const reply = await context.transport.send({ ...request, headers }, halt.kill)
        if (reply.kind !== 'answer' || reply.status !== 401) return reply
        if (refused !== null) {
          session.end(refusedToken)
          noToken = refusedToken
          return reply
        }
        refused = token
      }
    }
    const result = await call(context, send)
    return { result, noToken }
  }

  function makeRequest({ method, path, body }: Omit<ServiceCall, 'operation'>): HttpRequest {
    const type = body === null ? {} : { 'content-type': 'application/json' }
    const headers = { accept: 'application/json', ...type }
    return { method, url: new URL(baseUrl + path), headers, body }
  }

  return { call: callService, complete }
}

const refusedToken: Reason = {
  code: 'login-refused',
  what: 'the service refused a token that it had just issued (HTTP 401), so nothing more was sent',
  remedy: 'check the rights of the API key',
}

const unusableToken: Reason = {
  code: 'invalid-response',
  what: 'the login gave a token with characters that cannot stand in a header',
  remedy: 'check `base-url`',
}

function successBody({ reply, wasHalted }: CallResult): JsonObject | undefined {
  if (wasHalted || reply?.kind !== 'answer' || reply.status < 200 || reply.status > 299)
    return undefined
  return parseJsonObject(reply.body)
}

function readLoginToken(result: CallResult): string | undefined {
  const parsed = loginReplySchema.safeParse(successBody(result))
  return parsed.success && parsed.data.token !== '' ? parsed.data.token : undefined
}
