import { failed, type Certainty, type Failed, type FailureCode } from '../../outcome.ts'
import { quote } from '../../report/escape.ts'
import type { CallResult } from './call.ts'
import { parseJsonObject } from './json.ts'
import { isRetryable } from './retry.ts'
import type { Reply } from './transport.ts'

/** The call that failed: its name in a sentence, and the statuses that mean "refused". */
export interface Operation {
  readonly name: string
  readonly codeOf4xx: (status: number) => FailureCode
  /** What to do about a refusal. */
  readonly refusalRemedy: string
}

/** The login (`service-api.md` 4.1): what is no refusal of the key is no login of this service. */
export const loginOperation: Operation = {
  name: 'the login',
  codeOf4xx: status =>
    [400, 401, 403, 422].includes(status) ? 'login-refused' : 'invalid-response',
  refusalRemedy: 'check the secret behind "api-key" and that the key is for this service',
}

/** The completion (`service-api.md` 4.2). */
export const completionOperation: Operation = {
  name: 'the registration',
  codeOf4xx: () => 'refused',
  refusalRemedy:
    'it may have been registered by an earlier run whose records file is not here; else check that the registration was requested for this hash and that the subscription is valid',
}

/** Why something failed, without what that means for an artifact. */
export interface Reason {
  readonly code: FailureCode
  readonly what: string
  readonly remedy: string
  /** See `Failed`. */
  readonly isDeferrable?: boolean
}

/** Builds the failure of one artifact: what failed, what that means for money and state, what to do next. */
export function failureOf(reason: Reason, registered: Certainty): Failed {
  const { code, what, remedy, isDeferrable = false } = reason
  const failure = failed(code, registered, `${what}; ${aftermath(registered)}; ${remedy}`)
  return isDeferrable ? { ...failure, isDeferrable } : failure
}

function aftermath(registered: Certainty): string {
  return registered === 'no'
    ? 'this run did not register it, and nothing was spent for it'
    : 'it may have been registered and paid for: look its hash up at the service before another run sends it again'
}

/** What a call failed with, beside its result. */
export interface FailureContext {
  /** Takes the secrets out of what the service said. */
  readonly redact: (text: string) => string
  /** Why the run was halted, if it was. */
  readonly halted: Reason | null
}

/** Why a call gave nothing usable. */
export function reasonOf(
  operation: Operation,
  result: CallResult,
  { redact, halted }: FailureContext,
): Reason {
  if (result.wasHalted || result.reply === null) return halted ?? cancelledReason
  const { what, ...judgement } = judge(operation, result.reply, redact)
  const tries = result.tries > 1 ? ` after ${result.tries} tries` : ''
  return { ...judgement, what: `${operation.name} failed${tries}: ${what}` }
}

const checkUrl = 'check `base-url`'
const tryLater = 'run the job again later, with the same records file'

/** The run was cancelled before the matter was settled. */
export const cancelledReason: Reason = {
  code: 'cancelled',
  what: 'the run was cancelled',
  remedy: 'run the job again with the same records file',
}

function judge(operation: Operation, reply: Reply, redact: (text: string) => string): Reason {
  switch (reply.kind) {
    case 'lost':
      return {
        code: 'unavailable',
        what: reply.reason,
        remedy: `${tryLater}, and ${checkUrl} if it stays so`,
        isDeferrable: true,
      }
    case 'untrusted':
      return {
        code: 'unavailable',
        what: `the certificate of the service is not trusted (${reply.reason})`,
        remedy: `${checkUrl}; for a private certificate authority set NODE_EXTRA_CA_CERTS`,
      }
    case 'aborted':
      return cancelledReason
    case 'too-large':
      return {
        code: 'invalid-response',
        what: `the answer (HTTP ${reply.status}) is larger than 1 MiB`,
        remedy: checkUrl,
      }
    case 'answer':
      return judgeAnswer(operation, reply, redact)
  }
}

function judgeAnswer(
  operation: Operation,
  reply: Extract<Reply, { kind: 'answer' }>,
  redact: (text: string) => string,
): Reason {
  const { status } = reply
  const what = `the service answered HTTP ${status}${saying(reply.body, redact)}`
  if (isRetryable(reply) || (status >= 500 && status <= 599)) {
    const waits = reply.retryAfter === null ? '' : ' (see the Retry-After of the service)'
    return { code: 'unavailable', what, remedy: `${tryLater}${waits}`, isDeferrable: true }
  }
  if (status >= 400 && status <= 499) {
    const code = operation.codeOf4xx(status)
    return { code, what, remedy: code === 'invalid-response' ? checkUrl : operation.refusalRemedy }
  }
  if (status >= 300 && status <= 399) {
    return {
      code: 'invalid-response',
      what: `the service answered with a redirect (HTTP ${status}), which is never followed`,
      remedy: `${checkUrl}: give the final address`,
    }
  }
  const shape = status >= 200 && status <= 299 ? ' with a body that cannot be understood' : ''
  return {
    code: 'invalid-response',
    what:
      status === 0
        ? 'the service answered with something that is not HTTP'
        : `the service answered HTTP ${status}${shape}`,
    remedy: checkUrl,
  }
}

const maxSayingLength = 200

/** What the service said about its refusal, without secrets, cut, in one line; nothing for a page of HTML. */
function saying(body: string, redact: (text: string) => string): string {
  const { message, error } = parseJsonObject(body) ?? {}
  const told = [message, error].find(value => typeof value === 'string') ?? body
  const text = redact(typeof told === 'string' ? told : '').trim()
  return text === '' || text.startsWith('<') ? '' : `: "${quote(text, maxSayingLength)}"`
}
