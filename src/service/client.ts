import { FailureError, makeFailure } from '../failure.ts'
import type { JsonObject } from '../text/json.ts'
import type { Reply } from './exchange.ts'
import { Gate } from './gate.ts'
import { completionOperation, loginOperation, type Operation } from './operation.ts'
import { Session, type Token } from './session.ts'
import type { Subscription } from './subscription.ts'
import type { Transport } from './transport.ts'
import { makeTries, type Answered, type TriesOptions } from './tries.ts'

/** What a client needs of the run. */
export interface ClientOptions extends TriesOptions {
  readonly transport: Transport
  /** Normal form, without `/api/v2`. */
  readonly baseUrl: string
  readonly apiKey: string
}

/** What is to be registered. */
export interface Subject {
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
  /** Name of the artifact. */
  readonly name: string
}

/** Where it is noted that a hash is about to be sent. */
export interface Intent {
  /** Name of the artifact, free of secrets. */
  readonly artifact: string
  readonly isNoted: boolean
  /**
   * Called before the first call for a hash that may act goes out, and before each try after one that may have acted.
   * Rejects with the failure if the note cannot be saved: nothing is sent then.
   */
  readonly note: () => Promise<void>
}

/** The answer to a completion: a record, not yet checked. */
export interface Notarization {
  readonly record: JsonObject
  /** The `id` of the subscription that paid, which `paymentId` must be; null if it cannot be compared. */
  readonly paymentId: string | null
  /** Completions before this one that may have acted, and whose answer was lost. */
  readonly unansweredTries: number
}

/** A way to register one subject; the seam between the core and the extensions. Rejects with the failure. */
export type Notarize = (subject: Subject, intent: Intent) => Promise<Notarization>

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
 * The notarization service (`service-api.md` 4). Each method logs in first (4.1) when there is no token yet, and rejects
 * with the failure.
 */
export interface Client {
  /** Makes one authorized call with its tries; the seam for the extensions. */
  readonly call: (made: ServiceCall) => Promise<Answered>
  /** Completes a registration without storage (4.2), which the subscription pays for. */
  readonly completeWith: (subscription: Subscription) => Notarize
}

/** So many aged tokens of one try may be refused; the next refusal is final. */
const maxRefusals = 3

/** See {@link Client}. */
export function createClient(options: ClientOptions): Client {
  const { transport, clock, halt, secrets, baseUrl, apiKey } = options
  const gate = new Gate(clock, halt)
  const tries = { ...options, gate }
  const session = new Session(login, clock)

  async function login(): Promise<string> {
    const url = new URL(`${baseUrl}/api/v2/auth/login`)
    const body = JSON.stringify({ apiKey })
    const send = async (): Promise<Reply> => {
      await gate.pass()
      // A login is worth nothing once no more is sent, so that it ends at once with the halt.
      return transport.send({ method: 'POST', url, body, token: null }, halt.signal)
    }
    const answer = await makeTries({ operation: loginOperation, url, artifact: null }, send, tries)
    const { token } = answer.object
    if (typeof token !== 'string' || token === '') {
      throw noToken(`the login failed: the answer has no token (from ${url.href})`)
    }
    secrets.add([token, ...token.split('.')])
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw noToken('the login gave a token with characters that cannot stand in a header')
    }
    return token
  }

  async function call(made: ServiceCall): Promise<Answered> {
    const { method, path, body, operation, intent } = made
    const url = new URL(baseUrl + path)
    const send = async (wasLost: boolean): Promise<Reply> => {
      let refused: Token | null = null
      let due = intent?.isNoted === false || wasLost ? intent : undefined
      for (let refusals = 0; ;) {
        const token = await session.authorize(refused)
        // The token may have come of age meanwhile.
        if (await gate.pass()) continue
        if (due !== undefined) {
          await due.note()
          due = undefined
          // Saving takes its time: the run may be halted by now, or the gate be shut.
          continue
        }
        const isFinal = refusals > 0 && (session.isNew(token) || refusals >= maxRefusals)
        const request = { method, url, body, token: token.value }
        const reply = await transport.send(request, halt.kill)
        if (reply.kind !== 'answer' || reply.status !== 401) return reply
        if (isFinal) session.end(refusedToken)
        refused = token
        refusals += 1
      }
    }
    return makeTries({ operation, url, artifact: intent?.artifact ?? null }, send, tries)
  }

  return {
    call,
    completeWith:
      ({ id, json }) =>
      async ({ hash }, intent) => {
        const { object, unansweredTries } = await call({
          method: 'POST',
          path: `/api/v2/registration/${hash}/forfait`,
          body: json,
          operation: completionOperation,
          intent,
        })
        return { record: object, paymentId: id, unansweredTries }
      },
  }
}

const refusedToken = makeFailure({
  code: 'login-refused',
  what: 'the service refused a new token (HTTP 401), so nothing more was sent',
  remedy: 'check the rights of the API key',
})

/** A login that gave no token to use. */
function noToken(what: string): FailureError {
  const remedy = 'check the input "base-url"'
  return new FailureError(makeFailure({ code: 'invalid-response', what, remedy }))
}
